"""Action ids and their notation (N19)."""

from __future__ import annotations

import numpy as np

from ...engine.actions import ActionTable
from .cards import CHARCOALIUM, KINDS, NUM_KINDS, NUM_PROJECTS, NUM_RESOURCES, RESOURCES, SYMBOL
from .state import EXCHANGE, HAND, KEEP, PARTNER, PHASES, PICK, PROJECTS, TARGET, WILD

NUM_SPACES = 9  # N19.1
_SPACES, _POSITIONS = range(1, NUM_SPACES + 1), (1, 2, 3)
_FOR_TOKENS = [f"charcoalium-{resource}" for resource in RESOURCES]
_FOR_COAL = [f"{resource}-charcoalium" for resource in RESOURCES]

# Where the observation shows the cards.
_HAND = [("hand", kind) for kind in range(NUM_KINDS)]
_ROW = [("bric_a_brac", space) for space in range(NUM_SPACES)]
_WORKSHOP = [("workshop", 0, position) for position in range(len(_POSITIONS))]
_TILES = [("projects", project) for project in range(NUM_PROJECTS)]

# And where it says what comes of actions.
_PRODUCED = [("produced", kind) for kind in range(NUM_KINDS)]
_ONE_MORE = [("one_more", int(SYMBOL[kind])) for kind in range(NUM_KINDS)]
_MORE_CHARCOALIUM = [("one_more", CHARCOALIUM)] * NUM_KINDS
_PICKED = [("one_more", resource + 1) for resource in range(NUM_RESOURCES)]
_EXCHANGED = _PICKED + [("one_more", CHARCOALIUM)] * NUM_RESOURCES

# The families, each named by its first id. Copies of a kind are one action (N19.2).
ACTIONS = ActionTable(rule="N20")
PLAY_CHARCOALIUM = ACTIONS.add("charcoalium", KINDS, rule="N4.3", cards=_HAND, outcomes=_MORE_CHARCOALIUM)
PLAY_PRODUCE = ACTIONS.add("produce", KINDS, rule="N4.4", cards=_HAND, outcomes=_ONE_MORE)
PLAY_EFFECT = ACTIONS.add("effect", KINDS, rule="N4.5, N4.6", cards=_HAND, outcomes=_PRODUCED)
REPAIR = ACTIONS.add("repair", _SPACES, rule="N6", cards=_ROW)
WILD_REDUCTION = ACTIONS.add("wild", RESOURCES, rule="N6.4, N21.2")
PICK_RESOURCE = ACTIONS.add("pick", RESOURCES, rule="N20.4, N20.5", outcomes=_PICKED)
DISCARD_HAND = ACTIONS.add("discard", KINDS, rule="N10.1, N20.8", cards=_HAND)
TARGET_SPACE = ACTIONS.add("target", _SPACES, rule="N10.2, N10.3, N12.2", cards=_ROW)
EXCHANGE_TOKENS = ACTIONS.add("exchange", _FOR_TOKENS + _FOR_COAL, rule="N10.4", outcomes=_EXCHANGED)
KEEP_PROJECT = ACTIONS.add("keep", range(NUM_PROJECTS), rule="N12.1", cards=_TILES)
COMPLETE = ACTIONS.add("complete", range(NUM_PROJECTS), rule="N7, N20.6, N20.7", cards=_TILES)
PARTNER_POSITION = ACTIONS.add("partner", _POSITIONS, rule="N7.2, N20.6", cards=_WORKSHOP)
DONE = ACTIONS.add("done", rule="N10.4.1, N7.1")
PASS = ACTIONS.add("pass", rule="N3.3")

NUM_ACTIONS = ACTIONS.size
FAMILY = ACTIONS.first_of_each()  # by action id: the first id of its family

# By phase: the first id and the size of the family it asks for (none in TURN and OVER).
FIRST = np.zeros(len(PHASES), np.int16)
COUNT = np.zeros(len(PHASES), np.int16)
for _phase, _first in (
    (WILD, WILD_REDUCTION),
    (PICK, PICK_RESOURCE),
    (HAND, DISCARD_HAND),
    (TARGET, TARGET_SPACE),
    (EXCHANGE, EXCHANGE_TOKENS),
    (KEEP, KEEP_PROJECT),
    (PROJECTS, COMPLETE),
    (PARTNER, PARTNER_POSITION),
):
    FIRST[_phase], COUNT[_phase] = _first, ACTIONS.count(_first)
FIRST.setflags(write=False)
COUNT.setflags(write=False)
