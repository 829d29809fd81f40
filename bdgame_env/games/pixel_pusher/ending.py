"""The end of the game, points and ranks (P9, P48, P49, P68)."""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .pixels import held
from .state import CONVERTING, DRAFTING, OVER, STORING, Config, Seat, State

WINNING_POINTS = np.array([1, 1, 30, 20, 15], np.int8)  # a typical winning score, by number of players


@kernel
def end_game(s: State) -> None:
    """P48: end the game; seat and round keep their values."""
    s.phase = OVER
    s.over = 1


@kernel
def in_secret(s: State) -> bool:
    """P60: whether a secret Convert and Store is in progress; P44: in an open one, changes show at once."""
    return s.open_convert == 0 and (s.phase == CONVERTING or s.phase == STORING)


@kernel
def all_choose(s: State) -> bool:
    """P59, P60: whether all choose at once, so that only the seat asked knows whose decision it is."""
    return s.phase == DRAFTING or in_secret(s)


@kernel
def sees_own_board(s: State, seat: int) -> bool:
    """P60: whether a seat sees its own board as it is now: in a secret phase only from its first decision on.

    Decisions carried out for a seat without a choice (P55) do not show earlier: that would tell how far others are.
    """
    return s.seat == seat or s.seats[seat].asked > 0


@kernel
def shown_points(s: State, config: Config, seat: int) -> int:
    """P60: the points of a seat that all can see."""
    return int(s.seats[seat].shown_points) if in_secret(s) else int(s.seats[seat].points)


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """P9: the points of a seat."""
    return int(s.seats[seat].points)


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """P60: the points that all can see, as a fraction of a winning score, so that shaping reveals no secret points."""
    return shown_points(s, config, seat) / float(WINNING_POINTS[config.players])


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """P49, P68: rank by points, then by pixels on the board; remaining ties share a rank. Writes out[:players]."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if _ranks_above(s.seats[other], s.seats[seat]):
                place += 1
        out[seat] = place


@kernel
def _ranks_above(one: Seat, other: Seat) -> bool:
    """P49: whether one seat has more points, or equal points and more pixels."""
    if one.points != other.points:
        return one.points > other.points
    return held(one) > held(other)
