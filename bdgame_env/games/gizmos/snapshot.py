"""A position as plain JSON data (the section on snapshots); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig
from ...records.writing import by_name, head, number_or_null, numbers
from .cards import CARDS_OF_A_LEVEL, COLORS, CONVERTER_CARD, CONVERTER_TYPES, CREDITS, KIND, NUM_STARTING
from .knowledge import first_of
from .knowledge_updates import hidden_in_hand
from .stacks import LOWEST, is_known_to, put_by, top_of_stack
from .state import FROM_HAND, KEPT, KEPT_NOTHING, MAX_SEATS, NONE, PHASES, SOURCES, UNDER


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; without `omniscient`, hidden cards are reduced to their number (G17.3).

    With `seat`, it includes that seat's researched cards (G17.4) and what that seat knows (G17.5).
    """
    researcher = omniscient or seat == int(s.seat)
    decks = [numbers(deck[:size][::-1]) for deck, size in zip(s.decks, s.deck_sizes, strict=True)]
    under = numbers(s.under)
    data: dict[str, Any] = {
        **head("gizmos", config, s, PHASES, ("rules", "max_rounds")),
        "last_round": bool(s.last_round),
        "truncated": bool(s.truncated),
        "passes": int(s.passes),
        "row": by_name(COLORS, s.row),
        "dispenser": by_name(COLORS, s.dispenser),
        "display": [number_or_null(card) for card in s.display],
        "decks": decks if omniscient else [len(deck) for deck in decks],
        "stacks": [_stacks(s, config, deck) for deck in range(3)],
        "credits": by_name(CREDITS, s.credits),
        "hand": _hand(s, config, researcher),
        "under": under if researcher or s.phase != UNDER else len(under),
        "payment": _payment(s.payment, researcher),
        "seats": [_seat(s, seat) for seat in range(config.players)],
    }
    if s.phase == UNDER:
        data["kept"] = None if s.kept == KEPT_NOTHING else {"as": KEPT[s.kept], "card": int(s.kept_card)}
    data["known"] = None if seat is None else _known(s, seat)
    if omniscient:
        data["known"] = [_known(s, viewer) for viewer in range(config.players)]
        data["rng"] = str(int(s.rng))
        data["removed"] = numbers(s.removed)
    return data


def _stacks(s: Any, config: GameConfig, deck: int) -> list[dict[str, Any]]:
    """G17.8: the stacks, from the top of the deck down, without cards that nobody is known to know."""
    found = []
    row, size = s.stacks[deck], int(s.deck_sizes[deck])
    for place, stack in enumerate(row[:size].tolist()):
        if stack & LOWEST:
            order = None if config.record[0].quick else int(put_by(stack))
            number = int(top_of_stack(row, size, place)) - place
            found.append({"cards": number, "known_to": _seats(stack), "order_known_to": order})
    return found[::-1]


def _seats(stack: int) -> list[int]:
    return [seat for seat in range(MAX_SEATS) if is_known_to(stack, seat)]


def _known(s: Any, viewer: int) -> list[dict[str, Any] | None]:
    """G17.5: what a seat knows about the hidden cards of each level; None for nothing."""
    return [_known_of_level(s, viewer, level) for level in (1, 2, 3)]


def _known_of_level(s: Any, viewer: int, level: int) -> dict[str, Any] | None:
    first, known = int(first_of(level)), s.known[viewer]
    batches: dict[int, list[int]] = {}
    for card, batch in enumerate(known.batches[first : first + CARDS_OF_A_LEVEL].tolist(), first + NUM_STARTING):
        if batch:
            batches.setdefault(batch, []).append(card)
    if not batches:
        return None
    places = slice(first, first + places_of(s, viewer, level))
    return {
        "batches": list(batches.values()),
        "labels": known.labels[places].tolist()[::-1],
        "parts": known.parts[places].tolist()[::-1],
    }


def places_of(s: Any, viewer: int, level: int) -> int:
    """The number of places of a level that a seat may know about: its deck, and another seat's hand taken from it."""
    in_hand = hidden_in_hand(s) if s.hand_level == level and s.seat != viewer else 0
    return int(s.deck_sizes[level - 1]) + int(in_hand)


def _hand(s: Any, config: GameConfig, shown: bool) -> dict[str, Any] | None:
    if s.hand_level == 0:
        return None
    cards, level = numbers(s.hand), int(s.hand_level)
    known_to = _seats(int(s.stacks[level - 1][s.deck_sizes[level - 1]])) if hidden_in_hand(s) else []
    return {
        "level": level,
        "cards": cards if shown else len(cards),
        "known_to": [seat for seat in known_to if seat < config.players],
    }


def _payment(payment: Any, researcher: bool) -> dict[str, Any] | None:
    if payment.card == NONE:
        return None
    private = payment.source == FROM_HAND and not researcher
    return {
        "card": int(payment.card),
        "source": SOURCES[payment.source],
        "place": None if private else int(payment.place),
        "least": int(payment.least),
        "most": int(payment.most),
        "paid": [int(amount) for amount in payment.paid[: payment.decided]],
        "converters": [CONVERTER_TYPES[kind] for kind in payment.named[: payment.names]],
    }


def _seat(s: Any, number: int) -> dict[str, Any]:
    seat = s.seats[number]
    built = numbers(seat.built)
    marks = int(s.spent) if number == s.seat else 0
    marked = [card for place, card in enumerate(built) if marks >> place & 1]
    return {
        "ring": by_name(COLORS, seat.ring),
        "archive": numbers(seat.archive),
        "built": built,
        "spent": [card for card in marked if KIND[card] != CONVERTER_CARD],
        "used": [card for card in marked if KIND[card] == CONVERTER_CARD],
        "tokens": int(seat.tokens),
    }
