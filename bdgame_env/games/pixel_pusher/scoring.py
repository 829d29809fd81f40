"""Score: filling lines and replacing finished images (P45-P47)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .cards import LINE_POINTS, LINES, NEED, NEED_PACKED, NUM_COLORS
from .hands import draw_image
from .pixels import covers, packed
from .state import PLACES, Config, Seat, State


@kernel
def can_fill(s: State, pixels: int, place: int, line: int) -> bool:
    """P46: whether there is an image, its line is not filled, and these pixels suffice for it."""
    image = int(s.images[place])
    return image != 0 and s.filled[place, line] == 0 and covers(pixels, int(NEED_PACKED[image, line]))


@kernel
def legal_in_score(s: State, me: Seat, mask: Ints) -> None:
    """P45, P58: fill any line that can be filled, or pass."""
    mask[act.PASS] = 1
    pixels = packed(me.pixels)
    for place in range(PLACES):
        for line in range(LINES):
            if can_fill(s, pixels, place, line):
                mask[act.FILL + LINES * place + line] = 1


@kernel
def can_fill_any(s: State, me: Seat) -> bool:
    """Whether the player can fill any line (P46)."""
    pixels = packed(me.pixels)
    for place in range(PLACES):
        for line in range(LINES):
            if can_fill(s, pixels, place, line):
                return True
    return False


@kernel
def fill(s: State, config: Config, me: Seat, place: int, line: int) -> None:
    """P46: move pixels from the board onto the image and score the line's points."""
    image = int(s.images[place])
    for color in range(NUM_COLORS):
        me.pixels[color] -= NEED[image, line, color]
    s.filled[place, line] = 1
    me.points += LINE_POINTS[config.printing, image, line]


@kernel
def replace_finished(s: State) -> None:
    """P47: after all turns, replace finished images by the next ones, place by place."""
    for place in range(PLACES):
        if s.images[place] != 0 and _lines_filled(s, place) == LINES:
            _finish_image(s, place)


@kernel
def _lines_filled(s: State, place: int) -> int:
    total = 0
    for line in range(LINES):
        total += int(s.filled[place, line])
    return total


@kernel
def _finish_image(s: State, place: int) -> None:
    """P47, P3: return an image's pixels to the supply and lay out the next image, if one is left (P50)."""
    image = int(s.images[place])
    for line in range(LINES):
        s.filled[place, line] = 0
        for color in range(NUM_COLORS):
            s.supply[color] += NEED[image, line, color]
    s.finished[image] = 1
    s.images[place] = draw_image(s)
