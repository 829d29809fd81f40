"""Rebuilds a seat's snapshot of Nicodemus from nothing but its observation (N23.11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.support.reference.nicodemus_cards import KINDS, MACHINES, RESOURCES, TOKENS

_PHASES = ("turn", "wild", "pick", "hand", "target", "exchange", "keep", "projects", "partner", "over")
_USES = ("charcoalium", "produce", "effect", "repair", "pass")
_FACE_UP, _RESERVED, _COMPLETED, _REJECTED, _ON_OFFER = 0, 1, 3, 5, 6
_PLACES = 6  # N1.5
_COPIES = [MACHINES[kind].copies for kind in KINDS]


def seat_snapshot(obs: Any, config: Any, seat: int) -> dict[str, Any]:
    """`Match.snapshot(seat=seat)`, from `Match.observe(seat)` as a record of the game's dtype."""
    phase = _PHASES[_the_one(obs.phase)]
    mine = bool(obs.to_move[0])
    mover = 1 if phase == "over" else seat if mine else 1 - seat  # the game ends with a turn of seat 1 (N15.2)
    workshops = [_machines(obs.workshop[relative]) for relative in (0, 1)]
    row = _machines(obs.bric_a_brac)
    owners = [_own(obs, workshops[0]), _others(obs, workshops[1], phase == "keep" and not mine)]
    in_sight = np.bincount([KINDS.index(kind) for kind in [*row, *workshops[0], *workshops[1]]], minlength=len(KINDS))
    removed = np.array(_COPIES) - obs.hand - obs.own_lost - obs.unseen - in_sight
    projects: list[int | None] = [None] * _PLACES
    for project, place in enumerate(obs.board):
        if place:
            projects[place - 1] = project
    return {
        "game": "nicodemus",
        "players": 2,
        "options": {name: config.options[name] for name in ("max_rounds", "end_by_deck")},
        "round": int(obs.round_number),
        "seat": mover,
        "phase": phase,
        "ending": bool(obs.ending),
        "truncated": bool(obs.over and not obs.ending),
        "reserve": _tokens(obs.reserve),
        "bric_a_brac": [
            {"kind": kind, "charcoalium": int(coal)}
            for kind, coal in zip(row, obs.charcoalium[: len(row)], strict=True)
        ],
        "deck": int(obs.deck_size),
        "projects": projects,
        "project_deck": int(obs.project_deck_size),
        "removed": _counts(removed),
        "played": _name(KINDS, obs.played),
        "effect": _name(KINDS, obs.effect),
        "discarded": _name(KINDS, obs.discarded),
        "left": int(obs.left),
        "previous": _name(RESOURCES, obs.previous),
        "repair": _repair(obs) if phase == "wild" else None,
        "offer": _placed(obs, _ON_OFFER) if mover == seat else 2 if phase == "keep" else 0,
        "project": _name(range(17), obs.completing),
        "latest": _name(range(17), obs.latest),
        "partners": _positions(obs.partners),
        "used": _positions(obs.used),
        "seats": owners if seat == 0 else owners[::-1],
    }


def _own(obs: Any, workshop: list[str]) -> dict[str, Any]:
    hidden = {"hand": _counts(obs.hand), "lost": _counts(obs.own_lost), "rejected": _placed(obs, _REJECTED)}
    return {**_public(obs, 0, workshop), **hidden}


def _others(obs: Any, workshop: list[str], choosing: bool) -> dict[str, Any]:
    """The other seat; unseen tiles are in the project deck, on offer to it, or rejected by it."""
    unseen = int((obs.projects.sum(1) == 0).sum())
    rejected = unseen - int(obs.project_deck_size) - (2 if choosing else 0)
    return {**_public(obs, 1, workshop), "hand": int(obs.hand_size[1]), "lost": int(obs.lost[1]), "rejected": rejected}


def _public(obs: Any, relative: int, workshop: list[str]) -> dict[str, Any]:
    return {
        "points": int(obs.points[relative]),
        "tokens": _tokens(obs.tokens[relative]),
        "workshop": workshop,
        "reserved": _placed(obs, _RESERVED + relative),
        "completed": _placed(obs, _COMPLETED + relative),
        "known": _counts(obs.known[relative]),
        "doubtful": _counts(obs.doubtful[relative]),
        "last": _last(obs, relative),
    }


def _last(obs: Any, relative: int) -> dict[str, Any] | None:
    use = _name(_USES, obs.last_use[relative])
    if use is None:
        return None
    return {
        "use": use,
        "kind": _name(KINDS, obs.last_kind[relative]),
        "effect": _name(KINDS, obs.last_effect[relative]),
    }


def _repair(obs: Any) -> dict[str, Any]:
    need = {resource: int(number) for resource, number in zip(RESOURCES, obs.need, strict=True)}
    return {"space": _the_one(obs.repair_space) + 1, "fee": int(obs.fee), "need": need}


def _machines(faces: Any) -> list[str]:
    """The kinds in a row; the first feature is the kind + 1, or 0 for no machine."""
    return [KINDS[face[0] - 1] for face in faces if face[0]]


def _placed(obs: Any, place: int) -> list[int]:
    return [int(project) for project in np.flatnonzero(obs.projects[:, place])]


def _counts(by_kind: Any) -> dict[str, int]:
    return {kind: int(count) for kind, count in zip(KINDS, by_kind, strict=True) if count}


def _tokens(counts: Any) -> dict[str, int]:
    return {token: int(count) for token, count in zip(TOKENS, counts, strict=True)}


def _positions(marks: Any) -> list[int]:
    return [int(position) + 1 for position in np.flatnonzero(marks)]


def _the_one(marks: Any) -> int:
    (found,) = np.flatnonzero(marks)
    return int(found)


def _name(names: Sequence[Any], marks: Any) -> Any:
    """The name of the entry that is marked, or None."""
    return names[_the_one(marks)] if np.any(marks) else None
