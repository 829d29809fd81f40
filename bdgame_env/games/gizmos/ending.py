"""Rounds, the end of the game, score and ranks (G14-G16, D6.1)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import RING_SCORER, TOKENS_SCORER
from .marbles import count
from .state import MAIN, OVER, Config, Seat, State

WINNING_POINTS = 40  # a typical winning score


@kernel
def next_seat(s: State, config: Config) -> None:
    """G14.1, G14.2, D6.1: begin the next seat's turn; after the last seat's, the next round, or end the game."""
    s.phase = MAIN
    if s.seat + 1 < config.players:
        s.seat += 1
    elif s.last_round:
        game_over(s)
    elif s.round_number >= config.max_rounds:
        s.truncated = 1
        game_over(s)
    else:
        s.seat = 0
        s.round_number += 1


@kernel
def game_over(s: State) -> None:
    """End the game; seat and round keep the values of the last turn."""
    s.phase = OVER
    s.over = 1


@kernel
def score(seat: Seat) -> int:
    """G15.1, G13.5: printed points of the built cards, points in tokens, and what scorers count."""
    tokens = int(seat.tokens)
    of_scorers = int(seat.scorers[RING_SCORER]) * count(seat.ring) + int(seat.scorers[TOKENS_SCORER]) * tokens
    return int(seat.printed) + tokens + of_scorers


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """G15.1: the score of a seat, as if the game ended now."""
    return score(s.seats[seat])


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """The score as a fraction of a winning score (G15.1)."""
    return score(s.seats[seat]) / WINNING_POINTS


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """G16.1: rank 1 is best; there are no ties. Writes out[:players]."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if _ranks_above(s, other, seat):
                place += 1
        out[seat] = place


@kernel
def _ranks_above(s: State, one: int, other: int) -> bool:
    """G16.1: more points, then more built cards, then more marbles, then the later place in turn order."""
    ours, theirs = s.seats[one], s.seats[other]
    if score(ours) != score(theirs):
        return score(ours) > score(theirs)
    if ours.cards != theirs.cards:
        return ours.cards > theirs.cards
    if count(ours.ring) != count(theirs.ring):
        return count(ours.ring) > count(theirs.ring)
    return one > other
