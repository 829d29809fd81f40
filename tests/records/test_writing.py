"""Rows and counts of a record as the plain data of a snapshot."""

from __future__ import annotations

import json

import numpy as np

from bdgame_env.records.writing import by_name, by_name_if_any, name_or_null, names_in, number_or_null, numbers

NAMES = ("hat", "bag", "map")
ROW = np.array([2, -1, 0], np.int8)


def test_empty_places():
    """They are null where a place must show, and left out of lists."""
    assert [number_or_null(number) for number in ROW] == [2, None, 0]
    assert [name_or_null(number, NAMES) for number in ROW] == ["map", None, "hat"]
    assert numbers(ROW) == [2, 0] and names_in(ROW, NAMES) == ["map", "hat"]
    assert numbers(ROW, empty=0) == [2, -1] and number_or_null(0, empty=0) is None


def test_counts():
    """By name; without those of which there are none, if wanted. All of it is plain data."""
    counts = np.array([0, 3, 1], np.int8)
    assert by_name(NAMES, counts) == {"hat": 0, "bag": 3, "map": 1}
    assert by_name_if_any(NAMES, counts) == {"bag": 3, "map": 1}
    assert json.loads(json.dumps([by_name(NAMES, counts), numbers(ROW)])) == [by_name(NAMES, counts), numbers(ROW)]
