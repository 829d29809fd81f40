"""A position as plain JSON data (section 11); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig
from ...records.writing import by_name, by_name_if_any, head, name_or_null, names_in, number_or_null
from .cards import BASIC, COLORS, HOPPER, INLETS, PAUSE, PORTS
from .state import (
    ASK_NOTHING,
    ASK_SPLIT,
    COLUMNS,
    FRESH,
    NONE,
    OFFER,
    OPEN_NOTHING,
    OPENS,
    PHASES,
    RESPOND,
    ROWS,
)
from .workshop import slot_at


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; without `omniscient`, decks are reduced to their sizes and the known cards (B51).

    All seats see the same, so `seat` makes no difference.
    """
    deck = config.cards
    orders = names_in(s.orders_deck, deck.orders)
    parts = names_in(s.parts_deck, deck.kinds)
    known = parts[len(parts) - int(s.known) :]
    return {
        **head("bdgame", config, s, PHASES, ("selling", "trading", "max_rounds")),
        "open": OPENS[s.opened] if s.opened != OPEN_NOTHING else None,
        "actions_left": int(s.actions_left),
        "last_round": bool(s.last_round),
        "truncated": bool(s.truncated),
        "bank": by_name(COLORS, s.bank),
        "orders_row": [name_or_null(order, deck.orders) for order in s.orders_row],
        "orders_deck": orders if omniscient else len(orders),
        "parts_row": [name_or_null(kind, deck.kinds) for kind in s.parts_row],
        "parts_deck": parts if omniscient else len(parts),
        "known": known,
        "piles": by_name(BASIC, s.piles),
        "credit": int(s.credit),
        "sold": int(s.sold),
        "bought": by_name_if_any(deck.kinds, s.bought),
        "purchases": int(s.purchases),
        "selected": name_or_null(s.selected, deck.kinds),
        "made": by_name(COLORS, s.made),
        "pending": _pending(s, deck.shapes),
        "offers": int(s.offers),
        "offer": _offer(s, deck.kinds),
        "seats": [_seat(s, seat, deck) for seat in range(config.players)],
    }


def _offer(s: Any, kinds: tuple[str, ...]) -> dict[str, Any] | None:
    if s.phase not in (OFFER, RESPOND):
        return None
    return {
        "from": int(s.offer_from),
        "card": kinds[s.offer_card],
        "to": number_or_null(s.offer_to),
        "want": name_or_null(s.offer_want, kinds),
    }


def _pending(s: Any, shapes: Any) -> dict[str, Any] | None:
    flow = s.flow
    if flow.ask == ASK_NOTHING:
        return None
    pending: dict[str, Any] = {"ask": "split" if flow.ask == ASK_SPLIT else "hold", "x": int(flow.x), "y": int(flow.y)}
    if flow.ask == ASK_SPLIT:
        pending["color"] = COLORS[flow.color]
    pending["arrived"] = by_name(COLORS, flow.arrived)
    if flow.ask == ASK_SPLIT:
        pending["up"] = by_name(COLORS, flow.up)
    pending["flow"] = _waiting(s, shapes)
    return pending


def _waiting(s: Any, shapes: Any) -> list[dict[str, Any]]:
    """The cubes at the inlets of cards not yet processed, sorted by x, y, port."""
    workshop = s.seats[s.seat].workshop
    waiting = []
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = int(workshop.kinds[x, y])
            if kind == NONE:
                continue
            for port, name in enumerate(PORTS):
                if int(INLETS[shapes[kind]]) >> port & 1 and s.flow.cubes[x, y + port].any():
                    waiting.append({"x": x, "y": y, "port": name, "cubes": by_name(COLORS, s.flow.cubes[x, y + port])})
    return waiting


def _seat(s: Any, number: int, deck: Any) -> dict[str, Any]:
    seat = s.seats[number]
    own = [order for order, by in enumerate(s.fulfilled_by.tolist()) if by == number]
    own.sort(key=lambda order: int(s.fulfilled_as[order]))
    return {
        "points": int(seat.points),
        "storage": by_name(COLORS, seat.storage),
        "hand": by_name_if_any(deck.kinds, seat.hand),
        "orders": names_in(seat.queue, deck.orders),
        "fulfilled": [deck.orders[order] for order in own],
        "workshop": [
            _card(seat.workshop, x, y, deck.kinds)
            for x, column in enumerate(seat.workshop.kinds.tolist())
            for y, kind in enumerate(column)
            if kind != NONE
        ],
    }


def _card(workshop: Any, x: int, y: int, kinds: tuple[str, ...]) -> dict[str, Any]:
    kind = int(workshop.kinds[x, y])
    card: dict[str, Any] = {"x": x, "y": y, "kind": kinds[kind]}
    if kind == HOPPER:
        slot = int(slot_at(workshop, x, y))
        card |= {"slot": slot, "cubes": by_name(COLORS, workshop.loaded[slot])}
    if kind == PAUSE:
        held = int(workshop.held[x, y])
        card |= {"held": COLORS[(held - 1) % FRESH] if held else None, "fresh": held > FRESH}
    return card
