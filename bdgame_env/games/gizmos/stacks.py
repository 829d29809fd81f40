"""Stacks: cards that went under a deck together, and who can be seen to know them (G17.8).

This is public, so there is one byte for each place, as in `Known`; 0 for a place that nobody is known to know, and for
cards in the hand:

- bits 0-3: the seats that are known to know which cards lie in the stack;
- LOWEST: the lowest place of its stack;
- from BY on: unless the variant is quick (D3.6), the seat that put it there and so knows the order too.

While researched cards are out, `hand_known_to` has the bits of the seats, other than the researcher's, that are known
to know all of them.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.memory import move
from .state import MAX_SEATS, Config

LOWEST_BIT = 4
LOWEST = 1 << LOWEST_BIT
BY = 5  # bits to shift by
_SEATS = LOWEST - 1
ORDERS = 3 << BY

# By seats in play less 2, observer, and seat counted from it (0 for one that is not in play): the bit of who knows a
# stack; then, by variant, what ORDERS has for who knows its order, or -1 for nobody.
KNOWS = np.zeros((MAX_SEATS - 1, MAX_SEATS, MAX_SEATS), np.int8)
ORDER_OF = np.full((2, *KNOWS.shape), -1, np.int8)
for _players in range(2, MAX_SEATS + 1):
    for _seat, _other in product(range(_players), repeat=2):
        KNOWS[_players - 2, _seat, (_other - _seat) % _players] = 1 << _other
        ORDER_OF[0, _players - 2, _seat, (_other - _seat) % _players] = _other << BY
# By variant, seats in play less 2, observer and byte of a place: for the seats counted from the observer a byte each,
# which is 1 if the seat knows the stack, then, from bit 32 on, if it knows its order.
SHOWN = np.zeros((*ORDER_OF.shape[:3], 1 << BY + 2), np.int64)
for _variant, _players, _seat, _stack in product(*map(range, SHOWN.shape)):
    for _other in range(MAX_SEATS):
        _knows = _stack & int(KNOWS[_players, _seat, _other]) != 0
        _orders = _stack != 0 and _stack & ORDERS == ORDER_OF[_variant, _players, _seat, _other]
        SHOWN[_variant, _players, _seat, _stack] |= _knows << 8 * _other | _orders << 8 * _other + 32
for _array in (KNOWS, ORDER_OF, SHOWN):
    _array.setflags(write=False)


@kernel
def knowers(stack: int) -> int:
    """The seats that know the stack of this byte, as bits."""
    return int(stack) & _SEATS


@kernel
def put_by(stack: int) -> int:
    """The seat that knows the order, unless the variant is quick (D3.6)."""
    return int(stack) >> BY


@kernel
def is_known_to(stack: int, seat: int) -> bool:
    """Whether the seat is known to know the stack of this byte."""
    return int(stack) >> seat & 1 != 0


@kernel
def take(stacks: Ints, config: Config, seat: int, number: int) -> int:
    """G17.8: a seat takes this many cards from the top of a deck into its hand.

    Returns the other seats that are known to know all of them, as bits.
    A seat that knew a stack knows what is left of it only if it sees the cards taken, or knew the order.
    """
    common = _SEATS & ~(1 << seat)
    for place in range(number):
        common &= knowers(stacks[place])
    cut = int(stacks[number - 1])
    if cut != 0 and cut & LOWEST == 0:
        with_order = 0 if config.quick else 1 << put_by(cut)
        common &= with_order
        _cut(stacks, number, knowers(cut) & (1 << seat | with_order))
    for place in range(number):
        stacks[place] = 0
    return common


@kernel
def _cut(stacks: Ints, top: int, left: int) -> None:
    """The rest of a stack, from this place down, stays known only to the seats in `left`."""
    place = top
    lowest = False
    while not lowest and place < stacks.shape[0]:
        lowest = int(stacks[place]) & LOWEST != 0
        stacks[place] = (int(stacks[place]) & ~_SEATS) | left if left != 0 else 0
        place += 1


@kernel
def put_back(stacks: Ints, config: Config, seat: int, size: int, number: int, known_to: int) -> None:
    """G17.8: put researched cards under their deck, as a stack known to the seat and to all who knew every card."""
    if number == 0:
        return
    stack = known_to | 1 << seat
    if not config.quick:
        stack |= seat << BY
    move(stacks, 0, number, size)
    for place in range(size, size + number):
        stacks[place] = stack
    stacks[size + number - 1] = stack | LOWEST
