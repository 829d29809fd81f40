"""The learner: MaskablePPO on int8 observations, and its policy as a plain network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

from agents.networks import Policy, feature_plan
from bdgame_env.core.game import Box, Game

from .config import TrainConfig


class SchemaFeatures(BaseFeaturesExtractor):
    """The entries of the observation that a plain network reads, scaled by the schema."""

    def __init__(self, observation_space: spaces.Box, features: list[int], scale: list[float]) -> None:
        super().__init__(observation_space, len(features))
        self.register_buffer("features", torch.tensor(features, dtype=torch.int64))
        self.register_buffer("scale", torch.tensor(scale, dtype=torch.float32))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float (n, size) to float (n, k)."""
        return observations[:, self.features] * self.scale


def new_model(config: TrainConfig, game: Game, env: VecEnv) -> MaskablePPO:
    """A fresh learner for a configuration."""
    features, scale = feature_plan(game, [config.players])
    play = config.self_play
    return MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=play.learning_rate,
        n_steps=play.rollout,
        batch_size=play.batch_size,
        n_epochs=play.epochs,
        gamma=play.gamma,
        gae_lambda=play.gae_lambda,
        clip_range=play.clip_range,
        ent_coef=play.entropy,
        vf_coef=play.value_weight,
        target_kl=play.target_kl,
        seed=config.seed,
        device="auto",
        policy_kwargs={
            "features_extractor_class": SchemaFeatures,
            "features_extractor_kwargs": {"features": features.tolist(), "scale": scale.tolist()},
            "net_arch": {"pi": list(config.hidden), "vf": list(config.hidden)},
            "activation_fn": torch.nn.ReLU,
        },
    )


def export_policy(model: MaskablePPO, game: Game, box: Box, meta: Mapping[str, Any]) -> Policy:
    """The model's policy as a plain network, equal to it up to rounding."""
    policy = model.policy

    def arrays(layer: torch.nn.Linear) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()

    hidden = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, torch.nn.Linear)]
    extractor = policy.features_extractor
    return Policy(
        features=extractor.features.cpu().numpy(),
        scale=extractor.scale.cpu().numpy(),
        layers=tuple(arrays(layer) for layer in [*hidden, policy.action_net]),
        meta={
            "game": game.id,
            "observation_size": game.obs.itemsize,
            "num_actions": box.num_actions,
            "players": box.players,
            **meta,
        },
    )
