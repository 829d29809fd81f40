"""One game as one record: every field with its shape, its range and the rule behind it.

Tokens are arrays over charcoalium, wood, copper, crystal, resources over the last three. Machines are their kinds
0-15, projects their numbers 0-16; NONE = -1 marks an empty place. Spaces and workshop positions count from 0 here and
from 1 in notation and snapshots. Where order does not matter, numbers ascend, so equal positions are equal byte for
byte.
"""

from __future__ import annotations

import numpy as np

from ...engine.layout import record
from .cards import NUM_KINDS, NUM_MACHINES, NUM_PROJECTS, NUM_RESOURCES, NUM_TOKENS

NONE = -1
NUM_SEATS = 2
HAND_SIZE = 5  # N2.2
SPACES, ROW_SPACES = 10, 5  # N1.5
BOARD = 6  # N2.3: places for projects
MOST_IN_WORKSHOP = 4  # N8.1: then only the newest stays
MOST_RESERVED = 6  # N12.1.2
WINNING_POINTS = 20  # N15.1
MOST_POINTS = 34  # N22.3
EXCHANGES = 3  # N10.4
OFFERED = 2  # N12.1

# N20; END comes between the last decision of a turn and the next turn, and is never asked.
PHASES = ("turn", "wild", "pick", "hand", "target", "exchange", "keep", "projects", "partner", "over")
TURN, WILD, PICK, HAND, TARGET, EXCHANGE, KEEP, PROJECTS, PARTNER, OVER, END = range(11)

# What a turn can be, as `last_use` numbers it; 0 before the first turn.
USES = ("charcoalium", "produce", "effect", "repair", "pass")
NO_USE, USE_CHARCOALIUM, USE_PRODUCE, USE_EFFECT, USE_REPAIR, USE_PASS = range(6)

SEAT = record(
    [
        ("points", np.int8),  # N2.5, N22.3: 0-34
        ("tokens", np.int8, NUM_TOKENS),
        ("hand", np.int8, NUM_KINDS),  # machines by kind
        ("hand_size", np.int8),  # 0-5
        ("workshop", np.int8, MOST_IN_WORKSHOP),  # oldest first, then NONE
        ("machines", np.int8),  # in the workshop: 0-4
        ("reserved", np.int8, MOST_RESERVED),  # rising, then NONE
        ("completed", np.int8, NUM_PROJECTS),  # rising, then NONE
        ("rejected", np.int8, MOST_RESERVED),  # N12.1: returned to the box, ascending, then NONE
        ("lost", np.int8, NUM_KINDS),  # N16.4: machines discarded from this hand, by kind
        # N16.6, by kind: machines of the other hand that this seat knows of, and those it knew of that may have been
        # lost from there since. While P1 picks, the machine that it discarded may be one of the first.
        ("known", np.int8, NUM_KINDS),
        ("doubtful", np.int8, NUM_KINDS),
        # N16.7: the latest turn of this seat, which may be the current one.
        ("last_use", np.int8),
        ("last_kind", np.int8),  # played or repaired, or NONE
        ("last_effect", np.int8),  # kind whose effect was used (the copied one for a Y2 once chosen), or NONE
    ]
)

STATE = record(
    [
        ("rng", np.uint64),  # the random number generator's state, see engine/rng.py
        ("game_seed", np.uint64),  # the seed that this game was dealt from
        ("decisions", np.int32),
        ("choices", np.int32),  # bit i: the i-th action of the phase's family is legal; 0 in TURN and OVER
        ("round_number", np.int16),  # from 1
        ("seats", SEAT, NUM_SEATS),
        ("reserve", np.int8, NUM_TOKENS),
        ("kinds", np.int8, SPACES),  # the bric-a-brac in row order, without a gap (N13.3), then NONE
        ("coal", np.int8, SPACES),  # charcoalium on its machines
        ("machines", np.int8),  # on the bric-a-brac: 0-10
        ("deck", np.int8, NUM_MACHINES),  # NONE, then the cards, top first
        ("deck_size", np.int8),
        ("board", np.int8, BOARD),  # N2.3: face-up projects; NONE once the tile is gone (N7.5)
        ("project_deck", np.int8, NUM_PROJECTS),  # NONE, then the tiles, top first
        ("project_deck_size", np.int8),
        ("removed", np.int8, NUM_KINDS),  # machines that left the game in sight of both, by kind
        ("seat", np.int8),  # who decides now, and whose turn it is
        ("phase", np.int8),
        ("ending", np.int8),  # N15.1: the end is triggered
        ("over", np.int8),
        ("truncated", np.int8),
        # The turn so far:
        ("played", np.int8),  # kind played in this turn, or NONE
        ("effect", np.int8),  # kind whose effect runs (the copied one for a Y2 once chosen), or NONE
        ("discarded", np.int8),  # PICK: the kind whose cost is picked from, or NONE
        ("left", np.int8),  # picks, exchanges or wild reductions still due
        ("previous", np.int8),  # PICK and WILD: resource named before in this chain, or NONE
        ("space", np.int8),  # WILD: of the machine being repaired, or NONE
        ("fee", np.int8),
        ("need", np.int8, NUM_RESOURCES),
        ("offer", np.int8, OFFERED),  # KEEP: rising, or NONE
        ("project", np.int8),  # PARTNER: being completed, or NONE
        ("latest", np.int8),  # PROJECTS and PARTNER: the greatest project completed in this turn, or NONE
        ("partners", np.int8),  # PARTNER: bit i if position i is chosen for it, without the newest
        ("used", np.int8),  # PROJECTS and PARTNER: bit i if position i is used by a project of this turn
        ("filler", np.int8),
    ]
)

# N15.5: what about the deck triggers the end.
LACK, LAST_CARD = "lack", "last_card"

CONFIG = record([("max_rounds", np.int32), ("players", np.int8), ("last_card_ends", np.int8), ("spare", np.int8, 2)])
