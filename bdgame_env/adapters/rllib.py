"""Ray RLlib (new API stack): any game as a `MultiAgentEnv`, a module that masks actions, and a PPO self-play config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

try:
    import torch
    from gymnasium import spaces
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:  # without its extra `rllib`, Ray raises a plain ImportError for some packages
    told = f"RLlib needs {error.name or error}: pip install 'bdgame_env[rllib]'"
    raise ModuleNotFoundError(" ".join(told.split()), name=error.name) from None

from ..engine.game import BadOption, Game
from ..engine.quoting import shown
from ..engine.rng import OwnGenerator
from .aec import make_aec

LEARNER = "learner"  # the id of the module that plays every seat


class RLlibEnv(MultiAgentEnv):  # type: ignore[misc]
    """A game as a `MultiAgentEnv`; only the agent to decide gets an observation.

    The agents are "player_0", "player_1", ... An observation is a dict of "observation" and "action_mask", as in
    `make_aec`. At the end all agents get one, with a mask of zeros, and `infos` has each one's "rank" and "points".

    A game that its round limit ends pays by rank like any other, so it is terminated, not truncated: RLlib would add
    the value of its last position to a result that has been paid.

    Args:
        config: "game", the declaration of the game (`bdgame_env.get_game("gizmos-v3")`), and what `make_aec` takes
            besides: `players`, `reward`, `observation`, `illegal` and the game's own options.

    Attributes:
        game: the declaration of the game.

    Raises:
        BadOption: there is no game in it, or a setting is wrong; in one line.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__()
        settings = dict(config)
        game = settings.pop("game", None)
        if not isinstance(game, Game):
            raise BadOption(f"game={shown(game)}, must be a Game, such as bdgame_env.get_game('gizmos-v3')")
        self.game, self._env = game, make_aec(game, **settings)
        self.render_mode = self._env.render_mode
        self.possible_agents = list(self._env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: self._env.observation_space(agent) for agent in self.agents}
        self.action_spaces = {agent: self._env.action_space(agent) for agent in self.agents}

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal a new game; `seed` and `options` as in `RawAEC.reset`. Returns observations and infos."""
        self._env.reset(seed, options)
        mover = self._env.agent_selection
        return {mover: self._env.observe(mover)}, {}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """The decision of the agent that was asked.

        Returns:
            Observations of the agent to decide next, or of all at the end; rewards of all; terminations, truncations
            (never), and at the end infos.

        Raises:
            BadOption: the action of the agent that was asked is missing.
            IllegalAction: with illegal="raise", the action is not legal. Nothing was changed.
        """
        env, mover = self._env, self._env.agent_selection
        if mover not in action_dict:
            raise BadOption(f"{self.game.id}: {mover} is to decide, not {shown(list(action_dict))}")
        env.step(action_dict[mover])
        rewards = {agent: float(env.rewards[agent]) for agent in self.possible_agents}
        over = any(env.terminations.values()) or any(env.truncations.values())
        seen = self.possible_agents if over else [env.agent_selection]
        observations = {agent: env.observe(agent) for agent in seen}
        infos = {agent: dict(env.infos[agent]) for agent in seen} if over else {}
        return observations, rewards, {"__all__": over}, {"__all__": False}, infos

    def render(self) -> Any:
        """The position, with what all may see; see `RawAEC.render`."""
        return self._env.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._env.close()


class MaskedPPOModule(DefaultPPOTorchRLModule):  # type: ignore[misc]
    """RLlib's own PPO module on observations with "action_mask": illegal actions have the probability 0.

    The observation is scaled by the bounds of its space. `model_config` is RLlib's, e.g.
    `DefaultModelConfig(fcnet_hiddens=[256, 256])`.

    Raises:
        BadOption: the observation is not a vector with a mask (observation="flat" or "float").
    """

    def __init__(self, *args: Any, observation_space: Any = None, **kwargs: Any) -> None:
        vector = observation_space["observation"] if isinstance(observation_space, spaces.Dict) else None
        if not isinstance(vector, spaces.Box) or "action_mask" not in observation_space.spaces:
            raise BadOption(f"MaskedPPOModule needs a vector with a mask, not {shown(observation_space)}")
        self._with_mask = observation_space
        self._bounds = np.maximum(np.abs(vector.low), np.abs(vector.high)).astype(np.float32)
        scaled = spaces.Box(-1.0, 1.0, vector.shape, np.float32)
        super().__init__(*args, observation_space=scaled, **kwargs)

    def setup(self) -> None:
        """Build the networks for the scaled vector."""
        super().setup()
        self.observation_space = self._with_mask  # what the environment gives, which RLlib checks and saves
        self.register_buffer("scale", torch.as_tensor(1.0 / np.maximum(self._bounds, 1.0)), persistent=False)

    def _forward(self, batch: Any, **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward(self._scaled(batch), **kwargs), batch)

    def _forward_train(self, batch: Any, **kwargs: Any) -> dict[str, Any]:
        return self._masked(super()._forward_train(self._scaled(batch), **kwargs), batch)

    def compute_values(self, batch: Any, embeddings: Any = None) -> Any:
        """The value of each position; see RLlib's `ValueFunctionAPI`."""
        return super().compute_values(self._scaled(batch), embeddings)

    def _scaled(self, batch: Any) -> dict[str, Any]:
        return {**batch, Columns.OBS: batch[Columns.OBS]["observation"].float() * self.scale}

    def _masked(self, output: dict[str, Any], batch: Any) -> dict[str, Any]:
        legal = batch[Columns.OBS]["action_mask"].bool()
        logits = output[Columns.ACTION_DIST_INPUTS]
        output[Columns.ACTION_DIST_INPUTS] = logits.masked_fill(~legal, torch.finfo(logits.dtype).min)
        return output


