"""Gymnasium vector environment over any game: many games of one learner, stepped by one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..engine.arguments import action_id, check_seed
from ..engine.codes import OVER, TERMINATED, TRUNCATED
from ..engine.game import BadOption, Game
from ..engine.learner import LearnerBatch
from ..engine.match import Match
from ..engine.quoting import shown
from .gym import LearnerEnv
from .learner_games import LearnerGames, Resolver, in_play
from .remaking import Remade
from .rendering import RENDER_FPS, Renderer, check_mode

FRAME_MODES = ("ansi", "rgb_array")
AUTORESETS: dict[AutoresetMode, bool | str] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: True,
    AutoresetMode.DISABLED: False,
}

PER_GAME = frozenset(  # of `LearnerEnv`: what describes a game and leaves it unchanged
    (
        *("game", "observation_space", "action_space", "observation_schema", "entity_schema", "seat", "lineup"),
        *("action_masks", "legal_moves", "action_to_string", "string_to_action", "snapshot", "match"),
    )
)


def autoreset_of(game: Game, mode: AutoresetMode | str) -> bool | str:
    """The `autoreset` of a batch for a mode of Gymnasium's, or for its value such as "NextStep".

    Raises:
        BadOption: there is no such mode.
    """
    try:
        return AUTORESETS[AutoresetMode(mode)]
    except ValueError:
        known = ", ".join(repr(mode.value) for mode in AutoresetMode)
        told = f"{game.id}: autoreset_mode={shown(mode)}, must be one of {known}, or of gymnasium.vector.AutoresetMode"
        raise BadOption(told) from None


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


class LearnerVectorEnv(Remade, LearnerGames, VectorEnv[Any, Any, Any]):
    """Many games of one learner as a Gymnasium vector environment, in one process.

    The batch's `autoreset` is the mode of autoreset, which `metadata["autoreset_mode"]` tells:

    - True: `SAME_STEP`. A game that ends is replaced within the step: `infos["final_obs"]` and `infos["final_info"]`
      hold what `LearnerEnv` would have returned for it.
    - "next_step": `NEXT_STEP`. The last observation is returned, and `infos["final"]`; the next step starts a new game,
      with reward 0 and whatever the action.
    - False: `DISABLED`. The same, but no step is taken until `reset(options={"reset_mask": ...})` has begun new ones.

    `infos["action_mask"]` is int8 of shape (n, num_actions), all zero where a game is over. `infos["final"]`, with
    SAME_STEP `infos["final_info"]["final"]`, has, for finished games, the arrays points and ranks (n, players), seat,
    decisions, steps, truncated, illegal (n,) and the line-ups, each with its mask (`"_points"` and so on), as Gymnasium
    batches infos. Returned arrays are fresh at every step.

    Row i plays alike however many rows there are (see `LearnerBatch`), and row 0 as `LearnerEnv` with the same seed.

    Args:
        batch: the games.
        observation: "flat" (int8, shape (n, size)), "float" (the same as float32), "dict" (int8 arrays by field of the
            game's schema, of shape (n, ...) and sharing memory, and "action_mask"), or "entities" (int8 tables of seats
            and cards, see `entities`, and "action_mask").
        resolve: turns the argument of `set_opponents` into opponents; None accepts `Opponent` objects only.
        render_mode: "ansi" or "rgb_array" (`render` returns a frame for each game), or None.

    Attributes:
        game: the declaration of the game.
        batch: the games; read them, but play through the environment.

    Raises:
        BadOption: there is no such form of observation or mode.
    """

    def __init__(
        self,
        batch: LearnerBatch,
        *,
        observation: str = "flat",
        resolve: Resolver | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._hold(batch, observation, resolve)
        self.num_envs = batch.num_games
        self.metadata = {
            "render_modes": list(FRAME_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": next(mode for mode, autoreset in AUTORESETS.items() if autoreset == batch.autoreset),
        }
        check_mode(batch.game, render_mode, FRAME_MODES)
        self.render_mode = render_mode
        self._renderers = [Renderer(batch.game, render_mode) for _ in range(batch.num_games)] if render_mode else []
        self._attributes: dict[str, tuple[Any, ...]] = {}
        self.single_observation_space = self._space()
        self.single_action_space = spaces.Discrete(batch.config.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = LegalBatchActions(batch.mask)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal new games and play up to the learner's first decisions.

        Args:
            seed: row i is dealt as match i of a batch with this seed; None continues each row's stream.
            options: None, or {"reset_mask": bool array of shape (n,)}: new games only where it is True. The other rows
                stay as they are, and what is returned covers all rows.

        Raises:
            BadOption: there are other options, or `seed` is not None or one whole number.
            gymnasium.error.ResetNeeded: not all rows are meant, and the others have no game yet.
        """
        rows = self._rows_of(options)
        seed = check_seed(seed, of=self.game.id)
        if rows is not None and not self.batch.started:
            raise ResetNeeded(f"{self.game.id}: no games are in progress: call reset() without a 'reset_mask' first")
        super().reset(seed=seed)
        if seed is not None:
            self.batch.seed(seed, rows)
        self.batch.reset(rows)
        for row, renderer in enumerate(self._renderers):
            if rows is None or row in rows:
                renderer.begin()
        return self._observations(), self._infos()

    def _rows_of(self, options: dict[str, Any] | None) -> npt.NDArray[np.intp] | None:
        """The rows that `reset` is to start anew; None for all."""
        if not options:
            return None
        if not isinstance(options, Mapping) or set(options) != {"reset_mask"}:
            raise BadOption(f"{self.game.id}: reset takes no options but 'reset_mask', not {shown(options)}")
        mask, shape = options["reset_mask"], (self.num_envs,)
        if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == shape and mask.any()):
            told = f"must be a bool array of shape {shape} with at least one True"
            raise BadOption(f"{self.game.id}: reset_mask={shown(mask)}, {told}")
        return np.flatnonzero(mask)

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
            gymnasium.error.ResetNeeded: see `in_play`; or the mode is DISABLED, and a game is over.
        """
        batch = in_play(self.batch)
        if not batch.autoreset and (batch.rows["status"] == OVER).any():
            row = int((batch.rows["status"] == OVER).argmax())
            raise ResetNeeded(
                f"{self.game.id}: the game of row {row} is over: call reset(options={{'reset_mask': ...}})"
            )
        before = batch.rows[["seat", "status"]].tolist() if self._renderers else []
        batch.step(actions)
        self._note(before, actions)
        infos: dict[str, Any] = {}
        done = batch.rows["done"]
        for row in np.flatnonzero(done).tolist():
            final: dict[str, Any] = {"final": batch.result(row)}
            if batch.autoreset is True:
                final["action_mask"] = mask = np.zeros(batch.config.num_actions, np.int8)
                view = self._view(batch.final_obs[row], mask)
                final = {"final_obs": view, "final_info": final}
            infos = self._add_info(infos, final, row)
        rewards = batch.rows["reward"].astype(np.float64)
        infos.update(self._infos())
        return self._observations(), rewards, done == TERMINATED, done == TRUNCATED, infos

    def render(self) -> tuple[Any, ...] | None:
        """A frame for each game, with what its learner may see: text, or uint8 of shape (height, width, 3).

        With SAME_STEP, after a step that ended a game its frame is the first of the next game.

        Raises:
            gymnasium.error.ResetNeeded: see `in_play`.
            ModuleNotFoundError: pixels need the extra `render`, which is not installed.
        """
        if not self._renderers:
            logger.warn("render() does nothing: the environment was made without a render_mode.")
            return None
        match = Match(self.game, seed=0, **self.batch.config.options)
        frames = []
        for row, renderer in enumerate(self._renderers):
            match.states[:] = in_play(self.batch).states[row]
            frames.append(renderer.render(match, int(self.batch.rows[row].seat)))
        return tuple(frames)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool of shape (n, num_actions)."""
        return in_play(self.batch).mask.astype(np.bool_)

    # What Gymnasium asks of each environment

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What `LearnerEnv` has by this name, of every game: the value of an attribute, or what a method returns.

        "render" is `render` of this object, and "set_opponents" changes the pool of all games. Other methods that
        change an environment are refused, since games are played by this object only.

        Raises:
            AttributeError: there is no such attribute, or it is a method that changes the environment.
        """
        if name in ("render", "set_opponents"):
            value = getattr(self, name)(*args, **kwargs)
            return value if isinstance(value, tuple) else (value,) * self.num_envs
        if name in self._attributes:
            return self._attributes[name]
        if name not in PER_GAME:
            known = ", ".join(sorted({*PER_GAME, "render", "set_opponents", *self._attributes}))
            raise AttributeError(f"{self.game.id}: {name!r} cannot be asked of every game; what can: {known}")
        found = []
        for row in range(self.num_envs):
            value = getattr(LearnerEnv(self.batch.row(row), observation=self._form), name)
            found.append(value(*args, **kwargs) if callable(value) else value)
        return tuple(found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of every game, as `call`."""
        return self.call(name)

    def set_attr(self, name: str, values: object) -> None:
        """Keep something for every game, which `get_attr` gives back; the environment makes no use of it.

        Args:
            name: any name but those that `LearnerEnv` has.
            values: a list or tuple with a value for each game, or one value for all.

        Raises:
            AttributeError: `LearnerEnv` has such an attribute; nothing was changed.
            ValueError: there is not one value for each game.
        """
        if hasattr(LearnerEnv, name) or name in PER_GAME:
            raise AttributeError(f"{self.game.id}: {name!r} belongs to the environment and cannot be set")
        given = tuple(values) if isinstance(values, (list, tuple)) else (values,) * self.num_envs
        if len(given) != self.num_envs:
            raise ValueError(f"{self.game.id}: {len(given)} values of {name!r} for {self.num_envs} games")
        self._attributes[name] = given

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        rng = self.action_space._np_random
        self.action_space = LegalBatchActions(self.batch.mask)
        self.action_space._np_random = rng

    def _note(self, before: list[tuple[int, int]], actions: Any) -> None:
        """Log the learner's moves; `before` has each row's seat and status before them."""
        for row, (seat, status) in enumerate(before):
            now = self.batch.rows[row]
            if status == OVER or (now.done and now.status != OVER):
                self._renderers[row].begin()
            elif not (now.done and now.illegal):
                names, _ = self.game.notation(self.batch.config.of_game(in_play(self.batch).states[row]))
                self._renderers[row].note(seat, {seat: names[action_id(self.game.id, actions[row])]})

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.mask.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}
