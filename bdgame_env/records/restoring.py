"""The way from a snapshot back to a game's record: written, checked, and compared with the snapshot it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..engine.game import BadSnapshot, GameConfig
from ..engine.quoting import shown
from .snapshot_reader import Entry, place_of

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


def read_turn(snap: Entry, config: GameConfig, s: Any, phases: Sequence[str], most_rounds: int) -> None:
    """Read round, seat and phase into `s`, and whether the game is over, in the phase called "over"."""
    s.round_number = snap["round"].whole(1, int(most_rounds))
    s.seat = snap["seat"].whole(0, config.players - 1)
    s.phase = snap["phase"].place_in(phases)
    s.over = snap["phase"].value == "over"


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


def first_difference(where: str, given: Any, read: Any) -> str:
    """Where the data given differs from the position that it was read as; "" if nowhere."""
    if isinstance(read, dict) and isinstance(given, Mapping):
        for name in read:
            if name not in given:
                return f"{place_of(where, name)} is missing"
            if found := first_difference(place_of(where, name), given[name], read[name]):
                return found
        for name in given:
            if name not in read:
                return f"{shown(name)} is unknown {f'in {where}' if where else 'here'}; known: {', '.join(read)}"
        return ""
    if isinstance(read, list) and isinstance(given, Sequence) and not isinstance(given, str):
        if len(read) != len(given):
            return f"{where} has {len(given)} entries, but reads as {len(read)}"
        found_in = (first_difference(f"{where}[{i}]", *pair) for i, pair in enumerate(zip(given, read, strict=True)))
        return next(filter(None, found_in), "")
    same = type(given) is type(read) and given == read
    return "" if same else f"{where} is {shown(given)}, but reads as {shown(read)}"
