"""Progress of training on stderr: a live bar on a terminal, otherwise an occasional line."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bdgame_env.engine.compile_listener import on_compiling

_LINE_SECONDS = 15.0


class Show:
    """Shows the progress of a training run."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self._console, self._progress = console, progress
        self._task = progress.add_task("", total=None, figures="")
        self._stage, self._last_line, self._workers = "", 0.0, ""

    def progress(self, stage: str, done: int, total: int, figures: str = "") -> None:
        """Show the progress of a stage."""
        if stage != self._stage:
            self._progress.reset(self._task)
            self._stage, self._last_line = stage, 0.0
        figures += self._workers
        self._progress.update(self._task, description=stage, completed=done, total=total, figures=figures)
        if not self._console.is_terminal and time.monotonic() - self._last_line > _LINE_SECONDS:
            self._last_line = time.monotonic()
            self._console.print(f"{stage}: {done:,} of {total:,} {figures}", soft_wrap=True)

    def show_workers(self, text: str) -> None:
        """Show which workers of a cluster are there."""
        self._workers = f", {text}"

    def status(self, text: str) -> None:
        """Show what the run is doing, without a measure of progress."""
        self._progress.update(self._task, description=text, figures="")

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """While the block lasts, a terminal shows what is compiled in place of the usual notice on stderr."""
        if not self._console.is_terminal:
            yield
            return
        self.status("starting")
        before = on_compiling(
            lambda now: self.status(f"compiling for this machine, only once: {now.functions} functions")
        )
        try:
            yield
        finally:
            on_compiling(before)

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._console.print(text, soft_wrap=True)


@contextmanager
def showing() -> Iterator[Show]:
    """A `Show` while the block lasts."""
    console = Console(stderr=True, highlight=False, markup=False)  # names are no tags
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f} %", markup=False),
        TextColumn("{task.fields[figures]}", markup=False),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield Show(console, progress)
