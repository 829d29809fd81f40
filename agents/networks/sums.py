"""Rows that are sums of other rows, worked out in compiled code; see `row_plan.Plan`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.jit import entry_point

from .row_plan import Numbers

Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.int8]


@entry_point
def add_up(table: Floats, sums: Numbers, starts: Numbers, parts: Numbers, scales: Floats, lo: int, hi: int) -> None:
    """Write the sums, in their order, to columns lo..hi-1 of a table of rows.

    For the arguments after the table: `Plan.sums`, `sum_starts`, `sum_parts` and `sum_scales`.
    """
    for k in range(sums.shape[0]):
        target = table[sums[k]]
        for j in range(lo, hi):
            target[j] = np.float32(0.0)
        for at in range(starts[k], starts[k + 1]):
            part = table[parts[at]]
            for j in range(lo, hi):
                target[j] += part[j]
        for j in range(lo, hi):
            target[j] *= scales[k]


@entry_point
def hand_down(
    grads: Floats, touched: Marks, sums: Numbers, starts: Numbers, parts: Numbers, scales: Floats, lo: int, hi: int
) -> None:
    """Add the gradients of sums to those of their parts, in columns lo..hi-1, and set them to 0: the last sum first.

    `touched`: int8, by row, marks rows whose gradients are not 0; parts of marked sums are marked as well. Marks of
    sums stay, as other columns may still be to do.
    """
    for k in range(sums.shape[0] - 1, -1, -1):
        if touched[sums[k]] != 0:
            source = grads[sums[k]]
            for at in range(starts[k], starts[k + 1]):
                touched[parts[at]] = 1
                part = grads[parts[at]]
                for j in range(lo, hi):
                    part[j] += scales[k] * source[j]
            for j in range(lo, hi):
                source[j] = np.float32(0.0)
