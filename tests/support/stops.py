"""Simulates a system that stops, or refuses, at any one of the calls by which a program writes files.

`Disk` counts those calls. At a given one the program "stops": that call raises `Stopped`, and so does every later one,
so that nothing can be tidied up, as after SIGKILL. To simulate a power failure, files whose data had not been flushed
are empty afterwards. Or the disk is full: the call fails with ENOSPC, and so does every later one that needs space.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

STOP, POWER, FULL = "stop", "power", "full"
HOWS = (STOP, POWER, FULL)
_CALLS = ("open", "write", "fsync", "rename", "replace", "link", "unlink", "remove", "mkdir", "rmdir")
_TAKE_ROOM = ("open", "write", "fsync", "link", "mkdir")


class Stopped(BaseException):
    """The program has been stopped."""


class Disk:
    """Counts the calls that write below a folder, and fails at one of them.

    Attributes:
        calls: the names of the calls so far.
    """

    def __init__(self, folder: Path, how: str = STOP, at: int = -1) -> None:
        self.folder, self.how, self.at = folder, how, at
        self.calls: list[str] = []
        self._unflushed: set[int] = set()  # inodes
        self._true: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in _CALLS}

    @contextmanager
    def installed(self) -> Iterator[Disk]:
        with pytest.MonkeyPatch.context() as patch:
            for name in _CALLS:
                patch.setattr(os, name, self._wrapped(name))
            true_connect = sqlite3.connect
            patch.setattr(sqlite3, "connect", lambda *a, **k: true_connect(*a, **{**k, "factory": self._connection()}))
            yield self
        if self.how == POWER and self.failed:
            for path in self.folder.rglob("*"):
                if path.is_file() and path.stat().st_ino in self._unflushed:
                    path.write_bytes(b"")

    @property
    def failed(self) -> bool:
        return 0 <= self.at < len(self.calls)

    def count(self, name: str) -> bool:
        """Record a call; returns whether it is the one to fail at, or a later one."""
        self.calls.append(name)
        return self.failed

    def _wrapped(self, name: str) -> Callable[..., Any]:
        true = self._true[name]

        def call(*arguments: Any, **settings: Any) -> Any:
            if name == "open" and not (len(arguments) > 1 and arguments[1] & (os.O_CREAT | os.O_WRONLY)):
                return true(*arguments, **settings)
            first = len(self.calls) == self.at
            if self.count(name) and (self.how != FULL or name in _TAKE_ROOM):
                if name == "write" and first:  # half of it was written
                    true(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
                    self._unflushed.add(os.fstat(arguments[0]).st_ino)
                if self.how == FULL:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                raise Stopped
            if name == "write":
                self._unflushed.add(os.fstat(arguments[0]).st_ino)
            elif name == "fsync":
                self._unflushed.discard(os.fstat(arguments[0]).st_ino)
            return true(*arguments, **settings)

        return call

    def _connection(self) -> type[sqlite3.Connection]:
        """A connection class for databases whose commands count as calls."""
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, *arguments: Any) -> Any:
                disk._at_command(arguments[0])
                return super().execute(*arguments)

            def executemany(self, *arguments: Any) -> Any:
                disk._at_command(arguments[0])
                return super().executemany(*arguments)

        return Connection

    def _at_command(self, command: str) -> None:
        if self.count("sql") and not (self.how == FULL and command.startswith(("ROLLBACK", "SELECT", "PRAGMA"))):
            if self.how == FULL:
                raise sqlite3.OperationalError("database or disk is full")
            raise Stopped


def every_stop(
    folder: Path,
    prepare: Callable[[Path], None],
    write: Callable[[Path], object],
    check: Callable[[Path, bool], object],
) -> int:
    """Let a writer fail in every way at every call it makes; returns how many calls there are.

    Args:
        folder: the parent of one folder per try.
        prepare: writes the old state into a folder.
        write: replaces it by the new one; it is called again at the end, and must then succeed.
        check: gets the folder, and whether the new state must be there (otherwise the old or the new one); it raises
            if the state cannot be read.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)  # it is slow, and its calls are counted
        return _every_stop(folder, prepare, write, check)


def _check_ending(write: Callable[[Path], object], folder: Path, how: str) -> None:
    """Check that nobody catches a stop, and that a full disk is reported in one line, as the command line prints it."""
    told = ""
    try:
        write(folder)
    except Stopped:
        return
    except (OSError, ValueError) as error:
        told = str(error)
    if told:
        assert how == FULL and "\n" not in told and ("cannot be written" in told or "cannot be used" in told), told


def _every_stop(
    folder: Path,
    prepare: Callable[[Path], None],
    write: Callable[[Path], object],
    check: Callable[[Path, bool], object],
) -> int:
    counted = folder / "counted"
    counted.mkdir(parents=True)
    prepare(counted)
    with Disk(counted).installed() as disk:
        write(counted)
    check(counted, True)
    for how in HOWS:
        for at in range(len(disk.calls)):
            tried = folder / f"{how}-{at}"
            tried.mkdir()
            prepare(tried)
            with Disk(tried, how, at).installed() as failing:
                _check_ending(write, tried, how)
            assert failing.failed
            check(tried, False)
            write(tried)
            check(tried, True)
    return len(disk.calls)
