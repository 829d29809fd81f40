"""Collect, segment by segment, for display (P34): told from the positions before and after it."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .cards import AMOUNT, COLORS, NUM_PRIMARIES
from .state import SEGMENTS

BUILD = ("build", "pay")  # phases of a snapshot
_PRIMARIES = COLORS[:NUM_PRIMARIES]


def collected(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Counter[str]] | None:
    """What each seat takes from the conveyor in the Collect between two positions; arguments as `collect_positions`.

    None if no Collect lies between, or if random slots of several players are at the same segment: what each of them
    drew there is not known.
    """
    segments = _by_segment(before, after)
    if segments is None:
        return None
    return [sum((taken.get(seat, Counter()) for taken in segments), Counter()) for seat in range(before["players"])]


def collect_positions(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The positions that Collect passes through between two others.

    Args:
        before: the snapshot of the position before the move that ends Build.
        after: the one after it, seen by the same viewer.

    Returns:
        A snapshot of the phase `collect` for each segment on which a machine takes pixels, with what lies on the
        conveyor and what everyone has then; empty where `collected` is None.
    """
    segments = _by_segment(before, after)
    if segments is None:
        return []
    shown = copy.deepcopy({**after, "phase": "collect", "seat": None, "conveyor": before["conveyor"]})
    for taken in segments:
        _give(shown, taken, -1)
    found = []
    for number, taken in enumerate(segments):
        if taken:
            shown["conveyor"][number] = after["conveyor"][number]
            _give(shown, taken, 1)
            found.append(copy.deepcopy(shown))
    return found


def _by_segment(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[int, Counter[str]]] | None:
    """For each segment, what seats took from it; None as in `collected`."""
    if before["phase"] not in BUILD or after["phase"] in BUILD or before["round"] != after["round"]:
        return None
    found = []
    for segment in range(SEGMENTS):
        taken = _taken(before, after, segment)
        if taken is None:
            return None
        found.append(taken)
    return found


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
