"""Reading the entries of a snapshot: what is taken, and the one line that says why something is not."""

from __future__ import annotations

from collections import UserDict
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.game import BadSnapshot
from bdgame_env.records.snapshot_reader import Entry

COLORS = ("red", "blue")
MOST = 2**64 - 1
LONG = "x" * 200


def entry(value: Any) -> Entry:
    return Entry({"a": [{"b": value}]})["a"].entries()[0]["b"]


def refused(read: Any, value: Any) -> str:
    """What is said of a value that is read at `a[0].b`."""
    with pytest.raises(BadSnapshot) as refusal:
        read(entry(value))
    message = str(refusal.value)
    assert message.startswith("snapshot: a[0].b") and "\n" not in message
    return message.removeprefix("snapshot: a[0].b")


def test_an_entry_knows_its_place():
    """Names are joined by dots, places in lists are in brackets."""
    assert Entry({"x": 1})["x"].where == "x"
    assert entry(5).where == "a[0].b" and entry(5).value == 5
    assert "b" in Entry({"b": None}) and "c" not in Entry({"b": None}) and Entry({"b": None})["b"].is_null


def test_a_missing_entry_is_named():
    with pytest.raises(BadSnapshot, match=r"^snapshot: game is missing$"):
        Entry({})["game"]
    assert refused(lambda e: e["c"], {}) == ".c is missing"


@pytest.mark.parametrize("value", [None, 3, "b", ["b"]])
def test_what_is_no_mapping_has_no_entries(value):
    assert refused(lambda e: e["c"], value) == f" is {value!r}, must be a mapping of names to entries"
    with pytest.raises(BadSnapshot, match=r"^snapshot: the whole is .*, must be a mapping"):
        Entry(value)["c"]


def test_lists_are_lists_or_what_is_read_like_one():
    """Of the length they must have; a number in the place of one is what a public snapshot has."""
    assert [(e.where, e.value) for e in entry((7, 8)).entries(exactly=2, most=2)] == [
        ("a[0].b[0]", 7),
        ("a[0].b[1]", 8),
    ]
    assert entry(UserDict(x=1))["x"].value == 1 and entry([]).entries() == []
    for value in (None, "ab", {}, True, 1.0):
        assert refused(Entry.entries, value) == f" is {value!r}, must be a list"
    assert "hidden, but only omniscient snapshots can be restored" in refused(Entry.entries, 5)
    assert refused(lambda e: e.entries(exactly=2), [1]) == " has 1 entries, must have 2"
    assert refused(lambda e: e.entries(most=2), [1] * 3) == " has 3 entries, at most 2"


def test_rows_are_filled_from_the_front():
    """The places behind stay as they are; a deck that lists its top first is read backwards."""
    row = np.full(4, -1, np.int8)
    assert entry([5, 6, 7]).fill(row, lambda e: e.whole(0, 9)) == 3 and row.tolist() == [5, 6, 7, -1]
    assert entry([1, 2]).fill(row, lambda e: e.whole(0, 9), backwards=True) == 2 and row.tolist() == [2, 1, 7, -1]
    assert entry([3]).fill(row[::-1], lambda e: e.whole(0, 9), backwards=True) == 1 and row.tolist() == [2, 1, 7, 3]
    assert entry([]).fill(row, lambda e: e.whole(0, 9)) == 0 and row.tolist() == [2, 1, 7, 3]
    assert refused(lambda e: e.fill(row, Entry.flag), [1] * 5) == " has 5 entries, at most 4"
    assert refused(lambda e: e.fill(row, lambda e: e.whole(0, 9)), [1, 10, 3]) == "[1] is 10, must be 0 to 9"
    assert row.tolist() == [2, 1, 7, 3], "a row that cannot be read is left alone"


