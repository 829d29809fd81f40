"""Action ids and their notation (P55)."""

from __future__ import annotations

from .cards import CARDS, COLORS, LINES
from .state import MOST_HAND, PLACES, SLOTS

# First id of each family, in the order of the rules' table (P55).
DRAFT = 0  # + hand position
INSTALL = 4  # + 12 * hand position + 6 * end + slot
DISCARD = 52  # + hand position
ACTIVATE = 56  # + recipe
FINISH = 102
GIVE = 103  # + color
FILL = 110  # + 5 * place + line
PASS = 140
NUM_ACTIONS = 141

ENDS = ("collect", "convert")
INSTALLS_OF_A_CARD = len(ENDS) * SLOTS


def names() -> list[str]:
    """The notation of every action, by id."""
    texts = [f"draft {place}" for place in range(MOST_HAND)]
    texts += [
        f"install {place} {end} slot {slot + 1}" for place in range(MOST_HAND) for end in ENDS for slot in range(SLOTS)
    ]
    texts += [f"discard {place}" for place in range(MOST_HAND)]
    texts += [f"activate {recipe}" for recipe in CARDS.recipes]
    texts += ["finish"]
    texts += [f"give {color}" for color in COLORS]
    texts += [f"fill {place} line {line}" for place in range(PLACES) for line in range(LINES)]
    return [*texts, "pass"]


_RULES = {
    "draft": "P21",
    "install": "P28, P30",
    "discard": "P31",
    "activate": "P40, P42",
    "finish": "P39",
    "give": "P43, P57",
    "fill": "P46",
    "pass": "P45",
}


def rule_of(name: str) -> str:
    """The paragraph that an action is under."""
    return _RULES.get(name.split(" ")[0], "P55")
