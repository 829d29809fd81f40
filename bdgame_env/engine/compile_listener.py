"""Notices when one of our functions is compiled, and reports it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from numba.core import compiler_lock, event

from .compile_notice import Compiling, TellStderr
from .forks import after_fork, hold_at_forks


class CompileListener(event.Listener):  # type: ignore[misc]
    """Counts our functions as they are compiled, and reports each to `tell`."""

    def __init__(self) -> None:
        self.tell: Callable[[Compiling], None] = TellStderr()
        self.forget()

    def forget(self) -> None:
        """Count anew."""
        self._depth = self._functions = 0
        self._began = self._before = 0.0

    def now(self) -> Compiling:
        """The figures of this moment."""
        running = self._depth > 0
        seconds = self._before + (time.monotonic() - self._began if running else 0.0)
        return Compiling(self._functions, seconds, running)

    def on_start(self, details: Any) -> None:
        if _is_ours(details):
            if self._depth == 0:
                self._began = time.monotonic()
            self._depth += 1

    def on_end(self, details: Any) -> None:
        if not _is_ours(details):
            return
        self._functions += 1
        self._depth -= 1
        if self._depth == 0:
            self._before += time.monotonic() - self._began
        with suppress(Exception):  # whatever ails who is told, the function is compiled
            self.tell(self.now())


_listener = CompileListener()


def compiling() -> Compiling:
    """How far this process is with compiling."""
    return _listener.now()


def on_compiling(tell: Callable[[Compiling], None]) -> Callable[[Compiling], None]:
    """Have this function told, in place of stderr, whenever one of our functions is compiled.

    Args:
        tell: called with the figures in the thread that compiles; what it raises is dropped.

    Returns:
        The function that was told before.
    """
    before, _listener.tell = _listener.tell, tell
    return before


def _is_ours(details: Any) -> bool:
    """Whether `jit` made the dispatcher that an event of Numba is about."""
    return getattr(details.data["dispatcher"], "is_ours", False)


def listen() -> None:
    """Begin to listen."""
    event.register("numba:compile", _listener)


hold_at_forks(compiler_lock.global_compiler_lock)  # a fork waits for what is being compiled
after_fork(_listener.forget)
