"""One game as one record: every field with its shape, its range and the rule behind it.

Marbles are arrays over the colors red, blue, black, yellow. Cards are their numbers 0-111 (C2); NONE = -1 marks an
empty place. Where the order of cards does not matter for play, they are in order of number (D2.4). So equal positions
with equal knowledge are equal byte for byte, except for `rng`, `game_seed` and the count of decisions.
"""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints, Ints2, Rows
from ...engine.struct import (
    MOVER,
    NOBODY,
    OWNER,
    GameState,
    Settings,
    Struct,
    bits,
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
    ADDS,
    AMOUNT,
    BANS,
    CARDS_OF_A_LEVEL,
    COLORS,
    CONVERTER_TYPES,
    CREDIT,
    CREDITS,
    NUM_CARDS,
    NUM_COLORS,
    NUM_STARTING,
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
# Points in tokens: each card gives some once a turn at most, after a Build or a File (G11.5). A Build adds a card to
# those built and may take one from the archive, where a File adds one.
MOST_POINTS_A_TURN = int(AMOUNT[CREDIT == POINTS_CREDIT].sum())
MOST_TOKENS = (2 * MOST_BUILT + MOST_ARCHIVED) * MOST_POINTS_A_TURN

PHASES = ("main", "hand", "pay", "convert", "under", "chain", "over")  # D1.3
MAIN, HAND, PAY, CONVERT, UNDER, CHAIN, OVER = range(7)

SOURCES = ("display", "archive", "hand")  # where a card that is built comes from
FROM_DISPLAY, FROM_ARCHIVE, FROM_HAND = range(3)

KEPT = (None, "file", "build")  # what a Research did with a card, while the others go under the deck
KEPT_NOTHING, KEPT_FILED, KEPT_BUILT = range(3)

_CARD = (NUM_STARTING, NUM_CARDS - 1)  # the cards that the decks are of


class Seat(Struct):
    """A player: marbles, cards, and what the built cards add up to."""

    ring: Ints = counts(COLORS, MARBLES_OF_A_COLOR)  # G1.4
    archive: Ints = listing(MOST_ARCHIVED, *_CARD, rising=True)
    archived: int = size_of("archive")
    built: Ints = listing(MOST_BUILT, 0, NUM_CARDS - 1, rising=True)  # so the starting card first
    cards: int = size_of("built")
    tokens: int = number(np.int16, 0, MOST_TOKENS)  # points in tokens
    # What the built cards add up to (G13):
    printed: int = unsaved(np.int16)  # points
    level_3: int = unsaved(np.int8)  # cards of level 3
    converters: int = unsaved(np.int32)  # by type, see payment.py
    energies: int = unsaved(np.int32)  # the most that can be paid now, see `payment.energies_of`
    ring_limit: int = unsaved(np.int8)
    archive_limit: int = unsaved(np.int8)
    research: int = unsaved(np.int8)
    discounts: Ints = unsaved(np.int8, (len(SCOPES),))
    bans: Ints = unsaved(np.int8, (len(BANS),))
    scorers: Ints = unsaved(np.int8, (len(SCORERS),))


def _sees_place(s: State, viewer: int | None) -> bool:
    """G17.4: where in the hand a card lies is seen by the researcher only."""
    return s.payment.source != FROM_HAND or viewer == s.seat


class Payment(Struct):
    """D4: of the card being built."""

    card: int = number(np.int8, *_CARD, none=True)
    source: int = name_of(SOURCES)
    place: int = number(np.int8, 0, MOST_RESEARCHED - 1, visible_to=_sees_place)  # in display, archive or hand
    least: int = number(np.int8, 0, MOST_COST, rule="G8.3")  # energy
    most: int = number(np.int8, 0, MOST_COST, rule="G8.4")
    paid: Ints = custom(np.int8, NUM_COLORS)  # the amounts decided
    decided: int = unsaved(np.int8)  # of how many colors
    named: Ints = listing(MOST_BUILT, names=CONVERTER_TYPES, key="converters", rising=True)  # types of converters
    names: int = size_of("named")
    choices: int = unsaved(np.int16)  # PAY: bit m for an amount of m; CONVERT: bit t for type t


class Known(Struct):
    """G17.5: what a seat knows of hidden cards, see knowledge.py.

    Places of a level are numbered from the top down: first the hidden cards of the level in the hand of the seat
    on turn (nothing is noted of one's own), then the deck.
    """

    labels: Ints2 = unsaved(np.int8, (3, CARDS_OF_A_LEVEL))  # by place: the batch that the card is of, or 0
    parts: Ints2 = unsaved(np.int8, (3, CARDS_OF_A_LEVEL))  # from 1: places whose labels may be in any order; or 0
    batches: Ints2 = unsaved(np.int8, (3, CARDS_OF_A_LEVEL))  # by card: its batch, named after the lowest card, or 0
    cards: Ints = unsaved(np.int8, 3)  # by level: how many are in batches
    mixed: Ints = unsaved(np.int8, 3)  # by level: the number of parts


class State(GameState):
    """One game."""

    phase: int = name_of(PHASES)
    round_number: int = number(np.int16, 1, lambda config: config.options["max_rounds"], key="round")
    last_round: int = flag(rule="G14.1")
    passes: int = number(np.int8, 0, lambda config: config.players, rule="G5.4")  # turns in a row that were passes
    row: Ints = counts(COLORS, ROW)  # G4.8: its order does not matter
    dispenser: Ints = counts(COLORS, MARBLES_OF_A_COLOR)
    display: Ints = number(np.int8, *_CARD, DISPLAY, none=True)
    decks: Ints2 = listing((3, CARDS_OF_A_LEVEL), *_CARD, backwards=True, visible_to=NOBODY)  # the bottom card first
    deck_sizes: Ints = size_of("decks", 3)
    stacks: Ints2 = custom(np.int8, (3, CARDS_OF_A_LEVEL), rule="G17.8")  # by place, see stacks.py
    known: Rows[Known] = custom(Known.dtype, MAX_SEATS, by_seat=True, visible_to=OWNER, rule="G17.5")
    removed: Ints = listing(REMOVED, *_CARD, rising=True, visible_to=NOBODY, rule="G2.3")
    credits: Ints = counts(CREDITS, np.iinfo(np.int8).max, rule="D3.1")
    # Researched cards, the deck that they are from, 1-3, and who else is known to know them:
    hand_level: int = name_of((None, 1, 2, 3), group="hand", key="level")
    hand: Ints = listing(MOST_RESEARCHED, *_CARD, rising=True, visible_to=MOVER, group="hand", key="cards")
    hand_size: int = size_of("hand")
    hand_known_to: int = bits(
        MAX_SEATS, names=lambda config: range(config.players), group="hand", key="known_to", rule="G17.8"
    )
    under: Ints = listing(MOST_RESEARCHED, *_CARD, visible_to=MOVER)  # UNDER: cards named so far, first named first
    under_size: int = size_of("under")
    kept: int = name_of(KEPT, group="kept", key="as")  # UNDER: what was done
    kept_card: int = number(np.int8, *_CARD, none=True, group="kept", key="card")  # with which card
    payment: Payment = part(Payment, none=True)
    # G11.5, G10.2: bit i if the i-th built card of the seat on turn is spent or used; in snapshots only those spent
    spent: int = custom(np.int32)
    used: int = custom(np.int32)  # its converters used in this turn by type, see payment.py
    seats: Rows[Seat] = part(Seat, MAX_SEATS, by_seat=True)


STATE = State.dtype


class Config(Settings):
    """Options for compiled code."""

    max_rounds: int = unsaved(np.int32)
    quick: int = unsaved(np.int8)  # D3.5, D3.6: 1 in the quick variant
