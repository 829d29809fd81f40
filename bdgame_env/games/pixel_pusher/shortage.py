"""Whether a color may run short in Convert and Store (P44), judged by what all can see when the phase begins.

It is enough to bound how many pixels of a color each player can gain. If the supply has as many as all can gain
together, no recipe is ever refused for lack of that color, and players cannot affect each other. The bounds may be too
high, but never too low.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import CARDS, NUM_ABILITIES, NUM_COLORS, NUM_PRIMARIES, TRIPLE
from .pixels import primaries
from .state import Config, Seat, State

_WHITE_COLOR = NUM_COLORS - 1
_PRISM_CARD = NUM_ABILITIES - 1
# Converters by the secondary that they make, top up or split: C, M, Y. The primary that it lacks: R, G, B.
_MIX_C, _TOP_C, _SPLIT_C, _WHITE = (CARDS.converters.index(name) for name in ("mixC", "topC", "splitC", "white"))
assert CARDS.converters[:10] == [
    *("mixY", "mixM", "mixC", "white", "topC", "topM", "topY", "splitC", "splitM", "splitY"),
], "the bounds below are made for these converters"


@kernel
def may_run_short(s: State, config: Config) -> int:
    """P44: 1 if some color may run short, so that players could affect each other, else 0."""
    players = int(config.players)
    for seat in range(players):
        _most_gained(s.seats[seat], config.any_triple != 0, s.room.gains[seat])
    short = 0
    for color in range(NUM_COLORS):
        wanted, concerned = 0, 0
        for seat in range(players):
            gains = int(s.room.gains[seat, color])
            wanted += gains
            concerned += gains > 0 or s.seats[seat].pixels[color] > 0
        if wanted > s.supply[color] and concerned > 1:
            short = 1
    s.room.gains[:] = 0
    return short


@kernel
def _most_made(me: Seat, secondary: int) -> int:
    """The number of activations that can gain a secondary color, 0 to 2 for C, M, Y, whatever they pay."""
    return int(me.converters[_MIX_C - secondary]) + int(me.abilities[_PRISM_CARD]) + int(me.converters[TRIPLE])


@kernel
def _most_split(me: Seat, secondary: int) -> int:
    """The number of activations that can split a secondary color."""
    there = int(me.pixels[NUM_PRIMARIES + secondary]) + _most_made(me, secondary)
    return min(int(me.converters[_SPLIT_C + secondary]), there)


@kernel
def _most_gained(me: Seat, any_triple: bool, out: Ints) -> None:
    """Write an upper bound on the pixels of each color that a player can gain, whatever the supply.

    A mix pays two primaries, white and a triple three, Prism and a top-up one. A player can pay the primaries it has,
    two for each split and, with `any_triple`, one for each triple. The cheapest activations are counted first.
    """
    splits = 0
    for secondary in range(3):
        splits += _most_split(me, secondary)
    triples, prisms, recolors = int(me.converters[TRIPLE]), int(me.abilities[_PRISM_CARD]), 0
    for ability in range(_PRISM_CARD):
        recolors += int(me.abilities[ability])
    total = primaries(me.pixels) + 2 * splits
    if any_triple:
        total += triples
    for color in range(NUM_PRIMARIES):
        gains = min(recolors, total) + (triples if any_triple else min(triples, total // 3))
        for secondary in range(3):
            if secondary != color:
                gains += 2 * _most_split(me, secondary)
        out[color] = gains
    for secondary in range(3):
        left = total - min(prisms, total)
        mixes = min(int(me.converters[_MIX_C - secondary]), left // 2)
        for color in range(NUM_PRIMARIES):
            if color != secondary:
                mixes = min(mixes, int(me.pixels[color]) + int(out[color]))
        left -= 2 * mixes
        out[NUM_PRIMARIES + secondary] = total - left - mixes + (triples if any_triple else min(triples, left // 3))
    tops = 0
    for secondary in range(3):
        there = int(me.pixels[NUM_PRIMARIES + secondary]) + int(out[NUM_PRIMARIES + secondary])
        tops += min(int(me.converters[_TOP_C + secondary]), there)
    tops = min(tops, total)
    left = total - tops
    whites = min(int(me.converters[_WHITE]), left // 3)
    for color in range(NUM_PRIMARIES):
        whites = min(whites, int(me.pixels[color]) + int(out[color]))
    left -= 3 * whites
    out[_WHITE_COLOR] = tops + whites + (triples if any_triple else min(triples, left // 3))
