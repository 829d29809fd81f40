"""Rounds, the end of the game and the final ranks (B11, B45-B48)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.struct import Settings
from .market import row_has_card
from .state import ACT, ACTIONS_PER_TURN, NONE, OVER, Config, Seat, State
from .workshop import largest_device


@kernel
def next_seat(s: State, config: Config) -> None:
    """B11: begin the next seat's turn; after the last seat's turn, begin the next round or end the game."""
    s.phase = ACT
    if s.seat + 1 < config.players:
        s.seat += 1
    elif s.last_round or nobody_can_score(s, config):
        game_over(s)
    elif s.round_number >= config.max_rounds:
        s.truncated = 1
        game_over(s)
    else:
        s.seat = 0
        s.round_number += 1
    if s.phase == ACT:
        s.actions_left = ACTIONS_PER_TURN
        s.offers = 0


@kernel
def game_over(s: State) -> None:
    """End the game; seat and round keep the values of the last turn (section 11)."""
    s.phase = OVER
    s.over = 1
    s.actions_left = 0


@kernel
def nobody_can_score(s: State, config: Config) -> bool:
    """B47: whether row, deck and all queues are without orders."""
    if s.orders_left > 0 or row_has_card(s.orders_row):
        return False
    for seat in range(config.players):
        if s.seats[seat].queue[0] != NONE:
            return False
    return True


@kernel
def ranks(s: State, config: Settings, out: Ints) -> None:
    """B46: rank 1 is best; by points, then by the largest Device; ties share a rank. Writes out[:players]."""
    for seat in range(config.players):
        place = 1
        for other in range(config.players):
            if ranks_above(s.seats[other], s.seats[seat]):
                place += 1
        out[seat] = place


@kernel
def ranks_above(one: Seat, other: Seat) -> bool:
    """B46: whether one seat's result is better than the other's."""
    if one.points != other.points:
        return one.points > other.points
    return largest_device(one.workshop) > largest_device(other.workshop)
