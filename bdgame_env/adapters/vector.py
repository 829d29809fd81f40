"""Gymnasium vector environment over any game: many games of one learner, stepped by one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..engine.arguments import check_seed
from ..engine.game import BadOption
from ..engine.learner import TERMINATED, TRUNCATED, LearnerBatch
from ..engine.match import Match
from ..engine.quoting import shown
from .gym import Resolver, learner_space, learner_view
from .observations import Schemas, check_form
from .remaking import Remade
from .rendering import RENDER_FPS, Renderer

FRAME_MODES = ("ansi", "rgb_array")


class LegalBatchActions(spaces.MultiDiscrete):
    """One action for each of n games; `sample()` without a mask draws among those that are legal now.

    A copy is a plain `MultiDiscrete`.

    Args:
        masks: int8 of shape (n, num_actions), kept up to date by the environment.
    """

    def __init__(self, masks: npt.NDArray[np.int8]) -> None:
        super().__init__([masks.shape[1]] * len(masks))
        self._masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """An action for each game, int64 of shape (n,); see `MultiDiscrete.sample`."""
        if mask is None and probability is None:
            tickets = self.np_random.random(self._masks.shape) * self._masks
            actions: npt.NDArray[np.int64] = tickets.argmax(axis=1)
            return actions
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return spaces.MultiDiscrete, (self.nvec, self.dtype, self._np_random)


class LearnerVectorEnv(Remade, Schemas, VectorEnv[Any, Any, Any]):
    """Many games of one learner as a Gymnasium vector environment, in one process.

    A game that ends is replaced within the same step (`AutoresetMode.SAME_STEP`): `infos["final_obs"]` and
    `infos["final_info"]` hold what `LearnerEnv` would have returned for it.

    `infos["action_mask"]` is int8 of shape (n, num_actions). `infos["final_info"]["final"]` has, for finished games,
    the arrays points and ranks (n, players), seat, decisions, steps, truncated, illegal (n,) and the line-ups, each
    with its mask (`"_points"` and so on), as Gymnasium batches infos. Returned arrays are fresh at every step.

    Row i plays alike however many rows there are (see `LearnerBatch`), and row 0 as `LearnerEnv` with the same seed.

    Args:
        batch: the games, with autoreset.
        observation: "flat" (int8, shape (n, size)), "float" (the same as float32), "dict" (int8 arrays by field of the
            game's schema, of shape (n, ...) and sharing memory, and "action_mask"), or "entities" (int8 tables of seats
            and cards, see `entities`, and "action_mask").
        resolve: turns the argument of `set_opponents` into opponents; None accepts `Opponent` objects only.
        render_mode: "ansi" or "rgb_array" (`render` returns a frame for each game), or None.

    Attributes:
        game: the declaration of the game.
        batch: the games; read them, but play through the environment.

    Raises:
        BadOption: `batch` is without autoreset, or there is no such form of observation or mode.
    """

    def __init__(
        self,
        batch: LearnerBatch,
        *,
        observation: str = "flat",
        resolve: Resolver | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not batch.autoreset:
            raise BadOption(f"{batch.game.id}: LearnerVectorEnv needs a batch with autoreset=True")
        self.batch, self.game, self.num_envs = batch, batch.game, batch.num_games
        self.metadata = {
            "render_modes": list(FRAME_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        if render_mode not in (None, *FRAME_MODES):
            known = ", ".join(map(repr, FRAME_MODES))
            raise BadOption(f"{batch.game.id}: render_mode={render_mode!r}, must be None or one of {known}")
        self.render_mode = render_mode
        self._renderers = [Renderer(batch.game, render_mode) for _ in range(batch.num_games)] if render_mode else []
        self._form = check_form(batch.game, observation)
        self._resolve = resolve
        self.single_observation_space = learner_space(batch.game, self._form, batch.config.num_actions)
        self.single_action_space = spaces.Discrete(batch.config.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = LegalBatchActions(batch.mask)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal new games and play up to the learner's first decisions.

        Args:
            seed: row i is dealt as match i of a batch with this seed; None continues each row's stream.
            options: None or empty.

        Raises:
            BadOption: there are options, or `seed` is a list.
        """
        if options:
            raise BadOption(f"{self.game.id}: reset takes no options, not {shown(options)}")
        check_seed(seed, of=self.game.id)
        super().reset(seed=seed)
        if seed is not None:
            self.batch.seed(seed)
        self.batch.reset()
        for renderer in self._renderers:
            renderer.begin()
        return self._observations(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """The learner's action in every game, then everybody else's, up to the learner's next decisions.

        Args:
            actions: integers, shape (n,), each an action id. For those that are not legal, the batch's `illegal` says
                what happens.

        Returns:
            observations, rewards (float64), terminations and truncations (bool), each of shape (n, ...), and infos.

        Raises:
            IllegalAction: with illegal="raise", an action is not legal; or, always, one is no action id. Names row and
                action, and nothing was changed.
        """
        batch = self.batch
        seats = batch.rows["seat"].tolist() if self._renderers else []
        batch.step(actions)
        self._note(seats, actions)
        infos: dict[str, Any] = {}
        done = batch.rows["done"]
        for row in np.flatnonzero(done).tolist():
            mask = np.zeros(batch.config.num_actions, np.int8)
            view = learner_view(self.game, self._form, batch.final_obs[row], mask)
            final = {"action_mask": mask, "final": batch.result(row)}
            infos = self._add_info(infos, {"final_obs": view, "final_info": final}, row)
        rewards = batch.rows["reward"].astype(np.float64)
        infos.update(self._infos())
        return self._observations(), rewards, done == TERMINATED, done == TRUNCATED, infos

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each game, with what its learner may see: text, or uint8 of shape (height, width, 3).

        After a step that ended a game its frame is the first of the next game.

        Raises:
            ModuleNotFoundError: pixels need the extra `render`, which is not installed.
        """
        if not self._renderers:
            logger.warn("render() does nothing: the environment was made without a render_mode.")
            return None
        match = Match(self.game, seed=0, **self.batch.config.options)
        frames = []
        for row, renderer in enumerate(self._renderers):
            match.states[:] = self.batch.states[row]
            frames.append(renderer.render(match, int(self.batch.rows[row].seat)))
        return tuple(frames)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool of shape (n, num_actions)."""
        return self.batch.mask.astype(np.bool_)

    def set_opponents(self, opponents: Any) -> None:
        """Change the pool of opponents; games in progress keep theirs.

        Raises:
            BadOption: the pool is empty or too large, or an opponent has no way to act; nothing was changed.
        """
        self.batch.set_opponents(self._resolve(opponents) if self._resolve else opponents)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        rng = self.action_space._np_random
        self.action_space = LegalBatchActions(self.batch.mask)
        self.action_space._np_random = rng

    def _note(self, seats: list[int], actions: Any) -> None:
        """Log the learner's moves in the renderers."""
        names, _ = self.game.notation(self.batch.config) if seats else ((), {})
        for renderer, seat, action, done in zip(self._renderers, seats, actions, self.batch.rows["done"], strict=False):
            if done:
                renderer.begin()
            else:
                renderer.note(seat, {seat: names[int(action)]})

    def _observations(self) -> Any:
        return learner_view(self.game, self._form, self.batch.obs, self.batch.mask)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}
