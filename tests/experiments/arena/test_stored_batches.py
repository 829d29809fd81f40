"""A row of the file of a tournament holds all results of its batch, for this project and for SQL."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.stored_batches import TABLES, packed, unpacked

LOST = GameResult(
    3,
    1,
    2**64 - 1,
    (1, 0, 1),
    (-2, 0, 31),
    (3, 1, 1),
    70000,
    False,
    0,
    "too slow: ü",
    b"\0\1\2\3",
    (1, 0, 1),
    (0.5, 0.0, 2.25),
)
ENDED = GameResult(0, 0, 0, (0, 1), (3, 4), (2, 1), 7, True, actions=b"\5\6")
EMPTY = GameResult(7, 2, 9, (0, 1), (3, 4), (1, 1), 0, True)


def test_round_trip() -> None:
    batch = packed([LOST, ENDED, EMPTY])
    assert unpacked(batch) == [ENDED, LOST, EMPTY] and batch.first == 0 and batch.size == 3
    assert unpacked(packed([LOST])) == [LOST]
    assert unpacked(packed([LOST]))[0].seconds == LOST.seconds
    before = json.dumps([row[:-2] for row in json.loads(batch.games)])
    assert unpacked(batch._replace(games=before)) == [ENDED, LOST, EMPTY], "version 0.2 did not count decisions"


def test_sql_reads_the_same_games() -> None:
    """The columns are those of `GameResult`; lists are JSON, and a game seed is a text."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for table in TABLES:
            connection.execute(table)
        connection.executemany("INSERT INTO batches VALUES (?, ?, ?, ?)", [packed([ENDED, LOST]), packed([EMPTY])])
        found = connection.execute("SELECT * FROM games ORDER BY number")
        assert [column[0] for column in found.description] == list(GameResult.__dataclass_fields__)
        for row, result in zip(found.fetchall(), (ENDED, LOST, EMPTY), strict=True):
            number, deal, game_seed, agents, points, ranks, *rest, decided, seconds = row
            lists = (tuple(json.loads(text)) for text in (agents, points, ranks))
            assert GameResult(number, deal, int(game_seed), *lists, *rest) == result
            assert (tuple(json.loads(decided)), tuple(json.loads(seconds))) == (result.decided, result.seconds)


NO_GAMES = [(0, "three"), (2, "many"), (3, 5), (4, None), (5, [1, 2.5]), (7, None), (8, "nobody"), (9, 12), (10, -1)]


@pytest.mark.parametrize(("column", "value"), NO_GAMES)
def test_what_is_no_game_is_refused(column: int, value: Any) -> None:
    batch = packed([LOST])
    rows = json.loads(batch.games)
    rows[0][column] = value
    with pytest.raises(ValueError, match=r"."):
        unpacked(batch._replace(games=json.dumps(rows)))


NO_BATCHES = [{"games": text} for text in ("{", "5", "[[1, 2]]", b"[]", "[" * 100_000)]


@pytest.mark.parametrize("change", [*NO_BATCHES, {"size": 2}, {"actions": "text"}, {"actions": b"\0"}], ids=str)
def test_what_is_no_batch_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(packed([LOST])._replace(**change))
