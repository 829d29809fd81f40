"""`engine.layout`: the record of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.jit import entry_point
from bdgame_env.engine.layout import as_bytes, record

INNER = record([("points", np.int16), ("cubes", np.int8, 3)])
OUTER = record([("total", np.int32), ("seats", INNER, 2), ("face_up", np.int8)])


@entry_point
def _write(records: Any) -> None:
    s = records[0]
    s.total = 7
    s.seats[1].cubes[2] = 5
    me = s.seats[0]
    me.points += 3


def test_fields_are_read_and_written_as_attributes():
    """A kernel writes through nested records, compiled or not."""
    records = np.zeros(2, OUTER)
    _write(records)
    assert records[0].total == 7 and records[0].seats[1].cubes[2] == 5 and records[0].seats[0].points == 3
    assert not records[1:].tobytes().strip(b"\0")


def test_what_is_no_field_is_refused():
    """Both on reading and on writing; for other errors NumPy's message is kept."""
    s = np.zeros(1, OUTER)[0]
    with pytest.raises(AttributeError, match="no field 'totals'"):
        _ = s.totals
    with pytest.raises(AttributeError, match="no field 'totals'"):
        s.totals = 1
    with pytest.raises(ValueError, match="invalid literal"):
        s.total = "many"
    s.total = 4
    assert s.total == 4 and s.dtype == OUTER and not hasattr(s, "totals")


def test_records_have_no_padding():
    """Every byte belongs to a field: equal games are equal byte for byte."""
    assert INNER.itemsize == 5 and OUTER.itemsize == 4 + 2 * 5 + 1


@pytest.mark.parametrize("name", ["size", "data", "copy", "itemsize", "item", "sum", "field"])
def test_names_of_numpys_own_are_refused(name):
    """Such a field would be shadowed when a record is read in Python."""
    with pytest.raises(ValueError, match=f"field '{name}' hides an attribute of numpy records"):
        record([("rng", np.uint64), (name, np.int8)])


def test_a_name_given_twice_is_refused():
    """NumPy refuses it, and `record` does not hide that."""
    with pytest.raises(ValueError, match="seat"):
        record([("seat", np.int8), ("seat", np.int16)])


def test_as_bytes_shares_the_memory():
    """For comparing and copying without conversion."""
    records = np.zeros(3, OUTER)
    view = as_bytes(records)
    assert view.shape == (3, OUTER.itemsize) and view.dtype == np.uint8
    view[1, :4] = 255
    assert records["total"].tolist() == [0, -1, 0]
