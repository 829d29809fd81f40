"""Tells people on stderr that functions are being compiled: once in a process, however many groups it compiles."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import Any

NOTICE = "bdgame_env: compiling for this machine, only once"
SILENT_SECONDS = 0.7  # what takes no longer is not worth a word
_LINE_SECONDS = 0.2  # between two counts on a terminal
_TAKE_BACK = "\r\x1b[K"


@dataclass(frozen=True)
class Compiling:
    """How far this process is with compiling.

    Attributes:
        functions: how many of our functions it has compiled since it started.
        seconds: how long that took.
        running: whether it is compiling now.
    """

    functions: int
    seconds: float
    running: bool


class TellStderr:
    """Says it in one line; on a terminal the line counts along, and is taken back whenever compiling pauses."""

    def __init__(self) -> None:
        self._said = False
        self._shown = 0.0  # the seconds on the line of the terminal; 0 for no line

    def __call__(self, now: Compiling) -> None:
        stream: Any = sys.stderr  # None in a program without a console, or whatever the program put there
        if stream is sys.__stderr__ and _takes_back(stream):  # not that of a progress bar, which moves about
            self._count(now)
        elif not self._said and now.seconds > SILENT_SECONDS:
            self._said = True
            _write(f"{NOTICE}\n")

    def _count(self, now: Compiling) -> None:
        if not now.running:
            if self._shown:
                _write(_TAKE_BACK)
            self._shown = 0.0
        elif now.seconds > max(SILENT_SECONDS, self._shown + _LINE_SECONDS):
            _write(f"\r{NOTICE}: {now.functions} functions, {now.seconds:.0f} s")
            self._shown = now.seconds


def _takes_back(stream: Any) -> bool:
    """Whether a stream is a terminal on which a line can be written over."""
    return hasattr(stream, "isatty") and stream.isatty() and os.environ.get("TERM") != "dumb"


def _write(text: str) -> None:
    stream: Any = sys.stderr
    if stream is not None:
        stream.write(text)
        if hasattr(stream, "flush"):
            stream.flush()
