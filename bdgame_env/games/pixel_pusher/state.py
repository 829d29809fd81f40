"""One game as one record: every field with its shape, its range and the rule behind it.

Pixels are arrays over the colors R, G, B, C, M, Y, W. Cards are their numbers (see cards.py), 0 stands for no card.
Everything is stored in a canonical order, so equal positions are equal byte for byte.
"""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints, Ints2, Ints3, Rows
from ...engine.struct import (
    NOBODY,
    OWNER,
    GameState,
    Settings,
    Struct,
    copies,
    counts,
    custom,
    flag,
    listing,
    name_of,
    number,
    part,
    size_of,
    unsaved,
)
from .cards import (
    CARDS,
    CELLS,
    COLORS,
    COPIES,
    FIRST_ABILITY,
    LEADERS,
    LINES,
    NUM_ABILITIES,
    NUM_COLORS,
    NUM_IMAGES,
    NUM_KINDS,
    NUM_MACHINE_CONVERTERS,
    NUM_MACHINES,
    NUM_PRIMARIES,
)

NONE = -1
MAX_SEATS = 4  # P1
PIXELS = np.array([20, 20, 20, 10, 10, 10, 10], np.int8)  # P2
SEGMENTS, SLOTS, STORAGE = 6, 6, 5  # P4, P5
REFILL = 6  # P17.3; segment k = 1..6 begins with 7 - k pixels (P13)
PLACES = 6  # P10
POINTS_BITS = 5  # of the points of a line
REMOVED = np.array([0, 0, 20, 10, 0], np.int8)  # P12, by number of players
ROUNDS = np.array([0, 0, 7, 6, 5], np.int8)  # P48
STACK = 3  # P19
MOST_HAND = 4  # P56
MOST_REMOVED, MOST_SET_ASIDE = 20, 2  # P12, P19.2
MOST_INSTALLED = 27  # P19.2, P21: a player who leaves all ability cards to the only opponent: 6 * 4 + 3
MOST_IMAGES_IN_DECK = NUM_IMAGES - PLACES
MOST_POINTS = 10_000  # in a snapshot
MOST_ASKED = 127  # P40, P43: 27 converters, 4 ability cards, to finish, all but five of 100 pixels
MOST_DECISIONS = np.array([0, 0, 412, 456, 486], np.int16)  # P63

PHASES = ("draft", "build", "pay", "convert", "store", "score", "over")
DRAFTING, BUILDING, PAYING, CONVERTING, STORING, SCORING, OVER = range(7)

# What cards are called in snapshots: machine cards by their kinds, ability cards by their ids; null for no card.
CARD_NAMES = (None, *range(1, FIRST_ABILITY), *CARDS.abilities)


def _sees_turn(s: State, viewer: int | None) -> bool:
    """P59, P60: where all choose at once, only the seat that is asked knows that it decides."""
    secret = s.phase in (CONVERTING, STORING) and not s.open_convert
    return bool(viewer == s.seat or not (secret or s.phase == DRAFTING))


def _sees_begin(s: State, viewer: int | None) -> bool:
    """P60: what was when a secret phase began is there to restore it; to viewers the boards themselves show it."""
    return False


class Seat(Struct):
    """A player: board, machine, cards."""

    points: int = number(np.int16, 0, MOST_POINTS, rule="P9")
    pixels: Ints = counts(COLORS, PIXELS)
    # In a secret Convert and Store as they were when the phase began (P60), else 0.
    shown_points: int = number(np.int16, 0, MOST_POINTS, visible_to=_sees_begin, group="shown", key="points")
    shown_pixels: Ints = counts(COLORS, PIXELS, some=True, visible_to=_sees_begin, group="shown", key="pixels")
    slot_type: Ints = custom(np.int8, SLOTS, none=True, key="slots")
    slot_cards: Ints = unsaved(np.int8, SLOTS)
    installed: Ints = unsaved(np.int8, MOST_INSTALLED)  # slot by slot the kinds, in each ascending, then 0
    slot_amount: Ints = unsaved(np.int8, SLOTS, rule="P35")  # what its collect ends take in all
    converters: Ints = unsaved(np.int8, NUM_MACHINE_CONVERTERS)  # convert ends installed
    # P56: ascending; empty except in Draft
    hand: Ints = listing(MOST_HAND, names=CARD_NAMES, empty=0, rising=True, visible_to=OWNER)
    hand_size: int = size_of("hand")
    choice: int = number(np.int8, 0, MOST_HAND - 1, none=True, visible_to=OWNER, rule="P59")  # locked for this pick
    # in Draft as laid down; then the machine cards left to play, ascending
    drafted: Ints = listing(MOST_HAND, names=CARD_NAMES, empty=0, visible_to=OWNER)
    drafted_size: int = size_of("drafted")
    laid: Ints = listing(MOST_HAND, names=CARD_NAMES, empty=0, visible_to=OWNER)  # in Build the draft, by pick
    played: Ints = unsaved(np.int8, MOST_HAND, rule="P26")  # in Build the machine cards played in it, ascending
    asked: int = number(np.int8, 0, MOST_ASKED, visible_to=OWNER, rule="P60")  # in a secret Convert and Store, else 0
    abilities: Ints = copies(NUM_ABILITIES, 1, names=CARDS.abilities, rule="P22")  # turned up
    used: Ints = copies(  # in this round
        NUM_MACHINE_CONVERTERS, MOST_INSTALLED, names=CARDS.converters[:NUM_MACHINE_CONVERTERS], rule="P40"
    )
    used_abilities: Ints = copies(NUM_ABILITIES, 1, names=CARDS.abilities, rule="P40")


