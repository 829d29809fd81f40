"""PettingZoo's `state`: what all seats see, for a centralized critic."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import state_test
from pettingzoo.utils import parallel_to_aec, turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import BaseParallelWrapper, BaseWrapper

from bdgame_env import get_game, list_games, make_aec, make_parallel
from tests.clients.checks import SIZES

DTYPES = {"flat": np.int8, "float": np.float32, "dict": np.int8, "entities": np.int8}
PARALLEL = {
    "own": make_parallel,
    "wrapped": lambda *args, **kwargs: BaseParallelWrapper(make_parallel(*args, **kwargs)),
}


def check(env: Any, seen: dict[str, Any], dtype: Any = np.int8) -> None:
    """`seen` has the observation of each agent."""
    state = env.state()
    assert state in env.state_space and state.dtype == env.state_space.dtype == dtype
    assert state.shape == (sum(map(len, seen.values())),)
    assert (state == np.concatenate([seen[agent] for agent in env.possible_agents])).all()


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_a_state_is_the_observations_of_all_seats(game: str, players: int) -> None:
    env = make_aec(game, players=players)
    env.reset(seed=3)
    rng, states = np.random.default_rng(0), []
    for _ in env.agent_iter(40):
        check(env, {agent: env.observe(agent)["observation"] for agent in env.possible_agents})
        states.append(env.state())
        view, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(view["action_mask"]))))
    assert (states[0] != states[-1]).any()


@pytest.mark.parametrize("way", PARALLEL)
@pytest.mark.parametrize(("game", "players"), SIZES)
def test_a_state_is_what_all_agents_see_at_once(game: str, players: int, way: str) -> None:
    """Also while some of those that choose at once have chosen: each sees its own choices only."""
    env = PARALLEL[way](game, players=players)
    seen, _ = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(20):
        check(env, {agent: view["observation"] for agent, view in seen.items()})
        actions = {agent: int(rng.choice(np.flatnonzero(view["action_mask"]))) for agent, view in seen.items()}
        seen = env.step(actions)[0]


@pytest.mark.parametrize("form", DTYPES)
@pytest.mark.parametrize("make", [make_aec, make_parallel])
@pytest.mark.parametrize("game", list_games())
def test_a_state_is_a_vector_in_every_form(game: str, make: Any, form: str) -> None:
    flat, env = make(game), make(game, observation=form)
    for each in (flat, env):
        each.reset(seed=3)
    seen = {agent: flat.observe(agent)["observation"] for agent in flat.possible_agents}
    check(env, seen, DTYPES[form])
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        check(twin, seen, DTYPES[form])
        assert twin.state_space is not env.state_space


@pytest.mark.parametrize("game", list_games())
def test_wrappers_and_conversions_pass_the_state_on(game: str) -> None:
    aec = make_aec(game)
    with pytest.raises(AssertionError, match="reset"):
        aec.state()
    for one, env in (
        (aec, BaseWrapper(aec)),
        (make_parallel(game), parallel_to_aec(make_parallel(game))),
        (aec, turn_based_aec_to_parallel(make_aec(game))),
    ):
        for each in (one, env):
            each.reset(seed=3)
        assert env.state_space == one.state_space and (env.state() == one.state()).all()


@pytest.mark.parametrize("game", list_games())
def test_pettingzoos_own_test_of_states_passes(game: str) -> None:
    state_test(make_aec(game), make_parallel(game), 4)


def test_a_state_is_nothing_but_observations() -> None:
    """So it tells no more than all seats together know: not what lies face down in a deck."""
    for game in map(get_game, list_games()):
        env = make_aec(game.id)
        env.reset(seed=3)
        twin = env.clone(determinize=0, seed=1)
        size = game.obs.itemsize
        assert (env.state()[:size] == twin.state()[:size]).all()
