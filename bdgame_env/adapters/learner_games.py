"""What all environments of one learner share: their games, and how the learner sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..engine.game import Game
from ..engine.learner import LearnerBatch, Opponent
from .observations import Schemas, check_form, in_form, mask_space, observation_space

Resolver = Callable[[Any], Sequence[Opponent]]


class LearnerGames(Schemas):
    """The games of a learner.

    Attributes:
        game: the declaration of the game.
        batch: the games; read them, but play through the environment.
    """

    batch: LearnerBatch

    def _hold(self, batch: LearnerBatch, observation: str, resolve: Resolver | None) -> None:
        self.batch, self.game, self._resolve = batch, batch.game, resolve
        self._form = check_form(batch.game, observation)

    def set_opponents(self, opponents: Any) -> None:
        """Change the pool of opponents; games in progress keep theirs.

        Raises:
            BadOption: the pool is empty or too large, or an opponent has no way to act; nothing was changed.
        """
        self.batch.set_opponents(self._resolve(opponents) if self._resolve else opponents)

    def _space(self) -> spaces.Box | spaces.Dict:
        return learner_space(self.game, self._form, self.batch.config.num_actions)

    def _view(self, vectors: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> Any:
        return learner_view(self.game, self._form, vectors, masks)

    def _observations(self) -> Any:
        return self._view(self.batch.obs, self.batch.mask)


def in_play(batch: LearnerBatch) -> LearnerBatch:
    """The batch, if it has games: their records, masks and seats mean nothing before they are dealt.

    Raises:
        gymnasium.error.ResetNeeded: see `LearnerBatch.check_started`.
    """
    try:
        batch.check_started()
    except RuntimeError as error:
        raise gymnasium.error.ResetNeeded(str(error)) from None
    return batch


def learner_space(game: Game, form: str, num_actions: int) -> spaces.Box | spaces.Dict:
    """The space of one learner's view of a game; see `learner_view`."""
    space = observation_space(game, form)
    if isinstance(space, spaces.Dict):
        return spaces.Dict({**space.spaces, "action_mask": mask_space(num_actions)})
    return space


def learner_view(game: Game, form: str, vectors: npt.NDArray[np.int8], masks: npt.NDArray[np.int8]) -> Any:
    """A copy of what a learner sees, in the chosen form.

    Args:
        game: the declaration of the game.
        form: "flat", "float", "dict" or "entities".
        vectors: int8, shape (size,) or (n, size).
        masks: int8, shape (num_actions,) or (n, num_actions).
    """
    view = in_form(game, form, vectors.copy() if form in ("flat", "dict") else vectors)
    return {**view, "action_mask": masks.copy()} if isinstance(view, dict) else view
