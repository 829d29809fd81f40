"""Results of games as the file of a tournament holds them: a row for each batch.

On a cluster, whoever plays a batch makes its row, since a main process that hundreds of workers feed has time for
nothing but to store it. Two pieces of data for hundreds of games are also sent and written in a fraction of the time
that each game would take by itself. The view `games` shows the file as a table of games, to whoever reads it by SQL.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from bdgame_env.engine.quoting import shown

from .matches import GameResult

_COLUMNS = ("number", "deal", "game_seed", "agents", "points", "ranks", "decisions", "truncated", "forfeit", "reason")
_COSTS = ("decided", "seconds")
_START, _SIZE = len(_COLUMNS), len(_COLUMNS) + 1  # of a game's actions among those of its batch, in bytes
TABLES = (
    "CREATE TABLE batches"
    " (first INTEGER PRIMARY KEY, size INTEGER NOT NULL, games TEXT NOT NULL, actions BLOB NOT NULL)",
    "CREATE VIEW games AS SELECT "
    + ", ".join(f"json_extract(value, '$[{k}]') AS {name}" for k, name in enumerate(_COLUMNS))
    + f", coalesce(substr(actions, 1 + json_extract(value, '$[{_START}]'), json_extract(value, '$[{_SIZE}]')), x'')"
    " AS actions, "
    + ", ".join(f"json_extract(value, '$[{_SIZE + 1 + k}]') AS {name}" for k, name in enumerate(_COSTS))
    + " FROM batches, json_each(batches.games)",
)


class StoredBatch(NamedTuple):
    """A row of the table `batches`.

    Attributes:
        first: the least number of its games. size: how many there are.
        games: a JSON list with a list for each game: its result as the view names the columns, but in place of the
            actions where these begin in `actions`, and how many bytes they take; then, since version 0.3, how many
            decisions each seat took, and in how many seconds. Game seeds are texts: they are
            unsigned 64-bit numbers, which SQL does not have.
        actions: those of all games, see `GameResult`.
    """

    first: int
    size: int
    games: str
    actions: bytes


Batch = StoredBatch | Sequence[GameResult]  # as it comes from who played it: packed on another machine, else as it is


def packed(batch: Batch) -> StoredBatch:
    """The row of a batch, which has at least one game."""
    if isinstance(batch, StoredBatch):
        return batch
    rows, start = [], 0
    results = sorted(batch, key=lambda result: result.number)
    for one in results:
        row = [one.number, one.deal, str(one.game_seed), one.agents, one.points, one.ranks, one.decisions]
        rows.append([*row, int(one.truncated), one.forfeit, one.reason, start, len(one.actions)])
        rows[-1] += [one.decided, [round(seconds, 6) for seconds in one.seconds]]
        start += len(one.actions)
    games = json.dumps(rows, separators=(",", ":"))
    return StoredBatch(results[0].number, len(results), games, b"".join(one.actions for one in results))


def results_of(batch: Batch) -> Sequence[GameResult]:
    """The results of a batch."""
    return unpacked(batch) if isinstance(batch, StoredBatch) else batch


def unpacked(batch: Sequence[Any]) -> list[GameResult]:
    """The results in the row of a batch, by number.

    Raises:
        ValueError: the row is not that of a batch.
    """
    _, size, games, actions = batch
    if not isinstance(games, str) or not isinstance(actions, bytes):
        raise ValueError("its games are not a text, or its actions are not binary")
    try:
        rows = json.loads(games)
        results = [_result_of(row, actions) for row in rows]
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not the results of games: {error}") from None
    if len(results) != size:
        raise ValueError(f"{len(results)} games in place of {size}")
    return results


def _result_of(row: Sequence[Any], actions: bytes) -> GameResult:
    number, deal, game_seed, agents, points, ranks, decisions, truncated, forfeit, reason, start, size, *more = row
    decided, seconds = more or ((), ())
    whole = (number, deal, decisions, truncated, start, size, 0 if forfeit is None else forfeit)
    if not all(isinstance(value, int) for value in (*whole, *agents, *points, *ranks, *decided)):
        raise ValueError(f"one of {row} is not a whole number")
    if not isinstance(reason, str):
        raise ValueError(f"the reason {shown(reason)} is not a text")
    lists = tuple(agents), tuple(points), tuple(ranks)
    taken = actions[start : start + size]
    if start < 0 or len(taken) != size:
        raise ValueError(f"game {number} has no actions")
    thought = tuple(decided), tuple(map(float, seconds))
    return GameResult(
        number, deal, int(game_seed), *lists, decisions, bool(truncated), forfeit, reason, taken, *thought
    )
