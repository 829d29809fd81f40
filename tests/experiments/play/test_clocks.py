"""Clocks: what people have left, what the record keeps of it, and that a clock tells nothing secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest

from bdgame_env import get_game
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play import session as session_module
from bdgame_env.experiments.play.clocks import Clocks, TimeControl
from bdgame_env.experiments.play.session import Refused, Session, resumed
from bdgame_env.experiments.play.web.messages import Seen, page_news
from bdgame_env.records.game_record import GameRecord
from tests.support.bid_game import GAME as BID
from tests.support.served import new_links, served
from tests.support.toy_game import GAME as TOY

MINUTE = TimeControl(60, 5)


@dataclass
class Time:
    """A clock on the wall that stands still unless it is moved."""

    at: float = 100.0

    def now(self) -> float:
        return self.at


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> Time:
    wall = Time()
    monkeypatch.setattr(session_module, "Clocks", partial(Clocks, now=wall.now))
    return wall


def toy(*seats: str) -> Session:
    return Session(Match(TOY, seed=1, players=len(seats)), seats, MINUTE)


@pytest.mark.parametrize(
    ("text", "control"),
    [("15+10", TimeControl(900, 10)), ("0.5+0", TimeControl(30, 0)), ("1440+3600", TimeControl(86400, 3600))],
)
def test_time_controls_are_read(text: str, control: TimeControl) -> None:
    assert TimeControl.read(text) == control


@pytest.mark.parametrize("text", ["", "15", "15+", "+5", "0+5", "-1+5", "1441+0", "1+3601", "1e3+1", "five+1"])
def test_other_time_controls_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be minutes for the game \+ seconds after each turn, e.g. 15\+10"):
        TimeControl.read(text)


def test_a_turn_costs_its_time_and_brings_the_increment(wall: Time) -> None:
    """From the second turn of each seat on; several decisions of a turn are one."""
    session = toy("human", "human")
    wall.at += 1000
    session.play(0, "pass")
    wall.at += 1000
    session.play(1, "pass")
    assert session.clocks is not None and session.clocks.running == 0
    assert [session.clocks.left(seat) for seat in (0, 1)] == [60, 60]
    wall.at += 12
    session.play(0, "draw")
    assert session.clocks.running == 0 and session.time_left() == 48 and session.clocks_seen_by(1) == (60, 60)
    wall.at += 8
    session.play(0, "take keep")
    assert session.clocks.running == 1 and session.clocks_seen_by(None) == (45, 60)
    assert [one.move.remarks["clock"] for one in session.played] == [60, 60, 48, 45]


def test_agents_have_no_clock(wall: Time) -> None:
    session = toy("random", "human")
    for _ in range(3):
        session.play(0, "pass", remarks={"value": 0.5})
        assert session.played[-1].move.remarks == {"value": 0.5}
        session.play(1, "pass")
    session.play(0, "pass")
    wall.at += 3
    assert session.clocks_seen_by(0) == (None, 70) and session.time_left() == 67


def test_after_the_time_nothing_can_be_played(wall: Time) -> None:
    session = toy("human", "human")
    session.play(0, "pass")
    session.play(1, "pass")
    wall.at += 60.5
    assert session.time_left() == 0
    with pytest.raises(Refused, match="your time is up"):
        session.play(0, "pass")
    session.forfeit(0, "ran out of time")
    wall.at += 61
    assert session.time_left() is None and session.ending.ranks == (2, 1) and session.clocks_seen_by(1) == (0, 60)


def test_a_game_goes_on_with_the_times_of_its_record(wall: Time) -> None:
    """But the first turn after that is not timed, as at the beginning."""
    session = toy("human", "human")
    for spent in (0, 0, 20, 30, 10):
        wall.at += spent
        session.play(session.match.seat, "pass")
    record = GameRecord.from_text(session.record().to_text())
    again = resumed(Match(TOY, seed=1, players=2), session.seats, record, MINUTE)
    assert again.clocks_seen_by(None) == session.clocks_seen_by(None) == (40, 35)
    wall.at += 1000
    assert again.time_left() is None
    again.play(1, "pass")
    again.play(0, "pass")
    wall.at += 5
    assert again.time_left() == 30
    assert [one.move.remarks for one in again.played[:5]] == [move.remarks for move in record.moves]


def test_undo_gives_no_time_back(wall: Time) -> None:
    session = Session(Match(get_game("bdgame-v3"), seed=3), ("human", "human"), MINUTE)
    while session.time_left() is None:
        session.play(
            session.match.seat, "end" if "end" in session.match.legal_moves() else session.match.legal_moves()[0]
        )
    seat = session.match.seat
    wall.at += 7
    session.play(seat, next(move for move in session.match.legal_moves() if move.startswith("load")))
    session.undo(seat)
    assert session.time_left() == 53


def test_clocks_do_not_tell_who_has_chosen_in_secret(wall: Time) -> None:
    """Bids are chosen in secret: until all are there, the others' clocks stand as they stood before."""
    session = Session(Match(BID, seed=4, players=3, rounds=3), ("human",) * 3, MINUTE)
    links = new_links(session, separate=True)
    for bids in ((5, 2, 4), (1, 3, 5)):
        shown = {link.seats: Seen() for link in links}
        for link in links:
            page_news(session, link, shown[link.seats])
        before = session.clocks_seen_by(None)
        for seat, bid in enumerate(bids[:2]):
            wall.at += 11
            session.play(seat, f"bid {bid}")
            for link in links:
                link.follow(session)
            assert session.clocks_seen_by(None) == session.clocks_seen_by(2) == before
            assert page_news(session, links[-1], shown[()]) is None, "spectators are told nothing"
        view = page_news(session, links[0], Seen())
        assert view is not None and view["running"] is None and view["elapsed"] == 0.0
        assert view["clocks"] == session.clocks_seen_by(0) and view["clocks"][1:] == before[1:]
        wall.at += 11
        session.play(2, f"bid {bids[2]}")
        for link in links:
            link.follow(session)
    assert session.clocks_seen_by(None) == (54, 54, 54)


