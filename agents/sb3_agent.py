"""A model that Stable-Baselines3 or sb3-contrib has saved, as an agent: the spec is the path of its zip file."""

from __future__ import annotations

import json
import zipfile
from importlib import import_module
from io import BytesIO
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import SENTENCE, cut, shown
from bdgame_env.engine.user_files import NotRead, keep

from .base import Actions, Agent, Masks, Observations, UnknownAgent

# module of a model's policy -> "module:class" that loads it. A2C's policies are those of PPO, and play alike.
_LOADERS = {
    "sb3_contrib.common.maskable.policies": "sb3_contrib:MaskablePPO",
    "sb3_contrib.qrdqn.policies": "sb3_contrib:QRDQN",
    "stable_baselines3.common.policies": "stable_baselines3:PPO",
    "stable_baselines3.dqn.policies": "stable_baselines3:DQN",
}


class SB3Agent(Agent):
    """Takes the legal action that the model thinks best, also if the model knows no masks.

    Loading a model runs what its file holds: load only files of people you trust.

    Args:
        path: the zip file that `model.save` wrote. It was trained on flat observations (`make_sb3_vec`), or on a dict
            of "observation" and "action_mask".

    Raises:
        UnknownAgent: the file cannot be read, or its model is for another game or of another kind.
    """

    name = "sb3"

    def __init__(self, game: Game, config: GameConfig, path: str | PathLike[str]) -> None:
        try:
            data = keep(path).data
            with zipfile.ZipFile(BytesIO(data)) as archive:
                kind = json.loads(archive.read("data"))["policy_class"]["__module__"]
            place = _LOADERS[kind]
        except NotRead as error:
            raise UnknownAgent(f"agent {shown(str(path))}: {error}") from None
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError):
            models = ", ".join(loader.rpartition(":")[2] for loader in _LOADERS.values())
            raise UnknownAgent(f"agent {shown(str(path))}: no model of A2C, {models}") from None
        module, _, name = place.partition(":")
        loader: Any = getattr(import_module(module), name)
        try:
            model = loader.load(BytesIO(data), device="cpu")
        except Exception as error:  # whatever its pickles raise
            raise UnknownAgent(f"agent {shown(str(path))}: {cut(error, SENTENCE)}") from None
        self._policy = model.policy
        self._policy.set_training_mode(False)
        space = model.observation_space
        self._with_mask = hasattr(space, "spaces")
        inner = space["observation"] if self._with_mask and "observation" in space.spaces else space
        sizes = inner.shape, getattr(model.action_space, "n", None)
        if sizes != ((game.obs.itemsize,), config.num_actions):
            wanted = f"({game.obs.itemsize},) and {config.num_actions}"
            found = f"{sizes[0]} and {sizes[1]}"
            raise UnknownAgent(f"agent {shown(str(path))}: observations and actions of {found}, not {wanted}")

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        import torch

        seen: Any = {"observation": observation, "action_mask": mask} if self._with_mask else observation
        with torch.no_grad():
            tensor, _ = self._policy.obs_to_tensor(seen)
            if hasattr(self._policy, "q_net"):
                scores = self._policy.q_net(tensor)
            elif hasattr(self._policy, "quantile_net"):
                scores = self._policy.quantile_net(tensor).mean(1)
            else:
                scores = self._policy.get_distribution(tensor).distribution.logits
        best: Actions = np.where(mask != 0, scores.numpy(), -np.inf).argmax(1).astype(np.int32)
        return best