def test_whole_numbers():
    """Of the range, both ends with it; true is no number."""
    for value in (-1, 0, 3):
        assert entry(value).whole(-1, 3) == value
    for value in (4, -2, 10**30, True, 1.0, "1", None, [1], np.int8(1)):
        assert refused(lambda e: e.whole(-1, 3), value).endswith(", must be -1 to 3")
    assert entry(None).whole(0, 3, null=-1) == -1 and entry(None).whole(1, 3, null=0) == 0
    assert refused(lambda e: e.whole(0, 3, null=-1), -1) == " is -1, must be 0 to 3 or null"


def test_names():
    """By their place in a list, or in the letters of a word."""
    assert entry("blue").place_in(COLORS) == 1 and entry("B").place_in("RGB") == 2
    assert entry(None).place_in(COLORS, null=-1) == -1 and entry(None).place_in((None, *COLORS)) == 0
    for value in ("green", None, 0, ["red"], {}):
        assert refused(lambda e: e.place_in(COLORS), value) == f" is {value!r}, must be one of red, blue"
    for value in ("", "RG"):
        assert refused(lambda e: e.place_in("RGB"), value) == f" is {value!r}, must be one of R, G, B"
    assert refused(lambda e: e.place_in(COLORS, null=-1), "x") == " is 'x', must be one of red, blue or null"
    assert refused(lambda e: e.place_in((None, *COLORS)), "x") == " is 'x', must be one of null, red, blue"


def test_flags():
    assert entry(True).flag() is True and entry(False).flag() is False
    for value in (0, 1, None, "true"):
        assert refused(Entry.flag, value) == f" is {value!r}, must be true or false"


def test_counts_by_name():
    """Of all names, 0 included; each with a limit of its own if need be."""
    assert entry({"blue": 2, "red": 0}).counts(COLORS, 2) == [0, 2]
    assert entry({"red": 1, "blue": 9}).counts(COLORS, np.array([1, 9], np.int8)) == [1, 9]
    assert refused(lambda e: e.counts(COLORS, 2), {"red": 1}) == ".blue is missing"
    assert refused(lambda e: e.counts(COLORS, (1, 9)), {"red": 2, "blue": 1}) == ".red is 2, must be 0 to 1"
    assert refused(lambda e: e.counts(COLORS, 2), [1, 2]).endswith("must be a mapping of names to entries")


def test_counts_of_what_is_there():
    """Names that are left out count 0, so that 0 itself is not written."""
    assert entry({}).counts_of_some(COLORS, 2) == [0, 0] and entry({"blue": 2}).counts_of_some(COLORS, 2) == [0, 2]
    assert refused(lambda e: e.counts_of_some(COLORS, 2), {"red": 0}) == ".red is 0, must be 1 to 2"
    assert refused(lambda e: e.counts_of_some(COLORS, (1, 9)), {"red": 2}) == ".red is 2, must be 1 to 1"
    with pytest.raises(BadSnapshot, match=r"^snapshot: 'green' is unknown in a\[0\].b; known: red, blue$"):
        entry({"red": 1, "green": 1}).counts_of_some(COLORS, 2)
    assert refused(lambda e: e.counts_of_some(COLORS, 2), 3).endswith("must be a mapping of names to entries")


def test_luck():
    """64 bits, as a snapshot writes them and in no other way."""
    for number in (0, 7, MOST):
        assert entry(str(number)).rng() == number
    digits = "\N{ARABIC-INDIC DIGIT FIVE}"
    for value in (5, None, "", "many", "-1", "1.0", " 1", "1_0", digits, "9" * 5000, str(MOST + 1), "007"):
        assert refused(Entry.rng, value).endswith(f", must be a whole number in a string, 0 to {MOST}")


def test_long_values_are_cut_and_put_in_one_line():
    """A message stays readable whatever the data holds."""
    assert refused(Entry.flag, LONG) == f" is {repr(LONG)[:60]}…, must be true or false"
    assert refused(Entry.flag, np.zeros((2, 2), int)) == " is array(shape=(2, 2), dtype=int64), must be true or false"
