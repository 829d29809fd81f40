"""Snapshots changed at random, whatever the game: numbers, names, places of pieces, whole parts from other positions.

Every change is made of choices `choose(n)`, a number from 0 to n - 1, so that whoever chooses can repeat it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.support.faults import Snapshot, entries, inside, place

Choose = Callable[[int], int]
Path = tuple[Any, ...]
_FIXED = ("game", "players", "max_rounds")  # another game, or one too long to be played to its end
_MOST_SEEN = 60


class Mutations:
    """Changes for the snapshots of one game.

    Args:
        positions: omniscient snapshots of the game; what stands in one of them is put into others.
    """

    def __init__(self, positions: Iterable[Snapshot]) -> None:
        self._seen: dict[Path, dict[str, Any]] = {}
        for data in positions:
            for path in entries(data):
                values = self._seen.setdefault(pattern(path), {})
                if len(values) < _MOST_SEEN:
                    values.setdefault(json.dumps(inside(data, path)), inside(data, path))

    def mutate(self, data: Snapshot, choose: Choose) -> str:
        """Change the snapshot in one way, and say how; "" if this choice finds nothing to change."""
        kinds = (_number, _shift, _swap, _move, _move, _drop, _double, self._transplant, self._transplant)
        paths = [path for path in entries(data) if path[-1] not in _FIXED]
        return kinds[choose(len(kinds))](data, paths, choose)

    def _transplant(self, data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
        """What stands at such a place in some position, put here: a phase, a seat, what is pending, a whole hand."""
        shapes = sorted({pattern(path) for path in paths}, key=str)
        shape = shapes[choose(len(shapes))]
        fitting = [path for path in paths if pattern(path) == shape]
        path = fitting[choose(len(fitting))]
        values = list(self._seen.get(shape, {}).values())
        return _put(data, path, copy.deepcopy(values[choose(len(values))])) if values else ""


def pattern(path: Path) -> Path:
    """The path with all places in lists alike."""
    return tuple("*" if isinstance(key, int) else key for key in path)


def _put(data: Snapshot, path: Path, value: Any) -> str:
    before = inside(data, path)
    if json.dumps(before) == json.dumps(value):
        return ""
    inside(data, path[:-1])[path[-1]] = value
    return f"{place(path)}: {json.dumps(before)[:80]} -> {json.dumps(value)[:80]}"


def _is_number(value: Any) -> bool:
    return type(value) is int


def _number(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """A number or a truth is another one."""
    found = [path for path in paths if isinstance(inside(data, path), int)]
    if not found:
        return ""
    path = found[choose(len(found))]
    value = inside(data, path)
    if isinstance(value, bool):
        return _put(data, path, not value)
    values = (value + 1, value - 1, 0, 1, value + 2, -1, 2 * value + 3, 127)
    return _put(data, path, values[choose(len(values))])


def _shift(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """A part of one number goes to another one, of the same name if there is one."""
    found = [path for path in paths if _is_number(inside(data, path)) and inside(data, path) > 0]
    if not found:
        return ""
    source = found[choose(len(found))]
    same = [path for path in paths if path[-1] == source[-1] and path != source and _is_number(inside(data, path))]
    if not same:
        return ""
    target = same[choose(len(same))]
    number = 1 + choose(inside(data, source))
    inside(data, source[:-1])[source[-1]] -= number
    inside(data, target[:-1])[target[-1]] += number
    return f"{number} from {place(source)} to {place(target)}"


def _swap(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """Two entries of places that are alike change places."""
    one = paths[choose(len(paths))]
    alike = [path for path in paths if pattern(path)[-2:] == pattern(one)[-2:] and path[: len(one)] != one]
    alike = [path for path in alike if one[: len(path)] != path and type(inside(data, path)) is type(inside(data, one))]
    if not alike:
        return ""
    other = alike[choose(len(alike))]
    first, second = inside(data, one), inside(data, other)
    if first == second:
        return ""
    inside(data, one[:-1])[one[-1]], inside(data, other[:-1])[other[-1]] = second, first
    return f"{place(one)} and {place(other)} swapped"


def _holds_pieces(value: Any) -> bool:
    if isinstance(value, list):
        return all(piece is None or isinstance(piece, str | int | dict) for piece in value)
    return isinstance(value, dict) and all(_is_number(number) for number in value.values())


def _move(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """A piece goes from one row, pile or hand to another, or to another place in the same one."""
    places = [path for path in paths if _holds_pieces(inside(data, path))]
    full = [path for path in places if inside(data, path)]
    if not full:
        return ""
    source = full[choose(len(full))]
    outside = [path for path in places if path[: len(source)] != source or path == source]
    target = outside[choose(len(outside))]
    holder, taker = inside(data, source), inside(data, target)
    if isinstance(holder, dict):
        piece = list(holder)[choose(len(holder))]
        holder[piece] -= 1
        if not holder[piece] and choose(2):
            del holder[piece]
    else:
        index = choose(len(holder))
        piece = holder[index]
        if isinstance(piece, dict) or choose(2):
            del holder[index]
        else:
            holder[index] = None
    if isinstance(taker, dict):
        taker[str(piece)] = taker.get(str(piece), 0) + 1
    elif None in taker and choose(2):
        taker[taker.index(None)] = piece
    else:
        taker.insert(choose(len(taker) + 1), piece)
    return f"{json.dumps(piece)[:60]} from {place(source)} to {place(target)}"


def _drop(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """An entry is missing."""
    path = paths[choose(len(paths))]
    del inside(data, path[:-1])[path[-1]]
    return f"{place(path)} dropped"


def _double(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """An entry of a list stands there twice."""
    found = [path for path in paths if isinstance(path[-1], int)]
    if not found:
        return ""
    path = found[choose(len(found))]
    inside(data, path[:-1]).insert(path[-1], copy.deepcopy(inside(data, path)))
    return f"{place(path)} doubled"
