"""Action ids and their notation (section 10 of the rules)."""

from __future__ import annotations

from ...engine.actions import ActionTable, FromCards
from .cards import BASIC, COLORS, NUM_BASIC, NUM_KINDS
from .state import COLUMNS, HOPPERS, MAX_SEATS, QUEUE, ROW, ROWS

_SELLING, _TRADING = ("selling", True), ("trading", True)  # B49, B50

_KINDS = FromCards("kinds", NUM_KINDS)  # named as in the deck in use
_CELLS = [f"{x},{y}" for x in range(COLUMNS) for y in range(ROWS)]
_ON_HOPPERS = [f"{color}@{hopper}" for color in COLORS for hopper in range(HOPPERS)]
_NUMBERS_UP = range(25)

# Where the observation shows the cards.
_ORDERS_ROW = [("orders_row", slot) for slot in range(ROW)]
_PARTS_ROW = [("parts_row", slot) for slot in range(ROW)]
_PILES = [("piles", kind) for kind in range(NUM_BASIC)]
_HAND = [("hand", 0, kind) for kind in range(NUM_KINDS)]
_WANTED = [("offer_want", kind) for kind in range(NUM_KINDS)]
_IN_PLAY = [("cells", 0, x, y) for x in range(COLUMNS) for y in range(ROWS)]
_QUEUE = [("queue", 0, place) for place in range(QUEUE)]

# The families, each named by its first id.
ACTIONS = ActionTable(rule="section 10")
END = ACTIONS.add("end", rule="B52")
COLLECT = ACTIONS.add("collect", rule="B22")
CLEAR = ACTIONS.add("clear", rule="B27")
ACCEPT = ACTIONS.add("accept", range(ROW), rule="B23", cards=_ORDERS_ROW)
PAY = ACTIONS.add("pay", COLORS, rule="B24")
BUY_SLOT = ACTIONS.add("buy", range(ROW), rule="B24", cards=_PARTS_ROW)
BUY_KIND = ACTIONS.add("buy", BASIC, rule="B24", cards=_PILES)
SELECT = ACTIONS.add("select", _KINDS, rule="B30", cards=_HAND)
PLACE_AT = ACTIONS.add("place", _CELLS, rule="B12-B19")
REMOVE = ACTIONS.add("remove", _CELLS, rule="B28", cards=_IN_PLAY)
LOAD_CUBE = ACTIONS.add("load", _ON_HOPPERS, rule="B29")
ACTIVATE_HOPPER = ACTIONS.add("activate", range(HOPPERS), rule="B31")
SPLIT_UP = ACTIONS.add("split", _NUMBERS_UP, rule="B35")
HOLD_COLOR = ACTIONS.add("hold", (*COLORS, "none"), rule="B37")
FULFIL_ORDER = ACTIONS.add("fulfil", range(QUEUE), rule="B40", cards=_QUEUE)
DISCARD_CUBE = ACTIONS.add("discard", COLORS, rule="B44")
DISCARD_LOADED = ACTIONS.add("discard", _ON_HOPPERS, rule="B44")
SELL = ACTIONS.add("sell", _KINDS, rule="B49", cards=_HAND, option=_SELLING)
OFFER_CARD = ACTIONS.add("offer", _KINDS, rule="B50", cards=_HAND, option=_TRADING)
OFFER_SEAT = ACTIONS.add("seat", range(MAX_SEATS), rule="B50a", option=_TRADING)
OFFER_WANT = ACTIONS.add("want", _KINDS, rule="B50a", cards=_WANTED, option=_TRADING)
AGREE = ACTIONS.add("agree", rule="B50a", option=_TRADING)
REFUSE = ACTIONS.add("refuse", rule="B50a", option=_TRADING)

HOLD_NONE = HOLD_COLOR + len(COLORS)
FAMILY = ACTIONS.first_of_each()  # by action id, in the whole table: the first id of its family
