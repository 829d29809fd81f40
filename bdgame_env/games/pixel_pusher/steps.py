"""Phases in which all choose at once: a bound on their length, and asking any seat first (P21, P38, P59, P60)."""

from __future__ import annotations

from typing import Any

from .cards import END_RECIPE, FIRST_RECIPE, GAIN, NUM_MACHINE_CONVERTERS, PAY
from .converting import can_convert
from .ending import in_secret
from .state import CONVERTING, DRAFTING, STORAGE, STORING

_SPLITS = [
    max(0, int((GAIN[first:end].sum(axis=1) - PAY[first:end].sum(axis=1)).max()))
    for first, end in zip(FIRST_RECIPE[:NUM_MACHINE_CONVERTERS], END_RECIPE[:NUM_MACHINE_CONVERTERS], strict=True)
]  # by converter, how many pixels more there are after one activation


def simultaneous_steps(s: Any, config: Any) -> int:
    """An upper bound, from public information, on any seat's decisions in a phase in which all choose at once.

    In Draft it is 1, for the card of this pick. In a secret Convert and Store a seat has at most one decision for each
    converter and ability card (P40), one to finish, and one for each pixel that it has to give back (P43): a pixel that
    it had when the phase began, or one that a split adds. 0 where players take turns.
    """
    if s.phase == DRAFTING:
        return 1
    return max(_most_decisions(seat) for seat in s.seats[: config.players]) if in_secret(s) else 0


def ask(s: Any, config: Any, seat: int) -> None:
    """P38: give the decision to a seat that has yet to choose; without a usable recipe, it gives pixels back."""
    s.seat = seat
    if in_secret(s):
        s.phase = CONVERTING if can_convert(s, config.record[0], s.seats[seat]) else STORING


def _most_decisions(seat: Any) -> int:
    """The bound for one seat in a secret Convert and Store."""
    converters = [int(count) for count in seat.converters]
    pixels = int(seat.shown_pixels.sum()) + sum(more * count for more, count in zip(_SPLITS, converters, strict=True))
    abilities = int(seat.abilities.sum())
    return sum(converters) + abilities + 1 + max(0, pixels - STORAGE)
