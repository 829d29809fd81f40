"""The helpers that the observations of all games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Ints, Ints2, Rows
from bdgame_env.engine.game import Seats
from bdgame_env.engine.jit import clear_record, entry_point
from bdgame_env.engine.observing import Observation, field, mark, same
from bdgame_env.engine.struct import Struct, counts, number


class Seat(Struct):
    points: int = number(np.int16, -1, 34)
    tokens: Ints = counts(("red", "blue"), (2, 5))


class Obs(Observation, deck="tile"):
    left: int = field(0, 3, "a number")
    hand: Ints2 = field(0, 1, "cards by kind", (2, 3), cards="count")
    points: Ints = same(Seat.points, "points", Seats(2))
    tokens: Ints2 = same(Seat.tokens, "tokens by color", Seats(2), cards="count", deck="token")


def test_record_and_schema_agree():
    """Each field is in the record where the schema says."""
    assert Obs.dtype.itemsize == 13 and Obs.dtype["tokens"].shape == (2, 2)
    assert [(f.name, f.start, f.stop) for f in Obs.schema] == [
        *(("left", 0, 1), ("hand", 1, 7), ("points", 7, 9), ("tokens", 9, 13)),
    ]
    assert [(f.cards, f.deck, f.seats) for f in Obs.schema] == [
        *(("", "", False), ("count", "tile", False), ("", "", True), ("count", "token", True)),
    ]


def test_the_range_of_a_field_of_the_state():
    """Its least value, and the greatest of all its entries."""
    assert [(f.low, f.high) for f in Obs.schema[2:]] == [(-1, 34), (0, 5)]


def test_mark():
    """One entry is 1, all others are 0; a negative number marks none."""
    row = np.array([5, 5, 5], np.int8)
    mark(row, 2)
    assert row.tolist() == [0, 0, 1]
    mark(row, -1)
    assert row.tolist() == [0, 0, 0]


@entry_point
def _clear(records: Rows[Any], place: int) -> None:
    clear_record(records[place])


def test_clearing_a_record():
    """All its bytes are zero, and no others."""
    rows = np.full((3, Obs.dtype.itemsize), 7, np.int8)
    _clear(rows.view(Obs.dtype)[:, 0], 1)
    assert not rows[1].any() and (rows[[0, 2]] == 7).all()
