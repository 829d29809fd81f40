"""TensorBoard's files, if its package is installed and works."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from ..courtesy import courtesy

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter


class Charts:
    """Writes figures for TensorBoard while the block lasts; without torch and tensorboard it writes nothing.

    Of its first failure it tells in one line, and then writes no more.

    Args:
        folder: for `tensorboard --logdir`.
        say: prints a line.
    """

    def __init__(self, folder: Path, say: Callable[[str], None]) -> None:
        self._folder, self._say = folder, say
        self._writer: SummaryWriter | None = None

    def __enter__(self) -> Charts:
        with courtesy("no figures for TensorBoard", self._say), suppress(ModuleNotFoundError):
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self._folder))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._writer is not None:
            with courtesy("the last figures for TensorBoard are missing", self._say):
                self._writer.close()

    def add(self, decisions: int, figures: Mapping[str, float]) -> None:
        """Add figures at a number of decisions."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with courtesy("no more figures for TensorBoard", self._say):
                for name, value in figures.items():
                    writer.add_scalar(name, value, decisions)
                self._writer = writer
