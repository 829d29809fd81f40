"""Action ids and their notation (D2)."""

from __future__ import annotations

from .cards import COLORS, CONVERTER_TYPES
from .state import DISPLAY, MOST_ARCHIVED, MOST_COST, MOST_RESEARCHED

# First id of each family, in the order of the rules' match (D2.1).
FILE_DISPLAY = 0  # + place
BUILD_DISPLAY = 9  # + place
BUILD_ARCHIVED = 18  # + place
PICK_COLOR = 27  # + color
RESEARCH_LEVEL = 31  # + level - 1
FILE_HAND = 34  # + place
BUILD_HAND = 49  # + place
KEEP_NONE = 64
DRAW_ONE = 65
TAKE_POINTS = 66
END = 67
PAY_AMOUNT = 68  # + marbles
CONVERT_TYPE = 76  # + type
PUT_UNDER = 91  # + place
NUM_ACTIONS = 106


def names() -> list[str]:
    """The notation of every action, by id."""
    texts = [f"file {place}" for place in range(DISPLAY)]
    texts += [f"build {place}" for place in range(DISPLAY)]
    texts += [f"build archive {place}" for place in range(MOST_ARCHIVED)]
    texts += [f"pick {color}" for color in COLORS]
    texts += [f"research {level}" for level in (1, 2, 3)]
    texts += [f"file hand {place}" for place in range(MOST_RESEARCHED)]
    texts += [f"build hand {place}" for place in range(MOST_RESEARCHED)]
    texts += ["keep none", "draw", "take points", "end"]
    texts += [f"pay {marbles}" for marbles in range(MOST_COST + 1)]
    texts += [f"convert {name}" for name in CONVERTER_TYPES]
    texts += [f"under {place}" for place in range(MOST_RESEARCHED)]
    return texts


_RULES = {
    "file": "G6",
    "build": "G8",
    "pick": "G7",
    "research": "G9",
    "keep": "G9.3",
    "draw": "G12.1",
    "take": "D3.5",
    "end": "G5, D2",
    "pay": "D4.3",
    "convert": "D4.6",
    "under": "D3.6",
}


def rule_of(name: str) -> str:
    """The paragraph that an action is under."""
    return _RULES.get(name.split(" ")[0], "D2")
