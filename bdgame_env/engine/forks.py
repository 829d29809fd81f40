"""Forks: a child process is a copy of its parent, without the threads and with the same random numbers."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

_forks = 0


def forks() -> int:
    """How many forks lie between this process and the one that imported the package."""
    return _forks


def after_fork(renew: Callable[[], object]) -> None:
    """Have a function called in every child of a fork, before anything else happens there."""
    if hasattr(os, "register_at_fork"):  # no other system has forks
        os.register_at_fork(after_in_child=renew)


def hold_at_forks(lock: Any) -> None:
    """Have a lock held while this process forks: in the child, another thread that held it could not release it."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


def _count() -> None:
    global _forks
    _forks += 1


after_fork(_count)


class Origin:
    """Whether random numbers come from a seed, or from entropy, and then whose.

    Children of a fork must not draw on with their parent's entropy: all would play the same games. A copy or a pickle
    counts as made where it is read.

    Args:
        seed: None for entropy that is drawn now.
    """

    def __init__(self, seed: object) -> None:
        self._drawn = None if seed is not None else _forks

    def is_parents(self) -> bool:
        """Whether a parent process drew the entropy."""
        return self._drawn is not None and self._drawn != _forks

    def __reduce__(self) -> tuple[type[Origin], tuple[object]]:
        return Origin, (None if self._drawn is not None else 0,)
