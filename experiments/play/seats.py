"""Who plays: the seats of a game from what the user typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import BadInput
from .session import HUMAN

_SETTING = re.compile(r"[A-Za-z_]\w*=")


def read_seats(together: str | None, single: Sequence[str]) -> list[str]:
    """One spec for each seat.

    Args:
        together: specs separated by commas, such as "human,mcts:sims=200,c=1,greedy"; "c=1" is still the second's.
        single: specs one by one, for those that hold other commas.

    Raises:
        BadInput: both are given, none is, or one is empty.
    """
    if together is not None and single:
        raise BadInput("--seats and --seat: one or the other")
    seats = list(single)
    for part in together.split(",") if together is not None else ():
        if _SETTING.match(part) and seats and ":" in seats[-1]:
            seats[-1] += f",{part}"
        else:
            seats.append(part.strip())
    if not all(seats):
        raise BadInput("--seats: an empty seat; wanted is e.g. human,mcts,greedy")
    return seats


def is_human(seat: str) -> bool:
    """Whether a person has the seat."""
    return seat.partition(":")[0] == HUMAN
