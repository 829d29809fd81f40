"""The page of a recorded game: opened as a file, without any server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from bdgame_env import get_game, list_games
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.game_records import play_through
from bdgame_env.experiments.play.replay_page import replay_in_pieces, replay_page
from bdgame_env.experiments.play.session import Session
from tests.browser.conftest import until
from tests.support.served import served

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game_id", list_games())
def test_a_recorded_game_is_looked_through(page: Page, game_id: str, tmp_path: Path) -> None:
    session = Session(Match(get_game(game_id), seed=3), ("human:<Ann>", "mcts"))
    while session.number < 30:
        moves, seat = session.match.legal_moves(), session.match.seat
        remarks = {"value": 0.1 * seat, "visits": {moves[0]: 3}} if seat == 1 else {}
        session.play(seat, moves[session.number * 7919 % len(moves)], remarks=remarks)
    file = tmp_path / "page.html"
    file.write_text(replay_page(play_through(session.record()), title="a test"), "utf-8")
    page.goto(file.as_uri())
    at = page.locator("#at")
    expect(at).to_have_value("0")
    expect(page.locator("#title")).to_contain_text("a test")
    expect(page.locator("#person-0")).to_contain_text("<Ann>: 0")
    assert page.locator("#own .part").count() > 0, "it looks like the table that was played on"
    pictures = [page.locator("#board").inner_html()]
    for key, number in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("End", 30),
        ("ArrowLeft", 29),
        ("PageUp", 19),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        expect(at).to_have_value(str(number))
        pictures.append(page.locator("#board").inner_html())
    assert pictures[0] == pictures[-1] and len(set(pictures)) == 6
    assert page.evaluate("byId('actions').scrollWidth <= byId('actions').clientWidth"), "nothing is cut off"
    at.fill("12")
    at.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("12. ")
    turn = page.locator("#log li.turn-of > button").nth(1)
    number = turn.get_attribute("data-number")
    assert number and " at " not in turn.inner_text() and "<Ann>" in page.locator("#log").inner_text()
    turn.click()
    expect(at).to_have_value(number)
    assert page.locator("#log .single button").count() > 0, "its single moves are listed"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "everything fits the window"
    expect(page.locator("#values")).to_be_visible()
    page.locator("#values svg").click(position={"x": 32, "y": 20})
    assert int(at.input_value()) < 3
    page.locator("#speed").select_option("300")
    page.locator("#last").focus()
    page.keyboard.press("Home")
    page.locator("#play").click()
    until(page, "at >= 2")
    page.keyboard.press("End")
    expect(page.locator("#play")).to_contain_text("play")


IN_SIGHT = """() => [...document.querySelectorAll("#table .pointed")].some((spot) => {
  const { top, bottom } = spot.getBoundingClientRect();
  const header = byId("title").parentElement.getBoundingClientRect(), bar = byId("decision").getBoundingClientRect();
  return spot.closest("#decision") ? bottom <= innerHeight + 1 : top >= header.bottom - 1 && bottom <= bar.top + 1;
})"""


@pytest.mark.parametrize("game_id", list_games())
def test_a_phone_goes_to_what_a_decision_changed(browser: Browser, game_id: str, tmp_path: Path) -> None:
    session = Session(Match(get_game(game_id), seed=3), ("human:Ann", "random"))
    while session.number < 20:
        moves = session.match.legal_moves()
        session.play(session.match.seat, moves[session.number * 7919 % len(moves)])
    file = tmp_path / "page.html"
    file.write_text("".join(replay_in_pieces(play_through(session.record()))), "utf-8")
    context = browser.new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("#prompt")).to_have_text("the start")
    assert page.evaluate("scrollY") == 0
    row = [one.bounding_box() for one in page.locator("#always > *").all()]
    lefts = [box["x"] for box in row if box and box["x"] >= 0 and box["x"] + box["width"] <= 360]
    assert len(lefts) == len(row) and lefts == sorted(lefts), "all controls are in sight, and in their order"
    changed = 0
    for number in range(1, 13):
        page.locator("#story").scroll_into_view_if_needed()
        page.evaluate(f"goTo({number})")
        if page.evaluate("changedBy(at).length"):  # who ends an action changes nothing that is drawn
            changed += 1
            assert page.evaluate(IN_SIGHT), number
    assert changed >= 3
    context.close()


def test_a_replay_begins_at_the_first_turn_and_tells_what_would_have_been_better(page: Page, tmp_path: Path) -> None:
    session = Session(Match(get_game("gizmos-v3"), seed=3), ("human:Ann", "mcts"))
    while session.number < 60:
        moves = session.match.legal_moves()
        session.play(session.match.seat, moves[session.number * 7919 % len(moves)])
    session.remark(1, {"judged": {"words": "Pick a red marble", "same": False, "loss": 0.2, "value": 0.5}})
    file = tmp_path / "page.html"
    file.write_text(replay_page(play_through(session.record()), title="a test"), "utf-8")
    page.goto(file.as_uri())
    expect(page.locator("#at")).to_have_value("0")
    assert page.evaluate("byId('log').scrollHeight > byId('log').clientHeight && byId('log').scrollTop === 0")
    expect(page.locator("#values")).to_contain_text("100%")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#thought")).to_have_text("better (+10%): Pick a red marble")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#thought")).not_to_contain_text("better")


@pytest.mark.parametrize("players", get_game("nicodemus-v2").seats)
def test_curves_of_a_whole_game_end_at_its_result_and_lead_back_to_it(page: Page, players: int) -> None:
    session = Session(Match(get_game("nicodemus-v2"), seed=3, players=players, max_rounds=2), ["human"] * players)
    while not session.over:
        remarks = {"value": 0.25} if session.match.seat else {}  # the first has no opinions
        session.play(session.match.seat, session.match.legal_moves()[0], remarks=remarks)
    ranks = session.ending.ranks
    beaten = [sum((other > mine) - (other < mine) for other in ranks) / (players - 1) for mine in ranks]
    with served(session) as there:
        page.goto(there.url().replace("/play/", "/replay/"))
        until(page, "tables.length > last")
        assert page.evaluate("values.map((each) => each.at(-1))")[1:] == [
            [session.number, value] for value in beaten[1:]
        ]
        assert page.evaluate("values[0]") == []
        page.locator("#back-to-table").click()
        expect(page.locator("#finish")).to_be_visible()


@pytest.mark.parametrize("players", get_game("bdgame-v3").seats)
def test_the_machine_of_another_player_is_seen_after_its_run(page: Page, tmp_path: Path, players: int) -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3, players=players), ["human"] * players)
    while not session.record().moves or not session.record().moves[-1].move.startswith("activate"):
        verbs = ("activate", "load", "collect", "end")
        move = min(
            session.match.legal_moves(),
            key=lambda move: verbs.index(move.split()[0]) if move.split()[0] in verbs else 9,
        )
        session.play(session.match.seat, move)
    mover, file = session.record().moves[-1].seat, tmp_path / "page.html"
    for seat in range(players):
        file.write_text(replay_page(play_through(session.record()), seat=seat), "utf-8")
        page.goto(file.as_uri())
        page.keyboard.press("End")
        expect(page.locator(f"#others [data-seat='{mover}']")).to_be_visible(visible=seat != mover)
        page.keyboard.press("Home")
        expect(page.locator("#others")).to_be_hidden()


def test_the_slider_has_room_beside_cards_that_are_decided_on(page: Page, tmp_path: Path) -> None:
    """In Gizmos cards are researched beside the controls, in Bdgame a Device is run there."""
    for game_id, verb in (("gizmos-v3", "research"), ("bdgame-v3", "load")):
        session = Session(Match(get_game(game_id), seed=3), ("human", "human"))
        while not session.record().moves or not session.record().moves[-1].move.startswith(verb):
            legal = session.match.legal_moves()
            wanted = [move for move in legal if move.startswith(verb)]
            session.play(session.match.seat, (wanted or legal)[0])
        file = tmp_path / "page.html"
        file.write_text(replay_page(play_through(session.record())), "utf-8")
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(file.as_uri())
        page.keyboard.press("End")
        expect(page.locator("#at")).to_have_value(str(session.number))
        slider = page.locator("#slider").bounding_box()
        assert slider and slider["width"] >= 100
        assert page.evaluate("byId('actions').scrollWidth <= byId('actions').clientWidth")
