"""Rows that are sums of other rows, worked out in compiled code; see `row_plan.Plan`.

Groups of sums have no row in common, so threads can share them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.jit import entry_point, fast_kernel

from .row_plan import Plan

Floats = npt.NDArray[np.float32]
Marks = npt.NDArray[np.int8]


@entry_point
def add_up(table: Floats, needed: Marks, plan: Plan, lo: int, hi: int) -> None:
    """Write the sums of groups lo..hi-1, in their order, to a table of rows and card rows.

    `needed`: int8, by row, 0 for sums that nobody will read: these are left as they are.
    """
    for k in range(plan.sum_groups[lo], plan.sum_groups[hi]):
        if needed[plan.sums[k]] == 0:
            continue
        target = table[plan.sums[k]]
        clear(target)
        for at in range(plan.sum_starts[k], plan.sum_starts[k + 1]):
            add_scaled(target, plan.sum_scales[k], table[plan.sum_parts[at]])


@entry_point
def hand_down(grads: Floats, touched: Marks, plan: Plan, lo: int, hi: int) -> None:
    """Add the gradients of the sums of groups lo..hi-1 to those of their parts, and set them to 0: the last one first.

    `touched`: int8, by row, marks rows whose gradients are not 0.
    """
    for k in range(plan.sum_groups[hi] - 1, plan.sum_groups[lo] - 1, -1):
        row = plan.sums[k]
        if touched[row] != 0:
            for at in range(plan.sum_starts[k], plan.sum_starts[k + 1]):
                touched[plan.sum_parts[at]] = 1
                add_scaled(grads[plan.sum_parts[at]], plan.sum_scales[k], grads[row])
            clear(grads[row])
            touched[row] = 0


@fast_kernel
def add_scaled(target: Floats, scale: np.float32, values: Floats) -> None:
    """Add values times a number."""
    for j in range(target.shape[0]):
        target[j] += scale * values[j]


@fast_kernel
def clear(values: Floats) -> None:
    """Set values to 0."""
    for j in range(values.shape[0]):
        values[j] = np.float32(0.0)
