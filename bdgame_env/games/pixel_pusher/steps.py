"""Phases in which all choose at once: a bound on their length, and asking any seat first (P21, P38, P59, P60)."""

from __future__ import annotations

from typing import Any

from ...engine.arrays import Ints
from ...engine.game import GameConfig
from .cards import END_RECIPE, FIRST_RECIPE, GAIN, NUM_MACHINE_CONVERTERS, PAY
from .converting import can_convert
from .ending import in_secret
from .pixels import held
from .state import CONVERTING, DRAFTING, STORAGE, STORING, Seat, State

_SPLITS = [
    max(0, int((GAIN[first:end].sum(axis=1) - PAY[first:end].sum(axis=1)).max()))
    for first, end in zip(FIRST_RECIPE[:NUM_MACHINE_CONVERTERS], END_RECIPE[:NUM_MACHINE_CONVERTERS], strict=True)
]  # by converter, how many pixels more there are after one activation


def simultaneous_steps(s: State, config: GameConfig) -> int:
    """An upper bound, from public information, on any seat's decisions in a phase in which all choose at once.

    In Draft it is 1, for the card of this pick. In a secret Convert and Store a seat has at most one decision for each
    converter and ability card (P40), one to finish, and one for each pixel that it has to give back (P43): a pixel that
    it had when the phase began, or one that a split adds. 0 where players take turns.
    """
    if s.phase == DRAFTING:
        return 1
    return max(most_decisions(seat) for seat in s.seats[: config.players]) if in_secret(s) else 0


def ask(s: State, config: GameConfig, seat: int) -> None:
    """P38: give the decision to a seat that has yet to choose; without a usable recipe, it gives pixels back."""
    s.seat = seat
    if in_secret(s):
        s.phase = CONVERTING if can_convert(s, config.record[0], s.seats[seat]) else STORING


def most_decisions(seat: Seat) -> int:
    """The bound for one seat in a secret Convert and Store."""
    return int(seat.converters.sum() + seat.abilities.sum()) + 1 + _to_give(seat.shown_pixels, seat.converters)


def decisions_left(s: State, seat: Seat) -> int:
    """The same for the seat that decides, from its board as it is now."""
    if s.phase == STORING:
        return held(seat) - STORAGE
    unused: Any = seat.converters - seat.used
    return int(unused.sum() + (seat.abilities - seat.used_abilities).sum()) + 1 + _to_give(seat.pixels, unused)


def most_gained(converters: Ints) -> int:
    """How many pixels more there can be once each of these converters, counted by kind, has been activated."""
    return sum(each * count for each, count in zip(_SPLITS, converters.tolist(), strict=True))


def _to_give(pixels: Ints, converters: Ints) -> int:
    return int(max(0, pixels.sum() + most_gained(converters) - STORAGE))
