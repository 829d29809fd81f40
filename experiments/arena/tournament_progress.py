"""Progress of a tournament on stderr."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_LINE_SECONDS = 30.0


class Live:
    """A progress bar if stderr is a terminal; otherwise a line every half minute.

    Attributes:
        played: number of games played since the start of this command.

    Args:
        title: shown in front of the bar.
    """

    def __init__(self, title: str) -> None:
        console = Console(stderr=True, highlight=False, markup=False)  # names are no tags
        self.played = 0
        self._shown_stored = False
        self._last_line = time.monotonic()
        self._workers = ""
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games, {task.fields[speed]}{task.fields[workers]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task(title, total=None, speed="starting", workers="")

    def __enter__(self) -> Live:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, total: int, stored: int, ended: int) -> None:
        """Show the greatest number of games, how many were in the store, and how many have ended."""
        self.played = ended - stored
        if stored and not self._shown_stored:
            self._progress.console.print(f"{stored} of {total} games have been played before")
            self._shown_stored = True
        elapsed = self._progress.tasks[self._task].elapsed or 0.0
        speed = f"{self.played / elapsed:.3g} per second" if elapsed and self.played else "playing"
        self._progress.update(self._task, total=total, completed=ended, speed=speed)
        if self._progress.disable and time.monotonic() - self._last_line > _LINE_SECONDS:
            self._last_line = time.monotonic()
            self._progress.console.print(f"{ended} of {total} games, {speed}{self._workers}")

    def show_workers(self, text: str) -> None:
        """Show which workers of a cluster are there."""
        self._workers = f", {text}"
        self._progress.update(self._task, workers=self._workers)
