"""Programs are killed while they write, and disks get full: either the old state or the new one is there afterwards."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.experiments import files
from bdgame_env.experiments.files import NotWritten, write_json, write_text
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
        r"O_CREAT|os\.replace|\.rename\(|copyfile|shutil\.(copy|move)|mkstemp|NamedTemporaryFile|savefig\(path"
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
