"""Adam (Kingma and Ba 2015, arXiv 1412.6980), compiled; rows that no sample switched on are left as they are.

The gradients of several threads are summed in the order of the threads, so that a run can be repeated exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.network import Floats
from bdgame_env.agents.networks.row_plan import Numbers
from bdgame_env.engine.jit import entry_point, fast_kernel

BETAS = 0.9, 0.999
_BETA_1, _BETA_2, _EPSILON = np.float32(BETAS[0]), np.float32(BETAS[1]), np.float32(1e-8)


class Memory(NamedTuple):
    """What a step reads and writes.

    Attributes:
        weights: float32 (size,). Row r is at r * width; what follows the rows, every sample touches.
        means, squares: float32 (size,), averages of the gradients and of their squares.
        grads: float32 (threads, size).
        touched: int8 (threads, rows), marks rows whose gradients are not 0.
    """

    weights: Floats
    means: Floats
    squares: Floats
    grads: Floats
    touched: npt.NDArray[np.int8]


@entry_point
def gather_rows(memory: Memory, width: int, rows: Numbers, lo: int, hi: int) -> None:
    """Sum the gradients of the rows `rows[lo:hi]` over all threads into those of thread 0, and their marks too."""
    grads, touched = memory.grads, memory.touched
    for k in range(lo, hi):
        r = rows[k]
        for t in range(1, grads.shape[0]):
            if touched[t, r] != 0:
                touched[t, r] = 0
                touched[0, r] = 1
                add_up(grads[0, r * width : (r + 1) * width], grads[t, r * width : (r + 1) * width])


@entry_point
def sum_rows(memory: Memory, width: int, lo: int, hi: int) -> float:
    """Sum the gradients of rows lo..hi-1 over all threads into those of thread 0, and return the sum of their squares.

    The marks of the first thread are then those of all.
    """
    grads, touched = memory.grads, memory.touched
    total = 0.0
    for r in range(lo, hi):
        for t in range(1, grads.shape[0]):
            if touched[t, r] != 0:
                touched[t, r] = 0
                touched[0, r] = 1
                add_up(grads[0, r * width : (r + 1) * width], grads[t, r * width : (r + 1) * width])
        if touched[0, r] != 0:
            total += sum_of_squares(grads[0, r * width : (r + 1) * width])
    return total


@entry_point
def sum_rest(memory: Memory, start: int, lo: int, hi: int) -> float:
    """The same for the weights start + lo..start + hi - 1, which follow the rows."""
    grads = memory.grads
    for t in range(1, grads.shape[0]):
        add_up(grads[0, start + lo : start + hi], grads[t, start + lo : start + hi])
    return sum_of_squares(grads[0, start + lo : start + hi])


@fast_kernel
def add_up(one: Floats, other: Floats) -> None:
    """Add the other to the one, and set it to 0."""
    for j in range(one.shape[0]):
        one[j] += other[j]
        other[j] = np.float32(0.0)


@fast_kernel
def sum_of_squares(values: Floats) -> float:
    """The sum of the values' squares."""
    total = np.float32(0.0)
    for j in range(values.shape[0]):
        total += values[j] * values[j]
    return float(total)


@entry_point
def step_rows(
    memory: Memory, width: int, scale: np.float32, rate: np.float32, shrink: np.float32, lo: int, hi: int
) -> None:
    """Step the rows lo..hi-1 that are marked, and clear the marks. `rate` and `shrink` hold the bias corrections."""
    for r in range(lo, hi):
        if memory.touched[0, r] != 0:
            memory.touched[0, r] = 0
            step(memory, r * width, (r + 1) * width, scale, rate, shrink)


@entry_point
def step_rest(
    memory: Memory, start: int, scale: np.float32, rate: np.float32, shrink: np.float32, lo: int, hi: int
) -> None:
    """Step the weights start + lo..start + hi - 1."""
    step(memory, start + lo, start + hi, scale, rate, shrink)


@fast_kernel
def step(memory: Memory, lo: int, hi: int, scale: np.float32, rate: np.float32, shrink: np.float32) -> None:
    """One step of Adam for the weights lo..hi-1; their gradients, times `scale`, are set to 0."""
    weights, grads = memory.weights[lo:hi], memory.grads[0, lo:hi]
    means, squares = memory.means[lo:hi], memory.squares[lo:hi]
    one = np.float32(1.0)
    for j in range(hi - lo):
        g = grads[j] * scale
        grads[j] = np.float32(0.0)
        means[j] = _BETA_1 * means[j] + (one - _BETA_1) * g
        squares[j] = _BETA_2 * squares[j] + (one - _BETA_2) * g * g
        weights[j] -= rate * means[j] / (np.sqrt(squares[j]) * shrink + _EPSILON)
