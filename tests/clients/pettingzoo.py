"""PettingZoo's basic usage, its tests, and its utilities."""

from __future__ import annotations

import io
import warnings
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

import pettingzoo
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import average_total_reward, parallel_to_aec, random_demo, wrappers
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.clients.checks import check

NEEDS = [".[render]", "pettingzoo"]


def module_of(game: str) -> Any:
    """`bdgame_env.bdgame_v3`, as PettingZoo's own games are modules."""
    return import_module(f"bdgame_env.{game.replace('-', '_')}")


@check("`env()`, `agent_iter`, `last`, `step` with the mask")
def basic_usage(game: str, players: int) -> None:
    env = module_of(game).env(players=players, render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter(max_iter=3000):
        observation, _reward, termination, truncation, _info = env.last()
        action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)
    env.close()


@check("`parallel_env()`, a dict of actions for each step")
def parallel_usage(game: str, players: int) -> None:
    env = module_of(game).parallel_env(players=players)
    observations, _infos = env.reset(seed=42)
    for _ in range(3000):
        if not env.agents:
            break
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        actions = {agent: env.action_space(agent).sample(masks[agent]) for agent in env.agents}
        observations, _rewards, _terminations, _truncations, _infos = env.step(actions)
    env.close()


@check("`pettingzoo.make`")
def make(game: str, players: int) -> None:
    for kind in ("aec", "parallel"):
        env = pettingzoo.make(kind, f"bdgame_env/{game}", players=players)
        env.reset(seed=42)
        assert len(env.agents) == players


@check("`api_test` and `seed_test`")
def aec_tests(game: str, players: int) -> None:
    module = module_of(game)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # dict observations are news to it, in games that are not its own
        api_test(module.env(players=players), num_cycles=200)
    seed_test(lambda: module.env(players=players), num_cycles=50)


@check("`parallel_api_test` and `parallel_seed_test`")
def parallel_tests(game: str, players: int) -> None:
    module = module_of(game)
    parallel_api_test(module.parallel_env(players=players), num_cycles=200)
    parallel_seed_test(lambda: module.parallel_env(players=players), num_cycles=50)


@check("its wrappers around `raw_env`")
def wrapping(game: str, players: int) -> None:
    env = module_of(game).raw_env(players=players, render_mode="ansi")
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    env = wrappers.OrderEnforcingWrapper(env)
    env.reset(seed=42)
    for agent in env.agent_iter(max_iter=200):
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))


@check("`random_demo` and `average_total_reward`")
def demo(game: str, players: int) -> None:
    with redirect_stdout(io.StringIO()):
        random_demo(module_of(game).env(players=players), render=False, episodes=1)
        average_total_reward(module_of(game).env(players=players), max_episodes=1, max_steps=200)


@check("`turn_based_aec_to_parallel`")
def to_parallel(game: str, players: int) -> None:
    env = turn_based_aec_to_parallel(module_of(game).raw_env(players=players))
    observations, _ = env.reset(seed=42)
    assert set(observations) == set(env.agents)


@check("`parallel_to_aec`")
def to_aec(game: str, players: int) -> None:
    env = parallel_to_aec(module_of(game).parallel_env(players=players))
    env.reset(seed=42)
    for agent in env.agent_iter(max_iter=100):
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
