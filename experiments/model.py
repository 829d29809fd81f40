"""The learner: MaskablePPO on int8 observations, and its policy as a plain network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

from agents.networks import Policy, plan_inputs
from bdgame_env.core.game import Box, Game

from .config import TrainConfig


class SchemaFeatures(BaseFeaturesExtractor):
    """What `agents.networks.Inputs` reads, and the first layer, which policy and value share."""

    entries: torch.Tensor
    scale: torch.Tensor
    step_entries: torch.Tensor
    thresholds: torch.Tensor

    def __init__(self, observation_space: spaces.Box, inputs: Mapping[str, list[float]], width: int) -> None:
        super().__init__(observation_space, width)
        self.first = torch.nn.Linear(len(inputs["entries"]) + len(inputs["step_entries"]), width)
        for name, values in inputs.items():
            kind = torch.int64 if name.endswith("entries") else torch.float32
            self.register_buffer(name, torch.tensor(values, dtype=kind))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Observations (n, size) to the first layer's values (n, width).

        Most inputs are 0 in every row of a batch, and their weights neither count nor learn: they are passed over.
        """
        lowest, highest = observations.amin(0), observations.amax(0)
        sized = ((highest != 0) | (lowest != 0))[self.entries].nonzero().flatten()
        stepped = (highest[self.step_entries] >= self.thresholds).nonzero().flatten()
        sizes = observations[:, self.entries[sized]] * self.scale[sized]
        steps = (observations[:, self.step_entries[stepped]] >= self.thresholds[stepped]).to(sizes.dtype)
        weights = self.first.weight[:, torch.cat([sized, len(self.entries) + stepped])]
        return torch.relu(torch.nn.functional.linear(torch.cat([sizes, steps], dim=1), weights, self.first.bias))


def new_model(config: TrainConfig, game: Game, env: VecEnv) -> MaskablePPO:
    """A fresh learner for a configuration."""
    inputs = asdict(plan_inputs(game, [config.players]))
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
            "features_extractor_kwargs": {
                "inputs": {name: values.tolist() for name, values in inputs.items()},
                "width": config.hidden[0],
            },
            "net_arch": {"pi": list(config.hidden[1:]), "vf": list(config.hidden[1:])},
            "activation_fn": torch.nn.ReLU,
        },
    )


def export_policy(model: MaskablePPO, game: Game, box: Box, meta: Mapping[str, Any]) -> Policy:
    """The model's policy as a plain network, equal to it up to rounding."""
    policy: Any = model.policy

    def arrays(layer: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        return layer.weight.detach().cpu().numpy().T.copy(), layer.bias.detach().cpu().numpy().copy()

    hidden = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, torch.nn.Linear)]
    return Policy(
        inputs=plan_inputs(game, [box.players]),
        layers=tuple(arrays(layer) for layer in [policy.features_extractor.first, *hidden, policy.action_net]),
        meta={
            "game": game.id,
            "observation_size": game.obs.itemsize,
            "num_actions": box.num_actions,
            "players": box.players,
            **meta,
        },
    )
