"""Results of games as rows of the table `games` in the file of a tournament.

Whoever plays a game makes its row, since a main process that many workers feed has time for little more than to store
it; a list of tuples also unpickles in half the time of the results themselves.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from .matches import GameResult

# Lists are JSON. A game seed is an unsigned 64-bit number, which does not fit into a signed INTEGER.
TABLE = (
    "CREATE TABLE games (number INTEGER PRIMARY KEY, deal INTEGER NOT NULL, game_seed TEXT NOT NULL,"
    " agents TEXT NOT NULL, points TEXT NOT NULL, ranks TEXT NOT NULL, decisions INTEGER NOT NULL,"
    " truncated INTEGER NOT NULL, forfeit INTEGER, reason TEXT NOT NULL, actions BLOB NOT NULL)"
)
COLUMNS = "number, deal, game_seed, agents, points, ranks, decisions, truncated, forfeit, reason, actions"

Row = tuple[Any, ...]  # the values of COLUMNS


def row_of(result: GameResult) -> Row:
    """The row of a game. Python writes a list of whole numbers as JSON does, in a tenth of the time."""
    return (
        *(result.number, result.deal, str(result.game_seed)),
        *(str(list(result.agents)), str(list(result.points)), str(list(result.ranks))),
        *(result.decisions, int(result.truncated), result.forfeit, result.reason, result.actions),
    )


def result_of(row: Sequence[Any]) -> GameResult:
    """The inverse of `row_of`.

    Raises:
        ValueError: the row is not that of a game.
    """
    number, deal, game_seed, agents, points, ranks, decisions, truncated, forfeit, reason, actions = row
    whole = (number, deal, decisions, truncated, 0 if forfeit is None else forfeit)
    if not all(isinstance(value, int) for value in whole):
        raise ValueError(f"one of {whole} is not a whole number")
    if not isinstance(reason, str) or not isinstance(actions, bytes):
        raise ValueError("its reason is not a text, or its actions are not binary")
    try:
        lists = _numbers(agents), _numbers(points), _numbers(ranks)
        return GameResult(number, deal, int(game_seed), *lists, decisions, bool(truncated), forfeit, reason, actions)
    except (TypeError, RecursionError) as error:
        raise ValueError(f"not the result of a game: {error}") from None


@lru_cache(maxsize=2**14)  # ranks, agents and points are the same in many games
def _numbers(text: str) -> tuple[int, ...]:
    numbers = json.loads(text)
    if not isinstance(numbers, list) or not all(isinstance(number, int) for number in numbers):
        raise ValueError(f"{text} is not a list of whole numbers")
    return tuple(numbers)
