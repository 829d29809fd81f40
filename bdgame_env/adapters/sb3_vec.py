"""Stable-Baselines3 vector environment over any game: many games of one learner, in one process."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvObs, VecEnvStepReturn
from stable_baselines3.common.vec_env.vec_monitor import VecMonitor

from ..engine.arguments import check_seed, switch, whole
from ..engine.codes import RUNNING
from ..engine.game import BadOption, Game
from ..engine.learner import LearnerBatch
from ..engine.values import as_whole
from .learner_games import LearnerGames, Resolver


class RawLearnerVecEnv(LearnerGames, VecEnv):
    """Many games of one learner for Stable-Baselines3 and sb3-contrib's `MaskablePPO`, in one process.

    Observations are int8 of shape (n, size), within the bounds of the game's schema, or as `observation` says, and
    rewards float32 of shape (n,). All returned arrays are fresh at every step. A game that ends is replaced within the
    same step; its info then has

    - "terminal_observation": the last observation, without the axis of games;
    - "episode": return "r", the learner's decisions "l" and seconds since the start "t", as SB3's `Monitor` and
      `VecMonitor` write them;
    - "final": points, ranks, seat and line-up (`LearnerBatch.result`), with "truncated" if the round limit ended it
      and "illegal" if an illegal action did;
    - "TimeLimit.truncated": False, unless `bootstrap` is set.

    A game that the round limit ends pays by rank like any other, and the observation holds the rounds left. SB3 adds
    the value of the terminal observation to the reward of a step marked "TimeLimit.truncated": that would count the
    outcome twice, and values would grow without bound in training from scratch.

    Args:
        batch: the games, with autoreset.
        resolve: turns the argument of `set_opponents` into opponents; None accepts `Opponent` objects only.
        bootstrap: whether "TimeLimit.truncated" is True for games that the round limit ended.
        observation: "flat", "float", "dict" or "entities", as in `LearnerVectorEnv`; the latter two are for
            MultiInputPolicy.

    Attributes:
        game: the declaration of the game.
        batch: the games; read them, but play through the environment.

    Raises:
        BadOption: `batch` is without autoreset.
    """

    render_mode = None

    def __init__(
        self,
        batch: LearnerBatch,
        *,
        resolve: Resolver | None = None,
        bootstrap: bool = False,
        observation: str = "flat",
    ) -> None:
        if batch.autoreset is not True:
            raise BadOption(f"{batch.game.id}: LearnerVecEnv needs a batch with autoreset=True")
        self._hold(batch, observation, resolve)
        self._bootstrap = switch("bootstrap", bootstrap, of=batch.game.id)
        self._returns = np.zeros(batch.num_games)
        self._actions: npt.ArrayLike = np.zeros(batch.num_games, np.int64)
        self._seed_at_reset: tuple[int | None, ...] = ()
        self._began = time.perf_counter()
        actions = spaces.Discrete(batch.config.num_actions)
        super().__init__(batch.num_games, self._space(), actions)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed all games at the next `reset`: row i is dealt as match i of a batch with this seed.

        Args:
            seed: None takes fresh entropy.

        Returns:
            The seed, once for each game.

        Raises:
            BadOption: it is neither None nor a whole number that is not negative.
        """
        seed = check_seed(seed, of=self.game.id)
        self._seed_at_reset = (seed,)
        return [seed] * self.num_envs

    def reset(self) -> Any:
        """Deal new games and play up to the learner's first decisions; without `seed`, in each row's own stream."""
        for seed in self._seed_at_reset:
            self.batch.seed(seed)
        self._seed_at_reset = ()
        self.batch.reset()
        self._returns[:] = 0
        return self._observations()

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Keep the actions, integers of shape (n,), for `step_wait`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """The learner's action in every game, then everybody else's, up to the learner's next decisions.

        Returns:
            observations, rewards, dones, infos.

        Raises:
            IllegalAction: with a batch of illegal="raise", an action is not legal; or, always, one is no action id.
                Names row and action, and nothing was changed.
            RuntimeError: see `LearnerBatch.check_started`.
        """
        batch = self.batch
        batch.step(self._actions)
        rewards = batch.rows["reward"].copy()
        dones = batch.rows["done"] != RUNNING
        self._returns += rewards
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(dones).tolist():
            infos[row] = self._end(row)
        self._returns[dones] = 0
        return self._observations(), rewards, dones, infos

    def _end(self, row: int) -> dict[str, Any]:
        final = self.batch.result(row)
        seconds = round(time.perf_counter() - self._began, 6)
        no_moves = np.zeros(self.batch.config.num_actions, np.int8)
        return {
            "terminal_observation": self._view(self.batch.final_obs[row], no_moves),
            "TimeLimit.truncated": self._bootstrap and final["truncated"],
            "episode": {"r": float(self._returns[row]), "l": final["steps"], "t": seconds},
            "final": final,
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool of shape (n, num_actions).

        Raises:
            RuntimeError: see `LearnerBatch.check_started`.
        """
        self.batch.check_started()
        return self.batch.mask.astype(np.bool_)

    # Exact copies

    def get_state(self) -> dict[str, Any]:
        """Everything that determines how play continues; see `LearnerBatch.get_state`."""
        return {"batch": self.batch.get_state(), "returns": self._returns.copy(), "seed": self._seed_at_reset}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from `get_state` of an environment of the same game, options and size.

        Raises:
            ValueError: it is the state of another size or game.
        """
        self.batch.set_state(state["batch"])
        self._returns[:] = state["returns"]
        self._seed_at_reset = tuple(state["seed"])

    # What SB3 asks of each environment

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Call a method of the environments.

        "action_masks" gives one bool array of shape (n, num_actions), or its rows `indices`. Any other
        method is called once on this object.

        Returns:
            The masks, or a list with the method's value once for each index.

        Raises:
            AttributeError: there is no such method.
            BadOption: it plays all games, but only some are meant.
        """
        if method_name in ("reset", "step"):
            self._check_all(method_name, indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return masks if indices is None else masks[self._get_indices(indices)]
        value = getattr(self, method_name)(*method_args, **method_kwargs)
        return [value for _ in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of this object, once for each index.

        Raises:
            AttributeError: there is no such attribute.
        """
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether there is such an attribute."""
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this object, for all games.

        Raises:
            BadOption: only some games are meant.
        """
        self._check_all(attr_name, indices)
        setattr(self, attr_name, value)

    def _check_all(self, name: str, indices: VecEnvIndices) -> None:
        if len({index % self.num_envs for index in self._get_indices(indices)}) < self.num_envs:
            raise BadOption(f"{self.game.id}: {name} belongs to all games, it cannot be set or called for some")

    def _get_indices(self, indices: VecEnvIndices) -> list[int]:
        """The games that are meant, as SB3 has it: all, one, or several; negative ones count from the end.

        Raises:
            BadOption: one is not the index of a game.
        """
        if indices is None:
            return list(range(self.num_envs))
        several: Iterable[Any] = [indices]
        if as_whole(indices) is None:
            with suppress(TypeError):  # it is one value, and is refused below
                several = list(indices)  # type: ignore[arg-type]
        return [whole("indices", index, -self.num_envs, self.num_envs - 1, of=self.game.id) for index in several]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """Whether the environments are in a wrapper: never."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Nothing to release."""


class LearnerVecEnv(VecMonitor):
    """`RawLearnerVecEnv` as a `VecMonitor` that leaves the monitoring to it.

    By this class SB3 knows that the infos have an "episode": `ep_rew_mean`, `evaluate_policy` and `EvalCallback` need
    no other monitor, and a `VecMonitor` of your own, which writes a file, may go around it. It is made of a
    `RawLearnerVecEnv`, whose attributes, methods and errors it has.
    """

    game: Game
    batch: LearnerBatch

    def reset(self) -> VecEnvObs:
        """See `RawLearnerVecEnv.reset`."""
        return self.venv.reset()

    def step_wait(self) -> VecEnvStepReturn:
        """See `RawLearnerVecEnv.step_wait`."""
        return self.venv.step_wait()

    def __reduce__(self) -> tuple[Any, ...]:
        return LearnerVecEnv, (self.venv,)
