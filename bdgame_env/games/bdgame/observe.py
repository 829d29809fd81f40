"""What a seat may see (section 12), as one int8 vector with a schema.

Seats are numbered from the observer: 0 is the observer, 1 the next in turn order. Seats that are not in play are zero.
The same memory can be read as a flat vector, by named fields, or as records of the class Obs.
"""

from __future__ import annotations

from ...engine.arrays import Ints, Ints2, Ints3
from ...engine.bits import lowest, without_lowest
from ...engine.game import GameConfig, Seats
from ...engine.jit import clear_record, copy_row, kernel
from ...engine.observing import CardsShown, Observation, field, same
from . import state as st
from .cards import COLORS, NUM_BASIC, NUM_KINDS, NUM_ORDERS, PORTS

_S = Seats(st.MAX_SEATS)
_MOST_OF_A_KIND = 13  # B4, B5: hoppers, or packers, of four players; trades and sales can give them all to one player
_GRID = (_S, st.COLUMNS, st.ROWS)
_ROUND_BITS = 14  # enough for any `max_rounds`
_CARD = "id (kind + 1; 0 for an empty place)"
_ORDER = "id (number + 1; 0 for none), cubes Y, R, B asked for, points"
_RECIPE = "price, cubes taken per working by inlet up, mid, down and color, cubes given"

# How fields show cards, for networks.
_PARTS: CardsShown = {"cards": "count", "deck": "part", "faces": "part_faces"}
_PART: CardsShown = {"cards": "face", "deck": "part", "faces": "part_faces"}
_PART_CELLS: CardsShown = {"cards": "cell", "deck": "part", "faces": "part_faces"}
_ORDERS: CardsShown = {"cards": "count", "deck": "order", "faces": "order_faces"}
_ORDER_SAYS = (*(f"asks for {color}" for color in COLORS), "points")
_PART_SAYS = (
    "price",
    *(f"takes {color} at inlet {port}" for port in PORTS for color in COLORS),
    *(f"gives {color} at outlet {port}" for port in PORTS for color in COLORS),
)
_PART_FACE: CardsShown = {**_PART, "features": ("kind + 1 (0: no card)", *_PART_SAYS)}
_PART_TABLE: CardsShown = {"cards": "table", "deck": "part", "features": ("ports (row of B13, from 1)", *_PART_SAYS)}
_ORDER_TABLE: CardsShown = {"cards": "table", "deck": "order", "features": _ORDER_SAYS}
_ORDER_FACE: CardsShown = {**_ORDERS, "cards": "face", "features": ("number + 1 (0: no order)", *_ORDER_SAYS)}


