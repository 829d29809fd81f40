"""What marbles can pay for (D7.10), at once or with one more.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from marbles, cards and converters alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.jit import kernel
from .building import missing_energy
from .cards import ANY, COLOR, NUM_COLORS, POINTS
from .marbles import has_room, unused_converters
from .payment import count_of, energies_gained, packed
from .state import DISPLAY, FROM_ARCHIVE, FROM_DISPLAY, FROM_HAND, NONE, Config, State

_EACH = sum(1 << 16 * color for color in range(NUM_COLORS))
_HIGHEST = np.array([max(0, bits.bit_length() - 1) for bits in range(512)], np.int8)  # the highest of 9 bits


@kernel
def look_at_display(s: State, config: Config, seat: int, out: Any) -> None:
    """What each seat in play can pay, and what it lacks for the cards of the display."""
    out.energy[:] = 0
    out.display_lacks[:] = 0
    for relative in range(config.players):
        absolute = (seat + relative) % config.players
        me = s.seats[absolute]
        for target in range(NUM_COLORS + 1):
            out.energy[relative, target] = count_of(int(me.energies), target)
        for place in range(DISPLAY):
            card = int(s.display[place])
            if card != NONE:
                out.display_lacks[relative, place] = 1 + missing_energy(me, int(me.energies), card, FROM_DISPLAY)


@kernel
def look_at_own_cards(s: State, seat: int, out: Any) -> None:
    """What the observer lacks for its own cards."""
    me = s.seats[seat]
    out.archive_lacks[:] = 0
    out.hand_lacks[:] = 0
    for place in range(me.archived):
        out.archive_lacks[place] = 1 + missing_energy(me, int(me.energies), int(me.archive[place]), FROM_ARCHIVE)
    if s.seat == seat:
        for place in range(s.hand_size):
            out.hand_lacks[place] = 1 + missing_energy(me, int(me.energies), int(s.hand[place]), FROM_HAND)


@kernel
def look_at_picks(s: State, seat: int, out: Any) -> None:
    """What one more marble is good for, given what the observer lacks for the cards there now.

    Of each color of marble, `pays` counts cards and `points` has a bit for the points of each, from bit 16 k on.
    """
    me = s.seats[seat]
    pays = points = 0
    if has_room(me):
        colors, generic = energies_gained(packed(me.ring), int(me.energies), unused_converters(s, seat))
        for place in range(DISPLAY):
            card = int(s.display[place])
            then = _payable_then(card, int(out.display_lacks[0, place]) - 1, colors, generic)
            pays += then
            points |= then << int(POINTS[card])
        for place in range(me.archived):
            card = int(me.archive[place])
            then = _payable_then(card, int(out.archive_lacks[place]) - 1, colors, generic)
            pays += then
            points |= then << int(POINTS[card])
    for color in range(NUM_COLORS):
        out.pick_pays[color] = pays >> 16 * color & 255
        out.pick_best[color] = _HIGHEST[points >> 16 * color & 511]


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
