"""One game as one record: every field with its shape, its range and the rule behind it.

Pixels are arrays over the colors R, G, B, C, M, Y, W. Cards are their numbers (see cards.py), 0 stands for no card.
Everything is stored in a canonical order, so equal positions are equal byte for byte.
"""

from __future__ import annotations

import numpy as np

from ...engine.layout import record
from .cards import (
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
REMOVED = np.array([0, 0, 20, 10, 0], np.int8)  # P12, by number of players
ROUNDS = np.array([0, 0, 7, 6, 5], np.int8)  # P48
STACK = 3  # P19
MOST_HAND = 4  # P56
MOST_REMOVED, MOST_SET_ASIDE = 20, 2  # P12, P19.2
MOST_INSTALLED = 27  # P19.2, P21: a player who leaves all ability cards to the only opponent: 6 * 4 + 3
MOST_IMAGES_IN_DECK = NUM_IMAGES - PLACES
MOST_DECISIONS = np.array([0, 0, 412, 456, 486], np.int16)  # P63

PHASES = ("draft", "build", "pay", "convert", "store", "score", "over")
DRAFTING, BUILDING, PAYING, CONVERTING, STORING, SCORING, OVER = range(7)

SEAT = record(
    [
        ("points", np.int16),  # P9
        ("shown_points", np.int16),  # P60: in Convert and Store as they were when the phase began, else 0
        ("pixels", np.int8, NUM_COLORS),
        ("shown_pixels", np.int8, NUM_COLORS),  # P60, likewise
        ("slot_type", np.int8, SLOTS),  # P28: a number of SLOT_TYPES, NONE while the slot is empty
        ("slot_amount", np.int8, SLOTS),  # P35: what its collect ends take in all
        ("slot_cards", np.int8, SLOTS),
        ("installed", np.int8, MOST_INSTALLED),  # slot by slot the kinds, in each ascending, then 0
        ("converters", np.int8, NUM_MACHINE_CONVERTERS),  # convert ends installed
        ("used", np.int8, NUM_MACHINE_CONVERTERS),  # P40: those of them used in this round
        ("abilities", np.int8, NUM_ABILITIES),  # P22: 1 for each ability card turned up
        ("used_abilities", np.int8, NUM_ABILITIES),  # P40
        ("hand", np.int8, MOST_HAND),  # P56: ascending, then 0; empty except in Draft
        ("drafted", np.int8, MOST_HAND),  # in Draft as laid down; then the machine cards left to play, ascending
        ("laid", np.int8, MOST_HAND),  # in Build the cards drafted in this round, by pick; else 0
        ("hand_size", np.int8),
        ("drafted_size", np.int8),
        ("choice", np.int8),  # P59: the hand position locked for this pick, or NONE
        ("asked", np.int8),  # P60: decisions made in the secret Convert and Store in progress, else 0
        ("spare", np.int8),
    ]
)

# Scratch space, all zero between uses: `dealt`, `played` and `left` for resample_build.py, `gains` for P44.
ROOM = record(
    [
        ("dealt", np.int8, (MAX_SEATS, MOST_HAND)),
        ("played", np.int8, (MAX_SEATS, MOST_HAND)),
        ("left", np.int8, (MAX_SEATS, MOST_HAND)),
        ("gains", np.int8, (MAX_SEATS, NUM_COLORS)),
    ]
)

STATE = record(
    [
        ("rng", np.uint64),  # the random number generator's state, see engine/rng.py
        ("game_seed", np.uint64),  # the seed that this game was dealt from
        ("decisions", np.int32),
        ("spare", np.int32),
        ("seats", SEAT, MAX_SEATS),
        ("room", ROOM),
        # P66: by observer, stack (the seat it was dealt to) and place: cards seen there that others have taken or hold
        ("known", np.int8, (MAX_SEATS, MAX_SEATS, MOST_HAND)),
        ("supply", np.int8, NUM_COLORS),  # P3: R, G, B in the bag, the others in their piles
        ("shown_supply", np.int8, NUM_COLORS),  # P60: in Convert and Store as it was when the phase began, else 0
        ("conveyor", np.int8, (SEGMENTS, NUM_PRIMARIES)),  # P4
        ("machine_deck", np.int8, NUM_MACHINES),  # the bottom card first, then 0
        ("removed", np.int8, MOST_REMOVED),  # P12: ascending, then 0
        ("set_aside", np.int8, MOST_SET_ASIDE),  # P19.1: likewise
        ("discarded", np.int8, NUM_KINDS + 1),  # P31: number by kind
        ("image_deck", np.int8, MOST_IMAGES_IN_DECK),  # the bottom card first, then 0
        ("images", np.int8, PLACES),  # P10: 0 for an empty place (P47)
        ("filled", np.int8, (PLACES, LINES)),  # P46
        ("finished", np.int8, NUM_IMAGES + 1),  # P47: 1 for each finished image
        ("leaders", np.int8, 3),  # P23, P24: of Build, Collect, Score; in Draft those of the round before
        ("stacks", np.int8, NUM_ABILITIES),  # P18: room to shuffle the ability cards in, else 0
        ("deck_size", np.int8),  # machine cards
        ("set_aside_size", np.int8),
        ("image_deck_size", np.int8),
        ("seat", np.int8),  # who decides now
        ("phase", np.int8),
        ("round_number", np.int8),  # from 1
        ("over", np.int8),
        ("truncated", np.int8),  # always 0: nothing but P48 ends a game
        ("open_convert", np.int8),  # P44: 1 in a Convert and Store that is played openly
        ("filler", np.int8, 1),
    ]
)

# `printing` is a number of PRINTINGS (P8.1), `any_triple` 1 with all recipes of P41.6
CONFIG = record([("players", np.int8), ("printing", np.int8), ("any_triple", np.int8), ("spare", np.int8, 5)])