class Obs(Observation):
    """What a seat sees."""

    players: int = field(2, 4, "number of seats in play")
    own_seat: int = field(0, 3, "the observer's seat number, as `seat N` names it (B50a)")
    to_move: Ints = field(0, 1, "which seat decides now", _S)
    on_turn: Ints = field(0, 1, "whose turn it is; differs from to_move only while an offer is answered", _S)
    round_number: int = field(0, 127, "round, from 1; 127 stands for more")
    round_bits: Ints = field(0, 1, "the round in binary, lowest bit first", _ROUND_BITS)
    rounds_left: int = field(0, 127, "rounds until truncation (B48); 127 stands for more")
    last_round: int = same(st.State.last_round, "a seat has reached 30 points (B45)")
    over: int = field(0, 1, "the game is over")
    actions_left: int = same(st.State.actions_left, "actions left, the open one not counted")
    phase: Ints = field(0, 1, "one of " + ", ".join(st.PHASES), len(st.PHASES))
    opened: Ints = field(0, 1, "what is open: one of " + ", ".join(st.OPENS), len(st.OPENS))
    credit: int = field(0, 127, "credit of the open Buy (B24a)")
    purchases: int = field(0, 127, "cards bought in the open Buy")
    sold: int = field(0, 4, "cards sold in the open Buy (B49)")
    bought: Ints = field(0, _MOST_OF_A_KIND, "cards by kind bought in the open Buy and not placed", NUM_KINDS, **_PARTS)
    selected: Ints = field(0, 1, "the kind to be placed", NUM_KINDS, **_PARTS)
    bank: Ints = same(st.State.bank, "cubes by color Y, R, B")
    made: Ints = same(st.State.made, "the pool of made cubes (B39)")
    asked_color: Ints = field(0, 1, "the color a splitter asks for (B53)", 3)
    asked_hold: int = field(0, 1, "a pause card asks")
    asked_column: Ints = field(0, 1, "column of the card that asks", st.COLUMNS)
    asked_row: Ints = field(0, 1, "row of the card that asks", st.ROWS)
    arrived: Ints = field(0, 24, "cubes that arrived at the card that asks", 3)
    gone_up: Ints = field(0, 24, "cubes of earlier colors that go up", 3)
    flow: Ints3 = field(0, 24, "cubes on their way, by boundary, junction, color", (st.COLUMNS, st.JUNCTIONS, 3))
    offers: int = field(0, 3, "offers begun in this turn (B50)")
    offer_card: Ints = field(0, 1, "the card offered", NUM_KINDS, **_PARTS)
    offer_to: Ints = field(0, 1, "the seat it is offered to", _S)
    offer_want: Ints = field(0, 1, "the card wanted for it", NUM_KINDS, **_PARTS)
    orders_row: Ints2 = field(0, 100, "orders in the row: " + _ORDER, (st.ROW, 1 + st.ORDER_FACE), **_ORDER_FACE)
    parts_row: Ints2 = field(0, 100, f"special cards on sale: {_CARD}, {_RECIPE}", (st.ROW, st.PART_FACE), **_PART_FACE)
    piles: Ints = field(0, _MOST_OF_A_KIND, "cards in the basic piles", NUM_BASIC, faces="part_faces")
    orders_left: int = field(0, NUM_ORDERS, "size of the order deck")
    orders_in_deck: Ints = field(0, 1, "which orders it holds, in no order", NUM_ORDERS, **_ORDERS)
    parts_left: int = field(0, 60, "size of the special deck")
    parts_in_deck: Ints = field(0, 3, "how many of each kind it holds", NUM_KINDS, **_PARTS)
    known_parts: Ints2 = field(
        0,
        NUM_KINDS,
        "special deck, top first: id (kind + 1) of the cards that all have seen go under it (B51); 0 elsewhere",
        (st.PARTS_DECK, 1),
        **_PART,
    )
    points: Ints = field(0, 127, "points", _S)
    fulfilled: Ints2 = field(
        0,
        NUM_ORDERS,
        "by order: 1 if the seat fulfilled it first, 2 second, ...; else 0",
        (_S, NUM_ORDERS),
        faces="order_faces",
    )
    storage: Ints2 = same(st.Seat.storage, "cubes in storage", _S)
    hand: Ints2 = field(0, _MOST_OF_A_KIND, "cards in hand by kind", (_S, NUM_KINDS), **_PARTS)
    queue: Ints3 = field(
        0, 100, "accepted orders, oldest first: " + _ORDER, (_S, st.QUEUE, 1 + st.ORDER_FACE), **_ORDER_FACE
    )
    hopper_x: Ints2 = field(0, st.COLUMNS, "column + 1 of the hopper in each slot; 0 for a free slot", (_S, st.HOPPERS))
    hopper_y: Ints2 = field(0, st.ROWS, "row + 1 of it", (_S, st.HOPPERS))
    loaded: Ints3 = field(0, 10, "cubes on it", (_S, st.HOPPERS, 3))
    cells: Ints3 = field(0, NUM_KINDS, f"workshop: {_CARD} of the card at (x, y)", _GRID, **_PART_CELLS)
    held: Ints3 = field(0, 6, "color + 1 of the cube held on the pause card at (x, y), + 3 if held in this turn", _GRID)
    finished: Ints3 = field(0, 1, "the card at (x, y) is part of a finished Device (B18)", _GRID)
    open_ports: Ints3 = field(
        0,
        2,
        "by boundary and junction: 1 an unconnected inlet, 2 an unconnected outlet",
        (_S, st.COLUMNS, st.JUNCTIONS),
    )
    order_faces: Ints2 = field(
        0, 100, "the orders, by number: cubes Y, R, B asked for, points", (NUM_ORDERS, st.ORDER_FACE), **_ORDER_TABLE
    )
    part_faces: Ints2 = field(
        0, 100, f"the parts, by kind: ports (row of B13, from 1), {_RECIPE}", (NUM_KINDS, st.PART_FACE), **_PART_TABLE
    )


def card_names(config: GameConfig) -> dict[str, tuple[str, ...]]:
    """By field, the names of the cards it shows, as in the deck in use."""
    names = {"order_faces": config.cards.orders, "part_faces": config.cards.kinds}
    return {f.name: names[f.faces] for f in Obs.schema if f.faces and f.cards}


_MOST = 127


@kernel
def observe(s: st.State, config: st.Config, seat: int, out: Obs) -> None:
    """Section 12: write every field of `out` as `seat` sees the game."""
    clear_record(out)
    _observe_turn(s, config, seat, out)
    _observe_activation(s, out)
    if s.phase == st.OFFER or s.phase == st.RESPOND:
        _observe_offer(s, config, seat, out)
    _observe_market(s, config, out)
    absolute = int(seat)
    for relative in range(config.players):
        _observe_seat(s.seats[absolute], config, relative, out)
        _observe_workshop(s.seats[absolute].workshop, relative, out)
        absolute = absolute + 1 if absolute + 1 < config.players else 0


