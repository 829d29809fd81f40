"""The conveyor: filling it, and Generate (P4, P13, P17)."""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import NUM_PRIMARIES
from .pixels import draw_from_bag
from .state import NONE, REFILL, SEGMENTS, State


@kernel
def fill_segment(s: State, segment: int, count: int) -> None:
    """P13, P17.3: draw pixels from the bag onto a segment, fewer if the bag runs out."""
    for _ in range(count):
        color = draw_from_bag(s)
        if color != NONE:
            s.conveyor[segment, color] += 1


@kernel
def fill_conveyor(s: State) -> None:
    """P13: six pixels on segment 1, one fewer on each segment after it."""
    for segment in range(SEGMENTS):
        fill_segment(s, segment, REFILL - segment)


@kernel
def generate(s: State) -> None:
    """P17: empty the last segment into the bag (P17.1), move the others on (P17.2), fill segment 1 (P17.3)."""
    for color in range(NUM_PRIMARIES):
        s.supply[color] += s.conveyor[SEGMENTS - 1, color]
        for segment in range(SEGMENTS - 1, 0, -1):
            s.conveyor[segment, color] = s.conveyor[segment - 1, color]
        s.conveyor[0, color] = 0
    fill_segment(s, 0, REFILL)
