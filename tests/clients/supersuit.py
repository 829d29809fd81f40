"""SuperSuit's wrappers around the PettingZoo environments, and its vector environments made of parallel ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import supersuit

from bdgame_env import make_aec, make_parallel
from tests.clients.checks import check

NEEDS = [".", "supersuit"]
RNG = np.random.default_rng(1)


def play(env: Any) -> None:
    """A random game, masked where there is a mask."""
    env.reset(seed=42)
    for agent in env.agent_iter(max_iter=300):
        observation, _reward, termination, truncation, info = env.last()
        # Not `contains`: stacks begin with zeros and indicators are as large as any entry, whatever the bounds say.
        assert np.shape(observation) == env.observation_space(agent).shape or isinstance(observation, dict)
        env.step(None if termination or truncation else env.action_space(agent).sample(info["action_mask"]))


@check("wrappers that leave observations alone: `clip_reward_v0`, `reward_lambda_v0`")
def rewards(game: str, players: int) -> None:
    env = make_aec(game, players=players)
    env = supersuit.clip_reward_v0(env, lower_bound=-1, upper_bound=1)
    env = supersuit.reward_lambda_v0(env, lambda reward: reward / 2)
    play(env)


@check("wrappers of observations: `dtype_v0`, `flatten_v0`, `frame_stack_v1`, `agent_indicator_v0`")
def observations(game: str, players: int) -> None:
    env = make_aec(game, players=players)
    # glue
    env = supersuit.observation_lambda_v0(
        env, lambda seen, space: seen["observation"], lambda space: space["observation"]
    )
    # end of glue
    env = supersuit.dtype_v0(env, np.float32)
    env = supersuit.flatten_v0(env)
    env = supersuit.frame_stack_v1(env, 2)
    env = supersuit.agent_indicator_v0(env)
    play(env)


@check("`pettingzoo_env_to_vec_env_v1` and `concat_vec_envs_v1`")
def vector(game: str, players: int) -> None:
    env = make_parallel(game, players=players)
    env = supersuit.pettingzoo_env_to_vec_env_v1(env)
    envs = supersuit.concat_vec_envs_v1(env, 2, num_cpus=1, base_class="gymnasium")
    seen, _infos = envs.reset(seed=42)
    for _ in range(100):
        masks = seen["action_mask"]
        actions = np.array([RNG.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, terminations, truncations, _infos = envs.step(actions)
        assert rewards.shape == terminations.shape == truncations.shape == (2 * players,)
    envs.close()


@check("`vectorize_aec_env_v0`")
def aec_vector(game: str, players: int) -> None:
    envs = supersuit.vectorize_aec_env_v0(make_aec(game, players=players), 2)
    envs.reset(seed=42)
    for agent in envs.agent_iter(100):
        seen, *_ = envs.last()
        space = envs.action_space(agent)
        envs.step([space.sample(one["action_mask"]) for one in seen])