@kernel
def _observe_turn(s: st.State, config: st.Config, seat: int, out: Obs) -> None:
    """Round, phase, what is open."""
    out.players = config.players
    out.own_seat = seat
    if not s.over:
        out.to_move[_from(seat, s.seat, config)] = 1
        out.on_turn[_from(seat, s.offer_from if s.phase == st.RESPOND else s.seat, config)] = 1
    out.round_number = min(_MOST, int(s.round_number))
    for bit in range(_ROUND_BITS):
        out.round_bits[bit] = int(s.round_number) >> bit & 1
    out.rounds_left = min(_MOST, int(config.max_rounds) - int(s.round_number))
    out.last_round = s.last_round
    out.over = s.over
    out.actions_left = s.actions_left
    out.phase[s.phase] = 1
    out.opened[s.opened] = 1
    out.credit = min(_MOST, int(s.credit))
    out.purchases = s.purchases
    out.sold = s.sold
    copy_row(out.bought, s.bought)
    if s.selected != st.NONE:
        out.selected[s.selected] = 1
    copy_row(out.bank, s.bank)
    copy_row(out.made, s.made)
    out.offers = s.offers


@kernel
def _from(observer: int, seat: int, config: st.Config) -> int:
    """A seat as numbered from the observer; a remainder would take longer."""
    relative = int(seat) - int(observer)
    return relative if relative >= 0 else relative + int(config.players)


@kernel
def _observe_activation(s: st.State, out: Obs) -> None:
    """B53: the question asked and the cubes on their way."""
    copy_row(out.arrived, s.flow.arrived)
    copy_row(out.gone_up, s.flow.up)
    if s.flow.ask == st.ASK_NOTHING:
        return
    copy_row(out.flow, s.flow.cubes)
    out.asked_column[s.flow.x] = 1
    out.asked_row[s.flow.y] = 1
    if s.flow.ask == st.ASK_SPLIT:
        out.asked_color[s.flow.color] = 1
    else:
        out.asked_hold = 1


@kernel
def _observe_offer(s: st.State, config: st.Config, seat: int, out: Obs) -> None:
    """B50a."""
    out.offer_card[s.offer_card] = 1
    if s.offer_to != st.NONE:
        out.offer_to[_from(seat, s.offer_to, config)] = 1
    if s.offer_want != st.NONE:
        out.offer_want[s.offer_want] = 1


@kernel
def _observe_market(s: st.State, config: st.Config, out: Obs) -> None:
    """Rows by features, piles, and what is left in the decks: multisets, except for the known cards (B51)."""
    for slot in range(st.ROW):
        order, part = int(s.orders_row[slot]), int(s.parts_row[slot])
        if order != st.NONE:
            out.orders_row[slot, 0] = order + 1
            copy_row(out.orders_row[slot, 1:], config.order_faces[order])
        if part != st.NONE:
            copy_row(out.parts_row[slot], config.part_faces[part])
            out.parts_row[slot, 0] = part + 1
    copy_row(out.piles, s.piles)
    out.orders_left = s.orders_left
    copy_row(out.orders_in_deck, s.orders_in_deck)
    out.parts_left = s.parts_left
    copy_row(out.parts_in_deck, s.parts_in_deck)
    copy_row(out.order_faces, config.order_faces)
    copy_row(out.part_faces, config.part_faces)
    for place in range(s.parts_left - s.known, s.parts_left):
        out.known_parts[place, 0] = s.parts_deck[place] + 1


@kernel
def _observe_seat(seat: st.Seat, config: st.Config, to: int, out: Obs) -> None:
    """Points, cubes, cards and orders of one seat."""
    out.points[to] = min(_MOST, int(seat.points))
    copy_row(out.storage[to], seat.storage)
    copy_row(out.hand[to], seat.hand)
    copy_row(out.loaded[to], seat.workshop.loaded)
    for place in range(seat.num_fulfilled):
        out.fulfilled[to, seat.fulfilled[place]] = place + 1
    for place in range(st.QUEUE):
        order = int(seat.queue[place])
        if order != st.NONE:
            out.queue[to, place, 0] = order + 1
            copy_row(out.queue[to, place, 1:], config.order_faces[order])
    for slot in range(st.HOPPERS):
        cell = int(seat.workshop.hopper_cell[slot])
        if cell != st.NONE:
            out.hopper_x[to, slot] = cell // st.ROWS + 1
            out.hopper_y[to, slot] = cell % st.ROWS + 1


@kernel
def _observe_workshop(workshop: st.Workshop, to: int, out: Obs) -> None:
    """The workshop as grids."""
    copy_row(out.held[to], workshop.held)
    copy_row(out.finished[to], workshop.complete)
    for x in range(st.COLUMNS):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            out.cells[to, x, y] = workshop.kinds[x, y] + 1
            left = without_lowest(left)
    for b in range(1, st.COLUMNS):
        inlets, outlets = int(workshop.inlets[b]), int(workshop.outlets[b])
        left = inlets ^ outlets  # B18: ports of one side only are not connected
        while left != 0:
            j = lowest(left)
            out.open_ports[to, b, j] = 1 + (outlets >> j & 1)
            left = without_lowest(left)
