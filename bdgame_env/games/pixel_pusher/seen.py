"""What a row of observations shows, so that the next one in its place need not find it out again."""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints, Rows
from ...engine.struct import Struct, plain
from .cards import NUM_COLORS
from .state import MAX_SEATS, PLACES


class Lines(Struct):
    """What `look_at_lines` found, and what it follows from; right as zeros, too: without lines there is nothing."""

    pixels: int = plain(np.int64)  # packed
    open: int = plain(np.int64)  # as `State.open`
    images: Ints = plain(np.int8, PLACES)
    best: int = plain(np.int8)
    one_short: Ints = plain(np.int8, NUM_COLORS)
    two_short: Ints = plain(np.int8, NUM_COLORS * (NUM_COLORS + 1) // 2)


class Seen(Struct):
    """By seat, as of one seat's decisions the next are often another's."""

    lines: Rows[Lines] = plain(Lines.dtype, MAX_SEATS)
    bare: int = plain(np.int8)  # 1 if prospects are left out
