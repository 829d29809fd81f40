"""Collect, segment by segment, for display (P34): told from the positions before and after it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .cards import AMOUNT, COLORS, NUM_PRIMARIES
from .state import SEGMENTS

_PRIMARIES = COLORS[:NUM_PRIMARIES]


def collected(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Counter[str]] | None:
    """What each seat takes from the conveyor between two positions; arguments and None as in `collect_positions`."""
    if not _lies_between(before, after):
        return None
    taken = [_taken(before, after, segment) for segment in range(SEGMENTS)]
    seats = range(before["players"])
    return (
        None if None in taken else [sum((each.get(k, Counter()) for each in taken if each), Counter()) for k in seats]
    )


def collect_positions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The positions that Collect passes through between two others.

    Args:
        before: the snapshot of the position before the move that ends Build.
        after: the one after it, seen by the same viewer.

    Returns:
        A snapshot of the phase `collect` for each segment on which a machine takes pixels, with what lies on the
        conveyor and what everyone has then. None if no Collect lies between, or if random slots of several players
        are at the same segment: what each of them drew there is not known.
    """
    if not _lies_between(before, after):
        return []
    taken = [_taken(before, after, segment) for segment in range(SEGMENTS)]
    if None in taken:
        return []
    shown = copy.deepcopy({**after, "phase": "collect", "seat": None, "conveyor": before["conveyor"]})
    for seats in taken:
        _give(shown, seats or {}, -1)
    found = []
    for segment, seats in enumerate(taken):
        if seats:
            shown["conveyor"][segment] = after["conveyor"][segment]
            _give(shown, seats, 1)
            found.append(copy.deepcopy(shown))
    return found


def _lies_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    build = ("build", "pay")
    return before["phase"] in build and after["phase"] not in build and bool(before["round"] == after["round"])


def _taken(before: Mapping[str, Any], after: Mapping[str, Any], segment: int) -> dict[int, Counter[str]] | None:
    """What each seat took from a segment; None if that is not known."""
    was, now = before["conveyor"][segment], after["conveyor"][segment]
    left = Counter({color: was[color] - now[color] for color in _PRIMARIES})
    players, first = before["players"], before["leaders"]["collect"]
    there, found, drew = Counter(was), {}, []
    for seat in ((first + turn) % players for turn in range(players)):
        slot = after["seats"][seat]["slots"][segment]
        amount = sum(int(AMOUNT[card]) for card in slot["cards"])
        if slot["type"] == "?":
            drew.append(seat)
        elif slot["type"] in there and there[slot["type"]] >= amount:
            found[seat] = Counter({slot["type"]: amount})
            there[slot["type"]] -= amount
            left[slot["type"]] -= amount
    if left.total() and len(drew) > 1:
        return None
    if left.total():
        found[drew[0]] = +left
    return found


def _give(position: dict[str, Any], seats: Mapping[int, Counter[str]], times: int) -> None:
    for seat, colors in seats.items():
        for color, count in colors.items():
            position["seats"][seat]["pixels"][color] += times * count
