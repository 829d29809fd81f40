"""One game as one record: every field with its shape, its range and the rule behind it.

Cubes are arrays over the colors Y, R, B. Cards are numbers: kinds 0-27 (see `cards.Deck`), orders 0-31; NONE = -1
marks an empty place. Everything is stored in a canonical order, so equal positions are equal byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...engine.arrays import Ints, Ints2, Ints3, Rows
from ...engine.game import GameConfig
from ...engine.struct import (
    NOBODY,
    GameState,
    Settings,
    Struct,
    counts,
    custom,
    flag,
    listing,
    name_of,
    number,
    part,
    size_of,
    unsaved,
)
from .cards import (
    BASIC,
    COLORS,
    CUBES_OF_A_COLOR,
    HOPPER,
    MAX_PRICE,
    NUM_BASIC,
    NUM_KINDS,
    NUM_ORDERS,
    NUM_SPECIAL,
    PACKER,
    SPECIAL_COPIES,
    VALUE,
)

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
MOST_CREDIT = CUBE_LIMIT * max(VALUE) + MAX_SALES  # B24a, B49
PARTS_DECK = NUM_SPECIAL * SPECIAL_COPIES
MOST_DECKS = 1024  # in one config
_STARTING_CARDS = 2  # B5: hoppers, and packers, of each player

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
ASK_NOTHING, ASK_SPLIT, ASK_HOLD = 0, 1, 2


def copies(config: GameConfig) -> list[int]:
    """B3, B4, B5: how many cards of each kind there are in a game."""
    players = config.players
    basic = [players + 1 + _STARTING_CARDS * players * (kind in (HOPPER, PACKER)) for kind in range(NUM_BASIC)]
    return basic + [SPECIAL_COPIES] * NUM_SPECIAL


def _kinds(config: GameConfig) -> Sequence[str]:
    names: Sequence[str] = config.cards.kinds
    return names


def _orders(config: GameConfig) -> Sequence[str]:
    names: Sequence[str] = config.cards.orders
    return names


class Workshop(Struct):
    """The cards that a seat has in play (B12-B19). In a snapshot they are a list; all else follows from it."""

    # Junction bits by boundary (bit j): where an outlet ends, where an inlet begins (B14).
    outlets: Ints = unsaved(np.int16, BOUNDARIES)
    inlets: Ints = unsaved(np.int16, BOUNDARIES)
    columns: Ints = unsaved(np.int16, COLUMNS)  # bit y: there is a card at (x, y)
    kinds: Ints2 = unsaved(np.int8, (COLUMNS, ROWS), none=True)  # kind of the card at (x, y), or NONE
    devices: Ints2 = unsaved(np.int8, (COLUMNS, ROWS), none=True)  # B18: lowest x * 9 + y of the card's Device, or NONE
    complete: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))  # B18: 1 for each card of a finished Device
    held: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))  # B37: 0, color + 1, or color + 1 + FRESH
    hopper_cell: Ints = unsaved(np.int8, HOPPERS, none=True)  # B19: x * 9 + y of the hopper in each slot, or NONE
    loaded: Ints2 = unsaved(np.int8, (HOPPERS, 3))  # cubes on it, 0..10


class Flow(Struct):
    """The activation in progress (B32); all zero outside. In a snapshot it is what is pending."""

    purged: Ints = unsaved(np.int16, 3)  # B33, in this activation
    cubes: Ints3 = unsaved(np.int8, (COLUMNS, JUNCTIONS, 3))  # waiting at junction (boundary, j) for the card there
    workings: Ints2 = unsaved(np.int8, (COLUMNS, ROWS))  # how often each special part has worked in this activation
    arrived: Ints = unsaved(np.int8, 3)  # at the card that asks
    up: Ints = unsaved(np.int8, 3)  # B35: decided so far
    running: int = unsaved(np.int8)  # which Device runs
    x: int = unsaved(np.int8)  # the card to be processed next, or that asks
    y: int = unsaved(np.int8)
    color: int = unsaved(np.int8)  # the color a splitter asks for
    ask: int = unsaved(np.int8)  # ASK_NOTHING, ASK_SPLIT or ASK_HOLD


class Seat(Struct):
    """A player."""

    points: int = number(np.int16, 0, NUM_ORDERS * MAX_PRICE, rule="B40")
    storage: Ints = counts(COLORS, CUBES_OF_A_COLOR)  # more than 10 only until discarded (B44)
    hand: Ints = counts(_kinds, copies, NUM_KINDS, some=True)
    queue: Ints = listing(QUEUE, names=_orders, key="orders", rule="B23, B40")  # accepted orders, oldest first
    fulfilled: Ints = listing(NUM_ORDERS, names=_orders)  # first to last
    num_fulfilled: int = size_of("fulfilled")
    workshop: Workshop = custom(Workshop)


class State(GameState):
    """One game."""

    rng: int = unsaved(np.uint64)  # after setting up, nothing is drawn by chance
    phase: int = name_of(lambda config: PHASES if config.options["trading"] else PHASES[: OVER + 1])
    round_number: int = number(np.int16, 1, lambda config: config.options["max_rounds"], key="round")
    opened: int = name_of((None, *OPENS[1:]), key="open")
    actions_left: int = number(np.int8, 0, ACTIONS_PER_TURN, rule="B21")
    last_round: int = flag(rule="B45")
    bank: Ints = counts(COLORS, CUBES_OF_A_COLOR)
    orders_row: Ints = name_of(_orders, ROW, none=True)
    orders_deck: Ints = listing(NUM_ORDERS, names=_orders, visible_to=NOBODY)  # top first
    orders_left: int = size_of("orders_deck")
    orders_in_deck: Ints = unsaved(np.int8, NUM_ORDERS)  # which these are, 1 for each
    parts_row: Ints = name_of(_kinds, ROW, none=True)
    parts_deck: Ints = listing(PARTS_DECK, names=_kinds, visible_to=NOBODY)  # top first
    parts_left: int = size_of("parts_deck")
    parts_in_deck: Ints = unsaved(np.int8, NUM_KINDS)  # how many of each kind these are
    known: int = custom(np.int8, rule="B51")  # how many of its lowest cards are in an order that all have seen
    piles: Ints = counts(BASIC, lambda config: copies(config)[:NUM_BASIC])
    credit: int = number(np.int16, 0, MOST_CREDIT, rule="B24a")  # of the open Buy, as the next three
    sold: int = number(np.int8, 0, lambda config: MAX_SALES if config.options["selling"] else 0, rule="B49")
    bought: Ints = counts(_kinds, copies, NUM_KINDS, some=True, rule="B25")  # and not placed yet
    purchases: int = number(np.int8, 0, MOST_CREDIT)  # cards bought
    selected: int = name_of(_kinds, none=True)  # to be placed
    made: Ints = counts(COLORS, CUBES_OF_A_COLOR, rule="B39")  # the pool of this turn
    flow: Flow = custom(Flow, key="pending")
    offers: int = number(np.int8, 0, lambda config: MAX_OFFERS if config.options["trading"] else 0, rule="B50")
    offer_from: int = number(np.int8, 0, lambda config: config.players - 1, none=True, group="offer", key="from")
    offer_card: int = name_of(_kinds, none=True, group="offer", key="card")
    offer_to: int = number(np.int8, 0, lambda config: config.players - 1, none=True, group="offer", key="to")
    offer_want: int = name_of(_kinds, none=True, group="offer", key="want")
    deck: int = unsaved(np.int32)  # its number; 0 if there is one deck
    seats: Rows[Seat] = part(Seat, MAX_SEATS, by_seat=True)


STATE, WORKSHOP, FLOW, SEAT = State.dtype, Workshop.dtype, Flow.dtype, Seat.dtype

ORDER_FACE = 4  # what an order says: cubes, points
PART_FACE = 20  # what a card says: shape + 1, price, takes, gives


class Config(Settings):
    """A deck and the options, as the rules read them."""

    cost: Ints = unsaved(np.int16, NUM_KINDS)
    max_rounds: int = unsaved(np.int32)
    trade_at: int = unsaved(np.int16)  # id of the first trade action, or past the last action
    shapes: Ints = unsaved(np.int8, NUM_KINDS)
    takes: Ints3 = unsaved(np.int8, (NUM_KINDS, 3, 3))
    gives: Ints3 = unsaved(np.int8, (NUM_KINDS, 3, 3))
    needs: Ints2 = unsaved(np.int8, (NUM_ORDERS, 3))
    points: Ints = unsaved(np.int8, NUM_ORDERS)
    order_faces: Ints2 = unsaved(np.int8, (NUM_ORDERS, ORDER_FACE))  # the same, as observations show it
    part_faces: Ints2 = unsaved(np.int8, (NUM_KINDS, PART_FACE))
    selling: int = unsaved(np.int8)
    trading: int = unsaved(np.int8)


class Decks(Settings):
    """The config record: a `Config` for each deck that a game may be dealt."""

    first: int = unsaved(np.int32)  # number of the first deck
    count: int = unsaved(np.int32)
    of: Rows[Config] = part(Config, MOST_DECKS)
