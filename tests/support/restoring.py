"""Restoring by hand, for small games that break it in some way: written, checked, compared with their snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bdgame_env.engine.game import BadSnapshot, GameConfig
from bdgame_env.engine.quoting import shown
from bdgame_env.records.snapshot_reader import Entry
from bdgame_env.records.snapshots import first_difference

_OF_ANOTHER_FORM = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


def read_options(data: Mapping[str, Any], game: str) -> dict[str, Any]:
    """The options that a snapshot of the game was made with, `players` included.

    Raises:
        BadSnapshot: it is of another game, or they are not there.
    """
    if data.get("game") != game:
        raise BadSnapshot(f"snapshot: game is {shown(data.get('game'))}, must be {shown(game)}")
    options = data.get("options")
    if not isinstance(options, Mapping) or "players" not in data:
        raise BadSnapshot("snapshot: 'players' or 'options' is missing")
    return {"players": data["players"], **options}


def restore_position(
    data: Mapping[str, Any],
    config: GameConfig,
    s: Any,
    write: Callable[[Entry, GameConfig, Any], None],
    checks: Sequence[Callable[[Any, GameConfig], Iterable[str]]],
    snapshot: Callable[[Any, GameConfig, bool], dict[str, Any]],
) -> None:
    """Write the position of an omniscient snapshot into `s`, a zeroed record.

    Args:
        data: the snapshot.
        config: opened with its options.
        s: the record.
        write: `(snapshot, config, s)`: read all entries into `s`.
        checks: `(s, config)`: what is wrong with the position, nothing if a game can reach it. Each may rely on
            those before it.
        snapshot: `(s, config, omniscient)`: the game's own; what it gives must be `data` again.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    try:
        write(Entry(data), config, s)
        for check in checks:
            for fault in check(s, config):
                raise BadSnapshot(f"snapshot: {fault}")
    except BadSnapshot:
        raise
    except _OF_ANOTHER_FORM as error:  # a fault that no reading and no check has foreseen
        raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {shown(error)}") from None
    if difference := first_difference("", data, snapshot(s, config, True)):
        raise BadSnapshot(f"snapshot: {difference}")
