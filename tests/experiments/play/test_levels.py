"""Levels of skill as opponents of people: in the lobby, and in games that are taken up again."""

from __future__ import annotations

from typing import Any

import pytest

from bdgame_env import get_game, make_match
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play import plans
from bdgame_env.experiments.play.plans import with_agents
from bdgame_env.experiments.play.seats import read_seats, seats_of
from bdgame_env.experiments.play.session import Refused, Session
from bdgame_env.experiments.play.web.lobby import _game, plan_of
from bdgame_env.records.game_record import GameRecord


def asked(agent: object) -> dict[str, Any]:
    seats = [{"name": "Ann"}, {"agent": agent, "time": 1}]
    return {"do": "create", "game": "nicodemus-v2", "options": {}, "seats": seats}


def test_the_lobby_offers_ten_levels_in_words_from_the_lowest_up() -> None:
    offered = [one for one in _game(get_game("nicodemus-v2"), {})["agents"] if "level" in one]
    assert [one["name"] for one in offered] == [f"level:{number}" for number in range(1, 11)]
    assert offered[0]["level"] == "level 1 of 10, for beginners" and offered[9]["level"] == "level 10 of 10"
    assert not any(one["timed"] for one in offered)


def test_a_level_is_taken_as_an_opponent_and_no_other_word() -> None:
    assert plan_of(asked("level:3"), "").seats == ["human:Ann", "level:3"]
    for agent in ("level:11", "level", "level:3,epsilon=1", ["level:3"]):
        with pytest.raises(Refused, match="the lobby offers no agent"):
            plan_of(asked(agent), "")


def test_a_record_of_a_game_against_a_level_goes_on_with_it() -> None:
    assert read_seats("human,level:3", []) == ["human", "level:3"]
    record = GameRecord.begun(make_match("nicodemus-v2", seed=1), ["level:3", "level:12"])
    assert seats_of(record) == ["level:3", "human:level:12"]


def test_a_level_is_rehearsed_before_the_table_opens_and_a_program_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it need not compile during the game."""
    asked_to_move: list[str] = []
    monkeypatch.setattr(plans, "ask", lambda agent, *_: asked_to_move.append(agent.name))
    session = Session(Match(get_game("nicodemus-v2"), seed=1), ("level:2", "tests.support.bots:First"))
    with_agents(session, "random", rehearsed=True)
    assert sorted(asked_to_move) == ["heuristic", "level:2", "ppo", "random"], "one plays, one hints, two try moves"
