"""DQN and A2C with masks, which Stable-Baselines3 lacks: networks that see the mask give illegal actions no chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from stable_baselines3 import A2C, DQN
from stable_baselines3.common.policies import MultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.dqn.policies import MultiInputPolicy
from torch import nn

from bdgame_env.adapters.sb3_vec import LearnerVecEnv
from bdgame_env.agents.networks.row_plan import Plan

from ..training.maskable_ppo import RowsExtractor

_NEVER = -1e8  # instead of infinity, of which differences are not numbers


class WithMask(VecEnvWrapper):
    """Observations and masks together, as a dict of "observation" and "action_mask"."""

    def __init__(self, venv: LearnerVecEnv) -> None:
        mask = spaces.Box(0, 1, (venv.batch.config.num_actions,), np.int8)
        super().__init__(venv, spaces.Dict({"observation": venv.observation_space, "action_mask": mask}))
        self._batch = venv.batch

    def reset(self) -> Any:
        """See `VecEnv.reset`."""
        return self._with_mask(self.venv.reset())

    def step_wait(self) -> Any:
        """See `VecEnv.step_wait`; after the end of a game nothing is legal."""
        observation, rewards, dones, infos = self.venv.step_wait()
        nothing = np.zeros(self._batch.config.num_actions, np.int8)
        for info in infos:
            if "terminal_observation" in info:
                last = info["terminal_observation"]
                info["terminal_observation"] = {"observation": last, "action_mask": nothing}
        return self._with_mask(observation), rewards, dones, infos

    def _with_mask(self, observation: Any) -> dict[str, Any]:
        return {"observation": observation, "action_mask": self._batch.mask.copy()}


class RowsAndMask(BaseFeaturesExtractor):
    """The last hidden layer of `RowsExtractor`, followed by the mask."""

    def __init__(self, observation_space: spaces.Dict, plan: Plan, width: int) -> None:
        actions = int(np.prod(observation_space["action_mask"].shape or (0,)))
        super().__init__(observation_space, width + actions)
        inner = observation_space["observation"]
        assert isinstance(inner, spaces.Box)
        self.rows = RowsExtractor(inner, plan, width)

    def forward(self, observations: dict[str, torch.Tensor]) -> torch.Tensor:
        """Shape (n, width + actions)."""
        mask = observations["action_mask"].flatten(1)
        return torch.cat([self.rows(observations["observation"]), mask], dim=1)


class MaskedHead(nn.Module):
    """A number for each action; `_NEVER` for illegal ones, unless none is legal, as after the end of a game."""

    def __init__(self, width: int, actions: int) -> None:
        super().__init__()
        self.width, self.linear = width, nn.Linear(width, actions)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Shape (n, actions)."""
        legal = features[:, self.width :] > 0.5
        illegal = ~legal & legal.any(1, keepdim=True)
        numbers: torch.Tensor = self.linear(features[:, : self.width]).masked_fill(illegal, _NEVER)
        return numbers


class ValueHead(nn.Module):
    """The value of a position, for which the mask does not matter."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width, self.linear = width, nn.Linear(width, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Shape (n, 1)."""
        value: torch.Tensor = self.linear(features[:, : self.width])
        return value


def _width(policy: Any) -> int:
    return int(policy.features_extractor_kwargs["width"])


class MaskedActorCritic(MultiInputActorCriticPolicy):
    """A2C's policy with masks; every optimizer sees the new heads."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        space: Any = self.action_space
        heads: dict[str, nn.Module] = {"action_net": MaskedHead(_width(self), int(space.n))}
        for name, head in {**heads, "value_net": ValueHead(_width(self))}.items():
            setattr(self, name, head)
        optimizer: Any = self.optimizer_class
        self.optimizer = optimizer(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class MaskedQPolicy(MultiInputPolicy):
    """DQN's policy with masks: the best next action, too, is a legal one."""

    def make_q_net(self) -> Any:
        """A network of values of actions."""
        net: Any = super().make_q_net()
        space: Any = self.action_space
        net.q_net = MaskedHead(_width(self), int(space.n))
        return net.to(self.device)


class MaskedDQN(DQN):
    """DQN that explores among the legal actions of each game."""

    def predict(self, observation: Any, *args: Any, deterministic: bool = False, **more: Any) -> tuple[Any, Any]:
        """The best legal action of each game, or any legal one, drawn game by game at the rate of exploration."""
        actions, state = self.policy.predict(observation, deterministic=True)
        if not deterministic:
            mask = np.asarray(observation["action_mask"]) != 0
            drawn = (np.random.rand(*mask.shape) * mask).argmax(1)  # noqa: NPY002  (seeded by SB3, as its own)
            explores = np.random.rand(len(mask)) < self.exploration_rate  # noqa: NPY002
            actions = np.where(explores, drawn, actions)
        return actions, state

    def _sample_action(self, learning_starts: int, action_noise: Any = None, n_envs: int = 1) -> tuple[Any, Any]:
        if self.num_timesteps < learning_starts:
            self.exploration_rate = 1.0
        actions, _ = self.predict(self._last_obs)
        return actions, actions


def _network(policy: Any, plan: Plan, width: int) -> dict[str, Any]:
    body = {"plan": plan, "width": width}
    return {"features_extractor_class": RowsAndMask, "features_extractor_kwargs": body, "net_arch": [], **policy}


def new_a2c(env: Any, plan: Plan, width: int, seed: int) -> A2C:
    """A2C with masks."""
    settings = {"n_steps": 16, "learning_rate": 7e-4, "gamma": 1.0, "gae_lambda": 0.95, "ent_coef": 0.01}
    kwargs = _network({}, plan, width)
    return A2C(MaskedActorCritic, env, policy_kwargs=kwargs, seed=seed, device="cpu", **settings)  # type: ignore[arg-type]


def new_dqn(env: Any, plan: Plan, width: int, seed: int) -> MaskedDQN:
    """DQN with masks."""
    settings = {
        "learning_rate": 5e-4,
        "gamma": 1.0,
        "buffer_size": 20_000,
        "learning_starts": 2_000,
        "batch_size": 256,
        "train_freq": 1,
        "gradient_steps": 1,
        "target_update_interval": 2_000,
    }
    kwargs = _network({}, plan, width)
    return MaskedDQN(MaskedQPolicy, env, policy_kwargs=kwargs, seed=seed, device="cpu", **settings)  # type: ignore[arg-type]
