"""A position as plain JSON data (the section on snapshots); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig
from ...records.writing import by_name, by_name_if_any, head, name_or_null, names_in, number_or_null, numbers
from .cards import KINDS, P1, RESOURCES, TOKENS
from .state import NO_USE, PHASES, USES, WILD


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; without `omniscient`, what both see (N16.1), with hidden pieces only counted (N16.2-N16.5).

    With a seat, also what it alone knows: its hand, the machines it lost, the tiles it rejected and, in its turn, the
    tiles on offer and the machine that P1 discarded. With any seat, also what both know about stolen machines
    (N16.6.5).
    """
    mover = omniscient or seat == int(s.seat)
    deck, project_deck, offer = names_in(s.deck, KINDS), numbers(s.project_deck), numbers(s.offer)
    data: dict[str, Any] = {
        **head("nicodemus", config, s, PHASES, ("max_rounds", "end_by_deck")),
        "ending": bool(s.ending),
        "truncated": bool(s.truncated),
        "reserve": by_name(TOKENS, s.reserve),
        "bric_a_brac": [
            {"kind": KINDS[s.kinds[space]], "charcoalium": int(s.coal[space])} for space in range(s.machines)
        ],
        "deck": deck if omniscient else len(deck),
        "projects": [number_or_null(project) for project in s.board],
        "project_deck": project_deck if omniscient else len(project_deck),
        "removed": by_name_if_any(KINDS, s.removed),
        "played": name_or_null(s.played, KINDS),
        "effect": name_or_null(s.effect, KINDS),
        "discarded": name_or_null(s.discarded, KINDS) if mover or s.effect != P1 else None,
        "left": int(s.left),
        "previous": name_or_null(s.previous, RESOURCES),
        "repair": _repair(s),
        "offer": offer if mover else len(offer),
        "project": number_or_null(s.project),
        "latest": number_or_null(s.latest),
        "partners": _positions(int(s.partners)),
        "used": _positions(int(s.used)),
        "known": None if seat is None and not omniscient else [_known(each) for each in s.seats],
        "seats": [_seat(each, omniscient or seat == number) for number, each in enumerate(s.seats)],
    }
    if omniscient:
        data["rng"] = str(int(s.rng))
    return data


def _positions(bits: int) -> list[int]:
    return [position + 1 for position in range(bits.bit_length()) if bits >> position & 1]


def _repair(s: Any) -> dict[str, Any] | None:
    if s.phase != WILD:
        return None
    need = by_name(RESOURCES, s.need)
    return {"space": int(s.space) + 1, "fee": int(s.fee), "need": need}


def _known(seat: Any) -> dict[str, dict[str, int]]:
    return {"hand": by_name_if_any(KINDS, seat.known), "hand_or_lost": by_name_if_any(KINDS, seat.doubtful)}


def _last(seat: Any) -> dict[str, Any] | None:
    if seat.last_use == NO_USE:
        return None
    kind, effect = name_or_null(seat.last_kind, KINDS), name_or_null(seat.last_effect, KINDS)
    return {"use": USES[seat.last_use - 1], "kind": kind, "effect": effect}


def _seat(seat: Any, own: bool) -> dict[str, Any]:
    hand, lost = by_name_if_any(KINDS, seat.hand), by_name_if_any(KINDS, seat.lost)
    rejected = numbers(seat.rejected)
    return {
        "points": int(seat.points),
        "tokens": by_name(TOKENS, seat.tokens),
        "hand": hand if own else sum(hand.values()),
        "workshop": names_in(seat.workshop, KINDS),
        "reserved": numbers(seat.reserved),
        "completed": numbers(seat.completed),
        "rejected": rejected if own else len(rejected),
        "lost": lost if own else sum(lost.values()),
        "last": _last(seat),
    }
