"""A position as plain JSON data (the section on snapshots); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

from ...core.game import Box
from .cards import COLORS, CONVERTER_CARD, CONVERTER_TYPES, CREDITS, KIND
from .state import KEPT, KEPT_NOTHING, NONE, PHASES, SOURCES, UNDER


def snapshot(s: Any, box: Box, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; without `omniscient` of hidden cards only their number (G17.3).

    The cards of a Research are there for the seat that researches (G17.4).
    """
    researcher = omniscient or seat == int(s.seat)
    options = {name: box.options[name] for name in ("auto_points", "order_under", "max_rounds")}
    decks = [_cards(deck[:size][::-1]) for deck, size in zip(s.decks, s.deck_sizes, strict=True)]
    under = _cards(s.under)
    data: dict[str, Any] = {
        "game": "gizmos",
        "players": box.players,
        "options": options,
        "round": int(s.round_number),
        "seat": int(s.seat),
        "phase": PHASES[s.phase],
        "last_round": bool(s.last_round),
        "truncated": bool(s.truncated),
        "passes": int(s.passes),
        "row": _marbles(s.row),
        "dispenser": _marbles(s.dispenser),
        "display": [None if card == NONE else int(card) for card in s.display],
        "decks": decks if omniscient else [len(deck) for deck in decks],
        "credits": {name: int(number) for name, number in zip(CREDITS, s.credits, strict=True)},
        "hand": _hand(s, researcher),
        "under": under if researcher or s.phase != UNDER else len(under),
        "payment": _payment(s.payment),
        "seats": [_seat(s, seat) for seat in range(box.players)],
    }
    if s.phase == UNDER:
        data["kept"] = None if s.kept == KEPT_NOTHING else KEPT[s.kept]
    if omniscient:
        data["luck"] = str(int(s.rng))
        data["removed"] = _cards(s.removed)
    return data


def _cards(row: Any) -> list[int]:
    return [int(card) for card in row if card != NONE]


def _marbles(counts: Any) -> dict[str, int]:
    return {color: int(count) for color, count in zip(COLORS, counts, strict=True)}


def _hand(s: Any, shown: bool) -> dict[str, Any] | None:
    if s.hand_level == 0:
        return None
    cards = _cards(s.hand)
    return {"level": int(s.hand_level), "cards": cards if shown else len(cards)}


def _payment(payment: Any) -> dict[str, Any] | None:
    if payment.card == NONE:
        return None
    return {
        "card": int(payment.card),
        "source": SOURCES[payment.source],
        "place": int(payment.place),
        "least": int(payment.least),
        "most": int(payment.most),
        "paid": [int(amount) for amount in payment.paid[: payment.decided]],
        "converters": [CONVERTER_TYPES[kind] for kind in payment.named[: payment.names]],
    }


def _seat(s: Any, number: int) -> dict[str, Any]:
    seat = s.seats[number]
    built = _cards(seat.built)
    marks = int(s.spent) if number == s.seat else 0
    marked = [card for place, card in enumerate(built) if marks >> place & 1]
    return {
        "ring": _marbles(seat.ring),
        "archive": _cards(seat.archive),
        "built": built,
        "spent": [card for card in marked if KIND[card] != CONVERTER_CARD],
        "used": [card for card in marked if KIND[card] == CONVERTER_CARD],
        "tokens": int(seat.tokens),
    }
