"""The setting `epsilon`: any agent of the package, with random legal actions in place of some of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.base import Agent
from bdgame_env.agents.identity import contents_of
from bdgame_env.agents.random_moves import RandomMoves
from bdgame_env.registry import get_game
from tests.support.toy_game import GAME

CONFIG = GAME.config(players=2, max_rounds=4)


class Last(Agent):
    """Takes the last legal action, and remembers how many games it was asked about."""

    def __init__(self, *_: Any, **settings: Any) -> None:
        self.asked, self.settings, self.needs_states = 0, settings, True

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        assert len(observation) == len(mask) == len(states)
        self.asked += len(mask)
        return (mask.shape[1] - 1 - mask[:, ::-1].argmax(1)).astype(np.int32)


def asked(epsilon: float, n: int = 4000, seed: int = 1) -> tuple[np.ndarray[Any, Any], Last]:
    inner = Last()
    agent = RandomMoves(inner, epsilon)
    agent.seed(seed)
    mask = np.zeros((n, 5), np.int8)
    mask[:, [0, 2, 3]] = 1
    return agent.act(np.zeros((n, 1), np.int8), mask, np.zeros(n)), inner


def test_so_many_actions_are_random_and_all_are_legal() -> None:
    actions, inner = asked(0.3)
    assert actions.dtype == np.int32 and set(actions) == {0, 2, 3}
    assert abs(inner.asked / 4000 - 0.7) < 0.03
    assert abs((actions == 0).mean() - 0.1) < 0.02 and abs((actions == 2).mean() - 0.1) < 0.02


def test_none_and_all() -> None:
    actions, inner = asked(0.0)
    assert set(actions) == {3} and inner.asked == 4000
    actions, inner = asked(1.0)
    assert inner.asked == 0 and np.allclose(np.bincount(actions)[[0, 2, 3]] / 4000, 1 / 3, atol=0.03)


def test_the_same_seed_gives_the_same_actions() -> None:
    assert (asked(0.5)[0] == asked(0.5)[0]).all()
    assert (asked(0.5)[0] != asked(0.5, seed=2)[0]).any()


def test_every_agent_of_the_package_takes_the_setting() -> None:
    game = get_game("nicodemus-v2")
    config = game.config()
    for spec in ("random:epsilon=0.5", "heuristic:epsilon=0.25", "ppo:sample=1,epsilon=0.1", "az:sims=2,epsilon=1"):
        agent = make_agent(spec, game, config, seed=3)
        assert isinstance(agent, RandomMoves) and agent.name == spec
        assert agent.needs_states == agent.agent.needs_states and agent.games_at_once == agent.agent.games_at_once
    assert contents_of("ppo:epsilon=0.1", game, config) == contents_of("ppo", game, config) != {}
    assert not isinstance(make_agent("ppo:sample=1", game, config), RandomMoves)


@pytest.mark.parametrize("value", ["2", "-0.1", "often", "nan"])
def test_what_is_no_probability_is_refused_in_one_line(value: str) -> None:
    with pytest.raises(UnknownAgent, match=r"epsilon=.*must be a number from 0 to 1") as caught:
        make_agent(f"random:epsilon={value}", GAME, CONFIG)
    assert "\n" not in str(caught.value)


def test_agents_from_outside_have_settings_of_their_own() -> None:
    agent: Any = make_agent(f"{__name__}:Last:epsilon=0.5", GAME, CONFIG)
    assert isinstance(agent, Last) and agent.settings == {"epsilon": 0.5}
