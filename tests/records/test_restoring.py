"""From a snapshot back to a record: written, checked, compared; on a game of one number."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.game import BadSnapshot, GameConfig
from bdgame_env.records.restoring import first_difference, read_options, restore_position
from bdgame_env.records.snapshot_reader import Entry

CONFIG = GameConfig(np.zeros(1), {"players": 2}, None, 1, 1)
DATA = {"game": "heap", "players": 2, "options": {"size": 9}, "heap": 4, "taken": [{"by": 0}, {"by": 1}]}


def snapshot(s: Any, config: GameConfig, omniscient: bool) -> dict[str, Any]:
    assert omniscient
    return {**DATA, "heap": int(s["heap"])}


def write(snap: Entry, config: GameConfig, s: Any) -> None:
    s["heap"] = snap["heap"].whole(0, 9)


def at_most_7(s: Any, config: GameConfig) -> Iterator[str]:
    if s["heap"] > 7:
        yield f"heap is {s['heap']}, must be at most 7"
        raise AssertionError("nothing is asked for behind a fault")


def even(s: Any, config: GameConfig) -> Iterator[str]:
    assert s["heap"] <= 7, "a check may trust those before it"
    if s["heap"] % 2:
        yield "heap is odd"


def restored(data: Any, write: Any = write) -> int:
    s = np.zeros(1, [("heap", np.int8)])
    restore_position(data, CONFIG, s[0], write, (at_most_7, even), snapshot)
    return int(s[0]["heap"])


def test_a_snapshot_that_is_right_is_restored():
    """And left as it is; what reads like a dict or a list is one."""
    kept = dict(DATA)
    assert restored(kept) == 4 and kept == DATA
    assert restored(UserDict({**DATA, "taken": tuple(DATA["taken"])})) == 4  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"heap": 10}, "heap is 10, must be 0 to 9"),
        ({"heap": 9}, "heap is 9, must be at most 7"),
        ({"heap": 5}, "heap is odd"),
        ({"players": 3}, "players is 3, but reads as 2"),
        ({"players": 2.0}, "players is 2.0, but reads as 2"),
        ({"note": 1}, "'note' is unknown here; known: game, players, options, heap, taken"),
        ({"options": {}}, "options.size is missing"),
        ({"options": {"size": 9, "new\nline": 1}}, r"'new\\nline' is unknown in options; known: size"),
        ({"taken": [{"by": 0}]}, "taken has 1 entries, but reads as 2"),
        ({"taken": [{"by": 0}, {"by": True}]}, r"taken\[1\].by is True, but reads as 1"),
        ({"taken": "ab"}, "taken is 'ab', but reads as "),
        ({"taken": {"by": 0}}, "taken is {'by': 0}, but reads as "),
        ({"options": [("size", 9)]}, "options is .*, but reads as {'size': 9}"),
        ({"options": np.zeros(3)}, r"options is array\(shape=\(3,\), dtype=float64\), but reads as {'size': 9}"),
    ],
    ids=str,
)
def test_what_is_no_position_is_refused_in_one_line(change, message):
    """By the reading, by a check, or because the position gives another snapshot."""
    with pytest.raises(BadSnapshot, match=f"^snapshot: {message}") as refusal:
        restored({**DATA, **change})
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "error", [KeyError("x"), IndexError("x"), ValueError("x\ny"), TypeError(), AttributeError(), OverflowError()]
)
def test_what_nobody_has_foreseen_is_a_bad_snapshot_too(error):
    """Data from outside never ends in another error; one of the program itself is not hidden."""

    def stumble(snap: Entry, config: GameConfig, s: Any) -> None:
        raise error

    with pytest.raises(BadSnapshot, match=f"not of the documented form: {type(error).__name__}") as refusal:
        restored(DATA, stumble)
    assert "\n" not in str(refusal.value)


def test_a_fault_of_the_program_is_not_hidden():
    def stumble(snap: Entry, config: GameConfig, s: Any) -> None:
        raise AssertionError("a fault")

    with pytest.raises(AssertionError, match="a fault"):
        restored(DATA, stumble)


def test_options_of_a_snapshot():
    """With the number of players; only of the game that is asked for."""
    assert read_options(DATA, "heap") == {"players": 2, "size": 9}
    with pytest.raises(BadSnapshot, match=r"^snapshot: game is 'heap', must be 'chess'$"):
        read_options(DATA, "chess")
    with pytest.raises(BadSnapshot, match="game is None, must be 'heap'"):
        read_options({}, "heap")
    for wrong in ({"players": 2}, {"options": {}}, {"players": 2, "options": [1]}):
        with pytest.raises(BadSnapshot, match="'players' or 'options' is missing"):
            read_options({"game": "heap", **wrong}, "heap")


def test_equal_data_does_not_differ():
    """Empty lists and nested ones included."""
    for value in (None, 0, "", [], {}, DATA, [[1], [[]]]):
        assert first_difference("", value, value) == ""
    assert first_difference("a", [[1], [2]], [[1], [3]]) == "a[1][0] is 2, but reads as 3"
