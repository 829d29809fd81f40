"""TensorBoard's files, if its package is installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any


class Charts:
    """Writes figures for TensorBoard while the block lasts; without torch and tensorboard it writes nothing.

    Args:
        folder: for `tensorboard --logdir`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writer: Any = None

    def __enter__(self) -> Charts:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ModuleNotFoundError:
            return self
        self._writer = SummaryWriter(str(self._folder))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._writer is not None:
            self._writer.close()

    def add(self, decisions: int, figures: Mapping[str, float]) -> None:
        """Add figures at a number of decisions."""
        if self._writer is not None:
            for name, value in figures.items():
                self._writer.add_scalar(name, value, decisions)
