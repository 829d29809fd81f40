"""The games of a tournament in one SQLite file: every game once, and each batch whole or not at all."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import inf
from pathlib import Path
from typing import Any

from bdgame_env.engine.forks import forks

from ..contents import what_changed
from ..errors import BadInput
from .matches import GameResult
from .stored_batches import TABLES, Batch, packed, unpacked

NAME = "results.sqlite"
_CONTENTS = "contents"  # among the settings
_SECONDS = "seconds"  # likewise; with more of them, or no limit, a race plays the same games first
_VERSION = 3  # of the schema below
_BUSY_SECONDS = 10.0
_WRITE_SECONDS = 0.5  # at least, between two writes: each waits until the disk has it, some 10 to 200 ms
_TABLES = ("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)", *TABLES)
_PARENTS: list[sqlite3.Connection] = []  # connections of parent processes, kept so that they are not closed here
_BATCHES = "SELECT first, size, games, actions FROM batches"


class Store:
    """The file of one tournament; opened, or created if it does not exist.

    Attributes:
        path: the file.
        run: the provenance of the tournament's first start.
        continued: the provenance of later starts with another version of the code or of a package, after which the same
            seed need not give the same games.

    Args:
        path: the file; its folder is created too.
        settings: plain JSON data; everything the games depend on.
        run: provenance of this start.

    Raises:
        BadInput: the file holds another tournament, or is not one; nothing was changed.
        OSError: the folder cannot be created.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any], run: Mapping[str, Any]) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connect()
            try:
                self.run, self.continued = self._open(json.loads(json.dumps(settings)), run)
            except BaseException:
                self.close()
                raise
        except sqlite3.Error as error:
            raise BadInput(f"{path} cannot be used: {error}") from None

    def _connect(self) -> None:
        self._opened, self._own = forks(), sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
        self._own.execute("PRAGMA synchronous = FULL")

    @property
    def _connection(self) -> sqlite3.Connection:
        """This process's connection; SQLite forbids to use one that was opened before a fork, or to close it."""
        if self._opened != forks():
            _PARENTS.append(self._own)
            self._connect()
        return self._own

    def _open(self, settings: dict[str, Any], run: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            with self._transaction():
                for table in _TABLES:
                    self._connection.execute(table)
                facts = {"settings": settings, "run": run, "continued": []}
                rows = [(name, json.dumps(value)) for name, value in facts.items()]
                self._connection.executemany("INSERT INTO facts VALUES (?, ?)", rows)
                self._connection.execute(f"PRAGMA user_version = {_VERSION}")
            return dict(run), []
        if version != _VERSION:
            raise BadInput(f"{self.path} is not the file of a tournament of this version: choose another --out")
        theirs, made, continued = _facts(self._connection, self.path)
        contents, own = theirs.pop(_CONTENTS, None), settings.pop(_CONTENTS, None)
        changes = [what_changed(contents, own)] if contents and own is not None else []
        longer = theirs.get(_SECONDS) is not None and (settings.get(_SECONDS) or inf) > theirs[_SECONDS]
        for name in {**settings, **theirs}:
            if theirs.get(name) != settings.get(name) and not (longer and name == _SECONDS):
                changes.append(f"{name} {theirs.get(name)} there, {settings.get(name)} here")
        if changes := list(filter(None, changes)):
            raise BadInput(f"{self.path.parent} holds another tournament ({'; '.join(changes)}): choose another --out")
        if longer:
            kept = {**settings, _CONTENTS: contents if own is None else own}
            self._write("UPDATE facts SET value = ? WHERE name = 'settings'", [(json.dumps(kept),)])
        return made, continued

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Everything in the block is written, or nothing."""
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield

    def continue_with(self, run: Mapping[str, Any]) -> None:
        """Store the provenance of this start, if its code differs from that of the last.

        Raises:
            BadInput: the file cannot be written.
        """
        last = [self.run, *self.continued][-1]
        if any(last.get(name) != run.get(name) for name in ("commit", "modified", "versions")):
            self.continued.append(dict(run))
            self._write("UPDATE facts SET value = ? WHERE name = 'continued'", [(json.dumps(self.continued),)])

    def results(self) -> dict[int, GameResult]:
        """All stored games by number, in ascending order.

        Raises:
            BadInput: a row is not a batch of games, or a game is there twice.
        """
        try:
            rows = self._connection.execute(f"{_BATCHES} ORDER BY first").fetchall()
        except sqlite3.Error as error:
            raise BadInput(f"{self.path} cannot be used: {error}") from None
        try:
            results = [result for row in rows for result in unpacked(row)]
        except ValueError as error:
            raise BadInput(f"{self.path} holds a row that is not a batch of games: {error}") from None
        by_number = {result.number: result for result in sorted(results, key=lambda result: result.number)}
        if len(by_number) < len(results):
            raise BadInput(f"{self.path} holds a game twice")
        return by_number

    def add(self, batches: Sequence[Batch]) -> None:
        """Store batches, all or none of them, and wait until they are on the disk.

        Raises:
            BadInput: a batch is stored already, because another program plays this tournament; or the disk is full.
        """
        self._write("INSERT INTO batches VALUES (?, ?, ?, ?)", list(map(packed, batches)))

    def _write(self, command: str, rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            with self._transaction():
                self._connection.executemany(command, rows)
        except sqlite3.IntegrityError:
            raise BadInput(f"{self.path}: another program is playing this tournament") from None
        except sqlite3.Error as error:
            raise BadInput(f"{self.path} cannot be written: {error}") from None

    def close(self) -> None:
        """Close the file."""
        if self._opened == forks():
            self._own.close()


class Writer:
    """Stores batches at once or, if they come faster than a disk writes, a moment later together with the next.

    Args:
        store: where; None to store nothing.
    """

    def __init__(self, store: Store | None) -> None:
        self._store, self._written = store, float("-inf")
        self._waiting: list[Batch] = []

    def add(self, batches: Sequence[Batch]) -> None:
        """Store batches, now or soon."""
        self._waiting += batches
        self.write_if_due()

    def write_if_due(self) -> None:
        """Store what waits, unless something was stored a moment ago; to be called now and then."""
        if time.monotonic() - self._written > _WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        """Store what waits."""
        if self._waiting and self._store is not None:
            self._store.add(self._waiting)
            self._written = time.monotonic()
        self._waiting = []


def stored_tournament(path: Path) -> tuple[dict[str, Any], list[list[GameResult]]]:
    """The settings of a tournament and its batches of games; the file is opened read-only.

    Raises:
        BadInput: there is no such file, or it is not that of a tournament.
    """
    with _reading(path) as there:
        settings, _, _ = _facts(there, path)
        rows = there.execute(f"{_BATCHES} ORDER BY first").fetchall()
        return settings, [unpacked(row) for row in rows]


def stored_game(path: Path, number: int) -> tuple[dict[str, Any], GameResult]:
    """The settings of a tournament and one of its games; the file is opened read-only.

    Raises:
        BadInput: there is no such file or game; the message says which games there are.
    """
    path = path / NAME if path.is_dir() else path
    with _reading(path) as there:
        settings, _, _ = _facts(there, path)
        row = there.execute(f"{_BATCHES} WHERE first <= ? ORDER BY first DESC LIMIT 1", (number,)).fetchone()
        for result in unpacked(row) if row else ():
            if result.number == number:
                return settings, result
        count, least, most = there.execute("SELECT COUNT(*), MIN(number), MAX(number) FROM games").fetchone()
    there_are = f"{count} games with numbers from {least} to {most}" if count else "none"
    raise BadInput(f"{path} has no game {number}; there are {there_are}")


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the file of a tournament, opened read-only.

    Raises:
        BadInput: there is no such file, or it is not that of a tournament.
    """
    if not path.is_file():
        raise BadInput(f"{path} does not exist: a tournament with --out writes it")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)) as there:
            if there.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                raise BadInput(f"{path} is not the file of a tournament of this version")
            yield there
    except BadInput:
        raise
    except (sqlite3.Error, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadInput(f"{path} is not the file of a tournament: {error}") from None


def _facts(there: sqlite3.Connection, path: Path) -> tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]:
    """The settings, the provenance of the first start, and that of later ones.

    Raises:
        BadInput: a fact is missing or damaged.
        sqlite3.Error: the file has no such table.
    """
    facts = dict(there.execute("SELECT name, value FROM facts").fetchall())
    read: list[Any] = []
    for name, kind in (("settings", dict), ("run", dict), ("continued", list)):
        try:
            read.append(json.loads(facts[name]))
        except (KeyError, TypeError, ValueError, RecursionError):
            read.append(None)
        if not isinstance(read[-1], kind) or not all(isinstance(run, dict) for run in read[-1] if kind is list):
            raise BadInput(f"{path} is damaged: its fact {name!r} is missing or of another kind; choose another --out")
    return read[0], read[1], read[2]
