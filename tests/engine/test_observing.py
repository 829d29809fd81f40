"""The helpers that the observations of all games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Rows
from bdgame_env.engine.jit import clear_record, entry_point
from bdgame_env.engine.observing import mark, observation


def test_record_and_schema_agree():
    """Each field is in the record where the schema says."""
    fields = (("number", (), 0, 3, "a number"), ("hand", (2, 3), 0, 1, "cards by kind"))
    dtype, schema = observation(fields, {"hand": "count"})
    assert dtype.itemsize == 7 and [field.cards for field in schema] == ["", "count"]
    assert [(field.name, field.start, field.stop) for field in schema] == [("number", 0, 1), ("hand", 1, 7)]


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
    dtype, _ = observation((("number", (), 0, 3, "a number"), ("hand", (2, 3), 0, 1, "cards by kind")))
    rows = np.full((3, dtype.itemsize), 7, np.int8)
    _clear(rows.view(dtype)[:, 0], 1)
    assert not rows[1].any() and (rows[[0, 2]] == 7).all()
