"""Stacks: cards that went under a deck together, and who can be seen to know them (G17.8).

This is public, so there is one byte for each place of a deck; 0 for a place that nobody is known to know:

- bits 0-3: the seats that are known to know which cards lie in the stack;
- LOWEST: the lowest place of its stack;
- from BY on: unless the variant is quick (D3.6), the seat that put it there and so knows the order too.

While researched cards are out, `hand_known_to` has the bits of the seats, other than the researcher's, that are known
to know all of them.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .state import Config

LOWEST = 16
BY = 5  # bits to shift by
_SEATS = LOWEST - 1


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
def take(stacks: Ints, config: Config, seat: int, bottom: int, top: int) -> int:
    """G17.8: a seat takes the places from `bottom` up to `top` of a deck into its hand.

    Returns the other seats that are known to know all of them, as bits.
    A seat that knew a stack knows what is left of it only if it sees the cards taken, or knew the order.
    """
    common = _SEATS & ~(1 << seat)
    for place in range(bottom, top):
        common &= knowers(stacks[place])
    cut = int(stacks[bottom])
    if cut != 0 and cut & LOWEST == 0:
        with_order = 0 if config.quick else 1 << put_by(cut)
        common &= with_order
        _cut(stacks, bottom, knowers(cut) & (1 << seat | with_order))
    for place in range(bottom, top):
        stacks[place] = 0
    return common


@kernel
def _cut(stacks: Ints, bottom: int, left: int) -> None:
    """The rest of the stack below a place stays known only to the seats in `left`."""
    place = bottom
    lowest = False
    while not lowest and place > 0:
        place -= 1
        lowest = int(stacks[place]) & LOWEST != 0
        stacks[place] = (int(stacks[place]) & ~_SEATS) | left if left != 0 else 0


@kernel
def put_back(stacks: Ints, config: Config, seat: int, size: int, number: int, known_to: int) -> None:
    """G17.8: put researched cards under their deck, as a stack known to the seat and to all who knew every card."""
    if number == 0:
        return
    stack = known_to | 1 << seat
    if not config.quick:
        stack |= seat << BY
    for place in range(size - 1, -1, -1):
        stacks[place + number] = stacks[place]
    for place in range(number):
        stacks[place] = stack
    stacks[0] = stack | LOWEST


@kernel
def top_of_stack(stacks: Ints, size: int, lowest: int) -> int:
    """The place above the stack that begins at the place `lowest` of a deck of this size."""
    place = lowest + 1
    while place < size and stacks[place] != 0 and int(stacks[place]) & LOWEST == 0:
        place += 1
    return place