def until(condition: Callable[[], bool], step: Callable[[], object]) -> None:
    for _ in range(100):
        if condition():
            return
        step()
    raise AssertionError("it does not happen")


def test_who_runs_out_of_time_loses() -> None:
    """On a real server, with a real clock."""
    session = Session(Match(TOY, seed=1, players=2), ("human", "human:Ann"), TimeControl(0.4, 0))
    with served(session) as game:
        first, second = game.page(0), game.page(1)
        assert first.view["clocks"] == [0.4, 0.4] and first.view["running"] is None
        assert first.play("pass")["number"] == 1
        second.wait_for(1)
        assert second.play("pass")["number"] == 2
        first.wait_for(2)
        assert first.view["running"] == 0 and first.view["elapsed"] < 0.4
        until(lambda: second.view["ending"] is not None, second.receive)
        assert second.view["ending"] == {
            "how": "forfeited",
            "ranks": [2, 1],
            "loser": 0,
            "reason": "ran out of time",
            "told": "forfeited: Player 1 ran out of time — 1. Ann: 0, 2. Player 1: 0",
            "winner": "Ann wins",
        }


def test_after_a_resume_clocks_do_not_tell_who_has_chosen_either(wall: Time) -> None:
    session = Session(Match(BID, seed=4, players=3, rounds=3), ("human",) * 3, MINUTE)
    for seat, bid in ((0, 5), (1, 2), (2, 4), (0, 1)):
        wall.at += 11
        session.play(seat, f"bid {bid}")
    assert session.clocks_seen_by(None) == (60, 60, 60) and session.clocks_seen_by(0) == (54, 60, 60)
    again = resumed(Match(BID, seed=4, players=3, rounds=3), session.seats, session.record(), MINUTE)
    for viewer in (None, 0, 1):
        assert again.clocks_seen_by(viewer) == session.clocks_seen_by(viewer)


@pytest.mark.parametrize(
    ("clock", "left"),
    [("abc", 60), (True, 60), (None, 60), ([5], 60), (10**400, 1e7), (1e300, 1e7)],
    ids=lambda value: repr(value)[:9],
)
def test_a_strange_clock_in_a_record_is_left_alone_or_cut(wall: Time, clock: object, left: float) -> None:
    session = toy("human", "human")
    session.play(0, "pass", remarks={"clock": clock})
    again = resumed(Match(TOY, seed=1, players=2), session.seats, session.record(), MINUTE)
    assert again.clocks_seen_by(None) == (left, 60)
