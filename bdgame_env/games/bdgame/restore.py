"""A game from an omniscient snapshot (section 11): written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...core.game import BadSnapshot, Box
from ...core.restoring import options_of_snapshot, restore_position
from ...core.snapshot_reader import Entry
from ...core.tallies import miscounts, tally
from .cards import (
    BASIC,
    COLORS,
    CUBES_OF_A_COLOR,
    HOPPER,
    NUM_BASIC,
    NUM_KINDS,
    NUM_ORDERS,
    PACKER,
    PAUSE,
    PORTS,
    SPECIAL_COPIES,
)
from .layout import read_workshop
from .setup import empty_table
from .snapshot import snapshot
from .state import (
    ACT,
    ACTIONS_PER_TURN,
    ASK_HOLD,
    ASK_SPLIT,
    BUILD,
    BUY,
    COLUMNS,
    DISCARD,
    DISMANTLE,
    FRESH,
    HOLD,
    HOPPERS,
    LOAD,
    MAX_OFFERS,
    MAX_SALES,
    NONE,
    OFFER,
    OPEN_BUILD,
    OPEN_BUY,
    OPEN_COLLECT,
    OPEN_DISMANTLE,
    OPEN_LOAD,
    OPEN_NOTHING,
    OPENS,
    OVER,
    PHASES,
    PLACE,
    RESPOND,
    ROW,
    ROWS,
    SPLIT,
)

_OPENS_OF_PHASE = {
    BUY: (OPEN_BUY,),
    PLACE: (OPEN_BUY, OPEN_BUILD),
    BUILD: (OPEN_BUILD,),
    DISMANTLE: (OPEN_DISMANTLE,),
    LOAD: (OPEN_LOAD,),
    DISCARD: (OPEN_NOTHING, OPEN_COLLECT),
}
_ASKS = {"split": (ASK_SPLIT, "splitter"), "hold": (ASK_HOLD, "pause")}
_STARTING_CARDS = 2
_MOST_POINTS = _MOST_CREDIT = np.iinfo(np.int16).max
_MOST_PURCHASES = np.iinfo(np.int8).max


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with; BadSnapshot if they are not there."""
    return options_of_snapshot(data, "bdgame")


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    checks = (_check_phase, _check_cubes, _check_orders, _check_cards)
    restore_position(data, box, s, _write, checks, snapshot)


def _write(snap: Entry, box: Box, s: Any) -> None:
    empty_table(s)
    s.round_number = snap["round"].whole(1, int(box.options["max_rounds"]))
    s.seat = snap["seat"].whole(0, box.players - 1)
    s.phase = snap["phase"].place_in(PHASES)
    s.over = s.phase == OVER
    s.opened = snap["open"].place_in((None, *OPENS[1:]))
    s.actions_left = snap["actions_left"].whole(0, ACTIONS_PER_TURN)
    s.last_round, s.truncated = snap["last_round"].flag(), snap["truncated"].flag()
    s.bank[:], s.made[:] = _cubes(snap["bank"]), _cubes(snap["made"])

    kinds, orders, copies = box.cards.kinds, box.cards.orders, _copies(box.players)
    s.orders_row[:] = [order.place_in(orders, null=NONE) for order in snap["orders_row"].entries(exactly=ROW)]
    s.orders_left = snap["orders_deck"].fill(s.orders_deck, lambda order: order.place_in(orders))
    s.parts_row[:] = [kind.place_in(kinds, null=NONE) for kind in snap["parts_row"].entries(exactly=ROW)]
    s.parts_left = snap["parts_deck"].fill(s.parts_deck, lambda kind: kind.place_in(kinds))
    s.piles[:] = snap["piles"].counts(BASIC, copies[:NUM_BASIC])

    s.credit = snap["credit"].whole(0, _MOST_CREDIT)
    s.sold = snap["sold"].whole(0, MAX_SALES)
    s.bought[:] = snap["bought"].counts_of_some(kinds, copies)
    s.purchases = snap["purchases"].whole(0, _MOST_PURCHASES)
    s.selected = snap["selected"].place_in(kinds, null=NONE)
    for place, seat in enumerate(snap["seats"].entries(exactly=box.players)):
        _write_seat(seat, box, s, place)
    if not snap["pending"].is_null:
        _write_pending(snap["pending"], s)
    s.offers = snap["offers"].whole(0, MAX_OFFERS)
    if not snap["offer"].is_null:
        offer = snap["offer"]
        s.offer_from = offer["from"].whole(0, box.players - 1)
        s.offer_card = offer["card"].place_in(kinds)
        s.offer_to = offer["to"].whole(0, box.players - 1, null=NONE)
        s.offer_want = offer["want"].place_in(kinds, null=NONE)


