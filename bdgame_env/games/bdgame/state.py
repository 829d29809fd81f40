"""One game as one record: every field with its shape, its range and the rule behind it.

Cubes are arrays over the colors Y, R, B. Cards are numbers: kinds 0-27 (see `cards.Deck`), orders 0-31; NONE = -1
marks an empty place. Everything is stored in a canonical order, so equal positions are equal byte for byte.
"""

from __future__ import annotations

import numpy as np

from ...engine.layout import record
from .cards import NUM_BASIC, NUM_KINDS, NUM_ORDERS, NUM_SPECIAL, SPECIAL_COPIES

NONE = -1
MAX_SEATS = 4
COLUMNS, ROWS, BOUNDARIES, JUNCTIONS = 8, 9, 9, 11  # B12, B13: x = 0..7, y = 0..8, boundaries 0..8, j = 0..10
HOPPERS = 6  # B19
QUEUE = 3  # B23
ROW = 4  # B7, B8
ACTIONS_PER_TURN = 3  # B21
CUBE_LIMIT = 10  # B44
WINNING_POINTS = 30  # B45
MAX_OFFERS = 3  # B50
MAX_SALES = 4  # B49
PARTS_DECK = NUM_SPECIAL * SPECIAL_COPIES

# Phases, section 10. OVER is the last one in games without trading.
PHASES = (
    *("act", "buy", "place", "build", "dismantle", "load", "discard"),
    *("activate", "split", "hold", "fulfil", "over", "offer", "respond"),
)
ACT, BUY, PLACE, BUILD, DISMANTLE, LOAD, DISCARD, ACTIVATE, SPLIT, HOLD, FULFIL, OVER, OFFER, RESPOND = range(14)

# What is open (section 11).
OPENS = ("nothing", "buy", "build", "dismantle", "load", "collect")
OPEN_NOTHING, OPEN_BUY, OPEN_BUILD, OPEN_DISMANTLE, OPEN_LOAD, OPEN_COLLECT = range(6)

FRESH = 3  # added to a held cube's number 1..3 in the turn in which it was held

WORKSHOP = record(
    [
        # Junction bits by boundary (bit j): where an outlet ends, where an inlet begins (B14).
        ("outlets", np.int16, BOUNDARIES),
        ("inlets", np.int16, BOUNDARIES),
        ("columns", np.int16, COLUMNS),  # bit y: there is a card at (x, y)
        ("kinds", np.int8, (COLUMNS, ROWS)),  # kind of the card at (x, y), or NONE
        ("devices", np.int8, (COLUMNS, ROWS)),  # B18: lowest x * 9 + y of the card's Device, or NONE
        ("held", np.int8, (COLUMNS, ROWS)),  # B37: 0, color + 1, or color + 1 + FRESH
        ("hopper_cell", np.int8, HOPPERS),  # B19: x * 9 + y of the hopper in each slot, or NONE
        ("loaded", np.int8, (HOPPERS, 3)),  # cubes on it, 0..10
    ]
)

SEAT = record(
    [
        ("workshop", WORKSHOP),
        ("points", np.int16),
        ("storage", np.int8, 3),  # 0..24; more than 10 only until discarded (B44)
        ("queue", np.int8, QUEUE),  # accepted orders, oldest first, then NONE (B23, B40)
        ("hand", np.int8, NUM_KINDS),  # cards by kind
    ]
)

FLOW = record(
    [
        ("purged", np.int16, 3),  # B33, in this activation
        (
            "cubes",
            np.int8,
            (COLUMNS, JUNCTIONS, 3),
        ),  # cubes waiting at junction (boundary, j) for the card to its right
        ("workings", np.int8, (COLUMNS, ROWS)),  # how often each special part has worked in this activation
        ("arrived", np.int8, 3),  # at the card that asks
        ("up", np.int8, 3),  # B35: decided so far
        ("running", np.int8),  # which Device runs
        ("x", np.int8),  # the card to be processed next, or that asks
        ("y", np.int8),
        ("color", np.int8),  # the color a splitter asks for
        ("ask", np.int8),  # ASK_NOTHING, ASK_SPLIT or ASK_HOLD
    ]
)
ASK_NOTHING, ASK_SPLIT, ASK_HOLD = 0, 1, 2

STATE = record(
    [
        ("rng", np.uint64),  # the random number generator's state, see engine/rng.py
        ("game_seed", np.uint64),  # the seed that this game was dealt from
        ("decisions", np.int32),
        ("round_number", np.int16),  # from 1
        ("credit", np.int16),  # B24a, of the open Buy
        ("seats", SEAT, MAX_SEATS),
        ("flow", FLOW),  # the activation in progress; all zero outside
        ("bank", np.int8, 3),
        ("made", np.int8, 3),  # B39: the pool of this turn
        ("orders_row", np.int8, ROW),
        ("orders_deck", np.int8, NUM_ORDERS),  # top first, then NONE
        ("orders_left", np.int8),
        ("parts_row", np.int8, ROW),
        ("parts_deck", np.int8, PARTS_DECK),  # top first, then NONE
        ("parts_left", np.int8),
        ("known", np.int8),  # B51: how many of its lowest cards are in an order that all have seen
        ("piles", np.int8, NUM_BASIC),
        ("bought", np.int8, NUM_KINDS),  # B25: bought in the open Buy and not placed yet
        ("purchases", np.int8),  # cards bought in the open Buy
        ("sold", np.int8),  # B49, in the open Buy
        ("fulfilled_by", np.int8, NUM_ORDERS),  # by order: the seat that fulfilled it, or NONE
        ("fulfilled_as", np.int8, NUM_ORDERS),  # by order: as that seat's first (1), second (2), ...; else 0
        ("seat", np.int8),  # who decides now
        ("phase", np.int8),
        ("opened", np.int8),  # OPEN_...
        ("actions_left", np.int8),
        ("selected", np.int8),  # kind to be placed, or NONE
        ("last_round", np.int8),  # B45
        ("offers", np.int8),  # B50
        ("offer_from", np.int8),  # seat, or NONE while nothing is offered
        ("offer_card", np.int8),
        ("offer_to", np.int8),
        ("offer_want", np.int8),
        ("over", np.int8),
        ("truncated", np.int8),  # B48
        ("filler", np.int8, 7),  # always 0; aligns every game of an array to 8 bytes
    ]
)

ORDER_FACE = 5  # what an order shows: id + 1, cubes, points
PART_FACE = 20  # what a special card shows: id + 1, price, takes, gives

CONFIG = record(
    [
        ("cost", np.int16, NUM_KINDS),
        ("max_rounds", np.int32),
        ("num_actions", np.int16),
        ("sell_at", np.int16),  # id of the first sell action, or past the last action
        ("trade_at", np.int16),  # id of the first trade action, or past the last action
        ("shapes", np.int8, NUM_KINDS),
        ("takes", np.int8, (NUM_KINDS, 3, 3)),
        ("gives", np.int8, (NUM_KINDS, 3, 3)),
        ("needs", np.int8, (NUM_ORDERS, 3)),
        ("points", np.int8, NUM_ORDERS),
        # What the cards show, in row number + 1; row 0 is for an empty place.
        ("order_faces", np.int8, (NUM_ORDERS + 1, ORDER_FACE)),
        ("part_faces", np.int8, (NUM_KINDS + 1, PART_FACE)),
        ("players", np.int8),
        ("selling", np.int8),
        ("trading", np.int8),
    ]
)
