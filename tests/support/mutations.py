"""Random changes to snapshots of any game: numbers, names, places of pieces, whole parts from other positions.

Every change is made of choices `choose(n)`, numbers from 0 to n - 1, so that the caller can repeat it.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.support.faults import Snapshot, entries, inside, place

Choose = Callable[[int], int]
Path = tuple[Any, ...]
_FIXED = ("game", "players", "max_rounds")  # changing these gives another game, or one too long to play to its end
_MOST_SEEN = 60
_RARE = 6


class Mutations:
    """Changes for the snapshots of one game.

    Args:
        positions: omniscient snapshots of the game; parts of them are transplanted into others.
    """

    def __init__(self, positions: Iterable[Snapshot]) -> None:
        self._seen: dict[Path, dict[str, Any]] = {}
        self._positions_with: Counter[Path] = Counter()
        for data in positions:
            self._positions_with.update({pattern(path) for path in entries(data)})
            for path in entries(data):
                values = self._seen.setdefault(pattern(path), {})
                if len(values) < _MOST_SEEN:
                    values.setdefault(json.dumps(inside(data, path)), inside(data, path))
        self._names = {shape: _names(values.values()) for shape, values in self._seen.items()}

    def mutate(self, data: Snapshot, choose: Choose, numbers_only: bool = False) -> str:
        """Change the snapshot in one way and describe the change; "" if this choice finds nothing to change."""
        kinds = (_number, _shift, _swap, _move, _drop, _double, self._rename, self._transplant)
        kinds = kinds[:1] if numbers_only else kinds
        paths = [path for path in entries(data) if path[-1] not in _FIXED]
        paths.sort(key=lambda path: self._positions_with[pattern(path)])  # what is there in few positions comes first
        return kinds[choose(len(kinds))](data, paths, choose)

    def _transplant(self, data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
        """Copy an entry from the same place of another position: a phase, a seat, a pending question, a whole hand."""
        path = _one_of(paths, choose)
        values = list(self._seen.get(pattern(path), {}).values())
        return _put(data, path, copy.deepcopy(values[choose(len(values))])) if values else ""

    def _rename(self, data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
        """Replace a name by another one from the same kind of place: a card offered, a card in a row."""
        path = _one_of([path for path in paths if isinstance(inside(data, path), str | None)], choose)
        if not path:
            return ""
        own = self._names.get(pattern(path), set())
        names = sorted({name for names in self._names.values() if names & own for name in names})
        return _put(data, path, names[choose(len(names))]) if names else ""


def _names(values: Iterable[Any]) -> set[str]:
    """The names among these values; for a mapping to numbers, its keys."""
    found = set()
    for value in values:
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, dict) and all(_is_number(number) for number in value.values()):
            found |= set(value)
    return found


def _one_of(paths: Sequence[Path], choose: Choose) -> Path:
    """One of these paths, or () if there is none; half of the time one of the first few kinds, which are rare.

    Each kind of place is equally likely, however many there are of it.
    """
    if not paths:
        return ()
    shapes = list(dict.fromkeys(pattern(path) for path in paths))
    shape = shapes[choose(len(shapes) if choose(2) else min(_RARE, len(shapes)))]
    fitting = [path for path in paths if pattern(path) == shape]
    return fitting[choose(len(fitting))]


def pattern(path: Path) -> Path:
    """The path with all list indices replaced by the same mark."""
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
    """Change a number or a truth value."""
    path = _one_of([path for path in paths if isinstance(inside(data, path), int)], choose)
    if not path:
        return ""
    value = inside(data, path)
    if isinstance(value, bool):
        return _put(data, path, not value)
    values = (value + 1, value - 1, 0, -1, value + 2, -value, 2 * value + 3, 127)
    return _put(data, path, values[choose(len(values))])


def _shift(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """Move a part of one number to another, of the same name if there is one."""
    source = _one_of([path for path in paths if _is_number(inside(data, path)) and inside(data, path) > 0], choose)
    if not source:
        return ""
    same = [path for path in paths if path[-1] == source[-1] and path != source and _is_number(inside(data, path))]
    target = _one_of(same, choose)
    if not target:
        return ""
    number = 1 + choose(inside(data, source))
    inside(data, source[:-1])[source[-1]] -= number
    inside(data, target[:-1])[target[-1]] += number
    return f"{number} from {place(source)} to {place(target)}"


def _swap(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """Swap two entries of the same kind of place."""
    one = _one_of(paths, choose)
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
    """Move a piece from one row, pile or hand to another, or within the same one."""
    places = [path for path in paths if _holds_pieces(inside(data, path))]
    full = [path for path in places if inside(data, path)]
    if not full:
        return ""
    source = _one_of(full, choose)
    target = _one_of([path for path in places if path[: len(source)] != source or path == source], choose)
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
    """Remove an entry."""
    path = _one_of(paths, choose)
    del inside(data, path[:-1])[path[-1]]
    return f"{place(path)} dropped"


def _double(data: Snapshot, paths: Sequence[Path], choose: Choose) -> str:
    """Duplicate an entry of a list."""
    path = _one_of([path for path in paths if isinstance(path[-1], int)], choose)
    if not path:
        return ""
    inside(data, path[:-1]).insert(path[-1], copy.deepcopy(inside(data, path)))
    return f"{place(path)} doubled"
