"""Action ids and their notation (P55)."""

from __future__ import annotations

from ...engine.actions import ActionTable
from .cards import CARDS, COLORS, LINES, NUM_ALL_RECIPES, NUM_COLORS, NUM_RECIPES
from .state import MOST_HAND, PLACES, SLOTS

_ANY_TRIPLE = ("triple", "any")  # P41.6
ENDS = ("collect", "convert")
INSTALLS_OF_A_CARD = len(ENDS) * SLOTS

_INSTALLS = [f"{place} {end} slot {slot + 1}" for place in range(MOST_HAND) for end in ENDS for slot in range(SLOTS)]
_FILLS = [f"{place} line {line}" for place in range(PLACES) for line in range(LINES)]

# Where the observation shows the cards.
_HAND = [("hand", place) for place in range(MOST_HAND)]
_INSTALLED = [place for place in _HAND for _ in range(INSTALLS_OF_A_CARD)]
_IMAGES = [("images", place) for place in range(PLACES) for _ in range(LINES)]
# Where it says what comes of a recipe or a gift (P65.1).
_AFTER = [("after_two", recipe) for recipe in range(NUM_ALL_RECIPES)]
_GIVEN = [("after_giving", color) for color in range(NUM_COLORS)]

# The families, each named by its first id.
ACTIONS = ActionTable(rule="P55")
DRAFT = ACTIONS.add("draft", range(MOST_HAND), rule="P21", cards=_HAND)
INSTALL = ACTIONS.add("install", _INSTALLS, rule="P28, P30", cards=_INSTALLED)
DISCARD = ACTIONS.add("discard", range(MOST_HAND), rule="P31", cards=_HAND)
ACTIVATE = ACTIONS.add("activate", CARDS.recipes[:NUM_RECIPES], rule="P40, P42", outcomes=_AFTER[:NUM_RECIPES])
FINISH = ACTIONS.add("finish", rule="P39")
GIVE = ACTIONS.add("give", COLORS, rule="P43, P57", outcomes=_GIVEN)
FILL = ACTIONS.add("fill", _FILLS, rule="P46", cards=_IMAGES)
PASS = ACTIONS.add("pass", rule="P45")
ACTIVATE_MORE = ACTIONS.add(
    "activate", CARDS.recipes[NUM_RECIPES:], rule="P40, P42", option=_ANY_TRIPLE, outcomes=_AFTER[NUM_RECIPES:]
)

NUM_ACTIONS = ACTIVATE_MORE  # without the option `triple`
FAMILY = ACTIONS.first_of_each()  # by action id: the first id of its family
