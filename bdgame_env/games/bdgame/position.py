"""How positions of Bdgame are written and read (section 11), and what holds in each of them.

The checks count the pieces and see to what the rules rely on. They do not prove that a game can reach the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.arrays import Ints
from ...engine.conservation import miscounts, tally
from ...engine.game import BadSnapshot, GameConfig
from ...engine.struct import NONE
from ...records.snapshot_reader import Entry
from ...records.snapshots import Position
from . import state as st
from .cards import BASIC, COLORS, CUBES_OF_A_COLOR, INLETS, NUM_BASIC, NUM_KINDS, NUM_ORDERS, PORTS, VALUE
from .devices import least_up, most_up
from .layout import read_workshop, write_workshop
from .legal_and_apply import legal
from .options import OPTIONS
from .rules import deck_of
from .turn import cubes_held, is_loaded, something_to_decide
from .workshop import card_with_port, device_of_slot, finished, fits

_OPENS_OF_PHASE = {
    st.BUY: (st.OPEN_BUY,),
    st.PLACE: (st.OPEN_BUY, st.OPEN_BUILD),
    st.BUILD: (st.OPEN_BUILD,),
    st.DISMANTLE: (st.OPEN_DISMANTLE,),
    st.LOAD: (st.OPEN_LOAD,),
    st.DISCARD: (st.OPEN_NOTHING, st.OPEN_COLLECT),
}
_ASKS = {st.ASK_SPLIT: ("split", "splitter"), st.ASK_HOLD: ("hold", "pause")}  # in a snapshot, and the card that asks


# Forms of their own


def _named(row: Ints) -> dict[str, int]:
    return dict(zip(COLORS, row.tolist(), strict=True))


def _write_workshop(s: st.State, config: GameConfig, seat: Any) -> list[dict[str, Any]]:
    return write_workshop(s.seats[seat].workshop, config.cards)


def _read_workshop(entry: Entry, s: st.State, config: GameConfig, seat: Any) -> None:
    s.seats[seat].workshop = read_workshop(entry, config.cards)[0]


def _write_known(s: st.State, config: GameConfig, seat: int | None) -> list[str]:
    """B51: the names of the cards; the deck has the cards themselves."""
    return [config.cards.kinds[kind] for kind in s.parts_deck[s.parts_left - s.known : s.parts_left]]


def _read_known(entry: Entry, s: st.State, config: GameConfig, seat: int | None) -> None:
    s.known = len(entry.entries(most=int(s.parts_left)))


def _write_pending(s: st.State, config: GameConfig, seat: int | None) -> dict[str, Any] | None:
    flow, kinds = s.flow, s.seats[s.seat].workshop.kinds
    if flow.ask == st.ASK_NOTHING:
        return None
    split = flow.ask == st.ASK_SPLIT
    return {
        "ask": _ASKS[flow.ask][0],
        "x": int(flow.x),
        "y": int(flow.y),
        **({"color": COLORS[flow.color]} if split else {}),
        "arrived": _named(flow.arrived),
        **({"up": _named(flow.up)} if split else {}),
        "flow": [
            {"x": x, "y": y, "port": name, "cubes": _named(flow.cubes[x, y + port])}
            for x, y in np.argwhere(kinds != NONE).tolist()
            for port, name in enumerate(PORTS)
            if INLETS[config.cards.shapes[kinds[x, y]]] >> port & 1 and flow.cubes[x, y + port].any()
        ],
    }


def _read_pending(entry: Entry, s: st.State, config: GameConfig, seat: int | None) -> None:
    if entry.is_null:
        return
    flow, workshop = s.flow, s.seats[s.seat].workshop
    asks = list(_ASKS)
    flow.ask = asks[entry["ask"].place_in([name for name, _ in _ASKS.values()])]
    flow.x, flow.y = _read_cell(entry)
    card = _ASKS[flow.ask][1]
    if workshop.kinds[flow.x, flow.y] != BASIC.index(card):
        raise BadSnapshot(f"snapshot: pending asks at ({flow.x}, {flow.y}), where no {card} lies")
    flow.running = workshop.devices[flow.x, flow.y]
    flow.arrived[:] = entry["arrived"].counts(COLORS, CUBES_OF_A_COLOR)
    if flow.ask == st.ASK_SPLIT:
        flow.color = entry["color"].place_in(COLORS)
        flow.up[:] = entry["up"].counts(COLORS, CUBES_OF_A_COLOR)
    for inlet in entry["flow"].entries():
        x, y = _read_cell(inlet)
        flow.cubes[x, y + inlet["port"].place_in(PORTS)] = inlet["cubes"].counts(COLORS, CUBES_OF_A_COLOR)


def _read_cell(entry: Entry) -> tuple[int, int]:
    return entry["x"].whole(0, st.COLUMNS - 1), entry["y"].whole(0, st.ROWS - 1)


# What holds


def _derive(s: st.State, config: GameConfig) -> None:
    s.over = s.phase == st.OVER
    s.deck = config.record[0].first
    s.orders_in_deck[:] = tally([s.orders_deck], NUM_ORDERS)
    s.parts_in_deck[:] = tally([s.parts_deck], NUM_KINDS)


def _check_cubes(s: st.State, config: GameConfig) -> Iterator[str]:
    """B1, B44: no cube is lost or created, and nobody has more than 10, except a seat that is discarding."""
    workshops = s.seats["workshop"]
    held = workshops["held"][workshops["held"] > 0] - 1
    lying = [s.bank, s.made, s.flow.arrived, s.flow.cubes.sum((0, 1)), s.seats["storage"].sum(0)]
    lying += [workshops["loaded"].sum((0, 1)), tally([held % st.FRESH], len(COLORS))]
    yield from miscounts("cubes of color", COLORS, np.sum(lying, axis=0), CUBES_OF_A_COLOR, "B1")
    for place, seat in enumerate(s.seats):
        count = int(cubes_held(seat))
        if count > st.CUBE_LIMIT and (place != s.seat or s.phase != st.DISCARD):
            yield f"seats[{place}] holds {count} cubes, at most {st.CUBE_LIMIT} (B44)"
        loaded = int(seat.workshop.loaded.sum())
        if loaded > st.CUBE_LIMIT:
            yield f"seats[{place}] has {loaded} cubes on hoppers, at most {st.CUBE_LIMIT} (B44)"


def _check_cards(s: st.State, config: GameConfig) -> Iterator[str]:
    """B2, B3, B4, B40: no card is lost or created, and points come from orders."""
    orders = [s.orders_row, s.orders_deck, s.seats["queue"], s.seats["fulfilled"]]
    yield from miscounts("orders", config.cards.orders, tally(orders, NUM_ORDERS), 1, "B2")
    for place, seat in enumerate(s.seats):
        earned = int(config.cards.points[seat.fulfilled[: seat.num_fulfilled]].sum())
        if seat.points != earned:
            yield f"seats[{place}].points is {seat.points}, but its fulfilled orders give {earned} (B40)"
    found = s.bought + s.seats["hand"].sum(0)
    found += tally([s.parts_row, s.parts_deck, s.seats["workshop"]["kinds"]], NUM_KINDS)
    found[:NUM_BASIC] += s.piles
    yield from miscounts("cards of kind", config.cards.kinds, found, st.copies(config), "B3, B4")
    if tally([s.parts_row, s.parts_deck], NUM_BASIC).any():
        yield "a basic card in parts_row or parts_deck, which are for special cards (B8)"


def _check_phase(s: st.State, config: GameConfig) -> Iterator[str]:
    """B52: fields that belong to a phase or an open action are set in it, and only there."""
    phase, opened = st.PHASES[s.phase], st.OPENS[s.opened]
    if s.opened not in _OPENS_OF_PHASE.get(int(s.phase), (st.OPEN_NOTHING,)):
        yield f"phase {phase!r} does not go with open {opened!r}"
    if (s.phase == st.PLACE) != (s.selected != NONE):
        yield f"a card is selected in the phase place, and only there; phase is {phase!r}"
    if s.flow.ask != {st.SPLIT: st.ASK_SPLIT, st.HOLD: st.ASK_HOLD}.get(int(s.phase), st.ASK_NOTHING):
        yield f"phase {phase!r} does not go with what is pending"
    if (s.phase in (st.OFFER, st.RESPOND)) != (s.offer_from != NONE):
        yield f"phase {phase!r} does not go with the offer"
    if s.phase in (st.ACT, st.OFFER, st.RESPOND) and not s.actions_left:
        yield f"phase {phase!r} with actions_left 0, must be 1 to {st.ACTIONS_PER_TURN} (B21)"
    if s.truncated and not s.over:
        yield f"truncated in phase {phase!r}: only a game that is over is (B48)"
    if s.opened != st.OPEN_BUY and (s.credit or s.sold or s.purchases or s.bought.any()):
        yield "credit, sold, purchases and bought belong to an open Buy action"


def _check_buy(s: st.State, config: GameConfig) -> Iterator[str]:
    """B24a, B25, B30: credit was paid, and the selected card can be placed."""
    me = s.seats[s.seat]
    most = max(VALUE) * (st.CUBE_LIMIT - int(cubes_held(me))) + int(s.sold)
    if s.opened == st.OPEN_BUY and s.credit + s.purchases > most:  # a card costs 1 or more
        yield f"credit {s.credit} and {s.purchases} purchases: more than {most} cannot have been paid (B24, B44)"
    if s.phase == st.PLACE:
        buying = s.opened == st.OPEN_BUY
        kind = config.cards.kinds[s.selected]
        if (s.bought if buying else me.hand)[s.selected] < 1:
            yield f"selected is {kind!r}, but no card of this kind is {'bought' if buying else 'in hand'} (B25, B30)"
        if not fits(me.workshop, config.cards.shapes[s.selected], not buying):
            yield f"selected is {kind!r}, which fits nowhere (B17, B19)"


def _check_offer(s: st.State, config: GameConfig) -> Iterator[str]:
    """B50a: the steps of the offer came in order, and both cards are in the hands that would give them."""
    if s.offer_from == NONE:
        return
    if s.offer_card == NONE:
        yield "offer.card is null (B50a)"
        return
    asked = s.phase == st.RESPOND
    decides, key = (s.offer_to, "to") if asked else (s.offer_from, "from")
    if s.offer_to == s.offer_from or s.seat != decides:
        yield f"offer.{key} must be {s.seat}, the seat to decide, and the other another seat (B50a)"
    if asked != (s.offer_want != NONE) or s.offer_want == s.offer_card:
        yield "offer.want must be another kind than offer.card, in phase 'respond' and only there (B50a)"
    for key, place, card in (("card", s.offer_from, s.offer_card), ("want", s.offer_to, s.offer_want)):
        if card != NONE and s.seats[place].hand[card] < 1:
            yield f"offer.{key} is {config.cards.kinds[card]!r}, which seat {place} has not in hand (B50a)"


def _check_held(s: st.State, config: GameConfig) -> Iterator[str]:
    """B31, B37: a cube was held in this turn only on a Device that cannot be activated in it any more."""
    activated = s.phase in (st.ACTIVATE, st.SPLIT, st.HOLD, st.FULFIL, st.DISCARD) and s.opened == st.OPEN_NOTHING
    for place, seat in enumerate(s.seats):
        workshop = seat.workshop
        for x, y in np.argwhere(workshop.held > st.FRESH).tolist():
            if place != s.seat or not activated:
                yield f"seats[{place}].workshop: the cube at ({x}, {y}) is fresh, but no Device was activated (B37)"
            elif _is_loaded(workshop, workshop.devices[x, y]):
                yield f"seats[{place}].workshop: the Device at ({x}, {y}) was activated, but has loaded hoppers (B31)"


def _is_loaded(workshop: st.Workshop, device: int) -> bool:
    """Whether any hopper of the Device has a cube."""
    return any(is_loaded(workshop, i) and device_of_slot(workshop, i) == device for i in range(st.HOPPERS))


def _check_flow(s: st.State, config: GameConfig) -> Iterator[str]:
    """B31-B37, B53: an activation asks at one card; cubes wait only at cards after it, of the same Device."""
    flow, shapes = s.flow, config.cards.shapes
    if flow.ask == st.ASK_NOTHING:
        return
    workshop, asks = s.seats[s.seat].workshop, (int(flow.x), int(flow.y))
    where = f"pending at {asks}"
    if not finished(workshop, shapes, flow.running):
        yield f"{where}: the Device is not finished (B31)"
    if _is_loaded(workshop, flow.running):
        yield f"{where}: the Device has cubes on its hoppers still (B32)"
    for x, y in np.argwhere((workshop.held > 0) & (workshop.devices == flow.running)).tolist():
        if (workshop.held[x, y] > st.FRESH) != ((x, y) < asks) or (x, y) == asks:
            yield f"{where}: the cube at ({x}, {y}) is not held since the time that it would be (B37)"
    if flow.ask == st.ASK_SPLIT:
        color = COLORS[flow.color]
        if flow.up[flow.color :].any() or (flow.up > flow.arrived).any():
            yield f"{where}: up is of colors before {color}, and no more than arrived (B53)"
        if not flow.arrived[flow.color] or least_up(flow) == most_up(flow):
            yield f"{where}: there is one answer for {color} only, so it is not asked (B53)"
    for x, j in np.argwhere(flow.cubes.any(axis=2)).tolist():
        to = int(card_with_port(workshop, shapes, INLETS, x, j))
        if to == NONE or workshop.devices[x, to % st.ROWS] != flow.running or divmod(to, st.ROWS) <= asks:
            yield f"{where}: no cubes can wait at junction {j} left of column {x} now (B32)"


def _check_settled(s: st.State, config: GameConfig) -> Iterator[str]:
    """B52, B54: there is something to decide; an action or a phase in which only `end` is left closes by itself."""
    mask: Any = np.zeros(config.num_actions, np.int8)
    deck = deck_of(s, config.record[0])
    legal(s, deck, mask)
    if not s.over and not (mask.any() and something_to_decide(s, deck)):
        yield f"phase {st.PHASES[s.phase]!r} has nothing to decide, so it would have closed (B52)"


POSITION = Position(
    "bdgame",
    st.State,
    options=OPTIONS,
    derive=_derive,
    checks=(
        *(_check_phase, _check_cubes, _check_cards, _check_buy),
        *(_check_offer, _check_held, _check_flow, _check_settled),
    ),
    custom={
        "workshop": (_write_workshop, _read_workshop),
        "known": (_write_known, _read_known),
        "flow": (_write_pending, _read_pending),
    },
)
