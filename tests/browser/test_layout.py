"""The table fits common windows, its text can be read, and nothing on it moves while a game is played."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.session import Session
from tests.browser.conftest import until
from tests.games.gizmos import positions as gizmos
from tests.games.pixel_pusher import positions as pixel_pusher
from tests.support.served import served

pytestmark = pytest.mark.browser

WINDOWS = [(1280, 657), (1280, 720), (1366, 768), (1440, 900), (2560, 1440)]
PHONES = [(360, 640), (390, 844)]
ZONES = ("#briefs", "#common", "#decision", "#own")
SEATS = [(game, players) for game in list_games() for players in sorted(set(get_game(game).seats))]

SMALL = """(zones) => [...document.querySelectorAll(zones)]
  .flatMap((zone) => [...zone.querySelectorAll("text")])
  .filter((text) => text.textContent.trim() && text.getClientRects().length && !text.closest(".ghost"))
  .map((text) => {
    const { a, b } = text.getScreenCTM();
    return [parseFloat(text.getAttribute("font-size")) * Math.hypot(a, b), text.textContent];
  })
  .filter(([size]) => size < 11.75).map(([size, text]) => `${text}: ${size.toFixed(1)}`)"""
OUTSIDE = """() => {
  const [table, out] = [document.querySelector("#table").getBoundingClientRect(), []];
  const parts = "#briefs .part, #common .part, #status .part, #own .part, #decision, #own";
  for (const part of document.querySelectorAll(parts)) {
    const box = part.getBoundingClientRect();
    const inside = box.bottom < innerHeight + 0.5 && box.right < table.right + 4 && box.left > table.left - 1;
    if (!inside) out.push(`${part.id}: ${box.right} ${box.bottom}`);
  }
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > innerWidth) out.push("the page scrolls");
  return out;
}"""
CUT_OFF = """() => {
  const out = [], shown = (each) => each.getClientRects().length > 0;
  const bar = document.querySelector("#decision"), phone = innerWidth < 900;
  const texts = phone ? [] : [...bar.querySelectorAll("#status text")].filter(shown);  // on a phone they scroll
  const boxOf = (each) => each.getBoundingClientRect();
  const within = (one, other) => one.left > other.left - 1 && one.right < other.right + 1
    && one.top > other.top - 1 && one.bottom < other.bottom + 1;
  const whole = (each) => {  // as far as the window and what it lies in show it
    if (!within(boxOf(each), new DOMRect(0, 0, innerWidth, innerHeight))) return false;
    for (let at = each.parentElement; at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflow !== "visible" && !within(boxOf(each), boxOf(at))) return false;
    return true;
  };
  for (const button of [...bar.querySelectorAll("button")].filter(shown)) {
    const box = boxOf(button), say = (what) => out.push(`${button.textContent}: ${what}`);
    if (!whole(button)) say("beyond its place");
    if (button.scrollWidth > button.clientWidth) say("longer than the button");
    for (const x of [box.left + 4, (box.left + box.right) / 2, box.right - 4])
      for (const y of [box.top + 4, (box.top + box.bottom) / 2, box.bottom - 4])
        if (document.elementFromPoint(x, y)?.closest("button") !== button) say("under something else");
    for (const text of texts) {
      const { left, right, top, bottom } = boxOf(text);
      if (left < box.right && right > box.left && top < box.bottom && bottom > box.top) say(text.textContent);
    }
  }
  if (bar.querySelector("#prompt").scrollHeight > bar.querySelector("#prompt").clientHeight + 2) out.push("the prompt");
  for (const text of texts) if (!text.closest(".longer") && !whole(text)) out.push(`status: ${text.textContent}`);
  const row = bar.querySelector("#actions");
  if (view.legal.some((move) => view.ends.includes(move) && view.others.includes(move)) && !proposed
    && !view.ends.some((move) => [...row.children].some((one) => shown(one) && one.dataset.move === move)))
    out.push("no button ends the turn");
  return out;
}"""
UNSEEN = """(all) => all.filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return [[left + 6, top + 6], [right - 6, bottom - 6]].some((at) => !one.contains(document.elementFromPoint(...at)));
}).map((one) => one.id)"""
BEYOND_SHAPE = """(segments) => segments.flatMap((segment) => {
  const shape = segment.querySelector("path"), back = shape.getScreenCTM().inverse();
  return [...segment.querySelectorAll("text, rect")].flatMap((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const corners = [[left, top + 3], [right, top + 3], [left, bottom - 3], [right, bottom - 3]];
    const within = corners.every((at) => shape.isPointInFill(new DOMPoint(...at).matrixTransform(back)));
    return within ? [] : [`${segment.id}: ${one.textContent || "pixel"}`];
  });
})"""
BEYOND = """() => [...document.querySelectorAll("#others .part")].flatMap((part) => {
  const box = part.getBoundingClientRect();
  const drawn = [...part.querySelectorAll("text, rect, circle, path")].filter((each) => each.getClientRects().length);
  const out = drawn.filter((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    const there = right > left && bottom > top && !each.closest("svg svg");
    return there && (left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1);
  });
  const scrolls = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
  return [...(scrolls ? [part.id] : []), ...out.map((each) => `${part.id}: ${each.outerHTML.slice(0, 90)}`)];
})"""
GOAL_IN_SIGHT = """() => {
  const [status, phases] = [document.querySelector("#page-status"), document.querySelector("#phases")];
  const [text, goal] = [status.firstChild, document.createRange()];
  goal.selectNode(text);
  const seen = status.parentElement.getBoundingClientRect(), box = goal.getBoundingClientRect();
  return box.width > 50 && box.right <= seen.right && seen.right <= innerWidth && box.bottom <= seen.bottom + 1
    && phases.scrollWidth <= phases.clientWidth && phases.getBoundingClientRect().right <= innerWidth;
}"""
PLACES = """() => {
  const zones = "header, #briefs .part, #common .part, div#status, #decision, #own, #own .part, #choose, #story";
  const there = [...document.querySelectorAll(zones)].filter((each) => each.getClientRects().length);
  return Object.fromEntries(there.map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.id || each.tagName, [x, y, width, height].map(Math.round)];
  }));
}"""


def played(game_id: str, players: int, moves: int) -> Session:
    session = Session(Match(get_game(game_id), seed=3, players=players), ["human"] * players)
    for number in range(moves):
        legal = session.match.legal_moves()
        if session.over:
            break
        session.play(session.match.seat, legal[number * 7919 % len(legal)])
    return session


def wait(page: Page) -> None:
    until(page, "view !== null && settled()")


@pytest.mark.parametrize(("game_id", "players"), SEATS)
def test_all_that_is_needed_is_in_sight_and_can_be_read(page: Page, game_id: str, players: int) -> None:
    session = played(game_id, players, 60)
    with served(session) as there:
        page.set_viewport_size({"width": 1280, "height": 657})
        page.goto(there.url(session.match.seat) + "?fast")
        wait(page)
        for width, height in WINDOWS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate(OUTSIDE) == [], (width, height)
            assert page.evaluate(SMALL, ", ".join(ZONES)) == [], (width, height)
        page.locator("#briefs .seat").first.click()  # the rest is a click away
        assert page.locator("#seat-view .part").is_visible()


@pytest.mark.parametrize("game_id", list_games())
def test_a_phone_shows_the_hand_whole_above_what_to_do(browser: Browser, game_id: str) -> None:
    session = played(game_id, get_game(game_id).seats[1], 33)
    with served(session) as there:
        for width, height in PHONES:
            context = browser.new_context(viewport={"width": width, "height": height}, is_mobile=True, has_touch=True)
            page = context.new_page()
            page.goto(there.url(session.match.seat) + "?fast")
            wait(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(SMALL, "#common, #status, #own, #purse") == []
            bar = page.locator("#decision").bounding_box()
            assert bar is not None and bar["height"] <= 0.29 * height
            for part in page.locator("#own .part, #common .part, #purse .part").all():
                if part.get_attribute("id") != "part-own-workshop" or "bdgame" not in game_id:  # the plan is large
                    wide = part.evaluate("part => part.scrollWidth - part.clientWidth")
                    assert wide <= 1, part.get_attribute("id")
                high = part.evaluate("part => part.scrollHeight - part.clientHeight")
                assert high <= 1, f"the lower end of {part.get_attribute('id')} is cut off"
            context.close()


@pytest.mark.parametrize("game_id", list_games())
def test_a_phone_shows_round_goal_and_phase(browser: Browser, game_id: str) -> None:
    context = browser.new_context(is_mobile=True, has_touch=True, viewport={"width": 360, "height": 640})
    page = context.new_page()
    with served(played(game_id, max(get_game(game_id).seats), 8)) as there:
        page.goto(there.url(0) + "?fast")
        wait(page)
        assert page.inner_text("#page-status").startswith(("round", "turn"))
        assert page.evaluate(GOAL_IN_SIGHT)
        assert page.evaluate("() => document.querySelector('#phases').innerText.trim() !== ''")
    context.close()


@pytest.mark.parametrize("game_id", list_games())
def test_a_phone_shows_other_players_whole(browser: Browser, game_id: str) -> None:
    for moves in (0, 60):
        session = played(game_id, get_game(game_id).seats[1], moves)
        with served(session) as there:
            for width, height in PHONES:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, is_mobile=True, has_touch=True
                )
                page = context.new_page()
                page.goto(there.url(session.match.seat) + "?fast")
                wait(page)
                assert page.evaluate(BEYOND) == [], (moves, width)
                assert page.evaluate(SMALL, "#others [data-block]:not(:has(svg))") == []  # the plan of Bdgame is fitted
                context.close()


def test_pictures_stand_within_the_lines_of_a_phones_log(browser: Browser) -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3, players=2), ["human"] * 2)
    for move in ("collect", "collect", "load Y@0"):
        session.play(0, move)
    with served(session) as there:
        context = browser.new_context(viewport={"width": PHONES[0][0], "height": 740}, is_mobile=True, has_touch=True)
        page = context.new_page()
        page.goto(there.url() + "?fast")
        wait(page)
        page.evaluate("byId('notation').click()")  # shows single moves
        lines = page.locator("#log .single button")
        assert lines.count() == 3
        for line in lines.all():
            box = line.bounding_box()
            assert box is not None and box["height"] <= 45, line.inner_text()
        context.close()


@pytest.mark.parametrize("game_id", list_games())
def test_the_points_at_the_end_are_whole(page: Page, game_id: str) -> None:
    game = get_game(game_id)
    players = game.seats[1]
    options = {"max_rounds": 6} if "max_rounds" in game.options else {}
    people = [f"human:{name} Longest Name" for name in ("Ann", "Ben", "Bartho", "Clementi")]
    session = Session(Match(game, seed=3, players=players, **options), people[:players])
    number = 0
    while not session.over:
        legal = session.match.legal_moves()
        session.play(session.match.seat, legal[number * 7919 % len(legal)])
        number += 1
    with served(session) as there:
        page.goto(there.url() + "?fast")
        until(page, "view !== null && settled() && byId('sources') !== null")
        for width, height in [(1280, 657), *PHONES]:
            page.set_viewport_size({"width": width, "height": height})
            for box in [page.locator("#sources"), *page.locator("#sources :is(th, td)").all()]:
                wide = box.evaluate("one => one.scrollWidth - one.clientWidth")
                beyond = box.evaluate(
                    "one => one.getBoundingClientRect().right - byId('finish').getBoundingClientRect().right"
                )
                assert wide <= 0 and beyond <= 0, (width, box.inner_text())
            assert page.evaluate("byId('prompt').scrollHeight - byId('prompt').clientHeight") <= 2


MESSAGE = """() => ({ ...view, log_from: 0, log, frames: [{ ...current, parts: [...shownParts.values()] }] })"""
ASKED_AND_NOT = """(message) => {
  speed.value = "0";
  receiveView(message);
  speed.value = "250";
  const out = [null, ...view.ends.slice(0, 1)].map((move) => {
    propose(move);
    refresh();
    return [move, (CUT_OFF)()];
  });
  propose(null);
  return out.filter(([, faults]) => faults.length);
}""".replace("CUT_OFF", CUT_OFF)


def messages(page: Page, game_id: str) -> dict[tuple[str, int], object]:
    """What a page receives in the first moves of a game, by phase and number of legal moves."""
    session, found = played(game_id, get_game(game_id).seats[0], 0), {}
    with served(session, separate=True) as there:
        players = [there.page(seat) for seat in range(session.match.players)]
        page.goto(there.url(0) + "?fast")
        for number in range(70):
            if session.over:
                break
            legal, seat = session.match.legal_moves(), session.match.seat
            kind = (session.match.snapshot()["phase"], len(legal))
            if seat == 0 and kind not in found:
                until(page, f"view && view.number >= {len(session.known(0))} && settled()")
                found[kind] = page.evaluate(MESSAGE)
            players[seat].wait_for(len(session.known(seat)))
            players[seat].play(legal[number * 7919 % len(legal)])
        page.goto("about:blank")  # before the server is gone
    return found


@pytest.mark.parametrize("game_id", list_games())
def test_buttons_and_what_is_decided_are_whole(page: Page, browser: Browser, game_id: str) -> None:
    """Also beside those that show again what others did, and when a move has to be confirmed."""
    found = messages(page, game_id)
    assert len(found) > 4
    with served(played(game_id, get_game(game_id).seats[0], 0)) as there:
        for width, height in (*WINDOWS, *PHONES):
            phone = width < 900
            context = browser.new_context(is_mobile=phone, has_touch=phone, viewport={"width": width, "height": height})
            page = context.new_page()
            page.goto(there.url(0) + "?fast")
            wait(page)
            for kind, message in found.items():
                assert page.evaluate(ASKED_AND_NOT, message) == [], (kind, width, height)
            context.close()


COVERED_CHOICES = """() => {
  const out = [];
  for (const button of document.querySelectorAll("#choices .list button, #close-choices")) {
    button.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = button.getBoundingClientRect();
    for (const [x, y] of [[left + 4, top + 4], [right - 4, top + 4], [(left + right) / 2, bottom - 4]])
      if (document.elementFromPoint(x, y)?.closest("button") !== button) out.push(button.textContent);
  }
  return out;
}"""


@pytest.mark.parametrize("game_id", list_games())
def test_a_phones_choices_keep_their_height_and_cover_nothing(browser: Browser, game_id: str) -> None:
    session = played(game_id, 2, 6)
    context = browser.new_context(is_mobile=True, has_touch=True, viewport={"width": 360, "height": 740})
    page = context.new_page()
    with served(session) as there:
        page.goto(there.url(session.match.seat) + "?fast")
        wait(page)
        heights = set()
        for count in (2, 3, 5, 12):
            page.evaluate(f"offer([...Array({count}).keys()].map((each) => `Choice ${{each}}`), byId('own'))")
            assert page.locator("#choices .list button").count() == count
            box = page.locator("#choices").bounding_box()
            assert box is not None
            heights.add((box["y"], box["height"]))
            assert page.evaluate(COVERED_CHOICES) == [], count
        assert len(heights) == 1
    context.close()


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900), (360, 640)])
def test_settings_lie_over_the_table_and_move_nothing(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    with served(played("gizmos-v3", 3, 4)) as there:
        page.goto(there.url(0) + "?fast")
        wait(page)
        places = page.evaluate(PLACES)
        page.click("#settings summary")
        assert page.evaluate(PLACES) == places
        wide = "[document.documentElement, ...document.querySelectorAll('#settings .menu, #settings label')]"
        cut = f"() => {wide}.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
        assert page.evaluate(cut) == []


ON_A_PHONE = """() => Object.fromEntries("header,#decision,#undo,#hint,#all-moves,#purse".split(",").map((each) => {
  const { x, y, width, height } = document.querySelector(each).getBoundingClientRect();
  return [each, [x, y, width, height].map(Math.round)];
}))"""
SOMETHING_TO_TOUCH = """() => {
  const [top, bottom] = [byId("purse").getBoundingClientRect().bottom, byId("decision").getBoundingClientRect().top];
  return [...document.querySelectorAll("#actions button, #status .legal, #purse .legal")].some((one) => !one.hidden)
    || [...document.querySelectorAll("#table svg .legal")].map((spot) => spot.getBoundingClientRect())
      .some((box) => box.bottom > top && box.top < bottom);
}"""


OTHERS_TURNS = """() => {
  const last = byId("since-mine"), log = byId("log").textContent;
  if (!last.getClientRects().length) return null;
  const told = [...last.querySelectorAll(".event")].map((one) => one.textContent);
  const newest = (text) => brief(log).includes(text.replace(/^Player 2 (… )?/, ""));
  return told.length > 0 && told[0].startsWith("Player 2") && told.every(newest)
    && last.getBoundingClientRect().bottom <= byId("decision").getBoundingClientRect().bottom;
}"""


@pytest.mark.parametrize("game_id", list_games())
def test_on_a_phone_the_bar_stays_and_few_moves_are_in_sight(browser: Browser, game_id: str) -> None:
    session = played(game_id, get_game(game_id).seats[0], 0)
    context = browser.new_context(is_mobile=True, has_touch=True, viewport={"width": 360, "height": 640})
    page = context.new_page()
    with served(session, separate=True) as there:
        page.goto(there.url(0) + "?fast")
        wait(page)
        places, players, asked = page.evaluate(ON_A_PHONE), [there.page(0), there.page(1)], 0
        told = set()
        for number in range(60):
            if session.over:
                break
            legal, seat = session.match.legal_moves(), session.match.seat
            if seat == 0:
                until(page, f"view.number >= {len(session.known(0))} && canMove()")
                page.evaluate("scrollTo(0, 0); refresh()")
                assert page.evaluate(ON_A_PHONE) == places, (number, legal)
                told.add(page.evaluate(OTHERS_TURNS))
                if len(legal) <= 8:
                    asked += 1
                    assert page.evaluate(SOMETHING_TO_TOUCH), (number, legal)
            players[seat].wait_for(len(session.known(seat)))
            before = session.number
            players[seat].play(legal[number * 7919 % len(legal)])
            while session.number == before:
                page.wait_for_timeout(5)
        assert asked > 3 and told == {None, True}, "what the other did is told where there is room"
        for zone in () if session.over else ("#common", "#others"):
            page.locator(f"#jump [data-to={zone[1:]}]").tap()
            until(page, f"document.querySelector('{zone}').getBoundingClientRect().top < innerHeight / 2")
            assert page.evaluate(ON_A_PHONE) == places, "what one has stays in sight"
    context.close()


@pytest.mark.parametrize("game_id", list_games())
def test_nothing_moves_while_a_game_is_played(page: Page, game_id: str) -> None:
    session = played(game_id, get_game(game_id).seats[0], 0)
    with served(session, separate=True) as there:
        page.goto(there.url(0) + "?fast")
        wait(page)
        places = page.evaluate(PLACES)
        other = there.page(1)
        for number in range(40):
            if session.over:
                break
            legal = session.match.legal_moves()
            move, before = legal[number * 7919 % len(legal)], session.number
            if session.match.seat == 0:
                page.evaluate("([move, number]) => send({ do: 'move', move, number: view.number })", [move, before])
                until(page, f"view.number > {len(session.known(0)) - 1} && settled()")
            else:
                other.wait_for(len(session.known(1)))
                other.play(move)
            until(page, f"view.number >= {len(session.known(0))} && settled()")
            assert page.evaluate(PLACES) == places, f"after {move}"


COVERED_TEXTS = """() => {
  const texts = [...document.querySelectorAll("#table svg text")].filter((text) => text.getClientRects().length);
  return texts.flatMap((text) => {
  const badges = [...text.closest("svg").querySelectorAll("rect[rx]")].filter((rect) => rect.getClientRects().length
    && ["#4a5568", "#1f5f4a", "#5b4a8a", "#e07b00"].includes(rect.getAttribute("fill"))
    && text.compareDocumentPosition(rect) & Node.DOCUMENT_POSITION_FOLLOWING);
  const { left, right, top, bottom } = text.getBoundingClientRect(), less = 0.2 * (bottom - top);
  return badges.filter((badge) => {
    const box = badge.getBoundingClientRect();
    return box.left < right - 1 && box.right > left + 1 && box.top < bottom - less && box.bottom > top + less;
  }).map(() => `${text.textContent} in ${text.closest(".part")?.id}`);
}); }"""


@pytest.mark.parametrize("game_id", list_games())
def test_no_badge_covers_text(browser: Browser, game_id: str) -> None:
    for moves in (25, 60):
        session = played(game_id, get_game(game_id).seats[1], moves)
        with served(session) as there:
            for width, height in ((1280, 800), (360, 740)):
                phone = width < 900
                context = browser.new_context(
                    viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone
                )
                page = context.new_page()
                page.goto(there.url(session.match.seat) + "?fast")
                wait(page)
                assert page.evaluate(COVERED_TEXTS) == [], (moves, width)
                context.close()


@pytest.mark.parametrize("game_id", list_games())
def test_whose_turn_it_is_can_be_read_whole(page: Page, game_id: str) -> None:
    """Also with as many players as there can be, who have long names."""
    players = max(get_game(game_id).seats)
    people = ("human:Bartholomew the Great", "human:Clementine", "human:Ann", "human:Maximilian Longest")[:players]
    session = Session(Match(get_game(game_id), seed=3, players=players), people)
    with served(session) as there:
        for link in (session.match.seat, (session.match.seat + 1) % players):
            page.goto(there.url(link) + "?fast")
            for size in ((1280, 800), (1280, 720)):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                wait(page)
                box = "(each) => [each.scrollWidth <= each.clientWidth + 1, each.getBoundingClientRect().right]"
                whole, right = page.locator("#page-status").locator("..").evaluate(box)
                assert whole and right <= page.evaluate("document.querySelector('.tools').getBoundingClientRect().left")


def test_a_slot_is_clicked_to_install_a_card_there(page: Page) -> None:
    """Then each card has one line, with its ends; what ends the turn is named whole."""
    session = played("pixel-pusher-v2", 2, 0)
    while session.match.snapshot()["phase"] != "build":
        session.play(session.match.seat, session.match.legal_moves()[0])
    seat = session.match.seat
    with served(session) as there:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(there.url(seat) + "?fast")
        wait(page)
        moves = session.match.legal_moves()
        lines = page.locator("#moves > *").count()
        assert lines < len(moves) / 2, "one line a card"
        page.locator(f"#seat-{seat}-slot-3").click()
        offered = page.locator("#choices:not([hidden]) [data-move], .choosing #actions [data-move]").evaluate_all(
            "(all) => all.map((one) => one.dataset.move)"
        )
        assert sorted(offered) == sorted(move for move in moves if move.endswith(" slot 3"))
        assert " machine (" in page.locator("#choices .row").first.inner_text()
        page.evaluate("([move]) => propose(move)", [offered[0]])
        assert " machine: " in page.inner_text("#prompt")


def test_what_is_to_be_confirmed_is_whole_beside_all_moves(page: Page) -> None:
    with served(played("bdgame-v3", 2, 40)) as there:
        for link in (0, 1):
            page.goto(there.url(link) + "?fast")
            wait(page)
            if not page.evaluate("view.legal.length"):
                continue
            for width, height in WINDOWS:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(
                    "toggleMoves(); view.words[view.legal[0]] = 'Activate hopper H0\\'s Device: makes '"
                    " + '4 Yellow, 4 Red and 4 Blue'; propose(view.legal[0]); refresh()"
                )
                assert page.evaluate(CUT_OFF) == [], (width, height)


def test_cards_of_gizmos_are_whole_where_there_is_room(page: Page) -> None:
    """As many built as there can be before the last one, and as many as there can be that are looked at."""
    built = [36, 72, *range(43, 55)]
    upgrades = [*range(36, 40), *range(72, 76), *range(43, 49)]
    for cards, moves, looked_at in ((built, (), 0), (built, ("research 2",), 6), (upgrades, ("research 2",), 15)):
        match = gizmos.position(built=cards).play(*moves).match
        with served(Session(match, ["human"] * 2)) as there:
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto(there.url(match.seat) + "?fast")
            wait(page)
            assert page.locator("#status [data-card]").count() == looked_at
            assert page.locator("#status [data-card]").evaluate_all(UNSEEN) == []
            for name in ("own-built", "status"):
                part = page.locator(f"#part-{name}")
                assert part.evaluate("part => part.scrollHeight - part.clientHeight") <= 1, (name, moves)
                assert part.evaluate("part => part.scrollWidth - part.clientWidth") <= 1, (name, moves)


def test_choices_cover_no_researched_card(page: Page) -> None:
    """A card that can be filed and built has two long buttons: beside the cards, or in a list elsewhere."""
    match = gizmos.position(ring="1 red 1 blue 1 black 1 yellow").play("research 1").match
    with served(Session(match, ["human"] * 2)) as there:
        page.goto(there.url(match.seat) + "?fast")
        for width, height in (*WINDOWS, (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            wait(page)
            for number in range(3):
                page.locator(f"#hand-{number}").click()
                until(page, "offered.length > 1")
                page.mouse.move(2, 2)  # away from the card, which would be shown larger
                until(page, "byId('lens').hidden")
                assert page.locator("#status [data-card]").evaluate_all(UNSEEN) == [], (width, number)
                page.keyboard.press("Escape")


def test_all_pixels_of_the_conveyor_lie_within_their_segments(page: Page) -> None:
    segments = ["RRRGGB", "RRGGBB", "RGGB", "RGB", "RG", "B"]
    match = pixel_pusher.position("score", conveyor=segments).match
    with served(Session(match, ["human"] * 2)) as there:
        page.goto(there.url() + "?fast")
        wait(page)
        drawn = page.locator("#part-conveyor [id^=segment-]")
        assert drawn.count() == len(segments)
        assert drawn.evaluate_all(BEYOND_SHAPE) == []


@pytest.mark.parametrize("game_id", list_games())
def test_short_names_and_phases_are_whole_with_all_players(page: Page, game_id: str) -> None:
    players = max(get_game(game_id).seats)
    session = Session(Match(get_game(game_id), seed=3, players=players), ["human", *["level:10"] * (players - 1)])
    with served(session) as there:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(there.url(0) + "?fast")
        wait(page)
        cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
        assert page.locator("#people .name, #phases").evaluate_all(cut) == []
