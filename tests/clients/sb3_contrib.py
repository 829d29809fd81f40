"""sb3-contrib's MaskablePPO, with ActionMasker and without."""

from __future__ import annotations

import gymnasium
import numpy as np
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.maskable.utils import get_action_masks
from sb3_contrib.common.wrappers import ActionMasker
from sb3_contrib.ppo_mask import MaskablePPO

import bdgame_env
from bdgame_env.registration import gymnasium_id
from tests.clients.checks import check

NEEDS = [".[train]", "sb3-contrib"]


def mask_fn(env: gymnasium.Env) -> np.ndarray:
    return env.unwrapped.action_masks()


@check("`ActionMasker` and `MaskablePPO`")
def action_masker(game: str, players: int) -> None:
    env = gymnasium.make(gymnasium_id(game), players=players, illegal="raise")
    env = ActionMasker(env, mask_fn)
    model = MaskablePPO(MaskableActorCriticPolicy, env, n_steps=128, n_epochs=1)
    model.learn(total_timesteps=256)
    observation, _info = env.reset()
    for _ in range(20):
        action, _states = model.predict(observation, action_masks=get_action_masks(env))
        observation, _reward, terminated, truncated, _info = env.step(action)
        if terminated or truncated:
            observation, _info = env.reset()


@check("`MaskablePPO` and `evaluate_policy`, without a wrapper")
def without_wrapper(game: str, players: int) -> None:
    env = gymnasium.make(gymnasium_id(game), players=players, illegal="raise")
    model = MaskablePPO("MlpPolicy", env, n_steps=128, n_epochs=1)
    model.learn(total_timesteps=256)
    mean, _ = evaluate_policy(model, env, n_eval_episodes=3)
    assert -1 <= mean <= 1


@check("`MaskablePPO` with `make_sb3_vec`")
def own_vector(game: str, players: int) -> None:
    envs = bdgame_env.make_sb3_vec(game, 16, players=players, illegal="raise")
    MaskablePPO("MlpPolicy", envs, n_steps=16, n_epochs=1).learn(total_timesteps=512)
