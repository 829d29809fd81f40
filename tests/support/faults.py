"""Spoiled snapshots: ways to change single entries, and the refusal that each must cause."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bdgame_env.engine.game import BadOption, BadSnapshot

Snapshot = dict[str, Any]
Spoil = Callable[[Snapshot], object]
Fault = tuple[Callable[[], Snapshot], Spoil, str]  # the position, the change, a pattern for the refusal


def put(*path: Any) -> Spoil:
    """Set an entry of the snapshot, given by its keys and then the value."""
    *keys, last, value = path

    def spoil(data: Snapshot) -> None:
        inside(data, keys)[last] = value

    return spoil


def drop(*path: Any) -> Spoil:
    """Remove an entry, given by its keys."""
    return lambda data: inside(data, path[:-1]).pop(path[-1])


def shift(source: Sequence[Any], target: Sequence[Any], number: int = 1) -> Spoil:
    """Subtract from one number and add to another, each given by its keys."""

    def spoil(data: Snapshot) -> None:
        for path, change in ((source, -number), (target, number)):
            inside(data, path[:-1])[path[-1]] += change

    return spoil


def both(*spoils: Spoil) -> Spoil:
    """Several changes, one after the other."""

    def spoil(data: Snapshot) -> None:
        for each in spoils:
            each(data)

    return spoil


def entries(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all entries of a snapshot, outer ones first."""
    keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    for key in keys:
        yield (*path, key)
        yield from entries(data[key], (*path, key))


def place(path: Sequence[Any]) -> str:
    """A path as it appears in messages, e.g. `seats[0].hand`."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def inside(data: Any, path: Sequence[Any]) -> Any:
    """The part of a snapshot that a path of keys leads to."""
    for key in path:
        data = data[key]
    return data


def numbered(faults: Sequence[Fault]) -> Any:
    """The parametrisation of a test over faults, as (make, spoil, reason)."""
    cases = [pytest.param(*fault, id=f"{number}-{fault[0].__name__}") for number, fault in enumerate(faults)]
    return pytest.mark.parametrize(("make", "spoil", "reason"), cases)


def check_refused(
    restore: Callable[[Snapshot], object], make: Callable[[], Snapshot], spoil: Spoil, reason: str
) -> None:
    """Sound data is restored; spoiled data is refused for that reason, in one line."""
    data = make()
    restore(data)
    sound = repr(data)  # as text: False == 0
    spoil(data)
    assert repr(data) != sound, "nothing was spoiled"
    with pytest.raises((BadSnapshot, BadOption)) as refused:
        restore(data)
    message = str(refused.value)
    assert re.search(reason, message), message
    assert "\n" not in message, message
