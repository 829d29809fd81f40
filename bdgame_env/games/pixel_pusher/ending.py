"""The end of the game, points and ranks (P9, P48, P49, P68)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.jit import kernel
from .pixels import held
from .state import CONVERTING, DRAFTING, OVER, STORING

WINNING_POINTS = np.array([1, 1, 30, 20, 15], np.int8)  # about what a fair winner has, by number of players


@kernel
def end_game(s: Any) -> None:
    """P48: nothing is left to do; seat and round stay."""
    s.phase = OVER
    s.over = 1


@kernel
def in_secret(s: Any) -> Any:
    """P60: Convert and Store go on, and their changes do not show yet; P44: they do if the phase is open."""
    return s.open_convert == 0 and (s.phase == CONVERTING or s.phase == STORING)


@kernel
def all_choose(s: Any) -> Any:
    """P59, P60: all choose at once, and only the seat that is asked knows whose decision it is."""
    return s.phase == DRAFTING or in_secret(s)


@kernel
def sees_own_board(s: Any, seat: Any) -> Any:
    """P60: in secret a seat sees its board as it is from its first decision on, until then as it was for all.

    What is carried out for a seat without a choice (P55) is not shown earlier: that would tell how far others are.
    """
    return s.seat == seat or s.seats[seat].asked > 0


@kernel
def shown_points(s: Any, seat: Any) -> Any:
    """P60: the points that all can see."""
    return int(s.seats[seat].shown_points) if in_secret(s) else int(s.seats[seat].points)


@kernel
def points(s: Any, config: Any, seat: Any) -> Any:
    """P9: the points of a seat."""
    return int(s.seats[seat].points)


@kernel
def progress(s: Any, config: Any, seat: Any) -> Any:
    """P60: the points that all can see, as a fraction of a winning score, so that shaping reveals no others."""
    return shown_points(s, seat) / float(WINNING_POINTS[config.players])


@kernel
def ranks(s: Any, config: Any, out: Any) -> None:
    """P49, P68: by points, then by pixels on the board; seats that still tie share a rank. Writes out[:players]."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if _ranks_above(s.seats[other], s.seats[seat]):
                place += 1
        out[seat] = place


@kernel
def _ranks_above(one: Any, other: Any) -> Any:
    """P49: more points, or as many and more pixels."""
    if one.points != other.points:
        return one.points > other.points
    return held(one) > held(other)
