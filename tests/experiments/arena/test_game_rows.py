"""A game's row in the file of a tournament holds all of its result."""

from __future__ import annotations

import json

import pytest

from bdgame_env.experiments.arena.game_rows import COLUMNS, result_of, row_of
from bdgame_env.experiments.arena.matches import GameResult

LOST = GameResult(3, 1, 2**64 - 1, (1, 0, 1), (-2, 0, 31), (3, 1, 1), 70000, False, 0, "too slow: ü", b"\0\1\2\3")
ENDED = GameResult(0, 0, 0, (0, 1), (3, 4), (2, 1), 7, True)


@pytest.mark.parametrize("result", [LOST, ENDED], ids=["lost", "ended"])
def test_round_trip(result: GameResult) -> None:
    row = row_of(result)
    assert result_of(row) == result and list(result_of(row).points) == json.loads(row[4])
    assert len(row) == len(COLUMNS.split(", ")) == len(GameResult.__dataclass_fields__)
    assert COLUMNS.split(", ") == list(GameResult.__dataclass_fields__)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (0, "three"),
        (2, "many"),
        (2, None),
        (4, "5"),
        (4, "{"),
        (5, "[1, 2.5]"),
        (5, None),
        (7, None),
        (8, "nobody"),
        (9, b"late"),
        (10, "text"),
    ],
)
def test_what_is_no_game_is_refused(column: int, value: object) -> None:
    row = list(row_of(LOST))
    row[column] = value
    with pytest.raises(ValueError, match=r"."):
        result_of(row)