def _cubes(counts: Entry) -> list[int]:
    return counts.counts(COLORS, CUBES_OF_A_COLOR)


def _write_seat(seat: Entry, box: Box, s: Any, place: int) -> None:
    own, orders = s.seats[place], box.cards.orders
    own.points = seat["points"].whole(0, _MOST_POINTS)
    own.storage[:] = _cubes(seat["storage"])
    own.hand[:] = seat["hand"].counts_of_some(box.cards.kinds, _copies(box.players))
    seat["orders"].fill(own.queue, lambda order: order.place_in(orders))
    for rank, name in enumerate(seat["fulfilled"].entries(most=NUM_ORDERS), 1):
        order = name.place_in(orders)
        s.fulfilled_by[order], s.fulfilled_as[order] = place, rank
    workshop = seat["workshop"]
    for card in workshop.entries():
        _check_form(card, box.cards.kinds)
    try:
        own.workshop = read_workshop(workshop.value, box.cards, f"snapshot: {workshop.where}")[0]
    except ValueError as error:
        raise BadSnapshot(str(error)) from None


def _check_form(card: Entry, kinds: tuple[str, ...]) -> None:
    """An entry of a workshop; where cards may lie, `read_workshop` knows."""
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


def _copies(players: int) -> list[int]:
    """B3, B4: how many cards of each kind are in the box."""
    basic = [players + 1 + _STARTING_CARDS * players * (kind in (HOPPER, PACKER)) for kind in range(NUM_BASIC)]
    return basic + [SPECIAL_COPIES] * (NUM_KINDS - NUM_BASIC)


def _check_phase(s: Any, box: Box) -> Iterator[str]:
    """Fields that must go together."""
    phase, opened = PHASES[s.phase], OPENS[s.opened]
    if s.opened not in _OPENS_OF_PHASE.get(int(s.phase), (OPEN_NOTHING,)):
        yield f"phase {phase!r} does not go with open {opened!r}"
    if (s.phase == PLACE) != (s.selected != NONE):
        yield f"a card is selected in the phase place, and only there; phase is {phase!r}"
    if (s.phase in (SPLIT, HOLD)) != (s.flow.ask != 0) or (s.flow.ask == ASK_SPLIT) != (s.phase == SPLIT):
        yield f"phase {phase!r} does not go with what is pending"
    if (s.phase in (OFFER, RESPOND)) != (s.offer_from != NONE):
        yield f"phase {phase!r} does not go with the offer"
    if s.phase == ACT and s.actions_left == 0:
        yield f"phase 'act' with actions_left 0, must be 1 to {ACTIONS_PER_TURN}"
    if s.opened != OPEN_BUY and (s.credit or s.sold or s.purchases or s.bought.any()):
        yield "credit, sold, purchases and bought belong to an open Buy action"


def _check_cubes(s: Any, box: Box) -> Iterator[str]:
    """B1: no cube is lost or made."""
    workshops = s.seats["workshop"]
    held = workshops["held"][workshops["held"] > 0] - 1
    lying = [s.bank, s.made, s.flow.arrived, s.flow.cubes.sum((0, 1)), s.seats["storage"].sum(0)]
    lying += [workshops["loaded"].sum((0, 1)), tally([held % FRESH], len(COLORS))]
    yield from miscounts("cubes of color", COLORS, np.sum(lying, axis=0), CUBES_OF_A_COLOR, "B1")


def _check_orders(s: Any, box: Box) -> Iterator[str]:
    """B2: every order is in one place."""
    found = tally([s.orders_row, s.orders_deck, s.seats["queue"]], NUM_ORDERS) + (s.fulfilled_by != NONE)
    yield from miscounts("orders", box.cards.orders, found, 1, "B2")


def _check_cards(s: Any, box: Box) -> Iterator[str]:
    """B3, B4: no card is lost or made."""
    found = s.bought + s.seats["hand"].sum(0)
    found += tally([s.parts_row, s.parts_deck, s.seats["workshop"]["kinds"]], NUM_KINDS)
    found[:NUM_BASIC] += s.piles
    yield from miscounts("cards of kind", box.cards.kinds, found, _copies(box.players), "B3, B4")