class Room(Struct):
    """Scratch space, all zero between uses: the first two for resample_build.py, `gains` for P44."""

    dealt: Ints2 = unsaved(np.int8, (MAX_SEATS, MOST_HAND))
    left: Ints2 = unsaved(np.int8, (MAX_SEATS, MOST_HAND))
    gains: Ints2 = unsaved(np.int8, (MAX_SEATS, NUM_COLORS))


class State(GameState):
    """One game."""

    seat: int = number(np.int8, 0, lambda config: config.players - 1, visible_to=_sees_turn)
    truncated: int = unsaved(np.int8)  # always 0: nothing but P48 ends a game
    round_number: int = number(np.int8, 1, lambda config: int(ROUNDS[config.players]), key="round")
    phase: int = name_of(PHASES)
    open_convert: int = flag(rule="P44")  # 1 in a Convert and Store that is played openly
    # of Build, Collect, Score; in Draft those of the round before
    leaders: Ints = counts(LEADERS, lambda config: config.players - 1, len(LEADERS), rule="P23, P24")
    supply: Ints = counts(COLORS, PIXELS, rule="P3")  # R, G, B in the bag, the others in their piles
    # in a secret Convert and Store as it was when the phase began (P60), else 0
    shown_supply: Ints = counts(COLORS, PIXELS, some=True, visible_to=_sees_begin)
    conveyor: Ints2 = counts(COLORS[:NUM_PRIMARIES], PIXELS[:NUM_PRIMARIES], (SEGMENTS, NUM_PRIMARIES), rule="P4")
    machine_deck: Ints = listing(NUM_MACHINES, 1, NUM_KINDS, empty=0, backwards=True, visible_to=NOBODY)  # top last
    deck_size: int = size_of("machine_deck")
    removed: Ints = listing(MOST_REMOVED, 1, NUM_KINDS, empty=0, rising=True, visible_to=NOBODY, rule="P12")
    set_aside: Ints = listing(MOST_SET_ASIDE, 1, NUM_KINDS, empty=0, rising=True, visible_to=NOBODY, rule="P19.1")
    set_aside_size: int = size_of("set_aside")
    discarded: Ints = copies(NUM_KINDS + 1, COPIES, low=1, rule="P31")  # by kind
    image_deck: Ints = listing(MOST_IMAGES_IN_DECK, 1, NUM_IMAGES, empty=0, backwards=True, visible_to=NOBODY)
    image_deck_size: int = size_of("image_deck")
    images: Ints = custom(np.int8, PLACES, rule="P10")  # 0 for an empty place (P47)
    filled: Ints2 = unsaved(np.int8, (PLACES, LINES), rule="P46")
    # P46: see lines.py
    open: int = unsaved(np.int32)
    asking: Ints2 = unsaved(np.int32, (NUM_COLORS, CELLS + 3))  # nothing asks for more than five, six or seven
    scoring: Ints = unsaved(np.int32, POINTS_BITS)
    finished: Ints = copies(NUM_IMAGES + 1, 1, low=1, rule="P47")  # by image
    seats: Rows[Seat] = part(Seat, MAX_SEATS, by_seat=True)
    # P66: by observer, stack (the seat it was dealt to) and place: cards seen there that others have taken or hold
    known: Ints3 = unsaved(np.int8, (MAX_SEATS, MAX_SEATS, MOST_HAND))
    stacks: Ints = unsaved(np.int8, NUM_ABILITIES, rule="P18")  # room to shuffle the ability cards in, else 0
    room: Room = unsaved(Room.dtype)


STATE = State.dtype


class Config(Settings):
    """Cards and options for compiled code."""

    printing: int = unsaved(np.int8, rule="P8.1")  # a number of PRINTINGS
    any_triple: int = unsaved(np.int8, rule="P41.6")  # 1 with all recipes
