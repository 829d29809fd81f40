"""The learner: MaskablePPO on the observations of `training_env`, with the network of `network`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from bdgame_env.agents.networks import Policy, plan_card_inputs, plan_inputs
from bdgame_env.engine.game import Game

from .checkpoints import Arrays, count_of, joined, part_of
from .config import TrainConfig
from .environment import TrainingVecEnv
from .fit import optimizer_state, set_optimizer_state
from .network import Network


def new_network(config: TrainConfig, game: Game, actions: int, advisers: int) -> Network:
    """A fresh network for a run's settings."""
    structured = config.network == "structured"
    return Network(
        plan_inputs(game, config.players, cards_apart=structured),
        plan_card_inputs(game, config.players) if structured else None,
        advisers,
        actions,
        config.hidden,
        config.prior_weight,
    )


class _Features(BaseFeaturesExtractor):
    """The features of the network's two trunks, and the advice unchanged."""

    def __init__(self, observation_space: spaces.Box, make: Mapping[str, Any]) -> None:
        self.advisers = make["advisers"]
        self.width = make["config"].hidden[-1]
        super().__init__(observation_space, 2 * self.width + self.advisers)
        self.network = new_network(**make)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        seen = observations[:, : observations.shape[1] - self.advisers]
        advice = observations[:, observations.shape[1] - self.advisers :]
        policy, value = self.network.policy(seen, advice.long()), self.network.value(seen, advice.long())
        return torch.cat([policy, value, advice], dim=1)


class _Logits(nn.Module):
    """The network's logits, from the output of `_Features`."""

    def __init__(self, features: _Features) -> None:
        super().__init__()
        self._of = [features]  # in a list, so that its parameters are not registered twice

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        network, width = self._of[0].network, self._of[0].width
        return network.action_logits(latent[:, :width], latent[:, 2 * width :].long())


class _Value(nn.Module):
    """The network's value of the observer's seat, plus a linear correction for shaping."""

    def __init__(self, features: _Features) -> None:
        super().__init__()
        self._of = [features]
        self.shaped = nn.Linear(features.width, 1)
        nn.init.zeros_(self.shaped.weight)
        nn.init.zeros_(self.shaped.bias)

    def forward(self, latent: torch.Tensor) -> torch.Tensor:
        network, width = self._of[0].network, self._of[0].width
        features = latent[:, width : 2 * width]
        value: torch.Tensor = network.values(features)[:, :1] + self.shaped(features)
        return value


class NetworkPolicy(MaskableActorCriticPolicy):
    """Actor and critic that share one `Network`."""

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()  # has no layers and passes on the output of `_Features`
        features: Any = self.features_extractor
        optimizer: Any = self.optimizer_class
        self.action_net = _Logits(features)
        self.value_net = _Value(features)  # type: ignore[assignment]
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


def new_model(config: TrainConfig, game: Game, env: TrainingVecEnv) -> MaskablePPO:
    """A fresh learner for a run's settings."""
    play = config.self_play
    actions = env.parts[0].batch.config.num_actions
    make = {"config": config, "game": game, "actions": actions, "advisers": env.advisers}
    return MaskablePPO(
        NetworkPolicy,
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
            "features_extractor_class": _Features,
            "features_extractor_kwargs": {"make": make},
            "net_arch": [],
            "ortho_init": False,
        },
    )


def network_of(model: MaskablePPO) -> Network:
    """The network of a learner."""
    network: Network = model.policy.features_extractor.network  # type: ignore[assignment]
    return network


def model_state(model: MaskablePPO) -> tuple[Arrays, dict[str, Any]]:
    """A learner between two rollouts as arrays and JSON data: parameters, optimizer and last observations."""
    parts = {
        "weights": {name: values.detach().cpu().numpy().copy() for name, values in model.policy.named_parameters()},
        "optimizer": optimizer_state(model.policy.optimizer),
    }
    if model._last_obs is not None:
        parts["seen"] = {"observations": model._last_obs, "starts": model._last_episode_starts}  # type: ignore[dict-item]
    return joined(parts), {"num_timesteps": model.num_timesteps, "updates": model._n_updates}


def set_model_state(model: MaskablePPO, arrays: Arrays, facts: Mapping[str, Any]) -> None:
    """Restore a `model_state` in a fresh learner of the same kind.

    Raises:
        KeyError, TypeError, ValueError: the state is that of another kind.
    """
    weights, parameters = part_of(arrays, "weights"), dict(model.policy.named_parameters())
    if {name: values.shape for name, values in weights.items()} != {
        name: tuple(values.shape) for name, values in parameters.items()
    }:
        raise ValueError("the weights are those of another network")
    with torch.no_grad():
        for name, values in weights.items():
            parameters[name].copy_(torch.as_tensor(values))
    set_optimizer_state(model.policy.optimizer, part_of(arrays, "optimizer"))
    if seen := part_of(arrays, "seen"):
        model._last_obs, model._last_episode_starts = seen["observations"], seen["starts"]
    model.num_timesteps, model._n_updates = count_of(facts["num_timesteps"]), count_of(facts["updates"])


def export_policy(network: Network, config: TrainConfig, game: Game, actions: int, meta: Mapping[str, Any]) -> Policy:
    """The network as a policy file's contents, equal to it up to rounding."""
    facts = {"game": game.id, "observation_size": game.obs.itemsize, "num_actions": actions}
    return network.export({**facts, "players": list(config.players), **meta})
