"""Gymnasium's basic usage, vector environments, checker and video recorder."""

from __future__ import annotations

import tempfile
from pathlib import Path

import gymnasium
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RecordEpisodeStatistics, RecordVideo

from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check
from tests.support.gymnasium_wrappers import SINGLE, VECTOR, play

NEEDS = [".[video]", "gymnasium[jax,other,torch]"]


@check("`make`, `reset`, `step` with `action_space.sample()`")
def basic_usage(game: str, players: int) -> None:
    env = gymnasium.make(gymnasium_id(game), players=players, render_mode="ansi")
    observation, info = env.reset(seed=42)
    for _ in range(1000):
        action = env.action_space.sample()
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        if terminated or truncated:
            assert reward != -1 or not info["final"]["illegal"]
            observation, info = env.reset()
    assert env.render()
    env.close()


@check("`check_env`")
def checker(game: str, players: int) -> None:
    check_env(gymnasium.make(gymnasium_id(game), players=players, render_mode="rgb_array").unwrapped)


def step_vector(envs: gymnasium.vector.VectorEnv) -> None:
    observations, infos = envs.reset(seed=42)
    for _ in range(200):
        observations, _rewards, _terminations, _truncations, infos = envs.step(envs.action_space.sample())
    assert envs.observation_space.contains(observations) and infos["action_mask"].shape[0] == envs.num_envs
    envs.close()


@check("`make_vec`")
def make_vec(game: str, players: int) -> None:
    step_vector(gymnasium.make_vec(gymnasium_id(game), num_envs=3, players=players))


@check('`make_vec(..., vectorization_mode="sync")`')
def sync_vector(game: str, players: int) -> None:
    step_vector(gymnasium.make_vec(gymnasium_id(game), num_envs=3, vectorization_mode="sync", players=players))


@check("`AsyncVectorEnv`")
def async_vector(game: str, players: int) -> None:
    envs = [lambda: gymnasium.make(gymnasium_id(game), players=players)] * 2
    step_vector(gymnasium.vector.AsyncVectorEnv(envs))


@check("`RecordVideo` and `RecordEpisodeStatistics`")
def record_video(game: str, players: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        env = gymnasium.make(gymnasium_id(game), players=players, render_mode="rgb_array")
        env = RecordVideo(env, video_folder=folder, episode_trigger=lambda number: number == 0, video_length=5)
        env = RecordEpisodeStatistics(env)
        env.reset(seed=42)
        for _ in range(8):
            _, _, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset()
        env.close()
        assert [file.stat().st_size > 1000 for file in Path(folder).glob("*.mp4")] == [True]


@check("every wrapper of `gymnasium.wrappers` that our page says runs")
def every_wrapper(game: str, players: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, use in SINGLE.items():
            if not use.fails:
                play(game, use, f"{folder}/{name}", players=players)


@check("every wrapper of `gymnasium.wrappers.vector` that our page says runs")
def every_vector_wrapper(game: str, players: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, use in VECTOR.items():
            for mode in () if use.fails else use.modes:
                play(game, use, f"{folder}/{name}{mode.value}", mode, players=players)
