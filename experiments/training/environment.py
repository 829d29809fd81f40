"""The learner's environment: games with several numbers of players as one vector environment, with advice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices

from bdgame_env import make_sb3_vec
from bdgame_env.adapters.sb3_vec import LearnerVecEnv
from bdgame_env.agents.heuristics.advice import Advisers
from bdgame_env.engine.game import Game
from bdgame_env.engine.learner import Opponent

from .checkpoints import Arrays, as_plain, like
from .config import TrainConfig

_FACTS = ("base", "agents_seeded", "started")  # of a `LearnerBatch`


class TrainingVecEnv(VecEnv):
    """Several vector environments of one game side by side, one for each number of players.

    Observations are int16 of shape (n, size + advisers): what the seat sees, then each adviser's action, -1 for no
    opinion. Everything else is as in `LearnerVecEnv`.

    Args:
        game: the declaration of the game.
        parts: environments with the same action space.
        advice: whether to ask advisers.
    """

    render_mode = None

    def __init__(self, game: Game, parts: Sequence[LearnerVecEnv], *, advice: bool) -> None:
        self.parts = list(parts)
        self._advisers = [Advisers(game, part.batch.config) for part in parts] if advice else []
        self._num_advisers = len(self._advisers[0]) if advice else 0
        seen = parts[0].observation_space
        assert isinstance(seen, spaces.Box) and all(part.action_space == parts[0].action_space for part in parts)
        actions = parts[0].batch.config.num_actions
        low = np.concatenate([seen.low, np.full(self._num_advisers, -1)]).astype(np.int16)
        high = np.concatenate([seen.high, np.full(self._num_advisers, actions - 1)]).astype(np.int16)
        bounds = np.cumsum([0, *(part.num_envs for part in parts)])
        self._rows = [slice(a, b) for a, b in pairwise(bounds)]
        super().__init__(int(bounds[-1]), spaces.Box(low, high, dtype=np.int16), parts[0].action_space)

    @property
    def advisers(self) -> int:
        """Number of advisers in each observation."""
        return self._num_advisers

    def _with_advice(self, observations: Sequence[npt.NDArray[np.int8]]) -> npt.NDArray[np.int16]:
        seen = np.concatenate(observations).astype(np.int16)
        if not self._num_advisers:
            return seen
        batches = [part.batch for part in self.parts]
        asked = [
            advisers.ask(batch.states, batch.mask) for advisers, batch in zip(self._advisers, batches, strict=True)
        ]
        return np.concatenate([seen, np.concatenate(asked)], axis=1)

    def reset(self) -> npt.NDArray[np.int16]:
        """Start new games in all lanes."""
        return self._with_advice([part.reset() for part in self.parts])

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Keep the actions for `step_wait`."""
        for part, rows in zip(self.parts, self._rows, strict=True):
            part.step_async(actions[rows])

    def step_wait(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[Any], npt.NDArray[Any], list[dict[str, Any]]]:
        """See `LearnerVecEnv.step_wait`. In terminal observations no adviser has an opinion."""
        observations, rewards, dones, infos = zip(*(part.step_wait() for part in self.parts), strict=True)
        merged = [info for part in infos for info in part]
        for info in merged:
            if "terminal_observation" in info:
                last = info["terminal_observation"].astype(np.int16)
                info["terminal_observation"] = np.concatenate([last, np.full(self._num_advisers, -1, np.int16)])
        return self._with_advice(observations), np.concatenate(rewards), np.concatenate(dones), merged

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool (n, actions)."""
        return np.concatenate([part.action_masks() for part in self.parts])

    def set_shaping(self, size: float) -> None:
        """Change the size of the shaping potential."""
        for part in self.parts:
            part.batch.set_shaping(size)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed all games at the next `reset`."""
        for number, part in enumerate(self.parts):
            part.seed(None if seed is None else seed + number)
        return [seed] * self.num_envs

    # Exact copies, as plain data

    def get_state(self) -> tuple[Arrays, list[dict[str, Any]]]:
        """Everything that later games depend on, as arrays and JSON data; Python agents by name.

        The random generators of those agents are not included: see `LearnerBatch.seed_agents`.
        """
        arrays: Arrays = {}
        facts = []
        for number, part in enumerate(self.parts):
            state = part.get_state()
            batch = {name: value for name, value in state["batch"].items() if not isinstance(value, np.ndarray)}
            arrays |= {
                f"{number}.{name}": as_plain(state["batch"][name]) for name in state["batch"] if name not in batch
            }
            arrays[f"{number}.returns"] = state["returns"]
            facts.append(
                {
                    "names": {str(code): name for code, name in batch["_names"].items()},
                    "agents": {str(code): agent.name for code, agent in batch["_external"].items()},
                    "seed": list(state["seed"]),
                    "digest": batch["digest"].hex(),
                    **{name: batch[f"_{name}"] for name in _FACTS},
                }
            )
        return arrays, facts

    def set_state(
        self, arrays: Arrays, facts: Sequence[dict[str, Any]], opponent: Callable[[str, int], Opponent]
    ) -> None:
        """Restore the `get_state` of an environment of the same games and size.

        Args:
            arrays: the first part of the state.
            facts: the second part.
            opponent: makes the agent of a name for a number of players. The pool is restored by `set_opponents`.

        Raises:
            KeyError, TypeError, ValueError: this is not such a state.
        """
        for number, (part, told) in enumerate(zip(self.parts, facts, strict=True)):
            state = part.get_state()
            batch = state["batch"]
            for name, value in batch.items():
                if isinstance(value, np.ndarray):
                    batch[name] = like(arrays[f"{number}.{name}"], value)
            players = part.batch.config.players
            batch["_names"] = {int(code): name for code, name in told["names"].items()}
            batch["_external"] = {int(code): opponent(name, players) for code, name in told["agents"].items()}
            batch |= {f"_{name}": told[name] for name in _FACTS}
            batch["digest"] = bytes.fromhex(told["digest"])
            part.set_state({"batch": batch, "returns": arrays[f"{number}.returns"], "seed": told["seed"]})

    # The rest of the VecEnv interface

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """As `LearnerVecEnv.env_method`."""
        if method_name == "action_masks":
            return self.action_masks()
        value = getattr(self, method_name)(*method_args, **method_kwargs)
        return [value for _ in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of this object, once for each index."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute."""
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this object."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """As `LearnerVecEnv.env_is_wrapped`."""
        return self.parts[0].env_is_wrapped(wrapper_class) * self.num_envs

    def close(self) -> None:
        """Nothing to release."""


def training_env(config: TrainConfig, game: Game) -> TrainingVecEnv:
    """The games of a run's self-play, divided evenly among its numbers of players."""
    play = config.self_play
    share = max(1, play.num_envs // len(config.players))
    parts = [
        make_sb3_vec(
            *(config.game, share),
            players=players,
            opponents=list(play.opponents.items()),
            reward=play.reward,
            shaping=play.shaping,
            shaping_gamma=play.gamma,
            seed=config.seed + players,
            **config.options,
        )
        for players in config.players
    ]
    return TrainingVecEnv(game, parts, advice=config.advice)
