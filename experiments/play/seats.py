"""Parses the seats that the user typed."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..inputs import split_specs
from .session import HUMAN


def read_seats(together: str | None, single: Sequence[str]) -> list[str]:
    """One spec for each seat.

    Args:
        together: specs separated by commas, such as "human,mcts:sims=200,c=1,greedy", where "c=1" belongs to mcts.
        single: single specs, which may contain other commas.

    Raises:
        BadInput: both are given, or a seat is empty.
    """
    if together is not None and single:
        raise BadInput("--seats and --seat: one or the other")
    seats = [*single, *split_specs(together)] if together is not None else list(single)
    if not all(seats):
        raise BadInput("--seats: a seat is empty; must be e.g. human,mcts,greedy")
    return seats


def is_human(seat: str) -> bool:
    """Whether a person plays the seat."""
    return seat.partition(":")[0] == HUMAN