def self_play_config(game: Game, **settings: Any) -> PPOConfig:
    """A config of PPO in which one network plays every seat and learns from all of them.

        algorithm = self_play_config(get_game("gizmos-v3"), players=3).build_algo()
        algorithm.train()

    Settings are starting points: change them with the config's own methods.

    Args:
        game: the declaration of the game.
        settings: what `make_aec` takes.

    Raises:
        BadOption: a setting is wrong; in one line.
    """
    env = RLlibEnv({"game": game, **settings})  # complains here, not in a worker
    env.close()
    config = PPOConfig().environment(
        RLlibEnv,
        env_config={"game": game, **settings},
        disable_env_checking=True,  # the check draws illegal actions
    )
    config = config.multi_agent(policies={LEARNER}, policy_mapping_fn=_learner)
    config = config.rl_module(
        rl_module_spec=RLModuleSpec(
            module_class=MaskedPPOModule, model_config=DefaultModelConfig(fcnet_hiddens=[256, 256])
        )
    )
    return config.env_runners(num_env_runners=0, batch_mode="complete_episodes").training(
        gamma=1.0, lambda_=0.95, lr=3e-4, entropy_coeff=0.01, train_batch_size_per_learner=4096, num_epochs=4
    )


def _learner(agent: str, *_: Any, **__: Any) -> str:
    return LEARNER


class ModulePolicy:
    """A trained module as a function `(observations, masks) -> actions`, for `set_opponents` or to be measured.

    Args:
        module: `algorithm.get_module("learner")`, or one loaded from a checkpoint.
        deterministic: whether it always plays its most probable action.
        seed: for what it draws; None takes fresh entropy.
    """

    def __init__(self, module: MaskedPPOModule, *, deterministic: bool = False, seed: int | None = None) -> None:
        self.module, self.deterministic = module, deterministic
        self._rng = OwnGenerator(seed)

    def __call__(self, observations: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        """Choose an action in each of n games: int8 (n, size) and (n, num_actions) to int64 (n,)."""
        device = self.module.scale.device
        seen = {"observation": observations, "action_mask": masks}
        batch = {Columns.OBS: {name: torch.as_tensor(values, device=device) for name, values in seen.items()}}
        with torch.no_grad():
            logits = self.module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].cpu().numpy()
        if not self.deterministic:
            logits = logits + self._rng().gumbel(size=logits.shape)
        actions: npt.NDArray[np.int64] = np.where(masks, np.nan_to_num(logits), -np.inf).argmax(axis=1)
        return actions

    def seed(self, seed: int) -> None:
        """Seed what it draws."""
        self._rng.seed(seed)
