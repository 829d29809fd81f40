"""Action ids and their notation (section 10 of the rules)."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import BASIC, COLORS
from .state import COLUMNS, HOPPERS, MAX_SEATS, QUEUE, ROW, ROWS

# First id of each family, in the order of the rules' match.
END = 0
COLLECT = 1
CLEAR = 2
ACCEPT = 3  # + slot
PAY = 7  # + color
BUY_SLOT = 10  # + slot
BUY_KIND = 14  # + basic kind
SELECT = 22  # + kind
PLACE_AT = 50  # + x * 9 + y
REMOVE = 122  # + x * 9 + y
LOAD_CUBE = 194  # + color * 6 + hopper
ACTIVATE_HOPPER = 212  # + hopper
SPLIT_UP = 218  # + number of cubes
HOLD_COLOR = 243  # + color
HOLD_NONE = 246
FULFIL_ORDER = 247  # + place in the queue
DISCARD_CUBE = 250  # + color
DISCARD_LOADED = 253  # + color * 6 + hopper
NUM_BASE = 271

NUM_SELL = 28  # kind, from config.sell_at
# From config.trade_at:
OFFER_CARD = 0  # + kind
OFFER_SEAT = 28  # + seat
OFFER_WANT = 32  # + kind
AGREE = 60
REFUSE = 61
NUM_TRADE = 62


def names(kinds: Sequence[str], selling: bool, trading: bool) -> list[str]:
    """The notation of every action, by id."""
    cells = [f"{x},{y}" for x in range(COLUMNS) for y in range(ROWS)]
    on_hoppers = [f"{color}@{hopper}" for color in COLORS for hopper in range(HOPPERS)]
    texts = ["end", "collect", "clear"]
    texts += [f"accept {slot}" for slot in range(ROW)]
    texts += [f"pay {color}" for color in COLORS]
    texts += [f"buy {slot}" for slot in range(ROW)]
    texts += [f"buy {kind}" for kind in BASIC]
    texts += [f"select {kind}" for kind in kinds]
    texts += [f"place {cell}" for cell in cells]
    texts += [f"remove {cell}" for cell in cells]
    texts += [f"load {cube}" for cube in on_hoppers]
    texts += [f"activate {hopper}" for hopper in range(HOPPERS)]
    texts += [f"split {number}" for number in range(25)]
    texts += [*(f"hold {color}" for color in COLORS), "hold none"]
    texts += [f"fulfil {place}" for place in range(QUEUE)]
    texts += [f"discard {color}" for color in COLORS]
    texts += [f"discard {cube}" for cube in on_hoppers]
    if selling:
        texts += [f"sell {kind}" for kind in kinds]
    if trading:
        texts += [f"offer {kind}" for kind in kinds]
        texts += [f"seat {seat}" for seat in range(MAX_SEATS)]
        texts += [f"want {kind}" for kind in kinds]
        texts += ["agree", "refuse"]
    return texts


_RULES = {
    "end": "B52",
    "collect": "B22",
    "clear": "B27",
    "accept": "B23",
    "pay": "B24",
    "buy": "B24",
    "select": "B30",
    "place": "B12-B19",
    "remove": "B28",
    "load": "B29",
    "activate": "B31",
    "split": "B35",
    "hold": "B37",
    "fulfil": "B40",
    "discard": "B44",
    "sell": "B49",
    "offer": "B50",
    "seat": "B50a",
    "want": "B50a",
    "agree": "B50a",
    "refuse": "B50a",
}


def rule_of(name: str) -> str:
    """The paragraph that an action is under."""
    return _RULES.get(name.split(" ")[0], "section 10")
