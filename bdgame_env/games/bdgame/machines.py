"""What machines of a deck could make of cubes at best: the worth of decks before anybody has played them.

A machine is a Device of some special parts, in the order in which cubes come to them, with as many basic parts as it
takes: a basic splitter leads any cubes past a part, a basic joiner brings together what a part needs. Amounts are
counted without end: no rounding, no limit of 10 cubes (B44), no bank that runs out (B36).

What a machine can make of one color is a polytope of cubes Y, R, B. Each part takes its corners to new ones: it works
not at all, or as often as it can; and where two colors run out at the same time, between two corners. A part that takes
three colors may do better than this finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from .cards import COLORS, VALUE

Array = npt.NDArray[np.float64]
NO_PART = -1


def multiplications(takes: npt.ArrayLike, gives: npt.ArrayLike) -> Array:
    """How much value each part gives for the value that it takes (B1), float64 (..., parts).

    Args:
        takes: cubes by color, (..., parts, 3).
        gives: likewise.
    """
    return _value(np.asarray(gives, float)) / _value(np.asarray(takes, float))


def best_machines(
    takes: npt.ArrayLike, gives: npt.ArrayLike, most_parts: int = 3, colors: Sequence[int] = range(len(COLORS))
) -> tuple[Array, npt.NDArray[np.int64]]:
    """The greatest multiplication of value from each color, with up to n parts, and the machine that reaches it.

    Args:
        takes: cubes that each part takes in a working, by color, (..., parts, 3), for one deck or many.
        gives: cubes that it gives.
        most_parts: the greatest n. The work grows as parts ** n; n = 3 with 20 parts takes about a tenth of a second.
        colors: those that machines are fed with.

    Returns:
        Worth, float64 (..., most_parts, colors): by n - 1, the value made of cubes worth 1. Machines, int64
        (..., most_parts, colors, most_parts): the numbers of the parts, in order, then NO_PART. A part may come twice.
    """
    takes, gives = np.asarray(takes, float), np.asarray(gives, float)
    lead, count = takes.shape[:-2], takes.shape[-2]
    cubes = np.diag(1 / np.array(VALUE))[list(colors)]
    corners = np.broadcast_to(cubes, (*lead, *cubes.shape))[..., None, :]
    worth = np.ones((*lead, most_parts, len(cubes)))
    machines = np.full((*lead, most_parts, len(cubes), most_parts), NO_PART)
    for n in range(1, most_parts + 1):
        # From here on the axes are: decks, the first color, a part for each of the n places, corners, colors.
        shape = (*lead, *[1] * n, count, 1, len(COLORS))
        before = corners[..., None, :, :]
        after = _worked(before, takes.reshape(shape), gives.reshape(shape))
        values = _value(after).max(axis=-1).reshape(*lead, len(cubes), count**n)
        best = values.argmax(axis=-1)
        worth[..., n - 1, :] = np.take_along_axis(values, best[..., None], axis=-1)[..., 0]
        for place in range(n):
            machines[..., n - 1, :, place] = best // count ** (n - 1 - place) % count
        if n < most_parts:
            kept = np.broadcast_to(before, (*after.shape[:-2], *before.shape[-2:]))
            corners = np.concatenate([kept, after], axis=-2)
    return worth, machines


def _worked(corners: Array, takes: Array, gives: Array) -> Array:
    """The corners (..., corners, 3) after a part has worked as often as it can, and those between them."""
    first, second = _two_colors(takes)
    surplus = _at(corners, first) * _at(takes, second) - _at(corners, second) * _at(takes, first)
    between = [
        _where_equal(corners[..., i, :], corners[..., j, :], surplus[..., i], surplus[..., j])[..., None, :]
        for i, j in combinations(range(corners.shape[-2]), 2)
    ]
    lead = np.broadcast_shapes(corners.shape[:-2], takes.shape[:-2])
    whole = np.broadcast_to(corners, (*lead, *corners.shape[-2:]))
    points = np.concatenate([whole, *between], axis=-2)
    with np.errstate(divide="ignore", invalid="ignore"):
        workings = np.where(takes > 0, points / takes, np.inf).min(axis=-1, keepdims=True)
    return np.asarray(points + workings * (gives - takes))


def _two_colors(takes: Array) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The first and the last color that each part takes, as indices of the last axis, which is kept."""
    taken = takes > 0
    first = taken.argmax(axis=-1)
    last = len(COLORS) - 1 - taken[..., ::-1].argmax(axis=-1)
    return first[..., None], last[..., None]


def _at(cubes: Array, color: npt.NDArray[Any]) -> Array:
    """The number of cubes of a color, without the axis of colors."""
    shape = np.broadcast_shapes(cubes.shape[:-1], color.shape[:-1])
    wide = np.broadcast_to(cubes, (*shape, len(COLORS)))
    return np.take_along_axis(wide, np.broadcast_to(color, (*shape, 1)), axis=-1)[..., 0]


def _where_equal(one: Array, other: Array, surplus: Array, other_surplus: Array) -> Array:
    """The point between two where the surplus is 0; the first of them if there is none."""
    crosses = surplus * other_surplus < 0
    share = np.where(crosses, surplus / np.where(crosses, surplus - other_surplus, 1), 0)[..., None]
    return np.asarray(one + share * (other - one))


def _value(cubes: Array) -> Array:
    return np.asarray(cubes[..., 0] * VALUE[0] + cubes[..., 1] * VALUE[1] + cubes[..., 2] * VALUE[2])
