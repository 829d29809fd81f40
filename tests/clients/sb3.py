"""Stable-Baselines3: its checker, `make_vec_env`, PPO, A2C and DQN, which choose illegal actions all the time."""

from __future__ import annotations

import tempfile
from pathlib import Path

import gymnasium
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import bdgame_env
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check

NEEDS = [".[train]", "stable-baselines3"]


@check("`check_env`")
def checker(game: str, players: int) -> None:
    check_env(gymnasium.make(gymnasium_id(game), players=players))


@check("`make_vec_env`, `PPO`: learn, save, load, predict")
def ppo(game: str, players: int) -> None:
    envs = make_vec_env(gymnasium_id(game), n_envs=4, env_kwargs={"players": players})
    model = PPO("MlpPolicy", envs, n_steps=64, n_epochs=2)
    model.learn(total_timesteps=512)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder, "model"))
        model = PPO.load(Path(folder, "model"))
    observations = envs.reset()
    for _ in range(20):
        actions, _states = model.predict(observations)
        observations, _rewards, _dones, _infos = envs.step(actions)


@check('`MultiInputPolicy` with `observation="dict"`')
def multi_input(game: str, players: int) -> None:
    envs = make_vec_env(gymnasium_id(game), n_envs=2, env_kwargs={"players": players, "observation": "dict"})
    PPO("MultiInputPolicy", envs, n_steps=64, n_epochs=1).learn(total_timesteps=128)


@check("`A2C`")
def a2c(game: str, players: int) -> None:
    A2C("MlpPolicy", gymnasium.make(gymnasium_id(game), players=players)).learn(total_timesteps=100)


@check("`DQN`")
def dqn(game: str, players: int) -> None:
    env = gymnasium.make(gymnasium_id(game), players=players)
    model = DQN("MlpPolicy", env, buffer_size=1000, learning_starts=50)
    model.learn(total_timesteps=200, log_interval=4)
    mean, _ = evaluate_policy(model, model.get_env(), n_eval_episodes=3)
    assert -1 <= mean <= 1


@check("`PPO` with `make_sb3_vec` in place of `make_vec_env`")
def own_vector(game: str, players: int) -> None:
    envs = bdgame_env.make_sb3_vec(game, 16, players=players)
    PPO("MlpPolicy", envs, n_steps=16, n_epochs=1).learn(total_timesteps=512)
