"""A disk that is full at any one of the calls by which a program writes files."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FULL = "full"
_CALLS = ("open", "write", "fsync", "rename", "replace", "link", "unlink", "remove", "mkdir", "rmdir")
_TAKE_ROOM = ("open", "write", "fsync", "link", "mkdir")


class Disk:
    """Counts the calls that write files; with FULL, the call `at` and all later ones that need room fail with ENOSPC.

    Attributes:
        calls: the names of the calls so far.
    """

    def __init__(self, folder: Path, how: str = "", at: int = -1) -> None:
        self.folder, self.how, self.at = folder, how, at
        self.calls: list[str] = []

    @property
    def failed(self) -> bool:
        return 0 <= self.at < len(self.calls)

    @contextmanager
    def installed(self) -> Iterator[Disk]:
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._wrapped(name, getattr(os, name)))
            yield self

    def _wrapped(self, name: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **settings: Any) -> Any:
            if name == "open" and not (len(arguments) > 1 and arguments[1] & (os.O_CREAT | os.O_WRONLY)):
                return true(*arguments, **settings)
            first = len(self.calls) == self.at
            self.calls.append(name)
            if self.how == FULL and self.failed and name in _TAKE_ROOM:
                if name == "write" and first:  # half of it was written
                    true(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return true(*arguments, **settings)

        return call
