"""Writes records as plain JSON data, as a viewer may see them.

How each field is written is worked out once for a config: the functions that this makes do no more than write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..engine.game import GameConfig
from ..engine.struct import EVERYBODY, MOVER, NOBODY, NONE, OWNER, SEATS, Field, Form, Sight, Struct

# How a CUSTOM field is written: `(s, config, seat)`; the seat is the one whose entry it is, None if nobody's.
WriteCustom = Callable[[Any, GameConfig, int | None], Any]
Values = Callable[[Any], Any]


class View(NamedTuple):
    """What is written for whom. Writers are kept as long as their config, so they do not hold it themselves.

    Attributes:
        state: the game's record.
        config: the config of the game.
        omniscient: whether everything is seen.
        viewer: the seat that sees it; None for everybody.
    """

    state: Any
    config: GameConfig
    omniscient: bool
    viewer: int | None


# Writes a field's value, or a record given as its fields' values, for a view; the seat whose it is, None if nobody's.
Write = Callable[[View, Any, int | None], Any]

ROWS = (Form.COUNTS, Form.COUNTS_OF_SOME, Form.LISTING, Form.COPIES)  # the last axis is one entry of the snapshot
_ENTRIES: dict[type[Struct], list[tuple[str, list[Field]]]] = {}  # kept by `entries_of`


def entries_of(struct: type[Struct]) -> list[tuple[str, list[Field]]]:
    """The entries that a snapshot has of a record: by name, the fields of which each is made."""
    if struct not in _ENTRIES:
        entries: dict[str, list[Field]] = {}
        for field in struct.fields:
            if field.form not in (Form.UNSAVED, Form.SIZE):
                entries.setdefault(field.group or field.key, []).append(field)
        _ENTRIES[struct] = list(entries.items())
    return _ENTRIES[struct]


def struct_writer(struct: type[Struct], config: GameConfig, custom: Mapping[str, WriteCustom]) -> Write:
    """What writes a record, given as its fields' values, as a mapping by their keys.

    Args:
        struct: the record.
        config: the config of the game.
        custom: how the fields that are `CUSTOM` are written, by name.
    """
    places = {name: place for place, name in enumerate(struct.dtype.names or ())}
    entries = [_entry_writer(fields, places, config, custom) for _, fields in entries_of(struct)]
    named = [
        (name, fields[0].form is Form.DIGITS, write)
        for (name, fields), write in zip(entries_of(struct), entries, strict=True)
    ]

    def written(view: View, values: Any, owner: int | None) -> dict[str, Any]:
        return {name: write(view, values, owner) for name, secret, write in named if not secret or view.omniscient}

    return written


def _entry_writer(
    fields: Sequence[Field], places: Mapping[str, int], config: GameConfig, custom: Mapping[str, WriteCustom]
) -> Write:
    """What writes the entry that these fields of a record are in a snapshot, given the values of all its fields."""
    each = [(field.key, places[field.name], _field_writer(field, config, custom)) for field in fields]
    if not fields[0].group:
        (_, place, write), *_ = each
        return lambda view, values, owner: write(view, values[place], owner)

    def mapping(view: View, values: Any, owner: int | None) -> dict[str, Any]:
        return {key: write(view, values[place], owner) for key, place, write in each}

    def rows(view: View, values: Any, owner: int | None) -> list[dict[str, Any]]:
        columns = mapping(view, values, owner)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=False)]

    def group(view: View, values: Any, owner: int | None) -> dict[str, Any] | None:
        whole = mapping(view, values, owner)
        return None if whole[fields[0].key] is None else whole

    return rows if fields[0].form is Form.LISTING else group


def _field_writer(field: Field, config: GameConfig, custom: Mapping[str, WriteCustom]) -> Write:
    """What writes a field, given its value."""
    seats, whole = range(config.players), field.form in (Form.STRUCT, Form.CUSTOM)
    write = _axes_writer(field, field.shape[1:] if field.by_seat else field.shape, config, custom)

    def by_seat(view: View, value: Any, owner: int | None) -> list[Any]:
        value = value.tolist()
        return [write(view, value[seat], seat) if _sees(view, field, seat) else None for seat in seats]

    def listed(view: View, value: Any, owner: int | None) -> Any:
        return write(view, value.tolist() if isinstance(value, np.ndarray) else value, owner)

    def if_seen(view: View, value: Any, owner: int | None) -> Any:
        return listed(view, value, owner) if _sees(view, field, owner) else None

    return by_seat if field.by_seat else if_seen if whole and field.visible_to is not EVERYBODY else listed


def _axes_writer(field: Field, shape: tuple[int, ...], config: GameConfig, custom: Mapping[str, WriteCustom]) -> Write:
    """What writes a list for each axis, down to what the form writes as one."""
    depth = len(shape) - (field.form in ROWS)
    if field.form is Form.CUSTOM:
        own = custom[field.name]
        return lambda view, value, owner: own(view.state, view.config, owner)
    if (struct := field.struct) is not None:
        write, first = struct_writer(struct, config, custom), (struct.dtype.names or ()).index(struct.fields[0].name)

        def records(view: View, value: Any, owner: int | None) -> Any:
            def record(each: Any) -> Any:
                return None if field.none and each[first] == NONE else write(view, each, owner)

            return _deep(record, depth)(value)

        return records
    one = _value_writer(field, config)
    seen = one if one is _same else _deep(one, depth)
    if field.visible_to is EVERYBODY:
        return lambda view, value, owner: seen(value)
    counted = field.visible_to in (OWNER, MOVER, NOBODY)
    unseen = _deep((lambda each: _number_of(one(each))) if counted else (lambda each: None), depth)
    return lambda view, value, owner: (seen if _sees(view, field, owner) else unseen)(value)


def _sees(view: View, field: Field, owner: int | None) -> bool:
    sight = field.visible_to
    if view.omniscient or sight is EVERYBODY:
        return True
    if not isinstance(sight, Sight):
        return sight(view.state, view.viewer)
    if sight is SEATS:
        return view.viewer is not None
    if sight is OWNER:
        return owner is not None and owner == view.viewer
    return sight is MOVER and view.viewer == int(view.state.seat)


def _deep(write: Values, depth: int) -> Values:
    """`write` for each entry that lies so many axes deep, as a list for each axis."""
    if depth <= 0:
        return write
    inner = _deep(write, depth - 1)
    return lambda value: [inner(each) for each in value]


def _number_of(whole: Any) -> int | None:
    """How many things a listing or counts hold; None if they are no number of things."""
    if isinstance(whole, list):
        return len(whole)
    return sum(whole.values()) if isinstance(whole, dict) else None


def _value_writer(field: Field, config: GameConfig) -> Values:
    """What writes an entry of a field as its form has it."""
    return _WRITERS[field.form](field, field.names_in(config))


def _same(value: Any) -> Any:
    return value


def _number(field: Field, names: Any) -> Values:
    shift = field.shift
    if field.none:
        return lambda value: None if value == NONE else value + shift
    return (lambda value: value + shift) if shift else _same


def _listing(field: Field, names: Sequence[Any] | None) -> Values:
    empty, step = field.empty, -1 if field.backwards else 1
    if names is None:
        return lambda row: [entry for entry in row if entry != empty][::step]
    return lambda row: [names[entry] for entry in row if entry != empty][::step]


def _bits(field: Field, names: Sequence[Any] | None) -> Values:
    def places(value: int) -> Iterable[int]:
        return (place for place in range(value.bit_length()) if value >> place & 1)

    if names is None:
        return lambda value: [place + 1 for place in places(value)]
    return lambda value: [names[place] for place in places(value)]


def _copies(field: Field, names: Sequence[Any] | None) -> Values:
    def copies(row: Sequence[int]) -> list[Any]:
        things = range(len(row)) if names is None else names
        return [thing for thing, count in zip(things, row, strict=True) for _ in range(count)]

    return copies


_WRITERS: dict[Form, Callable[[Field, Any], Values]] = {
    Form.NUMBER: _number,
    Form.DIGITS: lambda field, names: str,
    Form.FLAG: lambda field, names: bool,
    Form.NAME: lambda field, names: lambda value: None if value == NONE else names[value],
    Form.COUNTS: lambda field, names: lambda row: dict(zip(names, row, strict=True)),
    Form.COUNTS_OF_SOME: lambda field, names: (
        lambda row: {name: count for name, count in zip(names, row, strict=True) if count}
    ),
    Form.LISTING: _listing,
    Form.COPIES: _copies,
    Form.BITS: _bits,
}
