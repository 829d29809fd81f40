"""Where a run is: the settings that hold for one update, as a record that compiled code reads."""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Rows
from bdgame_env.engine.struct import Struct, plain

from .codes import RIVAL
from .config import TrainConfig


class Stage(Struct):
    """The settings of one update.

    Attributes:
        update: how many were made before.
        imitation: 1: the teacher's choices are the labels; 0: self-play.
        teacher: its number among the game's compiled players, 0 for none, or RIVAL for networks.
        adviser: likewise in self-play.
        temperature: of the other network; 0: it plays what it likes best.
        The others: see `TrainConfig`.
    """

    learning_rate: float = plain(np.float64)
    max_norm: float = plain(np.float64)
    update: int = plain(np.int64)
    imitation: int = plain(np.int32)
    teacher: int = plain(np.int32)
    adviser: int = plain(np.int32)
    advice_every: int = plain(np.int32)
    search_every: int = plain(np.int32)
    epochs: int = plain(np.int32)
    batch_size: int = plain(np.int32)
    segment: int = plain(np.int32)
    noise: float = plain(np.float32)
    temperature: float = plain(np.float32)
    margin: float = plain(np.float32)
    truncation: float = plain(np.float32)
    clip_range: float = plain(np.float32)
    entropy: float = plain(np.float32)
    value_weight: float = plain(np.float32)
    other_weight: float = plain(np.float32)
    search_weight: float = plain(np.float32)
    exploring: float = plain(np.float32)
    advice: float = plain(np.float32)


Stages = Rows[Stage]  # shape (1,)

_ALL_ALONG = (
    "max_norm", "batch_size", "segment", "noise", "margin", "truncation", "clip_range", "value_weight", "other_weight",
    "search_weight", "exploring", "advice_every",
)  # fmt: skip


def stage_of(config: TrainConfig, progress: float, update: int, teacher: int) -> Stages:
    """The settings for an update.

    Args:
        config: of the run.
        progress: the share of its budget that is spent.
        update: how many updates were made before.
        teacher: its number among the game's compiled players, or 0 for none: then everything is self-play.
    """
    stage: Stages = np.zeros(1, Stage.dtype)  # type: ignore[assignment]
    for name in _ALL_ALONG:
        stage[name] = getattr(config, name)
    stage["update"], stage["temperature"] = update, 1.0
    share = config.imitation if teacher or config.teachers else 0.0
    if progress < share:
        stage["imitation"], stage["teacher"], stage["epochs"] = 1, RIVAL if config.teachers else teacher, 1
        stage["batch_size"] = min(config.batch_size, config.imitation_batch_size)
        stage["learning_rate"] = config.imitation_rate * (1 - 0.9 * (progress / share))
        return stage
    at = min(1.0, (progress - share) / (1.0 - share)) if share < 1.0 else 1.0
    stage["epochs"], stage["search_every"] = config.epochs, config.search_every
    for name in ("learning_rate", "entropy", "advice"):
        first, last = getattr(config, name), getattr(config, f"{name}_end")
        stage[name] = first + (last - first) * at
    stage["adviser"] = teacher if stage["advice"][0] > 0 else 0
    if config.against:
        stage["temperature"] = 0.0
    return stage
