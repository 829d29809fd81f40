"""Pixels and their supply: paying, gaining and drawing (P2-P4, P50, P51)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import below
from .cards import BITS, NUM_COLORS, NUM_PRIMARIES
from .state import NONE, Seat, State

_TOP_BITS = sum(1 << BITS * color + BITS - 1 for color in range(NUM_COLORS))
_MOST = (1 << BITS - 1) - 1  # of one color in a packed row


@kernel
def mover(s: State) -> Seat:
    """The seat that decides now."""
    return s.seats[s.seat]


@kernel
def primaries(row: Ints) -> int:
    """The number of primary pixels in a row of colors, such as the bag or a segment."""
    return int(row[0]) + int(row[1]) + int(row[2])


@kernel
def held(me: Seat) -> int:
    """The number of pixels on a player's board."""
    total = 0
    for color in range(NUM_COLORS):
        total += int(me.pixels[color])
    return total


@kernel
def packed(row: Ints) -> int:
    """A row of counts by color packed into one integer, to be compared at once; counts are below 128 (P2)."""
    total = 0
    for color in range(NUM_COLORS):
        total |= int(row[color]) << BITS * color
    return total


@kernel
def count(row: int, color: int, most: int) -> int:
    """How many pixels of a color a packed row has, or `most` if there are more."""
    return min(most, row >> BITS * color & _MOST)


@kernel
def lacking(have: int, want: int) -> int:
    """What one packed row lacks of another, packed."""
    rest = (want | _TOP_BITS) - have
    return rest & ((rest & _TOP_BITS) >> BITS - 1) * _MOST


@kernel
def colors_held(me: Seat) -> int:
    """How many colors there are on a player's board."""
    found = 0
    for color in range(NUM_COLORS):
        if me.pixels[color] > 0:
            found += 1
    return found


@kernel
def first_color(me: Seat) -> int:
    """The first color that is on a player's board, or NONE."""
    for color in range(NUM_COLORS):
        if me.pixels[color] > 0:
            return color
    return NONE


@kernel
def give(s: State, me: Seat, color: int) -> None:
    """P3: return a pixel from a player's board to its supply at once."""
    me.pixels[color] -= 1
    s.supply[color] += 1


@kernel
def random_color(s: State, row: Ints) -> int:
    """P62: the color of a random pixel in a row with primary pixels; the row is not changed."""
    k = below(s, primaries(row))
    for color in range(NUM_PRIMARIES - 1):
        if k < row[color]:
            return color
        k -= int(row[color])
    return NUM_PRIMARIES - 1


@kernel
def draw_from_bag(s: State) -> int:
    """P3, P50: take a random pixel out of the bag; returns its color, or NONE (without a draw) if the bag is empty."""
    if primaries(s.supply) == 0:
        return NONE
    color = random_color(s, s.supply)
    s.supply[color] -= 1
    return color
