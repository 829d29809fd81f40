"""An observation as entities: tables of seats, cards and kinds of cards, grids as planes, and what belongs to nobody.

Networks that share weights among seats and cards, such as transformers, sets and convolutions, take these arrays as
they are. They are the entries of the flat observation in another order, each exactly once, and constants such as the
number of a place: the flat observation is the only source, so that nothing hidden can come in by another way.

- "globals", shape (n,): all that belongs to no seat, card or grid.
- "seats", shape (seats, n): a row for each seat, the observer first.
- "planes", shape (seats, n, columns, rows): grids of each seat.
- "cards", shape (places, n): a row for each place where a card may lie: the number of its zone (from 1), of the seat it
  belongs to (the observer is 1; 0 for nobody) and of its place there (from 0), the card's number (0 for none), then its
  features, if the zone shows any.
- "card_kinds", shape (kinds, n): a row for each kind of card, in order of their numbers: how many of them lie where,
  and what the card does, if the observation has a table of that.

A game with several kinds of cards has arrays for each, such as "orders" and "parts". "seats_mask", "cards_mask" and
"card_kinds_mask" are 1 for rows in use and 0 for padding. Arrays that a game has no use for are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine.game import Game, ObservationField

CONSTANT = -1
MASK = "_mask"
_PLAYERS = "players"  # the field that says how many seats are in play

Numbers = npt.NDArray[np.int32]
Array = npt.NDArray[np.int8]


class Entry(NamedTuple):
    """Where one number of an array comes from: an entry of the flat observation, or CONSTANT and its value."""

    source: int
    low: int
    high: int
    value: int = 0


@dataclass(frozen=True)
class Column:
    """The meaning of one number in each row of an array, or of one plane.

    Attributes:
        field: the field of the schema that it is from; "" for a constant, or if that depends on the row.
        meaning: for people.
        low: least value.
        high: greatest value.
    """

    field: str
    meaning: str
    low: int
    high: int


@dataclass(frozen=True, eq=False)
class EntityArray:
    """One of the arrays.

    Attributes:
        name: its key.
        shape: of the array.
        columns: of each row, in order; for "planes" the planes.
        rows: what each row is, for people; empty if there are no rows.
        sources: the index of each number in the flat observation, or CONSTANT; int32 of the array's shape.
        values: the constants; int8 of the array's shape, 0 elsewhere.
        low, high: the bounds of each number; int8 of the array's shape.
        masked: whether there is a mask of its rows.
        number: the column with the card's number, which is 0 in a row that is not in use; None if there is none.
    """

    name: str
    shape: tuple[int, ...]
    columns: tuple[Column, ...]
    rows: tuple[str, ...]
    sources: Numbers
    values: Array
    low: Array
    high: Array
    masked: bool = False
    number: int | None = None


class Entities:
    """The arrays of a game, and how to make them from flat observations.

    Args:
        schema: the fields of the game's observation.

    Attributes:
        arrays: in the order of their keys.

    Raises:
        ValueError: the arrays would not hold every entry once, or two would have the same name.
    """

    def __init__(self, schema: Sequence[ObservationField]) -> None:
        self.arrays = tuple(_arrays(schema))
        self._size = schema[-1].stop
        found = np.concatenate([array.sources[array.sources != CONSTANT] for array in self.arrays])
        if not np.array_equal(np.sort(found), np.arange(self._size)):
            raise ValueError("a schema that has no entities: its entries would not all be there once")
        if len({array.name for array in self.arrays}) < len(self.arrays):
            raise ValueError("a schema that has no entities: two arrays would have the same name")
        constants = np.concatenate([array.values[array.sources == CONSTANT] for array in self.arrays])
        self._constants = np.append(constants, np.int8(0))
        sources, taken = [], self._size
        for array in self.arrays:
            flat, free = array.sources.ravel().copy(), np.flatnonzero(array.sources == CONSTANT)
            flat[free] = np.arange(taken, taken + len(free))
            taken += len(free)
            sources.append(flat)
        self._sources = np.concatenate(sources)
        self._players = next((f.start for f in schema if f.name == _PLAYERS and not f.shape), None)

    def of(self, vectors: Array) -> dict[str, Array]:
        """Flat observations as entities.

        Args:
            vectors: int8, shape (size,) or (n, size).

        Returns:
            Fresh int8 arrays by name, with the shapes of `arrays`, after a first axis of n if there is one.
        """
        lead = vectors.shape[:-1]
        constants = np.broadcast_to(self._constants, (*lead, len(self._constants)))
        entries = np.concatenate([vectors, constants], axis=-1).take(self._sources, axis=-1)
        found: dict[str, Array] = {}
        start = 0
        for array in self.arrays:
            stop = start + array.sources.size
            found[array.name] = table = entries[..., start:stop].reshape((*lead, *array.shape))
            start = stop
            if array.masked:
                found[array.name + MASK] = self._mask(array, vectors, table)
        return found

    def _mask(self, array: EntityArray, vectors: Array, table: Array) -> Array:
        """Which rows of an array are in use, int8."""
        if array.name != "seats":
            numbers = table if array.number is None else table[..., array.number : array.number + 1]
            used: Array = (np.count_nonzero(numbers, axis=-1) > 0).astype(np.int8)
            return used
        count = len(array.rows)
        if self._players is None:
            return np.ones((*vectors.shape[:-1], count), np.int8)
        players: Array = vectors[..., self._players, None]
        return (np.arange(count) < players).astype(np.int8)


@cache
def entities_of(game: Game) -> Entities:
    """The entities of a game."""
    return Entities(game.schema)


def _arrays(schema: Sequence[ObservationField]) -> Iterator[EntityArray]:
    """All arrays, by what the schema says of the fields."""
    by_seat = [f for f in schema if f.seats or f.cards == "cell"]
    grids = {grid: [f for f in by_seat if f.shape[1:] == grid] for grid in _grids(schema)}
    planes = [f for fields in grids.values() for f in fields]
    cards = [f for f in schema if f.cards and f not in planes]
    rest = [f for f in schema if f not in cards and f not in planes]
    if fields := [f for f in rest if not f.seats]:
        yield _vector("globals", fields)
    if fields := [f for f in rest if f.seats]:
        yield _seats(fields)
    for grid, fields in grids.items():
        yield _planes("planes" if len(grids) == 1 else f"planes_{'x'.join(map(str, grid))}", fields)
    for deck in dict.fromkeys(f.deck for f in cards):
        if fields := [f for f in cards if f.deck == deck and f.cards == "face"]:
            yield _places(f"{deck}s", fields)
        if fields := [f for f in cards if f.deck == deck and f.cards in ("count", "table")]:
            yield _kinds(f"{deck}_kinds", fields)


def _grids(schema: Sequence[ObservationField]) -> list[tuple[int, ...]]:
    """The shapes (columns, rows) of grids of cards; other fields of such a shape are planes of the same grid."""
    return list(dict.fromkeys(f.shape[1:] for f in schema if f.cards == "cell"))


def _vector(name: str, fields: Sequence[ObservationField]) -> EntityArray:
    columns = [Column(f.name, f.meaning, f.low, f.high) for f in fields for _ in range(f.start, f.stop)]
    entries = [Entry(at, f.low, f.high) for f in fields for at in range(f.start, f.stop)]
    return _array(name, (len(entries),), columns, (), entries)


def _seats(fields: Sequence[ObservationField]) -> EntityArray:
    seats = fields[0].shape[0]
    columns = [Column(f.name, f.meaning, f.low, f.high) for f in fields for _ in range(_of_a_row(f))]
    entries = [
        Entry(f.start + seat * _of_a_row(f) + at, f.low, f.high)
        for seat in range(seats)
        for f in fields
        for at in range(_of_a_row(f))
    ]
    rows = [_seat(seat) for seat in range(seats)]
    return _array("seats", (seats, len(columns)), columns, rows, entries, masked=True)


def _planes(name: str, fields: Sequence[ObservationField]) -> EntityArray:
    seats, *grid = fields[0].shape
    size = math.prod(grid)
    entries = [
        Entry(f.start + seat * size + at, f.low, f.high) for seat in range(seats) for f in fields for at in range(size)
    ]
    columns = [Column(f.name, f.meaning, f.low, f.high) for f in fields]
    return _array(name, (seats, len(fields), *grid), columns, [_seat(seat) for seat in range(seats)], entries)


def _places(name: str, fields: Sequence[ObservationField]) -> EntityArray:
    """A row for each place of a card: zone, seat, place, number, and the features of the widest face."""
    widest = max(fields, key=_width)
    seats = max((f.shape[0] for f in fields if f.seats), default=1)
    columns = [
        Column("", "zone: " + ", ".join(f"{zone} {f.name}" for zone, f in enumerate(fields, 1)), 0, len(fields)),
        Column("", "seat that it belongs to: 1 the observer, 2 the next, ...; 0 nobody", 0, seats),
        Column("", "place there, from 0", 0, max(1, *(_places_of(f) - 1 for f in fields))),
    ]
    number = len(columns)
    features = widest.features or ("number (0: no card)",)
    columns += [Column("", text, 0, max(f.high for f in fields)) for text in features]
    entries: list[Entry] = []
    rows: list[str] = []
    for zone, f in enumerate(fields, 1):
        for at in range(math.prod(f.shape[:-1])):
            owner, place = divmod(at, _places_of(f))
            constants = (zone, owner + 1 if f.seats else 0, place)
            entries += [Entry(CONSTANT, c.low, c.high, value) for c, value in zip(columns, constants, strict=False)]
            entries += [Entry(f.start + at * _width(f) + k, f.low, f.high) for k in range(_width(f))]
            entries += [Entry(CONSTANT, 0, 1)] * (_width(widest) - _width(f))
            rows.append(f"{f.name} of {_seat(owner)}, {place}" if f.seats else f"{f.name} {place}")
    return _array(name, (len(rows), len(columns)), columns, rows, entries, masked=True, number=number)


def _places_of(field: ObservationField) -> int:
    """How many places for cards a field of faces has, for each seat if it is by seat."""
    return math.prod(field.shape[1 if field.seats else 0 : -1])


def _kinds(name: str, fields: Sequence[ObservationField]) -> EntityArray:
    """A row for each kind of card: how many lie where, and what a table says of it."""
    columns: list[Column] = []
    places: list[range] = []  # of each column: the entries of the observation, by kind
    for f in fields:
        if f.cards == "table":
            columns += [Column(f.name, f"{f.name}: {text}", f.low, f.high) for text in f.features]
            places += [range(f.start + at, f.stop, _width(f)) for at in range(_width(f))]
            continue
        for at in range(math.prod(f.shape[:-1])):
            part = "" if len(f.shape) == 1 else f" of {_seat(at)}" if f.seats and len(f.shape) == 2 else f" {at}"
            columns.append(Column(f.name, f"{f.name}{part}: {f.meaning}", f.low, f.high))
            places.append(range(f.start + at * _width(f), f.start + (at + 1) * _width(f)))
    kinds = max(map(len, places))
    entries = [
        Entry(of[kind], column.low, column.high) if kind < len(of) else Entry(CONSTANT, 0, 1)
        for kind in range(kinds)
        for column, of in zip(columns, places, strict=True)
    ]
    rows = [f"number {kind + 1}" for kind in range(kinds)]
    return _array(name, (kinds, len(columns)), columns, rows, entries, masked=True)


def _width(field: ObservationField) -> int:
    return field.shape[-1]


def _of_a_row(field: ObservationField) -> int:
    """How many entries the field has for each seat."""
    return math.prod(field.shape[1:])


def _seat(seat: int) -> str:
    return "the observer" if seat == 0 else f"seat +{seat}"


def _array(
    name: str,
    shape: tuple[int, ...],
    columns: Sequence[Column],
    rows: Sequence[str],
    entries: Sequence[Entry],
    *,
    masked: bool = False,
    number: int | None = None,
) -> EntityArray:
    numbers = np.array(entries, np.int32).reshape((*shape, len(Entry._fields)))
    low, high, values = (numbers[..., k].astype(np.int8) for k in (1, 2, 3))
    return EntityArray(name, shape, tuple(columns), tuple(rows), numbers[..., 0], values, low, high, masked, number)
