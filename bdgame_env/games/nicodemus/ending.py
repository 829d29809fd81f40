"""The end of a turn (N3.4), of a round and of the game (N15), ranks and progress."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .bric_a_brac import clear_top_row
from .cards import CHARCOALIUM
from .hands import refill
from .projects import limit_workshop
from .state import NONE, OVER, TURN, WINNING_POINTS, Config, Seat, State
from .tokens import resources


@kernel
def end_turn(s: State, config: Config) -> None:
    """N3.4, N5.3: refill after a play, limit the workshop after a repair, clear the top row; then pass the turn."""
    if s.played != NONE:
        refill(s, config)
    limit_workshop(s)
    clear_top_row(s)
    forget_turn(s)
    next_seat(s, config)


@kernel
def forget_turn(s: State) -> None:
    """Clear everything that belongs to a single turn."""
    s.choices = 0
    s.played = NONE
    s.effect = NONE
    s.discarded = NONE
    s.left = 0
    s.previous = NONE
    s.space = NONE
    s.project = NONE
    s.latest = NONE


@kernel
def next_seat(s: State, config: Config) -> None:
    """N3.1, N15.2, N15.3: turns alternate; after the second seat's turn the game is over if the end is triggered.

    Seat and round then keep the values of the last turn. N2.1: seat 0 is the first player.
    """
    s.phase = TURN
    if s.seat == 0:
        s.seat = 1
    elif s.ending or s.round_number >= config.max_rounds:
        s.truncated = s.ending == 0
        s.over = 1
        s.phase = OVER
    else:
        s.seat = 0
        s.round_number += 1


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """The score of a seat; reserved projects cost nothing (N7.8)."""
    return int(s.seats[seat].points)


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """The score as a fraction of the score that triggers the end (N15.1)."""
    return int(s.seats[seat].points) / WINNING_POINTS


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """N15.4: rank 1 is better; in a draw both have rank 1 (N18.3)."""
    lead = _lead(s.seats[0], s.seats[1])
    out[0] = 2 if lead < 0 else 1
    out[1] = 2 if lead > 0 else 1


@kernel
def _lead(one: Seat, other: Seat) -> int:
    """N15.4: whether one seat is ahead: by score, then charcoalium, then resources."""
    if one.points != other.points:
        return int(one.points) - int(other.points)
    if one.tokens[CHARCOALIUM] != other.tokens[CHARCOALIUM]:
        return int(one.tokens[CHARCOALIUM]) - int(other.tokens[CHARCOALIUM])
    return resources(one) - resources(other)
