"""Memory as bytes, compiled and not, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.engine.jit import entry_point
from bdgame_env.engine.layout import record
from bdgame_env.engine.memory import blank_of, fetch, move, put_word, renew, word_at

SIZES = (1, 2, 3, 5, 8, 15, 16, 27, 32, 33, 64, 108, 250)
RECORDS = {size: record([("number", np.int32), ("row", np.int8, (size,))]) for size in SIZES}
PAIR = RECORDS[27]


@entry_point
def renew_row(to, others):
    return renew(to[0].row, others[0].row)


@entry_point
def renew_record(to, others):
    fetch(others[0])
    return renew(to[0], others[0])


@entry_point
def blank_after(records):
    made = blank_of(PAIR)
    renew(records[0], made)
    made.number = 3
    return made.number


@entry_point
def turned(row):
    """The first eight bytes in place of the last."""
    word = word_at(row, 0)
    put_word(row, row.size - 8, word)
    return word


@entry_point
def moved(row, to, at, number):
    move(row, to, at, number)


@pytest.mark.parametrize("size", SIZES)
def test_a_change_of_any_byte_is_found(size: int) -> None:
    one, other = np.zeros(1, RECORDS[size]), np.zeros(1, RECORDS[size])
    assert not renew_row(one, other)
    for place in range(size):
        other["row"][0, place] = -1 - place % 100
        assert renew_row(one, other) and not renew_row(one, other)
        assert one.tobytes() == other.tobytes()
    other["number"] = 1 << 30
    assert not renew_row(one, other) and renew_record(one, other) and not renew_record(one, other)
    assert one.tobytes() == other.tobytes()


def test_a_blank_record_is_zero_each_time() -> None:
    records = np.ones(1, PAIR)
    for _ in range(2):
        assert blank_after(records) == 3 and not any(records.tobytes())


def test_words_are_eight_bytes_from_any_place() -> None:
    row = np.arange(-3, 16, dtype=np.int8)
    assert turned(row) == int.from_bytes(np.arange(-3, 5, dtype=np.int8).tobytes(), "little", signed=True)
    assert row.tolist() == [*range(-3, 8), *range(-3, 5)]


@pytest.mark.parametrize(("to", "at", "number"), [(0, 3, 16), (5, 0, 14), (2, 2, 7), (4, 1, 0)])
def test_overlapping_rows_move_as_if_copied_first(to: int, at: int, number: int) -> None:
    row = np.arange(19, dtype=np.int8)
    wanted = row.copy()
    wanted[to : to + number] = row[at : at + number]
    moved(row, to, at, number)
    assert row.tolist() == wanted.tolist()
