"""The gradients of the first layer's rows, compiled: all samples that switch a row on or off are added up at once.

In a segment, a row is on from the sample that adds it to the one that takes it away. Its gradient is the sum of theirs:
the sum from the former to the segment's end, less that from the latter on. Samples are sorted by row, so that the
gradient of a row is read and written once for many samples.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.agents.networks.accumulator import WHOLE
from bdgame_env.agents.networks.forward import add_rows, subtract_rows
from bdgame_env.agents.networks.network import Network
from bdgame_env.engine.arrays import Floats2, Ints
from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.jit import entry_point, fast_kernel, kernel, lean_kernel

from .codes import OPEN
from .samples import Window

Sorting = tuple[Ints, Ints, Ints]


@kernel
def room_to_sort(window: Window, rows: int, samples: int) -> Any:
    """Work space of `add_to_rows` for so many samples: int32, by row and sign, by entry, and by seat."""
    return (
        np.empty(2 * rows, np.int32),
        np.empty(samples * window.rows.shape[1], np.int32),
        np.empty(MAX_SEATS, np.int32),
    )


@lean_kernel
def end_of(window: Window, begin: int) -> int:
    """The number of the sample behind a segment's last."""
    end = begin + 1
    while end < window.begins.shape[0] and window.begins[end] == 0:
        end += 1
    return end


@entry_point
def mark_rows(window: Window, begins: Any, marks: Any) -> None:
    """Mark the rows that the segments switch on; `marks`: int8, by row."""
    for k in range(begins.shape[0]):
        for at in range(begins[k], end_of(window, begins[k])):
            for entry in range(window.rows_on[at]):
                marks[window.rows[at, entry]] = 1


@fast_kernel
def add_to_rows(window: Window, begins: Ints, deltas: Floats2, grads: Network, touched: Ints, sorting: Sorting) -> None:
    """Add the gradients of the first layer's rows and bias of the segments that begin at some samples.

    `deltas`: float32 (n, H), the gradient of the sum of rows of each sample that is not OPEN; those of the same seat's
    later samples, up to the next that is WHOLE, are added to it.
    """
    ends, entries, latest = sorting
    for key in range(ends.shape[0]):
        ends[key] = 0
    add_later(window, begins, deltas, latest)
    count(window, begins, ends)
    total = 0
    for key in range(ends.shape[0]):
        total += ends[key]
        ends[key] = total - ends[key]
    sort(window, begins, ends, entries, deltas, grads.first_bias)
    start = 0
    for row in range(ends.shape[0] // 2):
        middle, end = ends[2 * row], ends[2 * row + 1]
        if end > start:
            touched[row] = 1
            add_rows(grads.first[row], deltas, entries[start:middle], middle - start)
            subtract_rows(grads.first[row], deltas, entries[middle:end], end - middle)
            start = end


@fast_kernel
def add_later(window: Window, begins: Ints, deltas: Floats2, latest: Ints) -> None:
    """Add to each delta those of later samples, see `add_to_rows`."""
    n = 0
    for k in range(begins.shape[0]):
        for at in range(begins[k], end_of(window, begins[k])):
            n += int(window.next[at] != OPEN)
    for k in range(begins.shape[0] - 1, -1, -1):
        for seat in range(MAX_SEATS):
            latest[seat] = -1
        for at in range(end_of(window, begins[k]) - 1, begins[k] - 1, -1):
            if window.next[at] != OPEN:
                n -= 1
                seat = window.seats[at]
                if latest[seat] >= 0:
                    add_vector(deltas[n], deltas[latest[seat]])
                latest[seat] = -1 if window.rows_off[at] == WHOLE else n


@lean_kernel
def count(window: Window, begins: Ints, counts: Ints) -> None:
    """Count how often each row is switched on, at 2 * row, and off, at 2 * row + 1."""
    for k in range(begins.shape[0]):
        for at in range(begins[k], end_of(window, begins[k])):
            if window.next[at] != OPEN:
                rows, added = window.rows[at], window.rows_on[at]
                for j in range(added):
                    counts[2 * rows[j]] += 1
                for j in range(added, added + window.rows_off[at]):
                    counts[2 * rows[j] + 1] += 1


@fast_kernel
def sort(window: Window, begins: Ints, starts: Ints, entries: Ints, deltas: Floats2, bias: Any) -> None:
    """Write the numbers of samples to `entries`, by row and sign; starts become ends. Adds the gradient of the bias."""
    n = 0
    for k in range(begins.shape[0]):
        for at in range(begins[k], end_of(window, begins[k])):
            if window.next[at] != OPEN:
                rows, added = window.rows[at], window.rows_on[at]
                for j in range(added):
                    entries[starts[2 * rows[j]]] = n
                    starts[2 * rows[j]] += 1
                for j in range(added, added + window.rows_off[at]):
                    entries[starts[2 * rows[j] + 1]] = n
                    starts[2 * rows[j] + 1] += 1
                if window.rows_off[at] == WHOLE:
                    add_vector(bias, deltas[n])
                n += 1


@fast_kernel
def add_vector(target: Any, values: Any) -> None:
    """Add the values."""
    for j in range(target.shape[0]):
        target[j] += values[j]
