"""One game as one record: every field with its shape, its range and the rule behind it.

Marbles are arrays over the colors red, blue, black, yellow. Cards are their numbers 0-111 (C2); NONE = -1 marks an
empty place. Where the order of cards does not matter for play, they are in order of number (D2.4). So equal positions
with equal knowledge are equal byte for byte, except for `rng`, `game_seed` and the count of decisions.
"""

from __future__ import annotations

import numpy as np

from ...engine.layout import record
from .cards import (
    ADDS,
    AMOUNT,
    BANS,
    CARDS_OF_A_LEVEL,
    CREDIT,
    CREDITS,
    NUM_COLORS,
    POINTS_CREDIT,
    RING_LIMIT,
    SCOPES,
    SCORERS,
)

NONE = -1
MAX_SEATS = 4
MARBLES_OF_A_COLOR = 13  # G1.2
ROW = 6  # G2.5
DISPLAY = 9  # G2.4: places 0-3 are of level 1, 4-6 of level 2, 7-8 of level 3
DISPLAY_LEVEL = np.array([1, 1, 1, 1, 2, 2, 2, 3, 3], np.int8)
LEVEL_1_PLACES = 4
REMOVED = 20  # G2.3
FIRST_RING, FIRST_ARCHIVE, FIRST_RESEARCH = 5, 1, 3  # G2.7
MOST_MARBLES, MOST_ARCHIVED, MOST_RESEARCHED = 29, 9, 15  # G13.2
LAST_ROUND_CARDS, LAST_ROUND_LEVEL_3 = 16, 4  # G14.1
MOST_BUILT = 20  # G14.3: the rules name no limit (G8.8), but the game ends
MOST_COST = 7  # D2.1
MOST_IN_RINGS = MAX_SEATS * FIRST_RING + int(ADDS[:, RING_LIMIT].sum())  # G4.4: in all rings together
LEAST_LEFT = NUM_COLORS * MARBLES_OF_A_COLOR - MOST_IN_RINGS - ROW  # G4.4: in the dispenser, at any time
# Points in tokens: each card gives some once a turn at most, after a Build (G11.5), and each Build adds a card (G14.3).
MOST_TOKENS = (MOST_BUILT - 1) * int(AMOUNT[CREDIT == POINTS_CREDIT].sum())

PHASES = ("main", "hand", "pay", "convert", "under", "chain", "over")  # D1.3
MAIN, HAND, PAY, CONVERT, UNDER, CHAIN, OVER = range(7)

SOURCES = ("display", "archive", "hand")  # where a card that is built comes from
FROM_DISPLAY, FROM_ARCHIVE, FROM_HAND = range(3)

KEPT = ("nothing", "file", "build")  # what a Research did with a card, while the others go under the deck
KEPT_NOTHING, KEPT_FILED, KEPT_BUILT = range(3)

SEAT = record(
    [
        ("converters", np.int32),  # own converters by type, see payment.py
        ("printed", np.int16),  # printed points of the built cards
        ("tokens", np.int16),  # points in tokens
        ("ring", np.int8, NUM_COLORS),  # G1.4
        ("archive", np.int8, MOST_ARCHIVED),  # cards, ascending, then NONE
        ("built", np.int8, MOST_BUILT),  # cards, ascending, so the starting card first, then NONE
        ("archived", np.int8),  # cards in the archive
        ("cards", np.int8),  # cards built
        ("level_3", np.int8),  # those of level 3 among them
        # What the built upgrades add up to (G13):
        ("ring_limit", np.int8),
        ("archive_limit", np.int8),
        ("research", np.int8),
        ("discounts", np.int8, len(SCOPES)),
        ("bans", np.int8, len(BANS)),
        ("scorers", np.int8, len(SCORERS)),
        ("spare", np.int8, 2),  # always 0, as below; aligns what follows to 4 bytes
    ]
)

PAYMENT = record(
    [
        ("choices", np.int16),  # PAY: bit m for an amount of m; CONVERT: bit t for type t
        ("card", np.int8),  # being built, or NONE
        ("source", np.int8),
        ("place", np.int8),  # in display, archive or hand
        ("least", np.int8),  # energy (G8.3)
        ("most", np.int8),
        ("decided", np.int8),  # colors whose amount is decided: 0-4
        ("paid", np.int8, NUM_COLORS),  # those amounts
        ("named", np.int8, MOST_BUILT),  # types of converters named, ascending, then NONE
        ("names", np.int8),  # their number
        ("spare", np.int8, 3),
    ]
)

KNOWN = record(
    [
        # By place in the decks: level by level, from the bottom up. The places above a deck stand for its cards that
        # another seat holds in its hand.
        ("labels", np.int8, 3 * CARDS_OF_A_LEVEL),  # the batch that the card is of, 0 if nothing is known
        ("parts", np.int8, 3 * CARDS_OF_A_LEVEL),  # from 1: places whose labels may be in any order; or 0
        # By card less NUM_STARTING: its batch, named after the lowest card in it, or 0
        ("batches", np.int8, 3 * CARDS_OF_A_LEVEL),
    ]
)

STATE = record(
    [
        ("rng", np.uint64),  # the random number generator's state, see engine/rng.py
        ("game_seed", np.uint64),  # the seed that this game was dealt from
        ("decisions", np.int32),
        ("spent", np.int32),  # G11.5, G10.2: bit i if the i-th built card of the seat on turn is spent or used
        ("used", np.int32),  # its converters used in this turn by type, see payment.py
        ("round_number", np.int16),  # from 1
        ("spare", np.int16),
        ("seats", SEAT, MAX_SEATS),
        ("payment", PAYMENT),  # of the card being built (D4)
        ("row", np.int8, NUM_COLORS),  # by color: its order does not matter (G4.8)
        ("dispenser", np.int8, NUM_COLORS),
        ("display", np.int8, DISPLAY),
        ("decks", np.int8, (3, CARDS_OF_A_LEVEL)),  # the bottom card first, then NONE
        ("deck_sizes", np.int8, 3),
        ("stacks", np.int8, (3, CARDS_OF_A_LEVEL)),  # by place: who can be seen to know the cards, see stacks.py
        ("known", KNOWN, MAX_SEATS),  # what each seat knows of hidden cards (G17.5), see knowledge.py
        ("removed", np.int8, REMOVED),  # ascending (G2.3)
        ("credits", np.int8, len(CREDITS)),  # D3.1
        ("hand", np.int8, MOST_RESEARCHED),  # researched cards, ascending, then NONE
        ("hand_size", np.int8),
        ("hand_level", np.int8),  # the deck they are from, 1-3; 0 while there is no Research
        ("under", np.int8, MOST_RESEARCHED),  # UNDER: cards named so far, first named first, then NONE
        ("under_size", np.int8),
        ("kept", np.int8),  # UNDER: KEPT_...
        ("kept_card", np.int8),  # UNDER: the card that was filed or built, or NONE
        ("seat", np.int8),  # who decides now, and whose turn it is
        ("phase", np.int8),
        ("passes", np.int8),  # G5.4: turns in a row that were passes
        ("last_round", np.int8),  # G14.1
        ("over", np.int8),
        ("truncated", np.int8),  # D6.1
        ("filler", np.int8, 5),
    ]
)

CONFIG = record(
    [
        ("max_rounds", np.int32),
        ("players", np.int8),
        ("quick", np.int8),  # D3.5, D3.6: 1 in the quick variant
        ("spare", np.int8, 2),
    ]
)
