"""Courtesies: notices, pictures and reports, without which the work is done all the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bdgame_env.engine.quoting import one_line


def note(text: str) -> None:
    """Say something on stderr."""
    print(f"note: {text}", file=sys.stderr, flush=True)


@contextmanager
def courtesy(what: str, say: Callable[[str], None] = note) -> Iterator[None]:
    """The block may fail: then one line says what there is not, and the work goes on.

    Args:
        what: what the block makes, for that line.
        say: what says it.
    """
    try:
        yield
    except Exception as error:
        say(one_line(f"{what}: {error if isinstance(error, OSError) else f'{type(error).__name__}: {error}'}"))
