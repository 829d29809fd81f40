"""Rebuilds a seat's snapshot of Gizmos from nothing but its observation, so nothing it may know is missing there."""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.game import GameConfig

COLORS = ("red", "blue", "black", "yellow")
CREDITS = ("draw", "pick", "file", "free_build", "research", "points")
PHASES = ("main", "hand", "pay", "convert", "under", "chain", "over")
SOURCES = ("display", "archive", "hand")
TYPES = (
    *(f"{color}-any" for color in COLORS),
    *(f"2{color}-any" for color in COLORS),
    *(f"{color}-2{color}" for color in COLORS),
    *("any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"),
)
REMOVED = 20
NUMBER = 0  # the feature with the card's number
CONVERTERS = frozenset({*range(24, 32), *range(60, 72), *range(92, 96)})


def seat_snapshot(obs: Any, config: GameConfig, seat: int) -> dict[str, Any]:
    """`match.snapshot(seat=seat)`.

    Args:
        obs: `match.observe(seat)` as a record of the class `Obs`.
        config: the config of the match.
        seat: the seat that observes.
    """
    players = config.players
    absolute = [(seat + relative) % players for relative in range(players)]
    phase = PHASES[_one(obs.phase)]
    turn = absolute[_one(obs.turn)]
    seats: list[dict[str, Any]] = [{} for _ in range(players)]
    for relative, number in enumerate(absolute):
        seats[number] = _seat(obs, relative)
    known: list[Any] = [None] * players
    researcher = turn == seat
    level = _one(obs.hand_level) + 1 if obs.hand_level.any() else 0
    known[seat] = [_known(obs, deck, level, researcher) for deck in range(3)]
    marked = [card for card in seats[turn]["built"] if obs.spent[card]]
    kept = {"as": ("file", "build")[_one(obs.kept)], "card": int(obs.kept_card[NUMBER]) - 1} if obs.kept.any() else None
    return {
        "game": "gizmos",
        "players": players,
        "options": {name: config.options[name] for name in ("rules", "max_rounds")},
        "round": _number(obs.round_digits),
        "seat": turn,
        "phase": phase,
        "last_round": bool(obs.last_round),
        "truncated": bool(obs.truncated),
        "passes": int(obs.passes),
        "row": _marbles(obs.row),
        "dispenser": _marbles(obs.dispenser),
        "display": [int(face[NUMBER]) - 1 if face[NUMBER] else None for face in obs.display],
        "decks": [int(size) for size in obs.deck_sizes],
        "stacks": [_stacks(obs, deck, level, absolute) for deck in range(3)],
        "credits": {name: int(number) for name, number in zip(CREDITS, obs.credits, strict=True)},
        "hand": _hand(obs, level, researcher, absolute),
        "under": [int(card) - 1 for card in obs.under if card] if researcher else int(obs.under_size),
        "payment": _payment(obs, phase, seats[turn], researcher),
        "kept": kept,
        "removed": REMOVED,
        "spent": [card for card in marked if card not in CONVERTERS],
        "used": [card for card in marked if card in CONVERTERS],
        "seats": seats,
        "known": known,
    }


def _one(flags: Any) -> int:
    """The index of the only flag set."""
    return int(flags.argmax())


def _number(digits: Any) -> int:
    return int(digits[0]) + 128 * int(digits[1])


def _marbles(counts: Any) -> dict[str, int]:
    return {color: int(count) for color, count in zip(COLORS, counts, strict=True)}


def _cards(flags: Any) -> list[int]:
    return [card for card, flag in enumerate(flags) if flag]


def _seat(obs: Any, relative: int) -> dict[str, Any]:
    return {
        "ring": _marbles(obs.ring[relative]),
        "archive": _cards(obs.archived[relative]),
        "built": _cards(obs.built[relative]),
        "tokens": _number(obs.token_digits[relative]),
    }


def _hidden(obs: Any) -> int:
    """The number of researched cards that only the researcher sees."""
    open_card = bool(obs.paying_for[NUMBER]) and bool(obs.source[SOURCES.index("hand")])
    return int(obs.hand_size) + int(obs.under_size) - open_card


def _hand(obs: Any, level: int, researcher: bool, absolute: list[int]) -> dict[str, Any] | None:
    if not level:
        return None
    cards = [int(face[NUMBER]) - 1 for face in obs.hand if face[NUMBER]]
    return {
        "level": level,
        "cards": cards if researcher else int(obs.hand_size),
        "known_to": _seats(obs.known_to[level - 1, 0], absolute) if _hidden(obs) else [],
    }


def _seats(flags: Any, absolute: list[int]) -> list[int]:
    return sorted(absolute[relative] for relative in _cards(flags))


def _stacks(obs: Any, deck: int, level: int, absolute: list[int]) -> list[dict[str, Any]]:
    found, number = [], 0
    first = _hidden(obs) if level == deck + 1 else 0
    for row in range(first, first + int(obs.deck_sizes[deck])):
        if not obs.known_to[deck, row].any():
            continue
        number += 1
        if obs.stack_ends[deck, row]:
            order = obs.order_known_to[deck, row]
            found.append(
                {
                    "cards": number,
                    "known_to": _seats(obs.known_to[deck, row], absolute),
                    "order_known_to": absolute[_one(order)] if order.any() else None,
                }
            )
            number = 0
    return found


def _known(obs: Any, deck: int, level: int, researcher: bool) -> dict[str, Any] | None:
    batches: dict[int, list[int]] = {}
    for card in range(4 + 36 * deck, 40 + 36 * deck):
        if obs.known_batches[card]:
            batches.setdefault(int(obs.known_batches[card]), []).append(card)
    if not batches:
        return None
    in_hand = _hidden(obs) if level == deck + 1 else 0
    rows = slice(in_hand if researcher else 0, in_hand + int(obs.deck_sizes[deck]))
    return {
        "batches": list(batches.values()),
        "labels": [int(label) for label in obs.known_labels[deck, rows]],
        "parts": [int(part) for part in obs.known_parts[deck, rows]],
    }


def _payment(obs: Any, phase: str, mover: dict[str, Any], researcher: bool) -> dict[str, Any] | None:
    if not obs.paying_for[NUMBER]:
        return None
    card, source = int(obs.paying_for[NUMBER]) - 1, SOURCES[_one(obs.source)]
    decided = _one(obs.asked_color) if phase == "pay" else len(COLORS)
    cards = {
        "display": [int(face[NUMBER]) - 1 for face in obs.display],
        "archive": mover["archive"],
        "hand": [int(face[NUMBER]) - 1 for face in obs.hand],
    }[source]
    return {
        "card": card,
        "source": source,
        "place": cards.index(card) if source != "hand" or researcher else None,
        "least": int(obs.least),
        "most": int(obs.most),
        "paid": [int(amount) for amount in obs.paid[:decided]],
        "converters": [name for name, number in zip(TYPES, obs.named, strict=True) for _ in range(number)],
    }
