"""Sharing a batch among threads: compiled loops release the GIL and take a range of rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import TypeVar

from .arguments import whole
from .cores import usable_cores
from .forks import after_fork
from .values import whole_in

MOST_THREADS = 1024
ROWS_PER_THREAD = 256

Result = TypeVar("Result")


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(usable_cores(), thread_name_prefix="bdgame_env")


after_fork(_pool.cache_clear)  # its threads stayed with the parent


def run_ranges(
    loop: Callable[[int, int, int], Result], rows: int, threads: int, least: int = ROWS_PER_THREAD
) -> list[Result]:
    """Call `loop(part, lo, hi)` for ranges that cover 0..rows-1, in up to `threads` threads.

    No thread gets fewer than `least` rows: handing over less work would cost more than it saves. What is too little for
    two runs in the calling thread. The ranges depend on nothing but the arguments, so a run can be repeated exactly.

    Returns:
        The results in the order of the ranges.
    """
    parts = min(threads, rows // least)
    if parts <= 1:
        return [loop(0, 0, rows)]
    return run_between(loop, [rows * part // parts for part in range(parts + 1)])


def run_between(loop: Callable[[int, int, int], Result], bounds: Sequence[int]) -> list[Result]:
    """Call `loop(part, lo, hi)` in a thread of its own for each range between two neighbors in `bounds`."""
    futures = [_pool().submit(loop, part, lo, hi) for part, (lo, hi) in enumerate(pairwise(bounds))]
    return [future.result() for future in futures]


def usable_threads(wanted: int | None) -> int:
    """The number of threads for a batch: `wanted`, else `BDGAME_ENV_THREADS`, else one per usable core.

    Raises:
        BadOption: it is not a whole number from 1 to `MOST_THREADS`.
    """
    if wanted is not None:
        return whole("threads", wanted, 1, MOST_THREADS)
    text = os.environ.get("BDGAME_ENV_THREADS", "").strip()
    if not text:
        return usable_cores()
    found = whole_in(text)
    return whole("BDGAME_ENV_THREADS", text if found is None else found, 1, MOST_THREADS)
