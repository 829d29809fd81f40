"""Sharing a batch among threads: compiled loops release the GIL and take a range of rows.

Python handles Ctrl-C only between two calls, so a long loop is called for a slice of its rows at a time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from threading import Event
from typing import TypeVar

from .arguments import whole
from .cores import usable_cores
from .forks import after_fork
from .values import whole_in

MOST_THREADS = 1024
ROWS_PER_THREAD = 256
_SLICE_SECONDS = 0.05

Result = TypeVar("Result")


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(usable_cores(), thread_name_prefix="bdgame_env")


after_fork(_pool.cache_clear)  # its threads stayed with the parent


def run_ranges(
    loop: Callable[[int, int, int], Result],
    rows: int,
    threads: int,
    least: int = ROWS_PER_THREAD,
    *,
    sliced: bool = True,
) -> list[Result]:
    """Call `loop(part, lo, hi)` for ranges that cover 0..rows-1, in up to `threads` threads.

    No thread gets fewer than `least` rows: handing over less work would cost more than it saves. What is too little for
    two runs in the calling thread. Which thread gets which rows depends on nothing but the arguments, so a run can be
    repeated exactly; it gets them in slices of about `_SLICE_SECONDS`, the first one of `least` rows. If the run is
    interrupted, as by Ctrl-C, some rows are done and others are not.

    Args:
        loop: gets the number of the thread and a range; what it does with a row must not depend on the range.
        rows: how many there are.
        threads: the most threads.
        least: the fewest rows of a thread, and those of the first slice.
        sliced: False calls it once for each thread, for short work that adds up numbers in the order of the rows.

    Returns:
        The results in the order of the rows.
    """
    parts = min(threads, rows // least)
    if rows <= least:
        return [loop(0, 0, rows)]
    size = least if sliced else rows
    if parts <= 1:
        return _in_slices(loop, 0, 0, rows, size, None)
    stopped = Event()

    def part_of_it(part: int, lo: int, hi: int) -> list[Result]:
        return _in_slices(loop, part, lo, hi, size, stopped)

    bounds = [rows * part // parts for part in range(parts + 1)]
    return [result for results in run_between(part_of_it, bounds, stopped.set) for result in results]


def _in_slices(
    loop: Callable[[int, int, int], Result], part: int, lo: int, hi: int, size: int, stopped: Event | None
) -> list[Result]:
    results = []
    while lo < hi and not (stopped and stopped.is_set()):
        begun = time.perf_counter()
        results.append(loop(part, lo, min(lo + size, hi)))
        lo += size
        spent = time.perf_counter() - begun
        size = size * 2 if spent < _SLICE_SECONDS else max(1, size // 2) if spent > 4 * _SLICE_SECONDS else size
    return results


def run_between(
    loop: Callable[[int, int, int], Result], bounds: Sequence[int], stop: Callable[[], object]
) -> list[Result]:
    """Call `loop(part, lo, hi)` in a thread of its own for each range between two neighbors in `bounds`.

    On Ctrl-C, or if one of them fails, call `stop` and let the others end first.
    """
    futures = [_pool().submit(loop, part, lo, max(lo, hi)) for part, (lo, hi) in enumerate(pairwise(bounds))]
    return results_of(futures, stop)


def results_of(futures: Sequence[Future[Result]], stop: Callable[[], object]) -> list[Result]:
    """The results of work in other threads; on Ctrl-C, or if some fails, call `stop` and let the rest end first."""
    try:
        return [future.result() for future in futures]
    except BaseException:
        stop()
        wait([future for future in futures if not future.cancel()])
        raise


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
