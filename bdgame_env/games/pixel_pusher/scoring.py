"""Score: filling lines and replacing finished images (P45-P47)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .cards import LINE_POINTS, LINES, NEED, NUM_COLORS
from .hands import draw_image
from .lines import fillable, note_lines
from .pixels import packed
from .state import PLACES, Config, Seat, State

_ALL_LINES = (1 << LINES) - 1  # of an image, as bits


@kernel
def legal_in_score(s: State, me: Seat, mask: Ints) -> None:
    """P45, P46, P58: fill any line that can be filled, or pass."""
    mask[act.PASS] = 1
    lines = fillable(s, packed(me.pixels))
    for line in range(PLACES * LINES):
        mask[act.FILL + line] = lines >> line & 1


@kernel
def can_fill_any(s: State, me: Seat) -> bool:
    """Whether the player can fill any line (P46)."""
    return fillable(s, packed(me.pixels)) != 0


@kernel
def fill(s: State, config: Config, me: Seat, place: int, line: int) -> None:
    """P46: move pixels from the board onto the image and score the line's points."""
    image = int(s.images[place])
    for color in range(NUM_COLORS):
        me.pixels[color] -= NEED[image, line, color]
    s.filled[place, line] = 1
    s.open &= ~(1 << LINES * place + line)
    me.points += LINE_POINTS[config.printing, image, line]


@kernel
def replace_finished(s: State, config: Config) -> None:
    """P47: after all turns, replace finished images by the next ones, place by place."""
    found = False
    for place in range(PLACES):
        if s.images[place] != 0 and s.open >> LINES * place & _ALL_LINES == 0:
            _finish_image(s, place)
            found = True
    if found:
        note_lines(s, config)


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
