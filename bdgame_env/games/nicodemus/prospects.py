"""What repairs lack and bring (N23.12), and what effects would produce.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from tokens, costs and projects alone.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import cards
from .bric_a_brac import count_of, symbols_of
from .repairing import LACKING, means_of, paid_from
from .state import Seat, State

MOST_LACKED = 13  # four resources and a fee of nine
MOST_PRODUCED = 11  # by all machines of a full row and the one played


@kernel
def look_at_row(s: State, me: Seat, lacks: Ints, worth: Ints) -> None:
    """Write what a seat lacks to repair each machine of the row, and the points it would bring.

    Args:
        s: the game.
        me: the seat.
        lacks: int8, shape (spaces,), zeros: 1 + the tokens lacking; stays 0 for no machine.
        worth: int8, shape (spaces,), zeros: the points of the machine and of all projects that could then be completed
            (N7).
    """
    symbols = symbols_of(me.workshop)
    means, first = means_of(me, symbols), paid_from(s, me, symbols)
    for space in range(s.machines):
        face = int(s.kinds[space]) + 1
        lacks[space] = int(LACKING[means, face]) + max(0, first - space)
        worth[space] = me.worth[face]


@kernel
def look_at_tokens(s: State, me: Seat, lacks: Ints, worth: Ints, one_more: Ints) -> None:
    """Write the most points of a machine that one more token would pay for.

    Args:
        s: the game.
        me: the seat.
        lacks: as `look_at_row` wrote it for this seat.
        worth: likewise.
        one_more: int8, shape (symbols,), zeros: by token; the last one is the best of the resources.
    """
    symbols = symbols_of(me.workshop)
    first = paid_from(s, me, symbols)
    for space in range(s.machines):
        if lacks[space] != 2:
            continue
        kind, points = int(s.kinds[space]), int(worth[space])
        if space < first:
            one_more[cards.CHARCOALIUM] = max(int(one_more[cards.CHARCOALIUM]), points)
            continue
        one_more[cards.WILD_SYMBOL] = max(int(one_more[cards.WILD_SYMBOL]), points)
        for resource in range(cards.NUM_RESOURCES):
            if cards.COST[kind, resource] > me.tokens[resource + 1] + count_of(symbols, resource + 1):
                one_more[resource + 1] = max(int(one_more[resource + 1]), points)


@kernel
def look_at_production(s: State, me: Seat, other: Seat, produced: Ints) -> None:
    """N9, N14.1: write the tokens that the effect of each blue machine in hand would gain if it were played now.

    Args:
        s: the game.
        me: the seat.
        other: the other seat, which pays what the reserve lacks.
        produced: int8, shape (kinds,), zeros: B5's with the resource that gains most; stays 0 for kinds that are not
            in hand and for other colors.
    """
    symbols = symbols_of(s.kinds)
    for kind in range(cards.B5):
        if me.hand[kind] > 0:
            symbol = int(cards.SYMBOL[kind])
            produced[kind] = min(1 + count_of(symbols, symbol), _supply(s, other, symbol))
    if me.hand[cards.B5] > 0:
        most = max(_supply(s, other, 1), _supply(s, other, 2), _supply(s, other, 3))
        produced[cards.B5] = min(1 + count_of(symbols, cards.WILD_SYMBOL), most)


@kernel
def _supply(s: State, other: Seat, token: int) -> int:
    """N14.1: how many tokens can be gained at all."""
    return int(s.reserve[token]) + int(other.tokens[token])
