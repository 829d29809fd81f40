"""One game as one record: every field with its shape, its range and the rule behind it.

Tokens are arrays over charcoalium, wood, copper, crystal, resources over the last three. Machines are their kinds
0-15, projects their numbers 0-16; NONE = -1 marks an empty place. Spaces and workshop positions count from 0 here and
from 1 in notation and snapshots. Where order does not matter, numbers ascend, so equal positions are equal byte for
byte.
"""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints, Rows
from ...engine.game import GameConfig
from ...engine.struct import (
    MOVER,
    NOBODY,
    OWNER,
    SEATS,
    GameState,
    Settings,
    Struct,
    bits,
    counts,
    flag,
    listing,
    name_of,
    number,
    part,
    size_of,
    unsaved,
)
from .cards import COPIES, KINDS, NUM_KINDS, NUM_MACHINES, NUM_PROJECTS, P1, RESOURCES, SUPPLY, TOKENS

NONE = -1  # marks an empty place
NUM_SEATS = 2
HAND_SIZE = 5  # N2.2
SPACES, ROW_SPACES = 10, 5  # N1.5
BOARD = 6  # N2.3: places for projects
MOST_IN_WORKSHOP = 4  # N8.1: then only the newest stays
MOST_RESERVED = 6  # N12.1.2
WINNING_POINTS = 20  # N15.1
MOST_POINTS = 34  # N22.3
MOST_ROUNDS = 53  # N22.1
MOST_NEEDED = 4  # of a resource to repair a machine
EXCHANGES = 3  # N10.4
OFFERED = 2  # N12.1

# N20; END comes between the last decision of a turn and the next turn, and is never asked.
PHASES = ("turn", "wild", "pick", "hand", "target", "exchange", "keep", "projects", "partner", "over")
TURN, WILD, PICK, HAND, TARGET, EXCHANGE, KEEP, PROJECTS, PARTNER, OVER, END = range(11)

# What a turn can be, as `last_use` numbers it; 0 before the first turn.
USES = ("charcoalium", "produce", "effect", "repair", "pass")
NO_USE, USE_CHARCOALIUM, USE_PRODUCE, USE_EFFECT, USE_REPAIR, USE_PASS = range(6)


class Seat(Struct):
    """A player: workshop, hand, projects, and what is known of the other hand."""

    points: int = number(np.int8, 0, MOST_POINTS, rule="N2.5, N22.3")
    tokens: Ints = counts(TOKENS, SUPPLY)
    hand: Ints = counts(KINDS, COPIES, some=True, visible_to=OWNER)
    hand_size: int = unsaved(np.int8)
    workshop: Ints = listing(MOST_IN_WORKSHOP, names=KINDS)  # oldest first
    machines: int = size_of("workshop")
    reserved: Ints = listing(MOST_RESERVED, 0, NUM_PROJECTS - 1, rising=True)
    completed: Ints = listing(NUM_PROJECTS, 0, NUM_PROJECTS - 1, rising=True)
    rejected: Ints = listing(MOST_RESERVED, 0, NUM_PROJECTS - 1, rising=True, visible_to=OWNER, rule="N12.1")
    lost: Ints = counts(KINDS, COPIES, some=True, visible_to=OWNER, rule="N16.4")  # discarded from this hand
    # Machines of the other hand that this seat knows of, and those it knew of that may have been lost from there since.
    # While P1 picks, the machine that it discarded may be one of the first.
    known: Ints = counts(KINDS, COPIES, some=True, visible_to=SEATS, rule="N16.6")
    doubtful: Ints = counts(KINDS, COPIES, some=True, visible_to=SEATS, rule="N16.6")
    # The latest turn of this seat, which may be the current one.
    last_use: int = name_of((None, *USES), group="last", key="use", rule="N16.7")
    last_kind: int = name_of(KINDS, none=True, group="last", key="kind")  # played or repaired
    last_effect: int = name_of(KINDS, none=True, group="last", key="effect")  # the copied one for a Y2 once chosen
    worth: Ints = unsaved(np.int8, NUM_KINDS + 1, rule="N23.12")  # of a repair, by kind + 1: see prospects.py


def _sees_discarded(s: State, viewer: int | None) -> bool:
    """N16.4: what P1 discards from a hand is seen by its owner only."""
    return s.effect != P1 or viewer == s.seat


def _most_rounds(config: GameConfig) -> int:
    return min(MOST_ROUNDS, int(config.options["max_rounds"]))


class State(GameState):
    """One game."""

    phase: int = name_of(PHASES)  # END is never asked
    round_number: int = number(np.int16, 1, _most_rounds, key="round", rule="N22.1")
    ending: int = flag(rule="N15.1")
    seats: Rows[Seat] = part(Seat, NUM_SEATS, by_seat=True)
    reserve: Ints = counts(TOKENS, SUPPLY)
    # the bric-a-brac in row order, without a gap (N13.3)
    kinds: Ints = listing(SPACES, names=KINDS, group="bric_a_brac", key="kind")
    coal: Ints = number(np.int8, 0, SUPPLY[0], SPACES, group="bric_a_brac", key="charcoalium")
    machines: int = size_of("kinds")
    deck: Ints = listing(NUM_MACHINES, names=KINDS, at_end=True, visible_to=NOBODY)  # top first
    deck_size: int = size_of("deck")
    board: Ints = number(np.int8, 0, NUM_PROJECTS - 1, BOARD, none=True, key="projects", rule="N2.3, N7.5")
    project_deck: Ints = listing(NUM_PROJECTS, 0, NUM_PROJECTS - 1, at_end=True, visible_to=NOBODY)  # top first
    project_deck_size: int = size_of("project_deck")
    removed: Ints = counts(KINDS, COPIES, some=True)  # machines that left the game in sight of both
    shown: Ints = unsaved(np.int8, NUM_KINDS)  # with those that lie in sight of both
    # The turn so far:
    choices: int = unsaved(np.int32)  # bit i: the i-th action of the phase's family is legal; 0 in TURN and OVER
    played: int = name_of(KINDS, none=True)
    effect: int = name_of(KINDS, none=True)  # that runs (the copied one for a Y2 once chosen)
    discarded: int = name_of(KINDS, none=True, visible_to=_sees_discarded)  # PICK: the kind whose cost is picked from
    left: int = number(np.int8, 0, EXCHANGES)  # picks, exchanges or wild reductions still due
    previous: int = name_of(RESOURCES, none=True)  # PICK and WILD: named before in this chain
    space: int = number(
        np.int8, 0, SPACES - 1, none=True, group="repair", shift=1
    )  # WILD: of the machine being repaired
    fee: int = number(np.int8, 0, SPACES, group="repair")
    need: Ints = counts(RESOURCES, MOST_NEEDED, group="repair")
    offer: Ints = listing(OFFERED, 0, NUM_PROJECTS - 1, rising=True, visible_to=MOVER)  # KEEP
    project: int = number(np.int8, 0, NUM_PROJECTS - 1, none=True)  # PARTNER: being completed
    latest: int = number(np.int8, 0, NUM_PROJECTS - 1, none=True)  # PROJECTS, PARTNER: the greatest of this turn
    partners: int = bits(MOST_IN_WORKSHOP)  # PARTNER: positions chosen for it, without the newest
    used: int = bits(MOST_IN_WORKSHOP)  # PROJECTS and PARTNER: positions used by a project of this turn


# N15.5: what about the deck triggers the end.
LACK, LAST_CARD = "lack", "last_card"


class Config(Settings):
    """Options for compiled code."""

    max_rounds: int = unsaved(np.int32)
    last_card_ends: int = unsaved(np.int8)
