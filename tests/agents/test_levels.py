"""Levels: what their specs mean, that what ships is whole, and that they play wherever agents do."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bdgame_env import make_gym
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.identity import contents_of
from bdgame_env.agents.levels import level_names, level_spec, levels_file, shipped_levels
from bdgame_env.agents.opponents import resolve_opponents
from bdgame_env.agents.registry import keep_spec
from bdgame_env.experiments.arena.matches import play_batches
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.experiments.arena.standings import scores_by_deal
from bdgame_env.experiments.inputs import split_specs
from bdgame_env.registry import get_game, list_games
from tests.support.toy_game import GAME

LEVELS = [f"level:{number}" for number in range(1, 11)]
GAMES = [name for name in list_games() if levels_file(name).exists()]


@pytest.mark.parametrize("name", GAMES)
def test_what_ships_is_whole(name: str) -> None:
    """Ten levels, each an agent of its own, measured against the one below."""
    game = get_game(name)
    facts = json.loads(levels_file(name).read_text(encoding="utf-8"))
    assert facts["game"] == name and facts["command"] and facts["contents"]
    assert level_names(game) == LEVELS
    low, high = game.seats
    rows = shipped_levels(game)
    assert len({row["agent"] for row in rows}) == 10 and rows[0]["above"] == {}
    for row in rows[1:]:
        assert "2" in row["above"] and set(row["above"]) <= {str(players) for players in range(low, high + 1)}
        for found in row["above"].values():
            assert found["interval"][0] <= found["share"] <= found["interval"][1] and found["games"] > found["deals"]
        assert row["above"]["2"]["share"] > 0.5 and row["seconds_per_decision"] < 0.5
    for players in range(low, high + 1):
        config = game.config(players=players)
        for spec in LEVELS:
            agent = make_agent(spec, game, config)
            assert agent.name == spec
            agent.close()


@pytest.mark.parametrize("name", GAMES)
def test_the_weights_are_those_that_levels_were_measured_with(name: str) -> None:
    game = get_game(name)
    contents = json.loads(levels_file(name).read_text(encoding="utf-8"))["contents"]
    for row in shipped_levels(game):
        assert contents[f"agent {row['agent']}"] == contents_of(row["agent"], game, game.config())


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_higher_level_is_stronger(name: str) -> None:
    """On a few deals and three levels apart; neighbors differ by too little for so few."""
    game = get_game(name)
    config = game.config(players=2)
    for low, high in ((1, 4), (4, 7)):
        agents = [make_agent(f"level:{level}", game, config) for level in (high, low)]
        results = [one for batch in play_batches(game, config, agents, seatings(2, 2, 40, 3)) for one in batch]
        totals, counts = scores_by_deal(results, 0)
        assert totals.sum() / counts.sum() > 0.65, (name, low, high)


@pytest.mark.parametrize("spec", ["level", "level:", "level:0", "level:11", "level:x", "level:3,epsilon=1", "level:-1"])
def test_unknown_levels_are_refused_in_one_line(spec: str) -> None:
    game = get_game("nicodemus-v2")
    with pytest.raises(UnknownAgent, match=r"must be level:1 to level:10") as caught:
        make_agent(spec, game, game.config())
    assert "\n" not in str(caught.value)


def test_a_game_without_levels_says_so() -> None:
    with pytest.raises(UnknownAgent, match=r"agent 'level:3': toy-v1 has no levels"):
        make_agent("level:3", GAME, GAME.config())
    assert level_names(GAME) == [] and shipped_levels(GAME) == []


def test_unknown_names_tell_of_levels() -> None:
    game = get_game("nicodemus-v2")
    with pytest.raises(UnknownAgent, match=r"known: .*level:1 to level:10"):
        make_agent("nobody", game, game.config())


def test_specs_with_levels_are_read_as_others_are() -> None:
    game = get_game("nicodemus-v2")
    assert split_specs("level:3,greedy,mcts:sims=2,c=1,level:10") == [
        "level:3",
        "greedy",
        "mcts:sims=2,c=1",
        "level:10",
    ]
    assert keep_spec("level:3") == "level:3" and level_spec("level:3", game) == shipped_levels(game)[2]["agent"]
    assert {"levels nicodemus-v2.json"} < set(contents_of("level:3", game, game.config())), (
        "another file, another agent"
    )
    pool, _ = resolve_opponents(game, game.config(), ["level:1", ("level:3", 2.0)])
    assert [(one.name, one.weight) for one in pool] == [("level:1", 1.0), ("level:3", 2.0)]


@pytest.mark.parametrize("name", GAMES)
def test_levels_are_opponents_of_environments(name: str) -> None:
    env = make_gym(name, opponents=["level:1", "level:3"], seat=0)
    _, info = env.reset(seed=1)
    del info
    for _ in range(3):
        mask = env.action_masks()
        env.step(int(np.flatnonzero(mask)[0]))
    env.close()
