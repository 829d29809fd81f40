"""What marbles can pay for (D7.10), at once or with one more.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from marbles, cards and converters alone.
"""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .building import missing_energy
from .cards import ANY, COLOR, NUM_COLORS, POINTS
from .marbles import has_room, unused_converters
from .payment import energies_gained, packed
from .state import DISPLAY, FROM_ARCHIVE, FROM_DISPLAY, FROM_HAND, MOST_ARCHIVED, NONE, Seat, State

_EACH = sum(1 << 16 * color for color in range(NUM_COLORS))
_HIGHEST = np.array([max(0, bits.bit_length() - 1) for bits in range(512)], np.int8)  # the highest of 9 bits


@kernel
def look_at_display(display: Ints, seat: Seat, lacks: Ints) -> None:
    """What a seat lacks for the cards of the display."""
    for place in range(DISPLAY):
        lacks[place] = _lack(seat, int(display[place]), FROM_DISPLAY) if display[place] != NONE else 0


@kernel
def look_at_archive(seat: Seat, lacks: Ints) -> None:
    """What the observer lacks for the cards of its archive."""
    for place in range(MOST_ARCHIVED):
        lacks[place] = _lack(seat, int(seat.archive[place]), FROM_ARCHIVE) if place < seat.archived else 0


@kernel
def look_at_hand(seat: Seat, hand: Ints, number: int, before: int, lacks: Ints) -> None:
    """What the observer lacks for the first `number` cards of its hand, where so many were shown before."""
    for place in range(max(number, before)):
        lacks[place] = _lack(seat, int(hand[place]), FROM_HAND) if place < number else 0


@kernel
def _lack(seat: Seat, card: int, source: int) -> int:
    """1 + the energy that is missing to pay for a card."""
    return 1 + missing_energy(seat, int(seat.energies), card, source)


@kernel
def look_at_picks(s: State, seat: int, lacks: Ints, archive_lacks: Ints, pick_pays: Ints, pick_best: Ints) -> None:
    """What one more marble is good for, given what the observer lacks for the cards there now.

    Of each color of marble, `pays` counts cards and `points` has a bit for the points of each, from bit 16 k on.
    """
    me = s.seats[seat]
    pays = points = 0
    if has_room(me):
        colors, generic = energies_gained(packed(me.ring), int(me.energies), unused_converters(s, seat))
        for place in range(DISPLAY):
            card = int(s.display[place])
            then = _payable_then(card, int(lacks[place]) - 1, colors, generic)
            pays += then
            points |= then << int(POINTS[card])
        for place in range(me.archived):
            card = int(me.archive[place])
            then = _payable_then(card, int(archive_lacks[place]) - 1, colors, generic)
            pays += then
            points |= then << int(POINTS[card])
    for color in range(NUM_COLORS):
        pick_pays[color] = pays >> 16 * color & 255
        pick_best[color] = _HIGHEST[points >> 16 * color & 511]


@kernel
def _payable_then(card: int, lacks: int, colors: int, generic: int) -> int:
    """From bit 16 k on 1 if one more marble of color k adds the energy that a card lacks, which is not payable now.

    `colors`, `generic`: `energies_gained`. All colors are compared at once: the bit above a gain stays if it suffices.
    """
    if lacks <= 0:
        return 0
    target = int(COLOR[card])
    gains = generic if target == ANY else colors >> 4 * target
    return ((gains & 15 * _EACH) + (16 - lacks) * _EACH) >> 4 & _EACH
