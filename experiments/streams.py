"""The streams of a command: what it says may get lost, but does not end what it does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, TextIO, cast


class LastingStream:
    """A text stream for output, which is silent from its first failure on: a closed pipe, a full disk, a closed file.

    Attributes:
        inner: the stream itself, for a dialog, which ends when nobody listens.
        failed: the failure, or None.
    """

    def __init__(self, inner: TextIO) -> None:
        self.inner = inner
        self.failed: Exception | None = None

    def write(self, text: str) -> int:
        """Write a text as far as possible; returns its length."""
        if self.failed is None:
            try:
                self.inner.write(text)
            except (OSError, ValueError) as error:  # ValueError: the file is closed
                self.failed = error
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        self.write("".join(lines))

    def flush(self) -> None:
        """Send what has been written, as far as possible."""
        if self.failed is None:
            try:
                self.inner.flush()
            except (OSError, ValueError) as error:
                self.failed = error

    def isatty(self) -> bool:
        """Whether a person sees it."""
        with suppress(OSError, ValueError):
            return self.inner.isatty()
        return False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def use_lasting_streams() -> None:
    """Have this process read and write by streams that take any text and end no work; for its whole life.

    A program without a console has none: nothing is read, and what it says is lost.
    """
    if sys.stdin is None:
        sys.stdin = _nothing("r")
    _reconfigure(sys.stdin, errors="replace")
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or _nothing("w")
        if name == "stdout":  # on stderr Python escapes what the console cannot show
            _reconfigure(stream, errors="replace")
        lasting = LastingStream(stream)
        setattr(sys, name, lasting)
        setattr(sys, f"__{name}__", lasting)


def dialog_streams(*, utf8: bool = False) -> tuple[TextIO, TextIO]:
    """Stdin and stdout of a dialog, in which failures are raised.

    Args:
        utf8: whether lines are read as UTF-8 whatever the console says.
    """
    if utf8:
        _reconfigure(sys.stdin, encoding="utf-8", errors="replace")
    return sys.stdin, getattr(sys.stdout, "inner", sys.stdout)


def output_problem() -> str | None:
    """Why not all of stdout arrived, in a few words; "" if its reader left, None if it did."""
    sys.stdout.flush()
    failed = getattr(sys.stdout, "failed", None)
    if failed is None:
        return None
    return "" if isinstance(failed, BrokenPipeError) else getattr(failed, "strerror", None) or str(failed)


def _nothing(mode: str) -> TextIO:
    return cast(TextIO, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123


def _reconfigure(stream: Any, **settings: str) -> None:
    with suppress(AttributeError, ValueError, OSError):  # not a file, or a closed one
        stream.reconfigure(**settings)
