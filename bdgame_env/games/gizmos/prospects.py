"""What marbles can pay for (D7.10), at once or with one more.

All of it follows from what a player sees. It is worked out here since players work it out too, and since networks learn
it slowly from marbles, cards and converters alone.
"""

from __future__ import annotations

from typing import Any

from ...engine.jit import kernel
from .building import missing_energy, unused_converters, within_reach
from .cards import ANY, COLOR, NUM_COLORS, POINTS
from .marbles import has_room
from .payment import count_of, energies_gained, packed
from .state import DISPLAY, FROM_ARCHIVE, FROM_DISPLAY, FROM_HAND, NONE, Config, State


@kernel
def look_at_display(s: State, config: Config, seat: int, out: Any) -> None:
    """What each seat in play can pay, and what it lacks for the cards of the display."""
    out.energy[:] = 0
    out.display_lacks[:] = 0
    for relative in range(config.players):
        absolute = (seat + relative) % config.players
        me, energies = s.seats[absolute], within_reach(s, absolute)
        for target in range(NUM_COLORS + 1):
            out.energy[relative, target] = count_of(energies, target)
        for place in range(DISPLAY):
            card = int(s.display[place])
            if card != NONE:
                out.display_lacks[relative, place] = 1 + missing_energy(me, energies, card, FROM_DISPLAY)


@kernel
def look_at_own_cards(s: State, seat: int, out: Any) -> None:
    """What the observer lacks for its own cards."""
    me, energies = s.seats[seat], within_reach(s, seat)
    out.archive_lacks[:] = 0
    out.hand_lacks[:] = 0
    for place in range(me.archived):
        out.archive_lacks[place] = 1 + missing_energy(me, energies, int(me.archive[place]), FROM_ARCHIVE)
    if s.seat == seat:
        for place in range(s.hand_size):
            out.hand_lacks[place] = 1 + missing_energy(me, energies, int(s.hand[place]), FROM_HAND)


@kernel
def look_at_picks(s: State, seat: int, out: Any) -> None:
    """What one more marble is good for, given what the observer lacks for the cards there now."""
    me = s.seats[seat]
    out.pick_pays[:] = 0
    out.pick_best[:] = 0
    if not has_room(me):
        return
    colors, generic = energies_gained(packed(me.ring), unused_converters(s, seat))
    for place in range(DISPLAY):
        lacks = int(out.display_lacks[0, place]) - 1
        if lacks > 0:
            _count_if_payable(int(s.display[place]), lacks, colors, generic, out)
    for place in range(me.archived):
        lacks = int(out.archive_lacks[place]) - 1
        if lacks > 0:
            _count_if_payable(int(me.archive[place]), lacks, colors, generic, out)


@kernel
def _count_if_payable(card: int, lacks: int, colors: int, generic: int, out: Any) -> None:
    """Count a card for the colors of which one more marble adds the energy that it lacks."""
    target = int(COLOR[card])
    gains = generic if target == ANY else colors >> 4 * target
    for color in range(NUM_COLORS):
        if gains >> 16 * color & 15 >= lacks:
            out.pick_pays[color] += 1
            out.pick_best[color] = max(out.pick_best[color], POINTS[card])
