"""Tournament files that are damaged, foreign or of another version give one clear line and are not changed."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bdgame_env.experiments.arena import store as store_module
from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.store import NAME, Store, Writer, stored_game
from bdgame_env.experiments.arena.stored_batches import StoredBatch, packed
from bdgame_env.experiments.errors import BadInput
from tests.support.forked import in_fork, needs_fork
from tests.support.killed_run import in_a_process

SETTINGS = {"game": "toy-v1", "agents": ["random", "random"], "options": {"players": 2}}


def batch(*numbers: int) -> StoredBatch:
    return packed([GameResult(k, k, 5, (0, 1), (3, 4), (2, 1), 7, False, actions=b"\1\0") for k in numbers])


def make(folder: Path) -> Path:
    with closing(Store(folder / NAME, SETTINGS, {"commit": "x"})) as store:
        store.add([batch(0, 1)])
    return folder / NAME


def use(path: Path) -> None:
    with closing(Store(path, SETTINGS, {"commit": "x"})) as store:
        store.results()


NO_BATCH = "not a batch of games|not the file of a tournament"
FAULTS = [
    ("DELETE FROM facts WHERE name = 'run'", "its fact 'run' is missing"),
    ("UPDATE facts SET value = '{' WHERE name = 'settings'", "its fact 'settings' is missing or of another kind"),
    ("UPDATE facts SET value = 'null' WHERE name = 'run'", "its fact 'run' is missing or of another kind"),
    ("UPDATE facts SET value = '[1]' WHERE name = 'continued'", "its fact 'continued' is missing or of another kind"),
    ("UPDATE facts SET value = x'ff' WHERE name = 'run'", "its fact 'run' is missing or of another kind"),
    ("DROP TABLE facts", "no such table: facts"),
    ("DROP TABLE batches", "no such table: batches"),
    ("ALTER TABLE batches RENAME COLUMN size TO count", "no such column: size"),
    ("PRAGMA user_version = 1", "of this version"),
    ("PRAGMA user_version = 0", "of this version"),
    ("UPDATE batches SET games = '{'", NO_BATCH),
    ("UPDATE batches SET actions = x'0100'", NO_BATCH),
    ("UPDATE batches SET size = 3", NO_BATCH),
]


@pytest.mark.parametrize(("command", "reason"), FAULTS, ids=[command for command, _ in FAULTS])
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, command: str, reason: str) -> None:
    path = make(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(command)
    before = path.read_bytes()
    for act in (lambda: use(path), lambda: stored_game(path, 1)):
        with pytest.raises(BadInput, match=reason) as told:
            act()
        assert "\n" not in str(told.value) and str(tmp_path) in str(told.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"no database" * 200, b"SQLite format 3\0" + b"\xff" * 4080, "half", "folder"])
def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path: Path, data: bytes | str) -> None:
    path = make(tmp_path)
    if data == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(path.read_bytes()[:3000] if isinstance(data, str) else data)
    for act in (lambda: use(path), lambda: stored_game(path / NAME if path.is_dir() else path, 1)):
        with pytest.raises(BadInput, match=re.escape(str(path))) as told:
            act()
        assert "\n" not in str(told.value)


def test_a_batch_is_stored_once(tmp_path: Path) -> None:
    path = make(tmp_path)
    with closing(Store(path, SETTINGS, {"commit": "x"})) as store:
        with pytest.raises(BadInput, match="another program is playing this tournament"):
            store.add([batch(2), batch(0, 1)])
        assert sorted(store.results()) == [0, 1]
        store.add([batch(1)])  # as no program of this project does
        with pytest.raises(BadInput, match="holds a game twice"):
            store.results()


def test_a_game_that_is_not_there_is_told(tmp_path: Path) -> None:
    path = make(tmp_path)
    with pytest.raises(BadInput, match="has no game 7; there are 2 games with numbers from 0 to 1"):
        stored_game(path, 7)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of another")
def test_a_batch_that_was_being_written_when_the_program_was_killed_is_not_there(tmp_path: Path) -> None:
    path = make(tmp_path)

    def killed_in_the_middle() -> None:
        store = Store(path, SETTINGS, {"commit": "x"})
        store._connection.execute("PRAGMA cache_size = 1")  # so that some of it is on the disk
        store._connection.set_trace_callback(
            lambda command: os.kill(os.getpid(), signal.SIGKILL) if command == "COMMIT" else None
        )
        store.add([batch(number) for number in range(2, 500)])

    assert in_a_process(killed_in_the_middle) == -signal.SIGKILL
    with closing(Store(path, SETTINGS, {"commit": "x"})) as store:
        assert sorted(store.results()) == [0, 1]
        store.add([batch(2)])
        assert sorted(store.results()) == [0, 1, 2]


def test_results_that_come_fast_are_stored_together_and_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, then not before half a second has passed, whether more results come or not; all of them in the end."""
    now, stored = [100.0], list[list[int]]()
    monkeypatch.setattr(store_module.time, "monotonic", lambda: now[0])
    writer = Writer(cast(Store, SimpleNamespace(add=lambda rows: stored.append([one[0] for one in rows]))))
    for number in range(3):
        writer.add([batch(number)])
        now[0] += 0.1
    assert stored == [[0]]
    now[0] += 0.3
    writer.write_if_due()
    assert stored == [[0], [1, 2]]
    writer.add([batch(3)])
    writer.write()
    writer.write()
    assert stored == [[0], [1, 2], [3]]


@needs_fork
def test_a_child_has_a_connection_of_its_own(tmp_path: Path) -> None:
    """It sees nothing that its parent has not finished, and ends nothing of it; then both may write."""
    with closing(Store(make(tmp_path), SETTINGS, {"commit": "x"})) as store:

        def looks() -> list[int]:
            stored = sorted(store.results())
            store.close()
            return stored

        store._connection.execute("BEGIN IMMEDIATE")
        store._connection.execute("INSERT INTO batches VALUES (?, ?, ?, ?)", batch(2))
        assert in_fork(looks) == [0, 1] and in_fork(store.close) is None
        store._connection.execute("COMMIT")
        in_fork(lambda: store.add([batch(3)]))
        store.add([batch(4)])
        assert sorted(store.results()) == [0, 1, 2, 3, 4]
