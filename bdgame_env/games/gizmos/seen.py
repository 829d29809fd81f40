"""What a row of observations shows, so that the next one in its place writes only what differs."""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints, Ints2, Rows
from ...engine.struct import Struct, plain
from .cards import CARDS_OF_A_LEVEL, NUM_COLORS
from .state import DISPLAY, MAX_SEATS, Seat


class Seen(Struct):
    """What is compared with the game, and what followed from it; zero before anything is shown.

    Seats are in turn order here: of one seat's decisions the next are often another's.
    """

    used: Ints = plain(np.int32, MAX_SEATS)  # converters of the seat on turn that `picks` do not count
    seats: Rows[Seat] = plain(Seat.dtype, MAX_SEATS)
    bare: int = plain(np.int8)  # 1 if prospects are left out
    shown: int = plain(np.int8)  # 1 once something is
    seat: int = plain(np.int8)  # the observer
    display: Ints = plain(np.int8, DISPLAY)
    archived: int = plain(np.int8)  # faces of own cards
    hand: int = plain(np.int8)  # faces of researched cards
    under: int = plain(np.int8)
    kept: int = plain(np.int8)
    kept_card: int = plain(np.int8)
    hand_known_to: int = plain(np.int8)
    stacks: Ints2 = plain(np.int8, (3, CARDS_OF_A_LEVEL))
    paying: int = plain(np.int8)  # 1 while a card is being paid for
    spent: int = plain(np.int8)  # 1 if a card is marked
    lacks: Ints2 = plain(np.int8, (MAX_SEATS, DISPLAY))  # what a seat lacks for the display, see `prospects`
    picked: Ints = plain(np.int8, MAX_SEATS)  # 1 where the two rows that follow are right
    pick_pays: Ints2 = plain(np.int8, (MAX_SEATS, NUM_COLORS))
    pick_best: Ints2 = plain(np.int8, (MAX_SEATS, NUM_COLORS))
