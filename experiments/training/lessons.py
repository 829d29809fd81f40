"""Learning from a window: the epochs of an update, and the settings that change over a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .codes import OPEN
from .config import TrainConfig
from .gradients import IMITATION, LOSSES, PPO
from .samples import Window
from .updates import UPDATE, Diverged, Learner


@dataclass(frozen=True)
class Stage:
    """Where a run is.

    Attributes:
        teach: whether it imitates the teacher.
        at: how far it is in imitation or in self-play, from 0 to 1.
    """

    teach: bool
    at: float

    def rate(self, config: TrainConfig) -> float:
        """The learning rate."""
        if self.teach:
            return config.imitation_rate * (1 - 0.9 * self.at)
        return _between(config.learning_rate, config.learning_rate_end, self.at)

    def update_record(self, config: TrainConfig) -> Any:
        """An `UPDATE` record, shape (1,)."""
        update = np.zeros(1, UPDATE)
        update["loss"], update["clip_range"] = IMITATION if self.teach else PPO, config.clip_range
        update["entropy"] = 0.0 if self.teach else _between(config.entropy, config.entropy_end, self.at)
        update["search_weight"] = config.search_weight
        update["value_weight"], update["other_weight"] = config.value_weight, config.other_weight
        return update


@dataclass
class Learned:
    """What was learned.

    Attributes:
        decisions: how many were learned from.
        losses: sums over the steps, float64 (LOSSES,).
        steps: of Adam.
    """

    decisions: int
    losses: npt.NDArray[np.float64]
    steps: int


def learn_window(
    learner: Learner, window: Window, config: TrainConfig, stage: Stage, rng: np.random.Generator
) -> Learned:
    """Learn from a window whose returns are known; its advantages are normalized.

    Raises:
        Diverged: loss or weights are no longer finite numbers.
    """
    usable = np.flatnonzero(window.next != OPEN)
    advantage = window.advantage[usable]
    if len(usable):
        window.advantage[usable] = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    rate, settings = stage.rate(config), stage.update_record(config)
    learned = Learned(len(usable), np.zeros(LOSSES), 0)
    for _ in range(1 if stage.teach else config.epochs):
        order = rng.permutation(usable)
        last = max(1, len(order) - config.batch_size // 2)  # half a batch or less is left out, unless it is all
        for k in range(0, last if len(order) else 0, config.batch_size):
            learned.losses += learner.learn(window, order[k : k + config.batch_size], settings, rate, config.max_norm)
            learned.steps += 1
    if not np.isfinite(learner.weights).all():
        raise Diverged(f"weights are no longer finite numbers after {learner.steps:,} steps")
    return learned


def _between(start: float, end: float, at: float) -> float:
    return start + (end - start) * min(1.0, at)
