"""Action ids and their notation (N19)."""

from __future__ import annotations

import numpy as np

from .cards import KINDS, NUM_PROJECTS, RESOURCES
from .state import EXCHANGE, HAND, KEEP, PARTNER, PHASES, PICK, PROJECTS, TARGET, WILD

# First id of each family, in the order of the rules' match (N19).
PLAY_CHARCOALIUM = 0  # + kind
PLAY_PRODUCE = 16  # + kind
PLAY_EFFECT = 32  # + kind
REPAIR = 48  # + space
WILD_REDUCTION = 57  # + resource
PICK_RESOURCE = 60  # + resource
DISCARD_HAND = 63  # + kind
TARGET_SPACE = 79  # + space
EXCHANGE_TOKENS = 88  # + resource for charcoalium, + 3 + resource for the other way
KEEP_PROJECT = 94  # + project
COMPLETE = 111  # + project
PARTNER_POSITION = 128  # + position
DONE = 131
PASS = 132
NUM_ACTIONS = 133
NUM_SPACES = 9  # N19.1

# By phase: the first id of the family asked for in it, and how many ids that has (TURN and OVER: none).
FIRST = np.zeros(len(PHASES), np.int16)
COUNT = np.zeros(len(PHASES), np.int16)
for _phase, _first, _count in (
    (WILD, WILD_REDUCTION, 3),
    (PICK, PICK_RESOURCE, 3),
    (HAND, DISCARD_HAND, 16),
    (TARGET, TARGET_SPACE, NUM_SPACES),
    (EXCHANGE, EXCHANGE_TOKENS, 6),
    (KEEP, KEEP_PROJECT, NUM_PROJECTS),
    (PROJECTS, COMPLETE, NUM_PROJECTS),
    (PARTNER, PARTNER_POSITION, 3),
):
    FIRST[_phase], COUNT[_phase] = _first, _count
FIRST.setflags(write=False)
COUNT.setflags(write=False)


def names() -> list[str]:
    """The notation of every action, by id; copies of a kind are one action (N19.2)."""
    texts = [f"{use} {kind}" for use in ("charcoalium", "produce", "effect") for kind in KINDS]
    texts += [f"repair {space}" for space in range(1, NUM_SPACES + 1)]
    texts += [f"{verb} {resource}" for verb in ("wild", "pick") for resource in RESOURCES]
    texts += [f"discard {kind}" for kind in KINDS]
    texts += [f"target {space}" for space in range(1, NUM_SPACES + 1)]
    texts += [f"exchange charcoalium-{resource}" for resource in RESOURCES]
    texts += [f"exchange {resource}-charcoalium" for resource in RESOURCES]
    texts += [f"{verb} {project}" for verb in ("keep", "complete") for project in range(NUM_PROJECTS)]
    texts += [f"partner {position}" for position in (1, 2, 3)]
    return [*texts, "done", "pass"]


_RULES = {
    "charcoalium": "N4.3",
    "produce": "N4.4",
    "effect": "N4.5, N4.6",
    "repair": "N6",
    "wild": "N6.4, N21.2",
    "pick": "N20.4, N20.5",
    "discard": "N10.1, N20.8",
    "target": "N10.2, N10.3, N12.2",
    "exchange": "N10.4",
    "keep": "N12.1",
    "complete": "N7, N20.6, N20.7",
    "partner": "N7.2, N20.6",
    "done": "N10.4.1, N7.1",
    "pass": "N3.3",
}


def rule_of(name: str) -> str:
    """The paragraph that an action is under."""
    return _RULES.get(name.split(" ")[0], "N20")
