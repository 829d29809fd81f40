"""Action ids and their notation (D2)."""

from __future__ import annotations

from ...engine.actions import ActionTable
from .cards import COLORS, CONVERTER_TYPES, NUM_COLORS
from .state import DISPLAY, MOST_ARCHIVED, MOST_COST, MOST_RESEARCHED

_AMOUNTS = range(MOST_COST + 1)

# Where the observation shows the cards.
_DISPLAY = [("display", place) for place in range(DISPLAY)]
_ARCHIVE = [("own_archive", place) for place in range(MOST_ARCHIVED)]
_HAND = [("hand", place) for place in range(MOST_RESEARCHED)]
_PAID_FOR = ("paying_for",)
# Where it says what comes of a Pick (D7.10).
_PICKED = [("pick_best", color) for color in range(NUM_COLORS)]

# The families, each named by its first id (D2.1).
ACTIONS = ActionTable(rule="D2")
FILE_DISPLAY = ACTIONS.add("file", range(DISPLAY), rule="G6", cards=_DISPLAY)
BUILD_DISPLAY = ACTIONS.add("build", range(DISPLAY), rule="G8", cards=_DISPLAY)
BUILD_ARCHIVED = ACTIONS.add("build archive", range(MOST_ARCHIVED), rule="G8", cards=_ARCHIVE)
PICK_COLOR = ACTIONS.add("pick", COLORS, rule="G7", outcomes=_PICKED)
RESEARCH_LEVEL = ACTIONS.add("research", (1, 2, 3), rule="G9")
FILE_HAND = ACTIONS.add("file hand", range(MOST_RESEARCHED), rule="G6", cards=_HAND)
BUILD_HAND = ACTIONS.add("build hand", range(MOST_RESEARCHED), rule="G8", cards=_HAND)
KEEP_NONE = ACTIONS.add("keep none", rule="G9.3")
DRAW_ONE = ACTIONS.add("draw", rule="G12.1")
TAKE_POINTS = ACTIONS.add("take points", rule="D3.5")
END = ACTIONS.add("end", rule="G5, D2")
PAY_AMOUNT = ACTIONS.add("pay", _AMOUNTS, rule="D4.3", cards=[_PAID_FOR] * len(_AMOUNTS))
CONVERT_TYPE = ACTIONS.add("convert", CONVERTER_TYPES, rule="D4.6", cards=[_PAID_FOR] * len(CONVERTER_TYPES))
PUT_UNDER = ACTIONS.add("under", range(MOST_RESEARCHED), rule="D3.6", cards=_HAND)

NUM_ACTIONS = ACTIONS.size
FAMILY = ACTIONS.first_of_each()  # by action id: the first id of its family
