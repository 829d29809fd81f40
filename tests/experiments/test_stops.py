"""Programs are killed while they write, and disks get full: either the old state or the new one is there afterwards."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments import files
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.files import NotWritten, replacing_folder, write_bytes, write_json, write_text
from bdgame_env.experiments.training.checkpoints import Checkpoint, read_checkpoint
from tests.support.killed_run import in_a_process
from tests.support.stops import Disk

ROOT = Path(__file__).resolve().parents[2]
needs_kill = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of another")


def killed(work: Callable[[], object], owner: Any, name: str, at: int = 1) -> None:
    """Do some work in a process that is killed when a function is called for the `at`-th time."""

    def begin() -> None:
        true, calls = getattr(owner, name), 0

        def counted(*arguments: Any, **settings: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return true(*arguments, **settings)

        setattr(owner, name, counted)
        work()

    assert in_a_process(begin) == -signal.SIGKILL


@needs_kill
@pytest.mark.parametrize(("call", "text"), [("write", "old"), ("fsync", "old"), ("replace", "old"), ("_flush", "new")])
def test_a_file_is_the_old_one_or_the_new_one(tmp_path: Path, call: str, text: str) -> None:
    path = tmp_path / "deep" / "x.txt"
    write_text(path, "old")
    owner = {"replace": Path, "_flush": files}.get(call, os)
    killed(partial(write_text, path, "new"), owner, call)
    assert path.read_text() == text
    write_text(path, "new")
    assert path.read_text() == "new"


def test_what_is_renamed_is_on_the_disk_before(tmp_path: Path) -> None:
    """And then its new name: a power failure loses what is not."""
    with Disk(tmp_path).installed() as disk:
        write_text(tmp_path / "x.txt", "new")
    assert [call for call in disk.calls if call != "mkdir"] == ["open", "write", "fsync", "replace", "fsync"]


def checkpoint(number: int) -> Checkpoint:
    return Checkpoint({"number": number}, {"weights": np.full(3, number)}, {"best.npz": bytes([number] * 9)})


def number_of(folder: Path) -> int | None:
    stored = read_checkpoint(folder / "checkpoint")
    if stored is None:
        return None
    number = int(stored.facts["number"])
    assert stored.arrays["weights"].tolist() == [number] * 3 and stored.files == {"best.npz": bytes([number] * 9)}
    return number


@needs_kill
@pytest.mark.parametrize(("call", "at", "number"), [("fsync", 2, 2), ("rename", 1, 2), ("rename", 2, 2)])
def test_a_checkpoint_is_the_old_one_or_the_new_one(tmp_path: Path, call: str, at: int, number: int) -> None:
    """Also between the two renames, twice in a row, and with what the first attempt has left."""
    checkpoint(1).write(tmp_path / "checkpoint")
    checkpoint(2).write(tmp_path / "checkpoint")
    for _ in range(2):
        killed(partial(checkpoint(3).write, tmp_path / "checkpoint"), Path if call == "rename" else os, call, at)
        assert number_of(tmp_path) == number
    checkpoint(3).write(tmp_path / "checkpoint")
    assert number_of(tmp_path) == 3


@needs_kill
def test_a_first_checkpoint_is_whole_or_not_there(tmp_path: Path) -> None:
    killed(partial(checkpoint(1).write, tmp_path / "checkpoint"), Path, "rename")
    assert number_of(tmp_path) is None


def test_a_folder_is_kept_when_its_writer_fails(tmp_path: Path) -> None:
    checkpoint(1).write(tmp_path / "checkpoint")

    def write_half() -> None:
        with replacing_folder(tmp_path / "checkpoint") as fresh:
            write_bytes(fresh / "state.json", b"half")
            raise KeyError

    with pytest.raises(KeyError):
        write_half()
    assert number_of(tmp_path) == 1


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    write_json(tmp_path / "x.json", [1])
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "x.json", [float("nan")])
    assert (tmp_path / "x.json").read_text() == "[\n  1\n]\n"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


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
        r"os\.replace|\.rename\(|copyfile|shutil\.(copy|move)|mkstemp|NamedTemporaryFile|savefig\(path"
    )
    writers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("bdgame_env", "agents", "experiments")
        for path in (ROOT / folder).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if ways.search(line) and not re.search(r"np\.savez(_compressed)?\(buffer", line)
    }
    assert writers == {
        "experiments/files.py",
        "experiments/arena/store.py",
        "bdgame_env/adapters/sb3_self_play.py",
    }


@pytest.mark.parametrize("name", ["state.json", "arrays.npz", "best.npz"])
def test_a_damaged_checkpoint_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    """A file that is missing, truncated, empty, a folder, or has other bytes of the same length."""
    folder = tmp_path / "checkpoint"
    for damage in ("missing", "cut", "empty", "other", "folder"):
        checkpoint(1).write(folder)
        path = folder / name
        data = path.read_bytes()
        path.unlink()
        if damage == "folder":
            path.mkdir()
        elif damage != "missing":
            path.write_bytes({"cut": data[: len(data) // 2], "empty": b"", "other": b"\xff" * len(data)}[damage])
        with pytest.raises(BadInput, match=rf"^{re.escape(str(folder))} cannot be used: {name}") as told:
            read_checkpoint(folder)
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "text", ["[]", "{}", "null", "[" * 100_000, '{"format": 1}', '{"format": 1, "files": {"../x": ""}, "facts": {}}']
)
def test_a_state_that_is_none_is_told_in_one_line(tmp_path: Path, text: str) -> None:
    checkpoint(1).write(tmp_path / "checkpoint")
    (tmp_path / "checkpoint" / "state.json").write_text(text)
    with pytest.raises(BadInput) as told:
        read_checkpoint(tmp_path / "checkpoint")
    assert "\n" not in str(told.value) and str(tmp_path) in str(told.value)
