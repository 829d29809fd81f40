"""Restores a game from an omniscient snapshot (section 11), then checks it by counting and by reading it back."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...engine.game import BadSnapshot, GameConfig
from ...records.restoring import read_options, read_turn, restore_position
from ...records.snapshot_reader import Entry
from .cards import BASIC, COLORS, CUBES_OF_A_COLOR, HOPPER, NUM_BASIC, NUM_ORDERS, PAUSE, PORTS
from .invariants import CHECKS, copies
from .layout import read_workshop
from .setup import empty_table
from .snapshot import snapshot
from .state import (
    ACTIONS_PER_TURN,
    ASK_HOLD,
    ASK_SPLIT,
    COLUMNS,
    HOPPERS,
    MAX_OFFERS,
    MAX_SALES,
    NONE,
    OPENS,
    PHASES,
    ROW,
    ROWS,
)

_ASKS = {"split": (ASK_SPLIT, "splitter"), "hold": (ASK_HOLD, "pause")}
_MOST_POINTS = _MOST_CREDIT = np.iinfo(np.int16).max
_MOST_PURCHASES = np.iinfo(np.int8).max


def _write(snap: Entry, config: GameConfig, s: Any) -> None:
    empty_table(s)
    read_turn(snap, config, s, PHASES, config.options["max_rounds"])
    s.opened = snap["open"].place_in((None, *OPENS[1:]))
    s.actions_left = snap["actions_left"].whole(0, ACTIONS_PER_TURN)
    s.last_round, s.truncated = snap["last_round"].flag(), snap["truncated"].flag()
    s.bank[:], s.made[:] = _cubes(snap["bank"]), _cubes(snap["made"])

    kinds, orders, most = config.cards.kinds, config.cards.orders, copies(config.players)
    s.orders_row[:] = [order.place_in(orders, null=NONE) for order in snap["orders_row"].entries(exactly=ROW)]
    s.orders_left = snap["orders_deck"].fill(s.orders_deck, lambda order: order.place_in(orders))
    s.parts_row[:] = [_special(kind, kinds, NONE) for kind in snap["parts_row"].entries(exactly=ROW)]
    s.parts_left = snap["parts_deck"].fill(s.parts_deck, lambda kind: _special(kind, kinds))
    s.known = len(snap["known"].entries(most=int(s.parts_left)))  # the deck has the cards themselves
    s.piles[:] = snap["piles"].counts(BASIC, most[:NUM_BASIC])

    s.credit = snap["credit"].whole(0, _MOST_CREDIT)
    s.sold = snap["sold"].whole(0, MAX_SALES)
    s.bought[:] = snap["bought"].counts_of_some(kinds, most)
    s.purchases = snap["purchases"].whole(0, _MOST_PURCHASES)
    s.selected = snap["selected"].place_in(kinds, null=NONE)
    for place, seat in enumerate(snap["seats"].entries(exactly=config.players)):
        _write_seat(seat, config, s, place)
    if not snap["pending"].is_null:
        _write_pending(snap["pending"], s)
    s.offers = snap["offers"].whole(0, MAX_OFFERS)
    if not snap["offer"].is_null:
        offer = snap["offer"]
        s.offer_from = offer["from"].whole(0, config.players - 1)
        s.offer_card = offer["card"].place_in(kinds)
        s.offer_to = offer["to"].whole(0, config.players - 1, null=NONE)
        s.offer_want = offer["want"].place_in(kinds, null=NONE)


def _special(card: Entry, kinds: tuple[str, ...], null: int | None = None) -> int:
    """B3: a special kind; JSON null becomes the number `null`, if one is given."""
    place = card.place_in(kinds[NUM_BASIC:], null=null)
    return place if card.is_null else NUM_BASIC + place


def _cubes(counts: Entry) -> list[int]:
    return counts.counts(COLORS, CUBES_OF_A_COLOR)


def _write_seat(seat: Entry, config: GameConfig, s: Any, place: int) -> None:
    own, orders = s.seats[place], config.cards.orders
    own.points = seat["points"].whole(0, _MOST_POINTS)
    own.storage[:] = _cubes(seat["storage"])
    own.hand[:] = seat["hand"].counts_of_some(config.cards.kinds, copies(config.players))
    seat["orders"].fill(own.queue, lambda order: order.place_in(orders))
    for rank, name in enumerate(seat["fulfilled"].entries(most=NUM_ORDERS), 1):
        order = name.place_in(orders)
        s.fulfilled_by[order], s.fulfilled_as[order] = place, rank
    workshop = seat["workshop"]
    for card in workshop.entries():
        _check_form(card, config.cards.kinds)
    try:
        own.workshop = read_workshop(workshop.value, config.cards, f"snapshot: {workshop.where}")[0]
    except ValueError as error:
        raise BadSnapshot(str(error)) from None


def _check_form(card: Entry, kinds: tuple[str, ...]) -> None:
    """Check the form of a workshop's entry; `read_workshop` checks where the card is."""
    card["x"].whole(0, COLUMNS - 1)
    card["y"].whole(0, ROWS - 1)
    kind = card["kind"].place_in(kinds)
    if kind == HOPPER:
        card["slot"].whole(0, HOPPERS - 1)
        _cubes(card["cubes"])
    elif kind == PAUSE:
        card["held"].place_in(COLORS, null=NONE)
        card["fresh"].flag()


def _write_pending(pending: Entry, s: Any) -> None:
    flow, workshop = s.flow, s.seats[s.seat].workshop
    flow.ask, asking = list(_ASKS.values())[pending["ask"].place_in(tuple(_ASKS))]
    flow.x, flow.y = pending["x"].whole(0, COLUMNS - 1), pending["y"].whole(0, ROWS - 1)
    if workshop.kinds[flow.x, flow.y] != BASIC.index(asking):
        raise BadSnapshot(f"snapshot: pending asks at ({flow.x}, {flow.y}), where no {asking} lies")
    flow.running = workshop.devices[flow.x, flow.y]
    flow.arrived[:] = _cubes(pending["arrived"])
    if flow.ask == ASK_SPLIT:
        flow.color = pending["color"].place_in(COLORS)
        flow.up[:] = _cubes(pending["up"])
    for inlet in pending["flow"].entries():
        x, y = inlet["x"].whole(0, COLUMNS - 1), inlet["y"].whole(0, ROWS - 1)
        flow.cubes[x, y + inlet["port"].place_in(PORTS)] = _cubes(inlet["cubes"])


options_of_snapshot = partial(read_options, game="bdgame")
restore = partial(restore_position, write=_write, checks=CHECKS, snapshot=snapshot)
