"""What players stumbled over on phones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session
from tests.browser.conftest import until
from tests.support.served import served

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page of a small phone."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    yield context.new_page()
    context.close()


def session(game_id: str, players: int = 2, names: tuple[str, ...] = ()) -> Session:
    seats = [f"human:{name}" for name in names] or ["human"] * players
    return Session(Match(get_game(game_id), seed=3, players=players), seats)


def opened(page: Page, url: str) -> None:
    page.goto(url)
    until(page, "view !== null && view.legal.length > 0 && settled()")


TOUCHED = """(move) => {
  const spot = [...table.querySelectorAll("svg [data-moves]")].find((one) => movesOf(one).includes(move));
  spot.scrollIntoView({ block: "center" });
  const box = spot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def test_a_touch_that_shows_a_hidden_card_is_asked_about(phone: Page) -> None:
    play = session("bdgame-v3")
    with served(play) as there:
        opened(phone, there.url())
        phone.touchscreen.tap(*phone.evaluate(TOUCHED, "accept 1"))
        expect(phone.locator("#prompt")).to_contain_text("This reveals something hidden and cannot be undone.")
        phone.locator("#not-yet").tap()
        assert play.number == 0
        phone.touchscreen.tap(*phone.evaluate(TOUCHED, "collect"))  # this can be undone
        if phone.locator("#choices").is_visible():
            phone.locator("#choices [data-move='collect']").tap()
        until(phone, "view.number === 1 && settled()")
        phone.locator("#all-moves").tap()
        phone.locator("#moves [data-move='accept 1']").tap()  # a button says what it does, so it does not ask
        until(phone, "view.number === 2")
    assert play.record().moves[-1].move == "accept 1"


def test_a_phone_shows_what_a_choice_is_about_and_goes_back(phone: Page) -> None:
    """A slot above the list of moves, and then the cards that are still to be played."""
    play = session("pixel-pusher-v2")
    while play.match.snapshot()["phase"] != "build" or play.match.seat != 0:
        play.play(play.match.seat, play.match.legal_moves()[0])
    phone.set_viewport_size({"width": 360, "height": 560})
    with served(play) as there:
        opened(phone, there.url(0))
        before = phone.evaluate("(scrollTo(0, 0), scrollY)")
        phone.locator("#own .legal").first.tap()
        until(phone, f"!byId('choices').hidden && scrollY > {before}")
        bottom, top = (
            "byId('seat-0-slot-1').getBoundingClientRect().bottom",
            "byId('choices').getBoundingClientRect().top",
        )
        until(phone, f"{bottom} < {top}")
        phone.locator("#jump button").last.tap()
        expect(phone.locator("#choices")).to_be_visible()
        phone.locator("#close-choices").tap()
        until(phone, f"byId('choices').hidden && scrollY === {before}")


IN_SIGHT = """(within) => [...document.querySelectorAll(within)].map((one) => {
  const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
})"""


def test_cards_that_a_confirmed_move_shows_are_in_sight(phone: Page) -> None:
    """They are measured while the question still stands in the bar."""
    with served(session("gizmos-v3")) as there:
        opened(phone, there.url())
        phone.touchscreen.tap(*phone.evaluate(TOUCHED, "research 1"))
        phone.locator("#confirm").tap()
        until(phone, "view.number === 1 && settled()")
        until(phone, f"String(({IN_SIGHT})('#status [data-card]')) === 'true,true,true'")  # they move there


HINT = """(move) => {
  showHint({ number: 0, move, because: "", remarks: { visits: { [move]: 1 } }, said: { [move]: words(move) } });
}"""


@pytest.mark.parametrize("move", ["accept 2", "collect"])
def test_what_a_hint_advises_is_above_its_sheet(phone: Page, move: str) -> None:
    with served(session("bdgame-v3")) as there:
        opened(phone, there.url())
        phone.evaluate(HINT, move)
        until(phone, f"String(({IN_SIGHT})('svg .advised')) === 'true' && !byId('advice').hidden")


def test_a_hint_that_is_taken_makes_way_for_the_question(phone: Page) -> None:
    play = session("nicodemus-v2")
    hinter = make_agent("random", play.match.game, play.match.config, seed=1)
    with served(play, hinter=hinter) as there:
        opened(phone, there.url())
        phone.evaluate("view.ends = view.legal")
        ends = phone.evaluate("view.legal.find((move) => !view.others.includes(move))")
        phone.evaluate(
            "(move) => showHint({ number: view.number, move, said: {}, because: '', remarks: { visits: {} } })", ends
        )
        phone.locator("#advice tr.link button").tap()
        expect(phone.locator("#advice")).to_be_hidden()
        expect(phone.locator("#prompt")).to_contain_text("This ends your turn.")
        phone.locator("#confirm").tap()  # nothing lies over it
        until(phone, "view.number >= 1 || sent !== null")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_settings_hide_what_lies_below(phone: Page, scheme: str) -> None:
    phone.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    with served(session("gizmos-v3")) as there:
        opened(phone, there.url() + "?fast")
        phone.locator("#settings summary").tap()
        color = phone.evaluate("getComputedStyle(document.querySelector('#settings .menu')).backgroundColor")
        assert color.startswith("rgb("), f"{color} can be seen through"


def test_all_scores_are_in_the_header(phone: Page) -> None:
    names = ("Wilhelmina of Orange", "bot 3 (1)", "bot 3 (2)", "Bartholomew the Great")
    for players in (3, 4):
        with served(session("pixel-pusher-v2", players, names[:players])) as there:
            opened(phone, there.url() + "?fast")
            people = phone.locator("#people").bounding_box()
            assert people
            for seat in range(players):
                told = phone.locator(f"#person-{seat}")
                box = told.bounding_box()
                assert box and box["x"] + box["width"] <= people["x"] + people["width"] + 1
                assert told.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1"), "its points are whole"


MARK = "(summary) => getComputedStyle(summary, '::before').content"


def test_a_round_of_the_log_shows_that_it_can_be_opened(phone: Page) -> None:
    play = session("nicodemus-v2")
    with served(play) as there:
        while play.scene(play.number, 0).snapshot["round"] < 4:
            play.play(play.match.seat, play.match.legal_moves()[0])
        phone.goto(there.url(play.match.seat) + "?fast")
        until(phone, "view !== null && settled()")
        first, last = phone.locator("#log summary").first, phone.locator("#log summary").last
        assert first.evaluate(MARK) == '"▸"' and last.evaluate(MARK) == '"▾"'
        first.tap()
        assert first.evaluate(MARK) == '"▾"'
        expect(phone.locator("#log li").first).to_be_visible()


WORKSHOP = """() => {
  const node = byId("part-own-workshop"), svg = node.firstElementChild, room = node.getBoundingClientRect();
  const spots = [...node.querySelectorAll("[data-moves]")].map((spot) => spot.getBoundingClientRect());
  const seen = spots.filter((spot) => spot.left >= room.left && spot.right <= room.right);
  const share = node.clientWidth / svg.getBoundingClientRect().width;
  return [share, seen.length, Math.min(...spots.map((spot) => spot.height))];
}"""  # the share of the workshop in sight, spots to click in sight, and their least height


def test_a_workshop_is_seen_by_half_until_a_card_is_placed(phone: Page) -> None:
    play = session("bdgame-v3")
    with served(play) as there:
        opened(phone, there.url() + "?fast")
        share, seen, height = phone.evaluate(WORKSHOP)
        assert share > 0.5 and seen and height >= 43.5
        for number, move in enumerate(("remove 1,2", "end", "select packer"), 1):
            phone.evaluate("(move) => play(move, 1, true)", move)
            until(phone, f"view.number === {number} && settled()")
        share, seen, height = phone.evaluate(WORKSHOP)
        assert share < 0.5 and seen and height >= 43.5
        phone.evaluate("byId('part-own-workshop').scrollLeft = 9999")
        phone.evaluate("play(view.legal.find((move) => move.startsWith('place')), 1, true)")
        until(phone, "view.number === 4 && settled()")
        assert phone.evaluate(WORKSHOP)[1], "spots out of sight come into it"


SPOT_IN_SIGHT = """() => [...document.querySelectorAll("#own svg .legal")].some((spot) => {
  const { top, bottom } = spot.getBoundingClientRect();
  return top > byId("purse").getBoundingClientRect().bottom && bottom < byId("decision").getBoundingClientRect().top;
})"""


def test_the_page_goes_to_the_workshop_when_a_card_is_to_be_placed(phone: Page) -> None:
    """And not back to it when one looks elsewhere meanwhile."""
    phone.set_viewport_size({"width": 360, "height": 600})
    with served(session("bdgame-v3")) as there:
        opened(phone, there.url() + "?fast")
        for number, move in enumerate(("remove 1,2", "end", "select packer"), 1):
            phone.evaluate("scrollTo(0, 0)")
            phone.evaluate("(move) => play(move, 1, true)", move)
            until(phone, f"view.number === {number} && settled()")
        until(phone, f"({SPOT_IN_SIGHT})()")
        phone.wait_for_timeout(500)  # it comes to rest there
        phone.evaluate("scrollTo(0, 0); refresh()")
        phone.wait_for_timeout(500)
        assert phone.evaluate("scrollY") == 0 and not phone.evaluate(SPOT_IN_SIGHT)


def test_marbles_stand_above_cards(phone: Page) -> None:
    with served(session("gizmos-v3")) as there:
        opened(phone, there.url() + "?fast")
        tops = phone.evaluate("[...document.querySelectorAll('#common .part')].map((part) => part.id)")
        assert tops[0] == "part-marbles" and len(tops) == 4


def test_the_page_shows_where_others_move_cards_and_comes_back(phone: Page) -> None:
    play = session("gizmos-v3")
    with served(play, separate=True) as there:
        opened(phone, there.url(0))
        other = there.page(1)
        phone.evaluate(
            "(move) => play(move, 1, true)", "pick red" if "pick red" in play.match.legal_moves() else "pick blue"
        )
        until(phone, "settled() && toMoveNow() === 1")
        phone.evaluate("scrollTo(0, 0)")
        other.wait_for(1)
        other.play("file 0")  # of level 1, which is out of sight
        until(phone, "wandered && scrollY > 0")
        until(phone, "settled()")
        assert phone.evaluate("[wandered, byId('own').getBoundingClientRect().top < innerHeight / 2]") == [False, True]


def test_all_is_undone_from_the_list_of_moves(phone: Page) -> None:
    play = session("bdgame-v3")
    with served(play) as there:
        opened(phone, there.url() + "?fast")
        for number in (1, 2):
            expect(phone.locator("#moves").get_by_text("undo all")).to_have_count(0)
            phone.evaluate("play('collect', 1, true)")
            until(phone, f"view.number === {number} && settled()")
        phone.locator("#all-moves").tap()
        phone.locator("#moves").get_by_text("undo all").tap()
        until(phone, "view.number === 0 && settled()")


def test_a_touch_that_closes_the_help_of_a_card_plays_nothing_below_it(phone: Page) -> None:
    play = session("bdgame-v3")
    with served(play) as there:
        opened(phone, there.url() + "?fast")
        phone.locator("#all-moves").tap()
        phone.evaluate("showLens(byId('pile-packer'), 'packer'); byId('lens').style.top = '0'")
        move = phone.locator("#moves [data-move='collect']")
        move.tap(force=True)
        expect(phone.locator("#lens")).to_be_hidden()
        phone.wait_for_timeout(200)
        assert play.number == 0
        move.tap()
        until(phone, "view.number === 1")
