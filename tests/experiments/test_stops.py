"""Every writer of files is stopped at every system call: either the old state or the new one is there afterwards."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

import pytest

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.store import Store, stored_game
from bdgame_env.experiments.arena.stored_batches import packed
from bdgame_env.experiments.files import NotWritten, write_bytes, write_json, write_text
from bdgame_env.experiments.play.saves import NotSaved, save_new
from tests.support.stops import Disk, every_stop

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {"game": "toy-v1", "agents": ["random", "random"], "options": {}}


def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path) -> None:
    def check(folder: Path, new: bool) -> None:
        text = (folder / "deep" / "x.txt").read_text()
        assert text == "new" or (text == "old" and not new)

    calls = every_stop(
        tmp_path,
        lambda folder: write_text(folder / "deep" / "x.txt", "old"),
        lambda folder: write_text(folder / "deep" / "x.txt", "new"),
        check,
    )
    assert calls >= 5


def test_a_first_file_is_whole_or_not_there(tmp_path: Path) -> None:
    def check(folder: Path, new: bool) -> None:
        path = folder / "a" / "b" / "x.json"
        assert path.read_text() == "[\n  1\n]\n" if new or path.exists() else True

    every_stop(tmp_path, lambda _: None, lambda folder: write_json(folder / "a" / "b" / "x.json", [1]), check)


def test_writers_that_lose_data_are_found(tmp_path: Path) -> None:
    """One that does not flush, and one that writes over the old file."""

    def check(folder: Path, new: bool) -> None:
        assert (folder / "x").read_bytes() in ([b"new"] if new else [b"old", b"new"])

    def write(path: Path, flags: int) -> None:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | flags)
        os.write(handle, b"new")
        os.close(handle)

    def unflushed(folder: Path) -> None:
        write(folder / "y", 0)
        (folder / "y").replace(folder / "x")
        os.unlink(folder / "z")  # noqa: PTH108  (any call after the rename)

    def in_place(folder: Path) -> None:
        write(folder / "x", os.O_TRUNC)

    def prepare(folder: Path) -> None:
        write_bytes(folder / "x", b"old")
        write_bytes(folder / "z", b"")

    for number, writer in enumerate((unflushed, in_place)):
        with pytest.raises(AssertionError):
            every_stop(tmp_path / str(number), prepare, writer, check)


def test_a_game_that_is_saved_is_whole_or_not_there(tmp_path: Path) -> None:
    def save(folder: Path) -> None:
        with suppress(NotSaved):  # it was saved before
            save_new(folder, "games/x.txt", "whole")

    def check(folder: Path, new: bool) -> None:
        path = folder / "games" / "x.txt"
        assert path.read_text() == "whole" if new or path.exists() else True

    every_stop(tmp_path, lambda _: None, save, check)


def game(number: int) -> GameResult:
    return GameResult(number, number, 5, (0, 1), (3, 4), (2, 1), 7, False)


def played(folder: Path, numbers: list[int]) -> None:
    store = Store(folder / "results.sqlite", SETTINGS, {"commit": str(numbers)})
    try:
        store.continue_with({"commit": str(numbers)})
        there = store.results()
        if numbers[0] not in there:
            store.add([packed([game(number) for number in numbers])])
    finally:
        store.close()


def test_a_batch_of_a_tournament_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """Earlier games are never lost."""

    def check(folder: Path, new: bool) -> None:
        store = Store(folder / "results.sqlite", SETTINGS, {})
        assert sorted(store.results()) in ([[0, 1, 2, 3]] if new else [[0, 1], [0, 1, 2, 3]])
        store.close()
        assert stored_game(folder, 1) == (SETTINGS, game(1))

    every_stop(tmp_path, lambda folder: played(folder, [0, 1]), lambda folder: played(folder, [2, 3]), check)


def test_a_new_tournament_is_there_or_not(tmp_path: Path) -> None:
    def check(folder: Path, new: bool) -> None:
        if new:
            assert stored_game(folder, 1) == (SETTINGS, game(1))

    every_stop(tmp_path, lambda _: None, lambda folder: played(folder, [0, 1]), check)


def test_a_full_disk_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    write_text(path, "old")
    with Disk(tmp_path, "full", 1).installed(), pytest.raises(NotWritten) as told:
        write_text(path, "new")
    assert str(told.value) == f"{path} cannot be written: No space left on device"
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_all_files_are_written_in_one_way() -> None:
    """Only `files` opens files for writing; `store` uses SQLite, and `jit` has a cache that may be lost.

    Adapters know no experiments, so a callback writes its snapshots by itself.
    """
    ways = re.compile(
        r"\.write_text\(|\.write_bytes\(|open\([^)]*[\"'][rb]*[wax+]|np\.save|savez|torch\.save|sqlite3\.connect|"
        r"O_CREAT|os\.replace|\.rename\(|copyfile|shutil\.(copy|move)|mkstemp|NamedTemporaryFile|savefig\(path"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("bdgame_env", "agents", "experiments")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if ways.search(line) and not re.search(r"np\.savez(_compressed)?\(buffer", line)
    }
    assert found == {
        "experiments/files.py",
        "experiments/arena/store.py",
        "bdgame_env/adapters/sb3_self_play.py",
    }
