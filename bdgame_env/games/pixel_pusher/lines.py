"""The lines laid out, as bits: bit 5 * place + line for a line of the image at that place (P46).

`s.open` has the lines that are not filled. `s.asking` has, by color and number n, the lines that ask for more than n
pixels of the color, and `s.scoring` the lines whose points have the bit of that number.
"""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import CELLS, LINE_POINTS, LINES, NEED, NUM_COLORS
from .pixels import count
from .state import PLACES, POINTS_BITS, Config, State

assert LINE_POINTS.max() < 1 << POINTS_BITS


@kernel
def note_lines(s: State, config: Config) -> None:
    """Write what follows from the images laid out and the lines filled; to be called when images have changed."""
    s.open = 0
    s.asking[:] = 0
    s.scoring[:] = 0
    for place in range(PLACES):
        image = int(s.images[place])
        for line in range(LINES):
            bit = 1 << LINES * place + line
            if image != 0 and s.filled[place, line] == 0:
                s.open |= bit
            for color in range(NUM_COLORS):
                for number in range(NEED[image, line, color]):
                    s.asking[color, number] |= bit
            for power in range(POINTS_BITS):
                if int(LINE_POINTS[config.printing, image, line]) >> power & 1:
                    s.scoring[power] |= bit


@kernel
def fillable(s: State, pixels: int) -> int:
    """P46: the lines that are open and that these pixels (packed) fill."""
    lacked = 0
    for color in range(NUM_COLORS):
        lacked |= int(s.asking[color, count(pixels, color, CELLS)])
    return int(s.open) & ~lacked


@kernel
def most_points(s: State, lines: int) -> int:
    """The most points of one of these lines, or 0."""
    best, left = 0, lines
    for power in range(POINTS_BITS - 1, -1, -1):
        among = left & int(s.scoring[power])
        left = among if among != 0 else left
        best += best + (among != 0)
    return best


@kernel
def best_line(s: State, pixels: int) -> int:
    """P46: the most points of a line that these pixels (packed) fill, or 0."""
    return most_points(s, fillable(s, pixels))
