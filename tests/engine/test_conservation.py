"""Counting pieces."""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.conservation import miscounts, tally


def test_numbers_of_the_range_are_counted():
    """In arrays of any shape and dtype; empty places and numbers beyond the range do not count."""
    rows = [np.array([0, 2, -1], np.int8), np.array([[2, 2], [5, 4]], np.int16), [1, -1], [], 3]
    found = tally(rows, 5)
    assert found.tolist() == [1, 1, 3, 1, 1] and found.dtype == np.int64
    assert tally([], 3).tolist() == [0, 0, 0] and tally([[]], 2).tolist() == [0, 0]


def test_more_pieces_than_a_small_integer_holds():
    assert tally([np.zeros(300, np.int8)], 1).tolist() == [300]


def test_what_does_not_add_up_is_named():
    """In the order of the names, with the number required."""
    names = ("wood", "copper", "crystal")
    assert list(miscounts("tokens of", names, [8, 8, 8], 8, "N1")) == []
    assert list(miscounts("tokens of", names, np.array([9, 8, 0], np.int8), 8, "N1")) == [
        "9 tokens of wood, must be 8 (N1)",
        "0 tokens of crystal, must be 8 (N1)",
    ]
    wanted = np.array([9, 8, 1], np.int8)
    assert list(miscounts("tokens of", names, [9, 8, 0], wanted, "N1")) == ["0 tokens of crystal, must be 1 (N1)"]
    assert list(miscounts("cards", range(1, 3), [1, 2], 1, "N2")) == ["2 cards 2, must be 1 (N2)"]
