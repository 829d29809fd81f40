"""How many cores this process may use."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

_GROUPS = Path("/proc/self/cgroup")
_MOUNTED = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Cores that this process may use: those it is bound to, or fewer where control groups limit its time.

    Containers are limited in this way. A share of a core counts as a core.
    """
    return max(1, min([_bound(), *map(math.ceil, _limits())]))


def _bound() -> int:
    if sys.version_info >= (3, 13):
        return os.process_cpu_count() or 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _limits() -> Iterator[float]:
    """The limits of this process' control groups and of those around them, in cores; nothing outside Linux."""
    try:
        lines = _GROUPS.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        controllers, _, group = line.partition(":")[2].partition(":")
        if controllers and "cpu" not in controllers.split(","):
            continue
        place = PurePosixPath(group.lstrip("/"))
        for part in (place, *place.parents):  # what a container sees as the root may be a group outside
            with suppress(OSError, ValueError):  # no limit here, or no such folder
                quota, period = _quota(_MOUNTED / "cpu" / part if controllers else _MOUNTED / part)
                if quota > 0 and period > 0:
                    yield quota / period


def _quota(folder: Path) -> tuple[int, int]:
    """How many microseconds of all cores together a group may use, and in how many.

    Raises:
        OSError, ValueError: there is no such group, or no limit.
    """
    second = folder / "cpu.max"
    files = [second] if second.exists() else [folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us"]
    quota, period = " ".join(file.read_text(encoding="utf-8") for file in files).split()
    return int(quota), int(period)
