"""What a seat may see (section 12), as one int8 vector with a schema.

Seats are numbered from the observer: 0 is the observer, 1 the next in turn order. Seats that are not in play are zero.
The same memory can be read as a flat vector, by named fields, or as records of the dtype OBS.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.game import ObservationField
from ...core.jit import rule
from ...core.records import record
from .cards import INLETS, NUM_BASIC, NUM_KINDS, NUM_ORDERS, NUM_SPECIAL, OUTLETS
from .state import (
    ASK_NOTHING,
    ASK_SPLIT,
    COLUMNS,
    HOPPERS,
    JUNCTIONS,
    MAX_SEATS,
    NONE,
    OFFER,
    OPENS,
    PHASES,
    QUEUE,
    RESPOND,
    ROW,
    ROWS,
)
from .workshop import open_ports

_S = MAX_SEATS
_CARD = "id (kind + 1; 0 for an empty place)"

# name, shape, least, most, meaning
FIELDS: tuple[tuple[str, tuple[int, ...], int, int, str], ...] = (
    ("players", (), 2, 4, "number of seats in play"),
    ("own_seat", (), 0, 3, "the observer's seat number, since `seat N` names seats so (B50a)"),
    ("to_move", (_S,), 0, 1, "which seat decides now"),
    ("on_turn", (_S,), 0, 1, "whose turn it is; another seat than to_move only while an offer is answered"),
    ("round_number", (), 0, 127, "round, from 1; 127 stands for more"),
    ("rounds_left", (), 0, 127, "rounds until truncation (B48); 127 stands for more"),
    ("last_round", (), 0, 1, "a seat has 30 points (B45)"),
    ("over", (), 0, 1, "the game is over"),
    ("actions_left", (), 0, 3, "actions left, the open one not counted"),
    ("phase", (len(PHASES),), 0, 1, "one of " + ", ".join(PHASES)),
    ("opened", (len(OPENS),), 0, 1, "what is open: one of " + ", ".join(OPENS)),
    ("credit", (), 0, 127, "credit of the open Buy (B24a)"),
    ("purchases", (), 0, 127, "cards bought in the open Buy"),
    ("sold", (), 0, 4, "cards sold in the open Buy (B49)"),
    ("bought", (NUM_KINDS,), 0, 5, "cards by kind bought in the open Buy and not placed"),
    ("selected", (NUM_KINDS,), 0, 1, "the kind to be placed"),
    ("bank", (3,), 0, 24, "cubes by color Y, R, B"),
    ("made", (3,), 0, 24, "the pool of made cubes (B39)"),
    ("asked_color", (3,), 0, 1, "the color a splitter asks for (B53)"),
    ("asked_hold", (), 0, 1, "a pause card asks"),
    ("asked_column", (COLUMNS,), 0, 1, "column of the card that asks"),
    ("asked_row", (ROWS,), 0, 1, "row of the card that asks"),
    ("arrived", (3,), 0, 24, "cubes that arrived at the card that asks"),
    ("gone_up", (3,), 0, 24, "cubes of the colors before that go up"),
    ("flow", (COLUMNS, JUNCTIONS, 3), 0, 24, "cubes on their way, by boundary, junction, color"),
    ("offers", (), 0, 3, "offers begun in this turn (B50)"),
    ("offer_card", (NUM_KINDS,), 0, 1, "the card offered"),
    ("offer_to", (_S,), 0, 1, "the seat it is offered to"),
    ("offer_want", (NUM_KINDS,), 0, 1, "the card wanted for it"),
    ("order_id", (ROW,), 0, NUM_ORDERS, "orders in the row: number + 1; 0 for an empty slot"),
    ("order_needs", (ROW, 3), 0, 24, "cubes they ask for"),
    ("order_points", (ROW,), 0, 100, "points they are worth"),
    ("part_id", (ROW,), 0, NUM_KINDS, "special cards on sale: " + _CARD),
    ("part_cost", (ROW,), 0, 100, "their prices"),
    ("part_takes", (ROW, 3, 3), 0, 24, "cubes per working by inlet up, mid, down and color"),
    ("part_gives", (ROW, 3, 3), 0, 24, "cubes per working by outlet and color"),
    ("piles", (NUM_BASIC,), 0, 9, "cards in the basic piles"),
    ("basic_cost", (NUM_BASIC,), 1, 100, "their prices"),
    ("orders_left", (), 0, NUM_ORDERS, "size of the order deck"),
    ("orders_in_deck", (NUM_ORDERS,), 0, 1, "which orders it holds, in no order"),
    ("parts_left", (), 0, 60, "size of the special deck"),
    ("parts_in_deck", (NUM_SPECIAL,), 0, 3, "how many of each special kind it holds"),
    ("points", (_S,), 0, 127, "points"),
    ("storage", (_S, 3), 0, 24, "cubes in storage"),
    ("hand", (_S, NUM_KINDS), 0, 9, "cards in hand by kind"),
    ("queue_id", (_S, QUEUE), 0, NUM_ORDERS, "accepted orders, oldest first: number + 1; 0 for none"),
    ("queue_needs", (_S, QUEUE, 3), 0, 24, "cubes they ask for"),
    ("queue_points", (_S, QUEUE), 0, 100, "points they are worth"),
    ("hopper_x", (_S, HOPPERS), 0, COLUMNS, "column + 1 of the hopper in each slot; 0 for a free slot"),
    ("hopper_y", (_S, HOPPERS), 0, ROWS, "row + 1 of it"),
    ("loaded", (_S, HOPPERS, 3), 0, 10, "cubes on it"),
    ("cells", (_S, COLUMNS, ROWS), 0, NUM_KINDS, "workshop: " + _CARD + " of the card at (x, y)"),
    ("held", (_S, COLUMNS, ROWS), 0, 6, "color + 1 of the cube held on the pause card at (x, y), + 3 if held in this turn"),
    ("finished", (_S, COLUMNS, ROWS), 0, 1, "the card at (x, y) is part of a finished Device (B18)"),
    ("open_ports", (_S, COLUMNS, JUNCTIONS), 0, 2, "by boundary and junction: 1 an unconnected inlet, 2 an unconnected outlet"),
)

OBS = record([(name, np.int8, shape) if shape else (name, np.int8) for name, shape, *_ in FIELDS])


def schema() -> tuple[ObservationField, ...]:
    """The fields of the vector in order, with their places, shapes, ranges and meanings."""
    fields, start = [], 0
    for name, shape, low, high, meaning in FIELDS:
        stop = start + int(np.prod(shape, dtype=int))
        fields.append(ObservationField(name, start, stop, shape, low, high, meaning))
        start = stop
    return tuple(fields)


_MOST = 127


@rule
def observe(s: Any, box: Any, seat: Any, out: Any) -> None:
    """Section 12: write all of `out`, as `seat` sees the game."""
    _observe_turn(s, box, seat, out)
    _observe_activation(s, out)
    _observe_offer(s, box, seat, out)
    _observe_market(s, box, out)
    for relative in range(MAX_SEATS):
        if relative < box.players:
            absolute = (seat + relative) % box.players
            _observe_seat(s.seats[absolute], box, relative, out)
            _observe_workshop(s.seats[absolute].workshop, box, relative, out)
        else:
            _observe_nobody(relative, out)


@rule
def _observe_turn(s: Any, box: Any, seat: Any, out: Any) -> None:
    """Round, phase, what is open."""
    out.players = box.players
    out.own_seat = seat
    out.to_move[:] = 0
    out.on_turn[:] = 0
    if not s.over:
        out.to_move[(s.seat - seat) % box.players] = 1
        turn = s.offer_from if s.phase == RESPOND else s.seat
        out.on_turn[(turn - seat) % box.players] = 1
    out.round_number = min(_MOST, int(s.round_number))
    out.rounds_left = min(_MOST, int(box.max_rounds) - int(s.round_number))
    out.last_round = s.last_round
    out.over = s.over
    out.actions_left = s.actions_left
    out.phase[:] = 0
    out.phase[s.phase] = 1
    out.opened[:] = 0
    out.opened[s.opened] = 1
    out.credit = min(_MOST, int(s.credit))
    out.purchases = s.purchases
    out.sold = s.sold
    out.bought[:] = s.bought
    out.selected[:] = 0
    if s.selected != NONE:
        out.selected[s.selected] = 1
    out.bank[:] = s.bank
    out.made[:] = s.made


@rule
def _observe_activation(s: Any, out: Any) -> None:
    """B53: the question asked and the cubes on their way."""
    out.asked_color[:] = 0
    out.asked_column[:] = 0
    out.asked_row[:] = 0
    out.asked_hold = 0
    out.arrived[:] = s.flow.arrived
    out.gone_up[:] = s.flow.up
    if s.flow.ask == ASK_NOTHING:
        out.flow[:] = 0
        return
    out.flow[:] = s.flow.cubes
    out.asked_column[s.flow.x] = 1
    out.asked_row[s.flow.y] = 1
    if s.flow.ask == ASK_SPLIT:
        out.asked_color[s.flow.color] = 1
    else:
        out.asked_hold = 1


@rule
def _observe_offer(s: Any, box: Any, seat: Any, out: Any) -> None:
    """B50a."""
    out.offers = s.offers
    out.offer_card[:] = 0
    out.offer_to[:] = 0
    out.offer_want[:] = 0
    if s.phase == OFFER or s.phase == RESPOND:
        out.offer_card[s.offer_card] = 1
        if s.offer_to != NONE:
            out.offer_to[(s.offer_to - seat) % box.players] = 1
        if s.offer_want != NONE:
            out.offer_want[s.offer_want] = 1


@rule
def _observe_market(s: Any, box: Any, out: Any) -> None:
    """Rows by features, piles, and what is left in the decks, as multisets only (B51)."""
    for slot in range(ROW):
        order = int(s.orders_row[slot])
        out.order_id[slot] = order + 1
        out.order_points[slot] = 0 if order == NONE else box.points[order]
        part = int(s.parts_row[slot])
        out.part_id[slot] = part + 1
        out.part_cost[slot] = 0 if part == NONE else box.cost[part]
        for color in range(3):
            out.order_needs[slot, color] = 0 if order == NONE else box.needs[order, color]
            for port in range(3):
                out.part_takes[slot, port, color] = 0 if part == NONE else box.takes[part, port, color]
                out.part_gives[slot, port, color] = 0 if part == NONE else box.gives[part, port, color]
    out.piles[:] = s.piles
    for kind in range(NUM_BASIC):
        out.basic_cost[kind] = box.cost[kind]
    out.orders_left = s.orders_left
    out.orders_in_deck[:] = 0
    for place in range(s.orders_left):
        out.orders_in_deck[s.orders_deck[place]] = 1
    out.parts_left = s.parts_left
    out.parts_in_deck[:] = 0
    for place in range(s.parts_left):
        out.parts_in_deck[s.parts_deck[place] - NUM_BASIC] += 1


@rule
def _observe_seat(seat: Any, box: Any, to: Any, out: Any) -> None:
    """Points, cubes, cards and orders of one seat."""
    out.points[to] = min(_MOST, int(seat.points))
    out.storage[to] = seat.storage
    out.hand[to] = seat.hand
    out.loaded[to] = seat.workshop.loaded
    for place in range(QUEUE):
        order = int(seat.queue[place])
        out.queue_id[to, place] = order + 1
        out.queue_points[to, place] = 0 if order == NONE else box.points[order]
        for color in range(3):
            out.queue_needs[to, place, color] = 0 if order == NONE else box.needs[order, color]
    for slot in range(HOPPERS):
        cell = int(seat.workshop.hopper_cell[slot])
        out.hopper_x[to, slot] = 0 if cell == NONE else cell // ROWS + 1
        out.hopper_y[to, slot] = 0 if cell == NONE else cell % ROWS + 1


@rule
def _observe_workshop(workshop: Any, box: Any, to: Any, out: Any) -> None:
    """The workshop as grids."""
    out.held[to] = workshop.held
    out.finished[to] = 0
    out.open_ports[to] = 0
    for x in range(COLUMNS):
        for y in range(ROWS):
            out.cells[to, x, y] = workshop.kinds[x, y] + 1
    # First mark, at the cell that names it, every Device with an open port; then turn the marks around.
    for x in range(COLUMNS):
        cards = int(workshop.columns[x])
        y = 0
        while cards >> y:
            if cards >> y & 1:
                device = int(workshop.devices[x, y])
                shape = box.shapes[workshop.kinds[x, y]]
                if open_ports(workshop, shape, x, y):
                    out.finished[to, device // ROWS, device % ROWS] = 1
                    _mark_open_ports(workshop, shape, x, y, to, out)
            y += 1
    for x in range(COLUMNS - 1, -1, -1):
        cards = int(workshop.columns[x])
        for up in range(ROWS):
            y = ROWS - 1 - up
            if cards >> y & 1:
                device = int(workshop.devices[x, y])
                out.finished[to, x, y] = 1 - out.finished[to, device // ROWS, device % ROWS]


@rule
def _mark_open_ports(workshop: Any, shape: Any, x: Any, y: Any, to: Any, out: Any) -> None:
    """The unconnected ports of one card."""
    inlets = int(INLETS[shape]) << y & ~int(workshop.outlets[x])
    outlets = int(OUTLETS[shape]) << y & ~int(workshop.inlets[x + 1])
    for j in range(y, y + 3):
        if inlets >> j & 1:
            out.open_ports[to, x, j] = 1
        if outlets >> j & 1:
            out.open_ports[to, x + 1, j] = 2


@rule
def _observe_nobody(to: Any, out: Any) -> None:
    """A seat that is not in play."""
    out.points[to] = 0
    out.storage[to] = 0
    out.hand[to] = 0
    out.loaded[to] = 0
    out.queue_id[to] = 0
    out.queue_points[to] = 0
    out.queue_needs[to] = 0
    out.hopper_x[to] = 0
    out.hopper_y[to] = 0
    out.cells[to] = 0
    out.held[to] = 0
    out.finished[to] = 0
    out.open_ports[to] = 0
