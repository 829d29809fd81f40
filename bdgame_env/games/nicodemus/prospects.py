"""What repairs lack and bring (N23.12), and what effects would produce.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from tokens, costs and projects alone.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import cards
from .bric_a_brac import count_of, symbols_of
from .sets import completing
from .state import BOARD, MOST_RESERVED, NONE, SPACES, Seat, State

MOST_LACKED, MOST_WORTH = 13, 20  # four resources and a fee of nine; more points are written as 20
MOST_PRODUCED = 11  # by all machines of a full row and the one played
_BITS, _ALL = 8, 255


@kernel
def means_of(me: Seat) -> int:
    """What a seat can put towards a repair: by token its stock and the symbols of its workshop (N6.3, N6.5), packed.

    The symbol that reduces a price is worth as much as a token. The last number is that of the wild symbols (N6.4).
    """
    symbols = symbols_of(me.workshop, me.machines)
    means = count_of(symbols, cards.WILD_SYMBOL) << _BITS * cards.WILD_SYMBOL
    for token in range(cards.NUM_TOKENS):
        means += int(me.tokens[token]) + count_of(symbols, token) << _BITS * token
    return means


@kernel
def _of(means: int, symbol: int) -> int:
    return means >> _BITS * symbol & _ALL


@kernel
def resources_lacking(means: int, kind: int) -> int:
    """N6.6: what the cost of a machine exceeds the means by, less one for each wild symbol of the workshop."""
    missing = 0
    for resource in range(cards.NUM_RESOURCES):
        missing += max(0, int(cards.COST[kind, resource]) - _of(means, resource + 1))
    return max(0, missing - _of(means, cards.WILD_SYMBOL))


@kernel
def fee_lacking(s: State, means: int, space: int) -> int:
    """N6.5: what the number of machines after a space exceeds the means by."""
    return max(0, int(s.machines) - 1 - space - _of(means, cards.CHARCOALIUM))


@kernel
def look_at_row(s: State, me: Seat, lacks: Ints, worth: Ints) -> None:
    """Write what a seat lacks to repair each machine of the row, and the points it would bring.

    Args:
        s: the game.
        me: the seat.
        lacks: int8, shape (spaces,): 1 + the tokens lacking; 0 for no machine.
        worth: int8, shape (spaces,): the points of the machine and of all projects that could then be completed (N7).
    """
    means = means_of(me)
    for space in range(SPACES):
        kind = int(s.kinds[space])
        if kind == NONE:
            lacks[space], worth[space] = 0, 0
        else:
            lacks[space] = 1 + resources_lacking(means, kind) + fee_lacking(s, means, space)
            worth[space] = cards.POINTS[kind]
    if me.machines > 0:
        for place in range(BOARD):
            _add_project(s, me, int(s.board[place]), worth)
        for place in range(MOST_RESERVED):
            _add_project(s, me, int(me.reserved[place]), worth)


@kernel
def _add_project(s: State, me: Seat, project: int, worth: Ints) -> None:
    """N7.6, N20.7: projects completed in one turn take nothing from each other."""
    if project == NONE:
        return
    kinds = completing(me, project)
    if kinds != 0:
        for space in range(s.machines):
            if kinds >> int(s.kinds[space]) & 1:
                worth[space] = min(MOST_WORTH, int(worth[space]) + int(cards.PROJECT_POINTS[project]))


@kernel
def look_at_tokens(s: State, me: Seat, lacks: Ints, worth: Ints, one_more: Ints) -> None:
    """Write the most points of a machine that one more token would pay for.

    Args:
        s: the game.
        me: the seat.
        lacks: as `look_at_row` wrote it for this seat.
        worth: likewise.
        one_more: int8, shape (symbols,): by token; the last one is the best of the resources.
    """
    means = means_of(me)
    for symbol in range(cards.WILD_SYMBOL + 1):
        one_more[symbol] = 0
    for space in range(s.machines):
        if lacks[space] != 2:
            continue
        kind, points = int(s.kinds[space]), int(worth[space])
        if fee_lacking(s, means, space) == 1:
            one_more[cards.CHARCOALIUM] = max(int(one_more[cards.CHARCOALIUM]), points)
            continue
        one_more[cards.WILD_SYMBOL] = max(int(one_more[cards.WILD_SYMBOL]), points)
        for resource in range(cards.NUM_RESOURCES):
            if cards.COST[kind, resource] > _of(means, resource + 1):
                one_more[resource + 1] = max(int(one_more[resource + 1]), points)


@kernel
def look_at_production(s: State, me: Seat, other: Seat, produced: Ints) -> None:
    """N9, N14.1: write the tokens that the effect of each blue machine in hand would gain if it were played now.

    Args:
        s: the game.
        me: the seat.
        other: the other seat, which pays what the reserve lacks.
        produced: int8, shape (kinds,): B5's with the resource that gains most; 0 for kinds that are not in hand and
            for other colors.
    """
    symbols = symbols_of(s.kinds, s.machines)
    for kind in range(cards.B5 + 1):
        produced[kind] = 0
        if me.hand[kind] == 0:
            continue
        symbol = int(cards.SYMBOL[kind])
        number = 1 + count_of(symbols, symbol)
        if symbol != cards.WILD_SYMBOL:
            produced[kind] = min(number, _supply(s, other, symbol))
        else:
            for token in range(cards.CHARCOALIUM + 1, cards.NUM_TOKENS):
                produced[kind] = max(int(produced[kind]), min(number, _supply(s, other, token)))


@kernel
def _supply(s: State, other: Seat, token: int) -> int:
    """N14.1: how many tokens can be gained at all."""
    return int(s.reserve[token]) + int(other.tokens[token])
