"""The parts that snapshots of all games share: where the game stands, and rows of cards or counts as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..engine.game import GameConfig

NONE = -1  # stands for an empty place in the records of every game


def head(game: str, config: GameConfig, s: Any, phases: Sequence[str], options: Iterable[str]) -> dict[str, Any]:
    """The first entries of every snapshot: game, players, options, round, seat and phase.

    Args:
        game: its name.
        config: of the position.
        s: the record; its `phase` is a place in `phases`.
        phases: their names.
        options: which options are named, in this order.
    """
    return {
        "game": game,
        "players": config.players,
        "options": {name: config.options[name] for name in options},
        "round": int(s.round_number),
        "seat": int(s.seat),
        "phase": phases[s.phase],
    }


def number_or_null(number: Any, empty: int = NONE) -> int | None:
    """A number; None for an empty place."""
    return None if number == empty else int(number)


def name_or_null(number: Any, names: Sequence[str]) -> str | None:
    """The name of this number; None for an empty place."""
    return None if number == NONE else names[number]


def numbers(row: Iterable[Any], empty: int = NONE) -> list[int]:
    """The numbers in a row, without empty places."""
    return [number for number in _plain(row) if number != empty]


def names_in(row: Iterable[Any], names: Sequence[str]) -> list[str]:
    """The names of the numbers in a row, without empty places."""
    return [names[number] for number in _plain(row) if number != NONE]


def by_name(names: Iterable[str], counts: Iterable[Any]) -> dict[str, int]:
    """How many there are of each name; as many names as counts."""
    return dict(zip(names, _plain(counts), strict=True))


def by_name_if_any(names: Iterable[str], counts: Iterable[Any]) -> dict[str, int]:
    """`by_name` without those of which there are none."""
    return {name: count for name, count in by_name(names, counts).items() if count}


def _plain(row: Iterable[Any]) -> list[int]:
    """The numbers in a row as Python's; those of an array all at once, which is faster."""
    if not isinstance(row, np.ndarray):
        return [int(number) for number in row]
    found: list[int] = row.tolist()
    return found
