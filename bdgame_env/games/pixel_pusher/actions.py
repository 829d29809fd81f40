"""Action ids and their notation (P55)."""

from __future__ import annotations

from .cards import CARDS, COLORS, LINES, NUM_ALL_RECIPES, NUM_RECIPES
from .state import MOST_HAND, PLACES, SLOTS

# First id of each family, in the order of the rules' match (P55).
DRAFT = 0  # + hand position
INSTALL = 4  # + 12 * hand position + 6 * end + slot
DISCARD = 52  # + hand position
ACTIVATE = 56  # + recipe, of those that are always there
FINISH = 102
GIVE = 103  # + color
FILL = 110  # + 5 * place + line
PASS = 140
NUM_ACTIONS = 141
ACTIVATE_MORE = 141  # + recipe - NUM_RECIPES, of those that only the option triple="any" has (P41.6)
NUM_ACTIONS_ANY_TRIPLE = 165

ENDS = ("collect", "convert")
INSTALLS_OF_A_CARD = len(ENDS) * SLOTS


def names(any_triple: bool = False) -> list[str]:
    """The notation of every action, by id; `any_triple` is whether all triples are played with (P41.6)."""
    texts = [f"draft {place}" for place in range(MOST_HAND)]
    texts += [
        f"install {place} {end} slot {slot + 1}" for place in range(MOST_HAND) for end in ENDS for slot in range(SLOTS)
    ]
    texts += [f"discard {place}" for place in range(MOST_HAND)]
    texts += [f"activate {recipe}" for recipe in CARDS.recipes[:NUM_RECIPES]]
    texts += ["finish"]
    texts += [f"give {color}" for color in COLORS]
    texts += [f"fill {place} line {line}" for place in range(PLACES) for line in range(LINES)]
    texts += ["pass"]
    more = range(NUM_RECIPES, NUM_ALL_RECIPES) if any_triple else ()
    return [*texts, *(f"activate {CARDS.recipes[recipe]}" for recipe in more)]


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
