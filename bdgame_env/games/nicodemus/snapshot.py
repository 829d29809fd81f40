"""A position as plain JSON data (the section on snapshots); the way back is in restore.py."""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig
from .cards import KINDS, P1, RESOURCES, TOKENS
from .state import NO_USE, NONE, PHASES, USES, WILD


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The whole position; else what both see (N16.1), of hidden cards the number (N16.2, N16.4, N16.5).

    With a seat also what it alone knows: its hand, what was lost from it, the tiles that it rejected; and in its turn
    the tiles on offer and the machine that P1 discarded. N16.6.5: with any seat also what both know of
    stolen machines.
    """
    mover = omniscient or seat == int(s.seat)
    deck, project_deck, offer = _kinds(s.deck), _numbers(s.project_deck), _numbers(s.offer)
    data: dict[str, Any] = {
        "game": "nicodemus",
        "players": config.players,
        "options": {name: config.options[name] for name in ("max_rounds", "end_by_deck")},
        "round": int(s.round_number),
        "seat": int(s.seat),
        "phase": PHASES[s.phase],
        "ending": bool(s.ending),
        "truncated": bool(s.truncated),
        "reserve": _tokens(s.reserve),
        "bric_a_brac": [
            {"kind": KINDS[s.kinds[space]], "charcoalium": int(s.coal[space])} for space in range(s.machines)
        ],
        "deck": deck if omniscient else len(deck),
        "projects": [None if project == NONE else int(project) for project in s.board],
        "project_deck": project_deck if omniscient else len(project_deck),
        "removed": _counts(s.removed),
        "played": _kind(s.played),
        "effect": _kind(s.effect),
        "discarded": _kind(s.discarded) if mover or s.effect != P1 else None,
        "left": int(s.left),
        "previous": None if s.previous == NONE else RESOURCES[s.previous],
        "repair": _repair(s),
        "offer": offer if mover else len(offer),
        "project": None if s.project == NONE else int(s.project),
        "latest": None if s.latest == NONE else int(s.latest),
        "partners": _positions(int(s.partners)),
        "used": _positions(int(s.used)),
        "known": None if seat is None and not omniscient else [_known(each) for each in s.seats],
        "seats": [_seat(each, omniscient or seat == number) for number, each in enumerate(s.seats)],
    }
    if omniscient:
        data["rng"] = str(int(s.rng))
    return data


def _tokens(counts: Any) -> dict[str, int]:
    return {token: int(count) for token, count in zip(TOKENS, counts, strict=True)}


def _kind(kind: Any) -> str | None:
    return None if kind == NONE else KINDS[kind]


def _kinds(row: Any) -> list[str]:
    return [KINDS[kind] for kind in row if kind != NONE]


def _numbers(row: Any) -> list[int]:
    return [int(number) for number in row if number != NONE]


def _counts(by_kind: Any) -> dict[str, int]:
    return {KINDS[kind]: int(count) for kind, count in enumerate(by_kind) if count}


def _positions(bits: int) -> list[int]:
    return [position + 1 for position in range(bits.bit_length()) if bits >> position & 1]


def _repair(s: Any) -> dict[str, Any] | None:
    if s.phase != WILD:
        return None
    need = {resource: int(number) for resource, number in zip(RESOURCES, s.need, strict=True)}
    return {"space": int(s.space) + 1, "fee": int(s.fee), "need": need}


def _known(seat: Any) -> dict[str, dict[str, int]]:
    return {"hand": _counts(seat.known), "hand_or_lost": _counts(seat.doubtful)}


def _last(seat: Any) -> dict[str, Any] | None:
    if seat.last_use == NO_USE:
        return None
    return {"use": USES[seat.last_use - 1], "kind": _kind(seat.last_kind), "effect": _kind(seat.last_effect)}


def _seat(seat: Any, own: bool) -> dict[str, Any]:
    hand, lost, rejected = _counts(seat.hand), _counts(seat.lost), _numbers(seat.rejected)
    return {
        "points": int(seat.points),
        "tokens": _tokens(seat.tokens),
        "hand": hand if own else sum(hand.values()),
        "workshop": _kinds(seat.workshop),
        "reserved": _numbers(seat.reserved),
        "completed": _numbers(seat.completed),
        "rejected": rejected if own else len(rejected),
        "lost": lost if own else sum(lost.values()),
        "last": _last(seat),
    }
