"""A position as plain JSON data (the section on snapshots); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.game import GameConfig
from ...records.writing import by_name, head, name_or_null, number_or_null, numbers
from .cards import CARDS, COLORS, FIRST_ABILITY, LEADERS, NUM_PRIMARIES, SLOT_TYPES
from .ending import all_choose, in_secret, sees_own_board
from .knowledge import cards_of_round, played_by
from .state import BUILDING, CONVERTING, DRAFTING, MOST_HAND, PAYING, PHASES, SLOTS


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; without `omniscient`, what all can see (P60, P64), with hidden cards only counted.

    With a seat, also what it alone knows (P65, P66): its cards, its choice and what it saw of other hands; in a secret
    Convert and Store, also whether it decides and, from its first decision on, its own board as it is now.
    """
    secret = bool(in_secret(s))
    veiled = secret and not omniscient
    supply = s.shown_supply if veiled else s.supply
    hidden = list if omniscient else len
    own_turn = omniscient or not all_choose(s) or seat == int(s.seat)
    data: dict[str, Any] = {
        **head("pixel_pusher", config, s, PHASES, ("line_points", "triple")),
        "seat": int(s.seat) if own_turn and not s.over else None,
        "phase": PHASES[CONVERTING if veiled and not own_turn else s.phase],
        "open_convert": bool(s.open_convert),
        "leaders": by_name(LEADERS, s.leaders),
        "bag": pixels(supply[:NUM_PRIMARIES]),
        "piles": pixels(supply[NUM_PRIMARIES:], COLORS[NUM_PRIMARIES:]),
        "conveyor": [pixels(segment) for segment in s.conveyor],
        "machine_deck": hidden(_numbers(s.machine_deck)[::-1]),
        "removed": hidden(_numbers(s.removed)),
        "set_aside": hidden(_numbers(s.set_aside)),
        "discarded": [kind for kind, count in enumerate(s.discarded) for _ in range(count)],
        "image_deck": hidden(_numbers(s.image_deck)[::-1]),
        "images": [_image(s, place) for place in range(len(s.images))],
        "finished": [int(image) for image in np.flatnonzero(s.finished)],
        "seats": [_seat(s, each, seat, omniscient, veiled) for each in range(config.players)],
    }
    data["known"] = None if seat is None else _known(s, config, seat)
    if omniscient:
        data["rng"] = str(int(s.rng))
        data["shown"] = _shown(s, config.players) if secret else None
        data["known"] = [_known(s, config, observer) for observer in range(config.players)]
    return data


def pixels(counts: Any, colors: str = COLORS) -> dict[str, int]:
    """Pixels by the letter of their color."""
    return {color: int(count) for color, count in zip(colors, counts, strict=False)}


def _numbers(row: Any) -> list[int]:
    return numbers(row, empty=0)


def _cards(row: Any) -> list[int | str]:
    return [_card(card) for card in _numbers(row)]


def _card(card: int) -> int | str:
    """A machine card by its kind, an ability card by its id."""
    return int(card) if card < FIRST_ABILITY else CARDS.abilities[card - FIRST_ABILITY]


def _image(s: Any, place: int) -> dict[str, Any] | None:
    if s.images[place] == 0:
        return None
    return {"image": int(s.images[place]), "filled": [bool(line) for line in s.filled[place]]}


def _shown(s: Any, players: int) -> dict[str, Any]:
    return {
        "bag": pixels(s.shown_supply[:NUM_PRIMARIES]),
        "piles": pixels(s.shown_supply[NUM_PRIMARIES:], COLORS[NUM_PRIMARIES:]),
        "seats": [
            {"points": int(seat.shown_points), "pixels": pixels(seat.shown_pixels)} for seat in s.seats[:players]
        ],
    }


def _known(s: Any, config: GameConfig, observer: int) -> list[list[int | str | None]]:
    """P66: by stack and place, the cards that the observer saw and others took or hold."""
    if s.phase not in (DRAFTING, BUILDING, PAYING):
        return []
    count = cards_of_round(s)
    return [[_card(card) if card else None for card in row[:count]] for row in s.known[observer, : config.players]]


def _seat(s: Any, number: int, viewer: int | None, omniscient: bool, veiled: bool) -> dict[str, Any]:
    """One seat; in a secret phase as it was at its start, except for the viewer once it has been asked (P60)."""
    seat = s.seats[number]
    own = omniscient or number == viewer
    veiled = veiled and not (own and bool(sees_own_board(s, number)))
    hidden = list if own else len
    return {
        "points": int(seat.shown_points if veiled else seat.points),
        "pixels": pixels(seat.shown_pixels if veiled else seat.pixels),
        "slots": _slots(seat),
        "hand": hidden(_cards(seat.hand)),
        "choice": number_or_null(seat.choice) if own and s.phase == DRAFTING else None,
        "drafted": hidden(_cards(seat.drafted)),
        "laid": hidden(_cards(seat.laid)),
        "played": _played(s, seat),
        "asked": int(seat.asked) if own else None,
        "abilities": _names(CARDS.abilities, seat.abilities),
        "used": [] if veiled else _names(CARDS.converters, seat.used),
        "used_abilities": [] if veiled else _names(CARDS.abilities, seat.used_abilities),
    }


def _played(s: Any, seat: Any) -> list[int]:
    """P61: the machine cards that a seat has played in this Build."""
    row = np.zeros(MOST_HAND, np.int8)
    if s.phase in (BUILDING, PAYING):
        played_by(seat, row)
    return _numbers(row)


def _slots(seat: Any) -> list[dict[str, Any]]:
    slots, begin = [], 0
    for slot in range(SLOTS):
        end = begin + int(seat.slot_cards[slot])
        name = name_or_null(seat.slot_type[slot], SLOT_TYPES)
        slots.append({"type": name, "cards": numbers(seat.installed[begin:end])})
        begin = end
    return slots


def _names(names: list[str], counts: Any) -> list[str]:
    return [names[k] for k, count in enumerate(counts) for _ in range(count)]
