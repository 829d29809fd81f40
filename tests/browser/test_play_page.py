"""The page to play on, driven by clicks."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from bdgame_env import get_game, list_games
from bdgame_env.agents import Agent, make_agent
from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session
from bdgame_env.records.game_record import GameRecord
from tests.browser.conftest import held_back, until
from tests.games.bdgame import positions as bdgame
from tests.games.gizmos import positions as gizmos
from tests.games.nicodemus import positions as nicodemus
from tests.support.served import served

pytestmark = pytest.mark.browser
SPOTS = "#table svg [data-moves]"
CHOICES = "#choices:not([hidden]) .list, .choosing #actions"  # in a list beside the table, or in the bar
TABLE = "#own"


def session(game_id: str, *seats: str, seed: int = 3, **options: Any) -> Session:
    return Session(Match(get_game(game_id), seed=seed, players=len(seats), **options), seats)


def opponents(session: Session) -> dict[int, Agent]:
    match = session.match
    return {
        seat: make_agent(name, match.game, match.config, seed=seat)
        for seat, name in enumerate(session.seats)
        if name != "human"
    }


def short(game: Game) -> dict[str, int]:
    return {"max_rounds": 3} if "max_rounds" in game.options else {}


def moves_of(spot: Locator) -> list[str]:
    moves: list[str] = json.loads(spot.get_attribute("data-moves") or "[]")
    return moves


def settled(page: Page, number: int) -> None:
    """Wait until the page shows the position after so many decisions or a later one, and no more is coming."""
    until(page, f"view !== null && view.number >= {number} && settled()")


def click_a_move(page: Page, move: str, on_board: bool) -> None:
    """Play a move by clicking on what it is about, and then on it if there are several, or on its button."""
    if on_board:
        spots = page.locator(SPOTS)
        for number in range(spots.count()):
            moves = moves_of(spots.nth(number))  # asked before the click, after which the spot may be gone
            if move in moves:
                spots.nth(number).click()
                if (choice := page.locator(CHOICES).locator(f"[data-move={json.dumps(move)}]")).is_visible():
                    choice.click()  # several moves, or one several times
                return
    page.locator(f"#moves [data-move={json.dumps(move)}]").click()


def colors(picture: bytes) -> int:
    """How many colors a screenshot has."""
    pixels = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).reshape(-1, 3)
    return len(np.unique(pixels, axis=0))


def test_nothing_can_be_asked_before_the_server_has_told_of_the_game(page: Page) -> None:
    with served(session("bdgame-v3", "human", "human")) as there:
        held = held_back(page)
        page.goto(there.url() + "?fast")
        until(page, "socket !== null && online()")
        for key in "uhm?":
            page.keyboard.press(key)
        for asked in ("#help", "#guide"):
            expect(page.locator(asked)).to_be_hidden()
        expect(page.locator("#hint")).to_have_text("hint")
        until(page, "view !== null", held)
        expect(page.locator("#help")).to_be_visible()
        expect(page.locator("#hint")).to_be_enabled()


def test_a_second_touch_before_the_answer_does_nothing(page: Page) -> None:
    with served(session("bdgame-v3", "human", "human")) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        page.evaluate("play('collect'); play('collect')")
        settled(page, 1)
        page.evaluate("propose(view.ends[0])")
        page.evaluate("() => { const confirm = byId('confirm'); confirm.click(); confirm.click(); }")
        settled(page, 2)
        page.wait_for_timeout(200)
        assert there.session.number == 2 and page.locator("#toast").is_hidden()


@pytest.mark.parametrize("game_id", list_games())
def test_a_whole_game_by_clicks_against_an_agent(page: Page, game_id: str, tmp_path: Path) -> None:
    game = get_game(game_id)
    play = session(game_id, "human", "random", **short(game))
    with served(play, opponents(play)) as there:
        page.goto(there.url() + "?fast")
        clicked = 0
        settled(page, 0)
        assert colors(page.locator("#table").screenshot()) > 20, "there is a picture"
        while True:
            until(page, "view.ending || view.legal.length && settled()")
            if page.evaluate("view.ending"):
                break
            legal = page.evaluate("view.legal")
            assert legal == play.match.legal_moves()
            shown = [move for spot in page.locator(SPOTS).all() for move in moves_of(spot)]
            shown += page.evaluate("[...document.querySelectorAll('#actions button')].map((one) => one.dataset.move)")
            assert set(shown) == set(legal), "every legal move can be clicked, and no other"
            move, number = legal[clicked * 7919 % len(legal)], play.number
            seen = page.evaluate("view.number")  # decisions that this seat knows of
            click_a_move(page, move, on_board=clicked % 3 < 2)
            settled(page, seen + 1)
            assert play.record().moves[number].move == move
            clicked += 1
        assert clicked > 3 and play.over
        expect(page.locator("#page-status")).to_contain_text("the game is over")
        for name in ("undo", "hint"):
            expect(page.locator(f"#{name}")).to_be_disabled()
        with page.expect_download() as download:
            page.locator("#save").click()
        download.value.save_as(tmp_path / "game.txt")
    record = GameRecord.from_text((tmp_path / "game.txt").read_text("utf-8"))
    assert record == play.record()
    list(record.play(game))


def test_a_click_on_what_is_not_legal_changes_nothing(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        dead = page.locator("#table svg [id]:not([data-moves]):not(:has([data-moves]))")
        assert dead.count() > 10
        for number in range(0, dead.count(), max(1, dead.count() // 12)):
            if not dead.nth(number).evaluate("spot => spot.closest('[data-moves]') !== null"):
                dead.nth(number).dispatch_event("click")
        page.evaluate("send({ do: 'move', move: 'fulfil 0', number: 0 })")
        expect(page.locator("#toast")).to_contain_text("'fulfil 0' is not legal now")
        assert play.changes == 0 and page.evaluate("view.number") == 0


def test_another_seats_link_cannot_move(context: BrowserContext, page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url(0) + "?fast")
        other = context.new_page()
        other.goto(there.url(1) + "?fast")
        settled(other, 0)
        assert other.locator(SPOTS).count() == 0 and other.locator("#moves button").count() == 0
        other.evaluate("send({ do: 'move', move: 'collect', number: 0 })")
        expect(other.locator("#toast")).to_contain_text("it is not your turn")
        assert play.changes == 0
        settled(page, 0)
        click_a_move(page, "collect", on_board=True)
        settled(other, 1)
        expect(other.locator("#log")).to_contain_text("Player 1 collected 2 Yellow")


def test_undo_and_hint(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    hinter = make_agent("mcts:sims=20,threads=1", play.match.game, play.match.config, seed=1)
    with served(play, hinter=hinter) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        expect(page.locator("#undo")).to_be_disabled()
        click_a_move(page, "load Y@0", on_board=True)
        settled(page, 1)
        before = page.locator(TABLE).inner_html()
        page.keyboard.press("u")
        until(page, "view.number === 0")
        assert play.number == 0 and page.locator(TABLE).inner_html() != before
        page.locator("#hint").click()
        expect(page.locator("#adviser")).to_contain_text("Hint: ")
        assert page.locator("#table .advised, #moves .advised").count() > 0, "marked on the board and in the list"
        expect(page.locator("#because")).to_contain_text("With this, your chance to win is ")
        expect(page.locator("#advice tr.link").first).to_contain_text("%")
        page.evaluate("offer(view.legal, byId('own'))")
        expect(page.locator("#advice")).to_be_hidden()
        page.locator("#hint").click()
        expect(page.locator("#choices")).to_be_hidden()  # they would lie over the hint
        expect(page.locator("#advice")).to_be_visible()
        window = page.viewport_size
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.locator("#advice tr.link td:last-child").first).to_be_visible()  # a phone tells the chances too
        expect(page.locator("#advice td.bar").first).to_be_hidden()
        page.set_viewport_size(window or {"width": 1280, "height": 800})
        assert (
            page.locator("#advice tr.link").first.inner_text().split("\t")[0] in page.locator("#adviser").inner_text()
        )
        page.locator("#advice tr.link").first.click()
        settled(page, 1)
        assert play.number == 1
        expect(page.locator("#advice")).to_be_hidden()


def test_what_an_agent_thought_is_shown(page: Page) -> None:
    play = session("bdgame-v3", "mcts:sims=10,threads=1", "human")
    with served(play, opponents(play)) as there:
        page.goto(there.url() + "?fast")
        until(page, "view !== null && view.to_move === 1 && settled()")
        expect(page.locator("#thinker")).to_contain_text("mcts on move")
        assert page.locator("#thought tr").count() > 1  # a row of headings, and moves
        assert page.locator("#log .value").first.inner_text() != ""
        page.evaluate("fillThought(byId('advice').querySelector('table'), {visits: {a: 6, b: 4}}, null, {}, 'b')")
        told = page.locator("#advice tr td:first-child")
        assert told.all_text_contents() == ["", "b", "a"], "the choice comes first"
        page.evaluate(
            "fillThought(byId('advice').querySelector('table'), {visits: {a: 6, b: 4}}, null, {a: 'x', b: 'x'}, 'c')"
        )
        assert told.all_text_contents() == ["", "c", "x (a)", "x (b)"], "the choice is there, and no two are alike"


def test_a_lost_connection_is_taken_up_again(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        click_a_move(page, "load Y@0", on_board=True)
        settled(page, 1)
        page.mouse.move(0, 0)  # or else what lies under it is marked, sooner or later
        before = page.locator(TABLE).inner_html()
        page.evaluate("view = null; socket.close()")
        settled(page, 1)
        assert page.locator(TABLE).inner_html() == before and page.locator("#log li button").count() == 1
        page.reload()
        settled(page, 1)
        click_a_move(page, "load R@1", on_board=True)
        settled(page, 2)
        assert play.number == 2


def test_one_page_for_two_people_hides_the_table_between_them(page: Page) -> None:
    play = session("gizmos-v3", "human", "human")
    with served(play, separate=False) as there:
        page.goto(there.url() + "?fast")
        until(page, "view !== null")
        while play.match.seat == 0:
            until(page, "view.legal.length && settled()")
            number = play.number
            click_a_move(page, play.match.legal_moves()[0], on_board=False)
            settled(page, number + 1)
        if page.evaluate("view.covered"):
            expect(page.locator("#whose")).to_contain_text("Player 2 to move")
            page.locator("#ready").click()
        until(page, "view.seat === 1 && view.legal.length > 0")


PHONE = """() => {
  const small = [];
  for (const text of document.querySelectorAll("#own svg text, #common svg text, #status svg text")) {
    const scale = text.getScreenCTM();
    const size = parseFloat(text.getAttribute("font-size")) * Math.hypot(scale.a, scale.b);
    if (size < 11.9) small.push(`${text.textContent}: ${size}`);
  }
  for (const one of document.querySelectorAll("svg [data-moves], button")) {
    const spot = one.closest("[data-touch='whole']") ?? one; // a finger that touches a part of it chooses among all
    const box = spot.getBoundingClientRect();
    const seen = spot.getClientRects().length > 0;
    const side = Math.min(box.width, box.height);
    if (seen && side < 43.5) small.push(`${spot.id || spot.textContent}: ${side}`);
  }
  return small;
}"""


@pytest.mark.parametrize("game_id", list_games())
def test_on_a_phone_text_can_be_read_and_targets_be_hit(browser: Browser, game_id: str) -> None:
    play = session(game_id, "human", "human")
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    with served(play) as there:
        page = context.new_page()
        page.goto(there.url() + "?fast")
        until(page, "view !== null && view.legal.length > 0 && settled()")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate(PHONE) == []
        page.locator("#all-moves").tap()
        x, y = page.evaluate(ABOVE)
        page.touchscreen.tap(x, y)  # beside the list of moves: closes it, and plays nothing
        expect(page.locator("#choose")).to_be_hidden()
        page.wait_for_timeout(300)
        assert play.number == 0
        page.locator("#all-moves").tap()
        page.locator("#close-moves").tap()
        expect(page.locator("#choose")).to_be_hidden()
        page.locator("#all-moves").tap()
        page.locator("#moves button").first.tap()
        settled(page, 1)
        assert play.number >= 1 and page.evaluate(PHONE) == []
        assert colors(page.screenshot()) > 20
    context.close()


ABOVE = """() => {
  const spot = document.querySelector("#table svg .legal");
  spot.scrollIntoView({ block: "start" });
  const box = spot.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""  # the middle of a legal spot, at the top of the window


def test_a_line_of_the_log_leads_back(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        before = page.locator(TABLE).inner_html()
        for number, move in enumerate(("collect", "load Y@0"), 1):
            click_a_move(page, move, on_board=True)
            settled(page, number)
        told = page.locator("#log li.turn-of button")
        expect(told).to_have_text("Player 1 collected 2 Yellow, loaded 1 Yellow onto hopper H0")
        storage = page.locator("#seat-0-storage-Y")
        assert storage.get_attribute("data-count") == "2"
        told.click()
        page.locator("#log [data-number='single-1']").click()
        expect(page.locator("#looking-at")).to_contain_text("after move 1 of 2")
        assert storage.get_attribute("data-count") == "3" and page.locator(TABLE).inner_html() != before
        assert page.locator(f"{SPOTS}.legal").count() == 0, "the past is no more to be clicked"
        page.locator("#now").click()
        assert storage.get_attribute("data-count") == "2" and page.locator("#table svg .legal").count() > 0
        assert page.locator("#log button").count() == 1, "single moves are shown where one looks back"


def test_help_and_reasons(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        page.keyboard.press("?")
        expect(page.locator("#guide-text")).to_contain_text("Fulfil orders from customers")
        expect(page.locator("#guide-text figure svg").first).to_be_visible()
        page.locator("#all-cards summary").click()
        expect(page.locator("#all-cards h3")).to_have_text(["Basic parts: 32", "Special parts: 60", "Orders: 32"])
        expect(page.locator("#all-cards figure svg")).to_have_count(60)
        page.keyboard.press("Escape")
        expect(page.locator("#guide")).to_be_hidden()
        page.locator("#bank-R").click()
        expect(page.locator("#lens")).to_contain_text("You can collect only Yellow")
        expect(page.locator("#lens")).to_contain_text("Collect: 2 Yellow go from the bank")
        page.mouse.move(5, 5)
        page.locator("#order-0").hover()
        expect(page.locator("#lens")).to_contain_text("Order for")
        assert play.changes == 0


def test_people_give_themselves_names(context: BrowserContext, page: Page) -> None:
    play = session("bdgame-v3", "human", "human", "human:Ann")
    with served(play) as there:
        other = context.new_page()
        other.goto(there.url(1) + "?fast")
        page.goto(there.url(0) + "?fast")
        settled(page, 0)
        expect(page.locator("#person-1")).to_have_text("Player 2: 0")
        page.locator("#person-0 button").click()
        field = page.get_by_label("rename Player 1")
        expect(field).to_be_focused()
        field.fill("Ann")
        field.press("Enter")
        expect(page.locator("#toast")).to_have_text("the name Ann is taken")
        field.fill("<i>Bo</i>")
        field.press("Enter")
        expect(page.locator("#person-0")).to_have_text("<i>Bo</i> (you): 0")
        expect(page.locator("#own h2")).to_contain_text("<i>Bo</i> (you)")
        expect(other.locator("#person-0")).to_have_text("<i>Bo</i>: 0")
        expect(other.locator("#seat-0-brief-Y")).to_have_attribute("aria-label", re.compile("^<i>Bo</i>, "))
        page.keyboard.press("Escape")  # closes the settings
        page.locator('#moves [data-move="collect"]').click()
        settled(page, 1)
        expect(other.locator("#log")).to_contain_text("<i>Bo</i> collected 2 Yellow")
        assert page.evaluate("document.querySelector('#log img').alt === '' && !document.querySelector('i')")
        assert page.evaluate("localStorage.getItem('name')") == "<i>Bo</i>"
        other.evaluate("localStorage.setItem('name', 'Cleo')")  # this browser has kept a name
        other.reload()
        expect(page.locator("#person-1")).to_have_text("Cleo: 0")


def test_a_game_that_has_begun_keeps_its_names(page: Page) -> None:
    """A name that the browser has kept is for new games."""
    play = session("bdgame-v3", "human", "human")
    play.play(0, "collect")
    with served(play) as there:
        page.goto(there.url())
        settled(page, 1)
        page.evaluate("localStorage.setItem('name', 'Nora')")
        page.reload()
        settled(page, 1)
        page.wait_for_timeout(300)
        assert play.names[0] == "Player 1"


def test_a_phones_pencil_is_easy_to_hit(browser: Browser) -> None:
    with served(session("bdgame-v3", "human", "human")) as there:
        context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
        page = context.new_page()
        page.goto(there.url() + "?fast")
        settled(page, 0)
        box = page.get_by_title("your name").bounding_box()
        assert box and box["width"] >= 88 and box["height"] >= 44, "the name and a pencil of a finger's size"
        page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
        expect(page.locator("#naming input")).to_be_focused()
        context.close()


def test_the_analysis_has_short_lines(page: Page) -> None:
    """What a move costs, and other remarks in brackets, are left out; what was played is said below."""
    play = session("gizmos-v3", "human", "random", max_rounds=2)
    with served(play, opponents(play)) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        for number in range(20):
            until(page, "view.ending || view.legal.length && settled()")
            if page.evaluate("view.ending"):
                break
            page.evaluate("send({ do: 'move', move: view.legal[0], number: view.number })")
            until(page, f"view.ending || view.number > {number}")
        expect(page.locator("#finish .winner")).to_be_visible()
        page.evaluate("""() => {
            const line = { number: 1, words: "File it (costs 2, 3 points)", loss: 0.5, value: null };
            analysis = { done: 1, of: 1, agent: "x", lines: { 1: line } };
            log[0].words = "Pick a red marble (of two)";
            refresh();
        }""")
        expect(page.locator("#analysis li button")).to_have_text("1. File it (+25%)")
        for loss, same, shown in (("null", "false", 0), ("0.06", "false", 0), ("0", "true", 0)):
            page.evaluate(f"Object.assign(analysis.lines[1], {{ loss: {loss}, same: {same} }}), refresh()")
            expect(page.locator("#analysis li button")).to_have_count(shown)
        page.evaluate("Object.assign(analysis.lines[1], { loss: 0.5, same: false }), refresh()")
        expect(page.locator("#analysis li .faint")).to_have_text("instead of: Pick a red marble")
        page.evaluate("log[0].words = 'File it (costs 1)', refresh()")  # what tells them apart is shown
        expect(page.locator("#analysis li button")).to_have_text("1. File it (costs 2, 3 points) (+25%)")


def test_what_is_possible_only_once_is_not_offered_several_times(page: Page) -> None:
    play = session("nicodemus-v2", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        page.locator("#own .legal").first.click()
        expect(page.locator(CHOICES).locator("button").nth(1)).to_be_visible()
        expect(page.locator(CHOICES).locator(".times")).to_have_count(0)


def test_a_move_several_times_at_one_go(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        for number in (1, 2):
            click_a_move(page, "collect", on_board=True)
            settled(page, number)
        page.locator("#seat-0-hopper-0").click()
        expect(page.locator(CHOICES).locator(".times")).to_have_count(4)
        page.get_by_role("button", name=re.compile("^Load a Yellow cube .*, 4 times$")).click()
        settled(page, 6)
        page.wait_for_timeout(200)
        assert [one.move.move for one in play.played[2:]] == ["load Y@0"] * 4, "and then no more"
        page.locator("#undo").click()
        until(page, "view.number === 2")
        expect(page.locator("#undo-all")).to_be_enabled()
        page.locator("#undo").click()
        until(page, "view.number === 1")
        expect(page.locator("#undo-all")).to_be_disabled()
        page.locator("#seat-0-hopper-0").click()
        page.get_by_role("button", name=re.compile("^Load a Yellow cube .*, 2 times$")).click()
        settled(page, 3)
        page.locator("#undo-all").click()
        until(page, "view.number === 0 && settled()")
        expect(page.locator("#undo-all")).to_be_disabled()


def test_cubes_that_are_too_many_are_returned_at_one_go(page: Page) -> None:
    """The page says how many, asks before the one that ends the turn, and knows nothing of the game."""
    play = Session(bdgame.position(phase="discard", storage="8Y 3R 2B").match, ("human", "human"))
    with served(play) as there:
        page.goto(there.url())
        settled(page, 0)
        page.locator("#confirms").evaluate("box => box.checked = true")
        for color, times, left in (("R", 2, "return 1"), ("Y", 1, "This ends your turn")):
            page.locator(f"#seat-0-storage-{color}").click()
            if times > 1:
                page.locator(CHOICES).locator(".times").nth(times - 2).click()
            expect(page.locator("#prompt")).to_contain_text(left)
        page.locator("#not-yet").click()
        page.locator("#undo").click()
        expect(page.locator("#prompt")).to_have_text("You can keep 10 cubes: return 3")
        page.locator("#seat-0-storage-Y").click()
        page.locator(CHOICES).locator(".times").last.click()  # all three
        expect(page.locator("#prompt")).to_contain_text("Return a Yellow cube from storage. This ends your turn")
        page.locator("#confirm").click()
        settled(page, 3)
        assert play.match.snapshot()["seats"][0]["storage"] == {"Y": 5, "R": 3, "B": 2} and play.match.seat == 1


def test_moves_by_keyboard(page: Page) -> None:
    play = session("nicodemus-v2", "human", "random", seed=5)
    with served(play, opponents(play)) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        for _ in range(4):
            until(page, "view.legal.length && settled()")
            number = page.evaluate("view.number")
            assert page.locator(SPOTS).first.get_attribute("aria-label")
            page.keyboard.press("m")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            settled(page, number + 1)


def test_the_end_is_told(page: Page) -> None:
    play = session("nicodemus-v2", "human", "human")
    for number in range(2000):
        if play.over:
            break
        legal = play.match.legal_moves()
        play.play(play.match.seat, legal[number * 7919 % len(legal)], remarks={"value": (number % 7) / 10})
    with served(play) as there:
        page.goto(there.url())
        expect(page.locator("#finish")).to_contain_text("repaired machines")
        assert page.locator("#finish svg path").count() == 4 and page.locator("#finish li").count() == 5
        expect(page.locator("#finish .winner")).to_contain_text("win")
        total = page.locator("#sources .total td").all_inner_texts()
        assert sorted(map(int, total)) == sorted(play.ending.points)
        columns = page.locator("#sources tr:not(.total):not(:first-child)").evaluate_all(
            "rows => rows.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent) || 0))"
        )
        assert [sum(column) for column in zip(*columns, strict=True)] == list(map(int, total))
        marks = page.locator("#finish svg circle")
        assert marks.count() == 5, "turning points are marked on the curve"
        marks.first.dispatch_event("click", {"clientX": 0, "clientY": 0})
        expect(page.locator("#looking-at")).to_contain_text("after move")
        board, list_ = page.locator("#common").bounding_box(), page.locator("#finish").bounding_box()
        assert board and list_ and board["x"] + board["width"] <= list_["x"], "beside the board"
        page.locator("#now").click()
        assert page.locator("[id^='seat-1-hand-']").count() > 0, "both hands are open"
        below = page.locator("#log").evaluate("log => log.scrollHeight - log.scrollTop - log.clientHeight")
        assert below < 2, "the newest line is in sight"
        final = page.locator("#person-0").text_content() or ""
        page.evaluate("look(1)")
        expect(page.locator("#person-0")).to_have_text("Player 1 (you): 0")
        page.locator("#now").click()
        expect(page.locator("#person-0")).to_have_text(final)
        page.locator("#analyze").click()
        expect(page.locator("#analysis")).to_contain_text("moves checked by random")
        found = page.locator("#analysis").inner_text()
        page.reload()
        expect(page.locator("#analysis")).to_have_text(found, use_inner_text=True)  # it is kept


LAST_TURN = """() => {
  const frame = (step) => ({ ...onTable, number: view.number, step, parts: [...shownParts.values()] });
  const ending = { how: "over", ranks: [1, 2], loser: null, reason: "", told: "it is over", winner: "Ann wins" };
  const frames = [frame("mover"), frame("all"), frame()];
  receiveView({ ...view, legal: [], log_from: log.length, log: [], ending, frames });
  const { top } = byId("finish").getBoundingClientRect();
  return [settled(), top > 0 && top < innerHeight / 2, document.querySelectorAll(".flying").length];
}"""


OTHERS_MOVES = """([held]) => {
  const frame = (number) => ({ ...onTable, number, parts: [...shownParts.values()] });
  const seat = 1 - view.seat, theirs = { seat, move: "collect", words: "", events: [[seat, "collected"]] };
  const line = (number) => ({ ...log.at(-1), ...theirs, first: number === 2 });
  receiveView({ ...view, number: 3, log_from: 1, log: [line(2), line(3)], frames: [frame(2), frame(3)] });
  if (held) byId("pause").onclick();
}"""


def test_what_others_did_stays_for_a_while_unless_it_is_stepped_through(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    play.play(0, "collect")
    with served(play) as there:
        for held in (False, True):
            page.goto(there.url(0))
            settled(page, 1)
            page.evaluate(OTHERS_MOVES, [held])
            if held:
                page.locator("#step").click()
                page.locator("#step").click(timeout=2000)
                assert page.evaluate("settled()"), "nobody waits for a pause to end that cannot be ended"
            else:
                until(page, "frames.length === 0")
                assert page.evaluate("[settled(), byId('prompt').textContent]") == [False, "Player 2 collected"]
                until(page, "settled()")


LATE = """() => receiveView({ ...view, late: [[1, "turned 1 red into 1 green in Convert (for nothing)"]],
  log_from: log.length, log: [], frames: [{ ...onTable, parts: [...shownParts.values()] }] })"""


def test_what_a_secret_choice_came_to_is_told_at_once(page: Page) -> None:
    """In Pixel Pusher nobody knows who has finished converting, but all see what has become of it."""
    play = session("pixel-pusher-v2", "human", "human")
    with served(play) as there:
        page.goto(there.url(0))
        settled(page, 0)
        page.evaluate(LATE)
        assert page.evaluate("settled()") is False
        expect(page.locator("#prompt")).to_have_text("Player 2 turned 1 red into 1 green in Convert")
        until(page, "settled()")
        assert "(for nothing)" in page.locator("#log").inner_text()
        page.evaluate(LATE)
        assert page.evaluate("settled()"), "the same is not shown twice"


def test_pointing_at_what_another_player_has_in_brief_shows_all_of_it(page: Page) -> None:
    with served(session("gizmos-v3", "human", "human")) as there:
        page.goto(there.url(0))
        settled(page, 0)
        box = page.locator("#briefs .seat").bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] - 20, box["y"] + 8)
        expect(page.locator("#lens")).to_contain_text("BUILT: 1 of 16")
        page.mouse.move(box["x"] + 20, box["y"] + box["height"] + 200)
        expect(page.locator("#lens")).to_be_hidden()


def test_pointing_at_a_card_says_what_a_click_does(page: Page) -> None:
    """Nicodemus: what a repair costs here and now."""
    t = nicodemus.position(row="B1 B2", tokens="5 charcoalium 3 wood 3 copper 3 crystal")
    repair = next(move for move in t.match.legal_moves() if move.startswith("repair"))
    with served(Session(t.match, ("human", "human"))) as there:
        page.goto(there.url(0))
        settled(page, 0)
        page.locator(f"#space-{repair.split()[1]}").hover()
        expect(page.locator("#lens strong")).to_have_text(re.compile("^Repair "))


def test_a_click_before_the_answer_to_the_last_one_counts_if_it_is_no_double_click(page: Page) -> None:
    play = Session(
        bdgame.position(storage="6Y", workshop=[("hopper", 0, 3), ("packer", 1, 3)]).match, ("human", "human")
    )
    held = held_back(page)
    with served(play) as there:
        page.goto(there.url(0) + "?fast")
        until(page, "view !== null && settled()", held)
        for pause, number in ((0, 1), (500, 3)):
            click_a_move(page, "collect", on_board=True)
            page.wait_for_timeout(pause)
            page.evaluate("""() => [...table.querySelectorAll("svg [data-moves]")]
              .find((one) => movesOf(one).includes("collect"))
              .dispatchEvent(new MouseEvent("click", { bubbles: true }))""")
            until(page, f"view.number === {number}", held)
            page.wait_for_timeout(300)
            assert play.number == number


def test_a_phone_shows_the_result_at_once(browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page = context.new_page()
    with served(session("bdgame-v3", "human", "human")) as there:
        page.goto(there.url())
        settled(page, 0)
        assert page.evaluate("speed.value") == "600", "other turns are shown step by step"
        assert page.evaluate(LAST_TURN) == [True, True, 0]
    context.close()


def test_header_and_frame_tell_of_the_position_that_is_shown(page: Page) -> None:
    with served(session("bdgame-v3", "human", "human")) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        page.evaluate("show({ ...current, points: [7, 0], stage: 'round 9' }, 0)")
        expect(page.locator("#person-0")).to_contain_text("7")
        expect(page.locator("#page-status")).to_contain_text("round 9")
        page.evaluate("toNow()")
        expect(page.locator("#person-0")).not_to_contain_text("7")
        page.evaluate("frames.push(current); shownNumber = -1; refresh()")  # something is still to be shown
        assert not page.evaluate("byId('own').classList.contains('turn')")


def test_what_ends_a_turn_asks_unless_it_is_all_that_is_left(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    for move in ("collect", "collect", "load Y@0", "end"):
        play.play(0, move)
    with served(play) as there:
        page.goto(there.url())
        settled(page, 0)
        assert set(page.evaluate("view.legal")) == {"activate 0", "end"}
        buttons = page.locator("#actions button").evaluate_all("(all) => all.map((one) => one.dataset.move)")
        assert buttons == ["activate 0", "end"], "so few that all are beside the table"
        assert page.evaluate("[words('end'), asks('end')]") == ["Finish activating", True]
        assert page.evaluate("whyAsked({ move: 'end' })") == "You can still activate hopper H0's Device"
        assert page.evaluate("(view.forgoes = {}, whyAsked({ move: 'end' }))") == "This ends your turn"
        assert page.evaluate("(view.gain = 2, whyAsked({ move: 'end' }))") == "You could still score 2 points"
        assert page.evaluate("(view.legal = ['end'], asks('end'))") is False
        forced = "(view.legal = view.ends = ['activate 0'], view.undo = {}, asks('activate 0'))"
        assert page.evaluate(forced.format("true")) and not page.evaluate(forced.format("false")), "undo is left"


@pytest.mark.parametrize("width", [1280, 360])
def test_a_part_is_bought_by_a_click_and_the_payment_that_is_offered(page: Page, width: int) -> None:
    play = session("bdgame-v3", "human", "human")
    for move in ("collect", "collect"):
        play.play(0, move)
    with served(play) as there:
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(there.url())
        settled(page, 2)
        page.locator("#pile-straight").click()
        expect(page.locator("#prompt")).to_contain_text("first pay cubes from your storage")
        page.locator("#not-now").click()
        expect(page.locator("#not-now")).to_have_count(0)
        page.locator("#pile-straight").click()
        page.get_by_role("button", name=re.compile("^Pay .* and buy it$")).click()
        until(page, "view.number > 3 && settled()")
        assert [one.move.move for one in play.played[2:]] == [*["pay Y"] * (len(play.played) - 3), "buy straight"]
        if width > 900:
            page.locator("#undo").click()
            settled(page, 2)  # all of it


def test_a_card_and_then_its_place(page: Page) -> None:
    """The second click picks from the moves of the first; other spots are dimmed meanwhile."""
    play = session("pixel-pusher-v2", "human", "human")
    while play.match.snapshot()["phase"] != "build":
        play.play(play.match.seat, play.match.legal_moves()[0])
    seat = play.match.seat
    with served(play) as there:
        page.goto(there.url(seat) + "?fast")
        settled(page, 0)
        card = page.locator("#own .legal").first
        moves = moves_of(card)
        card.click()
        assert page.evaluate("offered") == moves
        slot = page.locator(f"#seat-{seat}-slot-2")
        both = [move for move in moves_of(slot) if move in moves]
        assert len(both) == 1 < len(moves), "an end of the card, and the slot that it is installed in"
        page.keyboard.press("Escape")
        expect(page.locator(".idle")).to_have_count(0)
        known = len(play.known(seat))
        card.click()
        slot.click()
        settled(page, known + 1)
        assert play.played[-1].move.move == both[0]


def test_an_undo_or_a_move_from_the_list_closes_what_is_offered(page: Page) -> None:
    """The click on the list plays, though it also ends the choice."""
    play = session("bdgame-v3", "human", "random")
    with served(play, opponents(play)) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        for click, number in (("#undo", 0), ("#moves [data-move='collect']", 2)):
            page.evaluate("send({ do: 'move', move: 'collect', number: view.number })")
            settled(page, 1)
            page.locator("#seat-0-hopper-0").click()
            assert page.evaluate("offered.length") > 0
            page.locator(click).click()
            until(page, f"view.number === {number} && settled()")
            assert page.evaluate("[offered.length, byId('choices').hidden, inBar()]") == [0, True, False]


MANY = """() => {
  view.others = Array.from({ length: 40 }, (_, k) => (view.words[`a ${k}`] = `Something longer ${k}`, `a ${k}`));
  refresh();
  byId("more").click();
  const row = byId("actions"), told = byId("more")?.textContent;
  return [row.scrollWidth <= row.clientWidth, told === `${offered.length} more`, byId("choices").hidden];
}"""


def test_buttons_that_do_not_fit_stay_under_more_while_they_are_listed(page: Page) -> None:
    with served(session("bdgame-v3", "human", "human")) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        assert page.evaluate(MANY) == [True, True, False]


FLYING = """([token, from, to]) => {
  flyToken(token, from, to, 60000, 0);
  return [...document.querySelectorAll(".flying")].map((one) => one.src.slice(0, 18));
}"""


def test_tokens_fly_as_they_are_drawn(page: Page) -> None:
    box = {"left": 10, "top": 10, "width": 20, "height": 20}
    with served(session("bdgame-v3", "human", "human")) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        assert page.evaluate(FLYING, ["packer", box, box]) == [], "a pile is no token"
        assert page.evaluate(FLYING, ["Y", box, box]) == ["data:image/svg+xml"]


def test_a_move_that_ends_the_turn_is_confirmed_and_undone_until_then(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play) as there:
        page.goto(there.url())
        settled(page, 0)
        expect(page.locator("#confirms")).to_be_checked()
        for number, move in enumerate(("collect", "collect"), 1):
            assert page.evaluate("view.ends") == ["end"], "which says so itself, and is not asked about"
            click_a_move(page, move, on_board=True)
            settled(page, number)
        assert "accept 1" in page.evaluate("view.ends"), "the third action ends a turn without a loaded Device"
        before = [part.bounding_box() for part in page.locator("#own, #common, #decision").all()]
        click_a_move(page, "accept 1", on_board=True)
        expect(page.locator("#prompt")).to_have_text("Accept the order for 3 Red and 1 Blue. This ends your turn.")
        expect(page.locator("#confirm")).to_have_text("confirm")
        assert play.number == 2 and before == [
            part.bounding_box() for part in page.locator("#own, #common, #decision").all()
        ]
        page.locator("#not-yet").click()
        expect(page.locator("#confirm")).to_have_count(0)
        page.keyboard.press("u")
        until(page, "view.number === 1")
        click_a_move(page, "collect", on_board=True)
        settled(page, 2)
        click_a_move(page, "accept 1", on_board=False)
        page.keyboard.press("Enter")
        settled(page, 3)
        assert play.match.seat == 1 and play.record().moves[-1].move == "accept 1"


SHOWN_AT = """() => {
  const inner = show;
  window.shownAt = [];
  show = (frame, duration) => {
    shownAt.push([frame.number, Date.now(), duration]);
    inner(frame, duration);
  };
}"""


def test_what_others_do_is_shown_when_the_own_move_has_come_to_rest(page: Page) -> None:
    play = session("nicodemus-v2", "human", "human")
    with served(play) as there:
        page.goto(there.url(0))
        settled(page, 0)
        page.evaluate(SHOWN_AT)
        other = there.page(1)
        page.evaluate("play(view.ends.find((move) => !view.stops.includes(move)), 1, true)")
        other.wait_for(1)
        other.play(other.view["legal"][0])
        settled(page, 2)
        (_, mine, duration), (_, next_one, _) = page.evaluate("shownAt")[:2]
        assert duration > 0 and next_one - mine >= duration - 1


OVER_OWN = """() => {
  const [over, own] = [byId("others"), byId("own")].map((one) => one.getBoundingClientRect());
  const box = document.querySelector("#others [data-seat='0']").getBoundingClientRect();
  return ["left", "top", "right", "bottom"].every((side) => Math.abs(over[side] - own[side]) < 3)
    && box.width > 0.9 * own.width && document.querySelectorAll("#others > :not([hidden])").length === 1;
}"""


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_machine_of_another_player_is_seen_while_it_runs(page: Page, players: int) -> None:
    rows = [("hopper", 0, 2, "3Y"), ("c_1Y_1R", 1, 2), ("packer", 2, 2)]
    match = bdgame.position(players=players, storage="2Y", workshop=rows).match
    with served(Session(match, ["human"] * players), separate=True) as there:
        page.goto(there.url(1))
        settled(page, 0)
        expect(page.locator("#others")).to_be_hidden()
        other = there.page(0)
        other.play("end")
        other.wait_for(1)
        other.play("activate 0")
        until(page, "watched === 0")
        assert page.evaluate(OVER_OWN)
        settled(page, 2)
        until(page, "watched === null")
        expect(page.locator("#others")).to_be_hidden()
        page.evaluate("again.click()")
        until(page, "watched === 0")
        page.locator("#own").click(force=True)
        expect(page.locator("#others")).to_be_hidden()
        assert not page.locator("#others").get_attribute("style"), (
            "nothing is left of it in a window that becomes narrow"
        )


def test_a_triggered_card_is_clicked_and_asks_if_that_ends_the_turn(page: Page) -> None:
    """Also a button does, unless it says so itself."""
    match = gizmos.position(display={0: 32}).play("file 0").match
    play = Session(match, ["human"] * 2)
    with served(play) as there:
        page.goto(there.url())
        settled(page, 0)
        assert page.evaluate("[view.ends, view.stops]") == [["draw", "end"], ["end"]]
        page.locator("#seat-0-built-0").click()
        expect(page.locator("#prompt")).to_have_text("Draw a random marble. This ends your turn.")
        page.locator("#confirm").click()
        settled(page, 1)
        assert play.match.seat == 1
    built = gizmos.position(ring="1 red 2 yellow", built=[26], display={0: 35}).play("build 0").match
    with served(Session(built, ["human"] * 2)) as there:
        page.goto(there.url())
        settled(page, 0)
        paying = page.evaluate("view.legal.find((move) => view.ends.includes(move))")
        page.locator(f"#actions [data-move='{paying}']").click()
        expect(page.locator("#prompt")).to_contain_text("This ends your turn.")


def test_cards_go_under_the_deck_at_one_go(page: Page) -> None:
    """In Gizmos, where the last one that ends the turn is confirmed."""
    match = gizmos.position(tops={1: [33, 34, 35]}).play("research 1", "keep none").match
    play = Session(match, ["human"] * 2)
    with served(play) as there:
        page.goto(there.url())
        settled(page, 0)
        page.get_by_role("button", name="All, in this order").click()
        expect(page.locator("#prompt")).to_contain_text("This ends your turn.")
        page.locator("#confirm").click()
        until(page, "view.to_move === 1")
    assert [one.move.move.split()[0] for one in play.played] == ["under", "under"]


def test_what_gives_up_a_project_asks(page: Page) -> None:
    """N20.7, though it is not the end of the turn."""
    tokens = "6 charcoalium 8 wood 8 copper 8 crystal"
    match = nicodemus.position(row="P3", workshop="R2 Y2", tokens=tokens, board=[10, 14]).play("repair 1").match
    with served(Session(match, ["human"] * 2)) as there:
        page.goto(there.url())
        settled(page, 0)
        page.locator("#moves [data-move='complete 14']").click()
        expect(page.locator("#prompt")).to_contain_text("After this, you cannot complete the project for 1 charcoalium")
        assert page.evaluate("asks('complete 10')") is False


MOST_CHOICES = """() => {
  const spots = [...document.querySelectorAll("#table svg .legal")];
  const [most] = spots.sort((one, other) => movesUnder(other).length - movesUnder(one).length);
  choose(most);
  return movesUnder(most).length;
}"""


@pytest.mark.parametrize("game_id", list_games())
def test_lists_of_choices_are_beside_the_table(page: Page, game_id: str) -> None:
    play = session(game_id, "human", "human", seed=5)
    while not re.search(r'data-moves="\[[^\]]*, ', str(play.table(play.number, play.match.seat)[0])):
        legal = play.match.legal_moves()
        play.play(play.match.seat, legal[play.number * 7919 % len(legal)])  # until a spot stands for several moves
    with served(play) as there:
        page.goto(there.url(play.match.seat) + "?fast")
        settled(page, 0)
        count = page.evaluate(MOST_CHOICES)
        labels = page.locator(CHOICES).locator("[data-move]").all_inner_texts()
        assert len(set(labels)) == len(labels) == count > 1, labels
        if page.locator("#choices").is_visible():  # they do not fit into the bar
            box, table = page.locator("#choices").bounding_box(), page.locator("#table").bounding_box()
            assert box and table and box["x"] >= table["x"] + table["width"]
        page.keyboard.press("Escape")
        expect(page.locator(CHOICES)).to_have_count(0)


def test_phases_are_shown_and_which_it_is(page: Page) -> None:
    play = session("bdgame-v3", "human", "human")
    with served(play, hints=False) as there:
        page.goto(there.url() + "?fast")
        settled(page, 0)
        assert page.locator("#phases li").all_inner_texts() == ["Actions", "Devices", "Orders"]
        expect(page.locator("#phases [aria-current]")).to_have_text("Actions")
        expect(page.locator("#hint")).to_be_hidden()
        for number, move in enumerate(("load R@0", "end", "end"), 1):
            click_a_move(page, move, on_board=False)
            settled(page, number)
        expect(page.locator("#phases [aria-current]")).to_have_text("Devices")
