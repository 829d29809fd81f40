"""Cores that a process may use: affinity, and the limits of control groups, from files made for the test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bdgame_env.engine import cores, threads
from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.threads import usable_threads

pytestmark = pytest.mark.plain
SECOND = "0::/user/job\n"
FIRST = "5:memory:/m\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/s\n0::/\n"
NARROW = {"user/job/cpu.max": "300000 100000\n"}


def group(folder: Path, groups: str | None, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in files.items():
        (folder / "fs" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "fs" / name).write_text(content)
    if groups is not None:
        (folder / "cgroup").write_text(groups)
    monkeypatch.setattr(cores, "_GROUPS", folder / "cgroup")
    monkeypatch.setattr(cores, "_MOUNTED", folder / "fs")
    monkeypatch.setattr(cores, "_bound", lambda: 16)


CASES = {
    "no control groups": (None, {}, 16),
    "version 2": (SECOND, NARROW, 3),
    "version 2, a share of a core": (SECOND, {"user/job/cpu.max": "20000 100000\n"}, 1),
    "version 2, one core and a half": (SECOND, {"user/job/cpu.max": "75000 50000\n"}, 2),
    "version 2, no limit": (SECOND, {"user/job/cpu.max": "max 100000\n"}, 16),
    "version 2, a limit around it": (SECOND, {"user/job/cpu.max": "max 100000\n", "user/cpu.max": "400000 100000"}, 4),
    "version 2, the narrowest counts": (SECOND, {**NARROW, "user/cpu.max": "200000 100000", "cpu.max": "max 1"}, 2),
    "version 2, more than there are": (SECOND, {"user/job/cpu.max": "9900000 100000\n"}, 16),
    "version 2, seen from inside": (SECOND, {"cpu.max": "250000 100000\n"}, 3),
    "version 1": (
        FIRST,
        {"cpu/docker/a/cpu.cfs_quota_us": "200000\n", "cpu/docker/a/cpu.cfs_period_us": "100000\n"},
        2,
    ),
    "version 1, no limit": (
        FIRST,
        {"cpu/docker/a/cpu.cfs_quota_us": "-1", "cpu/docker/a/cpu.cfs_period_us": "1000"},
        16,
    ),
    "version 1, seen from inside": (FIRST, {"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "10000\n"}, 5),
    "a group that limits no time": ("3:cpuset:/a\n", {"cpu/a/cpu.max": "100000 100000\n"}, 16),
    "nonsense": ("what\n\n7:cpu\n" + SECOND, {"user/job/cpu.max": "much\n", "user/cpu.max": "1 0", "cpu.max": ""}, 16),
}


@pytest.mark.parametrize(("groups", "files", "expected"), CASES.values(), ids=CASES)
def test_control_groups_limit_the_cores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, groups: str | None, files: dict[str, str], expected: int
) -> None:
    group(tmp_path, groups, files, monkeypatch)
    assert usable_cores() == expected


def test_affinity_limits_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here and in every default."""
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system binds no process to cores")
    monkeypatch.setattr(cores, "_GROUPS", tmp_path / "none")
    monkeypatch.delenv("BDGAME_ENV_THREADS", raising=False)
    before = os.sched_getaffinity(0)
    assert usable_cores() == usable_threads(None) == len(before)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert usable_cores() == usable_threads(None) == 1
    finally:
        os.sched_setaffinity(0, before)


def test_every_default_is_that_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other module of the project counts cores, but for the one that reports those of the machine."""
    group(tmp_path, SECOND, NARROW, monkeypatch)
    monkeypatch.delenv("BDGAME_ENV_THREADS", raising=False)
    assert usable_threads(None) == 3
    threads._pool.cache_clear()
    try:
        assert threads._pool()._max_workers == 3
    finally:
        threads._pool.cache_clear()
    root = Path(__file__).resolve().parents[2]
    words = ("cpu_count", "sched_getaffinity")
    counting = {
        file.relative_to(root).as_posix()
        for part in ("bdgame_env", "agents", "experiments")
        for file in (root / part).rglob("*.py")
        if any(word in file.read_text(encoding="utf-8") for word in words)
    }
    own = {name for name in counting if not name.startswith(("bdgame_env/agents/", "bdgame_env/experiments/"))}
    assert own == {"bdgame_env/engine/cores.py", "experiments/benchmarks/figures.py"}
