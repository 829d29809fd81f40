"""Adam (Kingma and Ba 2015, arXiv 1412.6980), compiled; rows that no sample switched on are left as they are.

The gradients of several threads are summed in the order of the threads, so that a run can be repeated exactly.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.agents.networks.network import Floats
from bdgame_env.engine.jit import entry_point, fast_kernel

from .gradients import Marks

_BETA_1, _BETA_2, _EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)


@entry_point
def sum_rows(grads: Floats, touched: Marks, width: int, lo: int, hi: int) -> float:
    """Sum the gradients of rows lo..hi-1 over all threads into those of thread 0, and return the sum of their squares.

    `grads`: float32 (threads, size); row r is at r * width. `touched`: int8 (threads, rows), of which the first marks
    then the rows that any thread touched.
    """
    total = 0.0
    for r in range(lo, hi):
        for t in range(1, grads.shape[0]):
            if touched[t, r] != 0:
                touched[t, r] = 0
                touched[0, r] = 1
                add_up(grads[0, r * width : (r + 1) * width], grads[t, r * width : (r + 1) * width])
        if touched[0, r] != 0:
            total += squares(grads[0, r * width : (r + 1) * width])
    return total


@entry_point
def sum_rest(grads: Floats, start: int, lo: int, hi: int) -> float:
    """The same for the weights start + lo..start + hi - 1, which every sample touches."""
    for t in range(1, grads.shape[0]):
        add_up(grads[0, start + lo : start + hi], grads[t, start + lo : start + hi])
    return squares(grads[0, start + lo : start + hi])


@fast_kernel
def add_up(one: Floats, other: Floats) -> None:
    """Add the other to the one, and set it to 0."""
    for j in range(one.shape[0]):
        one[j] += other[j]
        other[j] = np.float32(0.0)


@fast_kernel
def squares(values: Floats) -> float:
    """The sum of squares."""
    total = np.float32(0.0)
    for j in range(values.shape[0]):
        total += values[j] * values[j]
    return float(total)


@fast_kernel
def step(
    weights: Floats,
    grads: Floats,
    means: Floats,
    squares: Floats,
    scale: np.float32,
    rate: np.float32,
    shrink: np.float32,
) -> None:
    """One step of Adam for some weights; their gradients, times `scale`, are set to 0."""
    one = np.float32(1.0)
    for j in range(weights.shape[0]):
        g = grads[j] * scale
        grads[j] = np.float32(0.0)
        means[j] = _BETA_1 * means[j] + (one - _BETA_1) * g
        squares[j] = _BETA_2 * squares[j] + (one - _BETA_2) * g * g
        weights[j] -= rate * means[j] / (np.sqrt(squares[j]) * shrink + _EPSILON)


@entry_point
def step_rows(
    weights: Floats,
    grads: Floats,
    touched: Marks,
    means: Floats,
    squares: Floats,
    width: int,
    scale: np.float32,
    rate: np.float32,
    shrink: np.float32,
    lo: int,
    hi: int,
) -> None:
    """Step the rows lo..hi-1 that are marked, and clear the marks. `rate` and `shrink` hold the bias corrections."""
    for r in range(lo, hi):
        if touched[0, r] != 0:
            touched[0, r] = 0
            a, b = r * width, (r + 1) * width
            step(weights[a:b], grads[0, a:b], means[a:b], squares[a:b], scale, rate, shrink)


@entry_point
def step_rest(
    weights: Floats,
    grads: Floats,
    means: Floats,
    squares: Floats,
    scale: np.float32,
    rate: np.float32,
    shrink: np.float32,
    start: int,
    lo: int,
    hi: int,
) -> None:
    """Step the weights start + lo..start + hi - 1."""
    a, b = start + lo, start + hi
    step(weights[a:b], grads[0, a:b], means[a:b], squares[a:b], scale, rate, shrink)
