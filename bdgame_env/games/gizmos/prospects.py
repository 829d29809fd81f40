"""What marbles can pay for (D7.10), at once or with one more.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from marbles, cards and converters alone.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .building import energies_of, missing_energy, payable, unused_converters
from .cards import NUM_COLORS, POINTS
from .marbles import has_room
from .payment import packed
from .state import DISPLAY, FROM_ARCHIVE, FROM_DISPLAY, NONE, Seat, State


@kernel
def lacks(seat: Seat, energies: int, card: int, source: int) -> int:
    """1 + the energy that a seat lacks to pay for a card, given the result of `within_reach`; 0 for no card."""
    return 0 if card == NONE else 1 + missing_energy(seat, energies, card, source)


@kernel
def look_at_picks(s: State, seat: int, display: Ints, archive: Ints, pays: Ints, best: Ints) -> None:
    """Write what one more marble is good for to `pays` and `best`, both of shape (colors,).

    `display` and `archive`: what the seat lacks for the cards there now, by place, as `lacks` says. `pays`: the number
    of these cards that cannot be paid for now, but then. `best`: the most points of such a card.
    """
    me, types = s.seats[seat], unused_converters(s, seat)
    pays[:] = 0
    best[:] = 0
    if not has_room(me):
        return
    for color in range(NUM_COLORS):
        more = energies_of(packed(me.ring) + (1 << 4 * color), types)
        for place in range(DISPLAY):
            if display[place] > 1:
                _count_if_payable(me, more, int(s.display[place]), FROM_DISPLAY, color, pays, best)
        for place in range(me.archived):
            if archive[place] > 1:
                _count_if_payable(me, more, int(me.archive[place]), FROM_ARCHIVE, color, pays, best)


@kernel
def _count_if_payable(me: Seat, energies: int, card: int, source: int, color: int, pays: Ints, best: Ints) -> None:
    """Count a card that one more marble of a color pays for."""
    if payable(me, energies, card, source):
        pays[color] += 1
        best[color] = max(int(best[color]), int(POINTS[card]))
