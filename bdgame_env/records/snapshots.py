"""Positions as plain JSON data and back, from the declaration of a game's record (`engine.struct`).

A snapshot has an entry for each field that is saved, by its `key`. Of what a viewer may not see it holds the number, if
it is a number of things (a listing or counts), and else null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..engine.game import BadSnapshot, GameConfig, Option, is_word
from ..engine.quoting import shown
from ..engine.struct import NONE, Field, Form, GameState, Struct
from .snapshot_reader import Entry, place_of
from .snapshot_writer import ROWS, View, Write, WriteCustom, entries_of, struct_writer

Check = Callable[[Any, GameConfig], Iterable[str]]
Custom = tuple[  # how a CUSTOM field is written and read; the seat is the one whose entry it is, None if nobody's
    WriteCustom,
    Callable[[Entry, Any, GameConfig, int | None], None],  # (entry, s, config, seat): write it into s
]
_FAULTS_OF_FORM = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError)


class Position:
    """How the positions of a game are written and read.

    Args:
        game: its name, as snapshots have it.
        state: its record.
        options: what may be chosen; a snapshot names all but files.
        derive: `(s, config)`: write the unsaved fields that follow from the others, which are as in `Struct.blank`.
        checks: `(s, config)`: the faults of a position whose fields are all in range, after `derive`: pieces that were
            lost or added, and what the rules rely on. Each check may rely on those before it. They do not prove that a
            game can reach the position.
        seen: `(s, config, viewer)`: the record as a viewer (a seat, or None for everybody) sees it, where that is
            another position than the true one; `s` is a copy.
        more: `(s, config, viewer, omniscient)`: entries for readers that follow from the position.
        custom: how the fields that are `CUSTOM` are written and read, by name; `s` is the game's record. They are read
            after the others beside them.
    """

    def __init__(
        self,
        game: str,
        state: type[GameState],
        *,
        options: Mapping[str, Option],
        derive: Callable[[Any, GameConfig], None] | None = None,
        checks: Sequence[Check] = (),
        seen: Callable[[Any, GameConfig, int | None], None] | None = None,
        more: Callable[[Any, GameConfig, int | None, bool], dict[str, Any]] | None = None,
        custom: Mapping[str, Custom] | None = None,
    ) -> None:
        self.game, self.state, self.checks = game, state, tuple(checks)
        self._custom = custom or {}
        self._writers: WeakKeyDictionary[GameConfig, Write] = WeakKeyDictionary()
        self._options = [name for name, option in options.items() if option.allowed is not None]
        self._files = {name: option for name, option in options.items() if option.allowed is None}
        self._derive, self._seen, self._more = derive, seen, more

    def snapshot(self, s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
        """The position as plain JSON data: all of it, or what the seat may see, or for None what everybody may see.

        Args:
            s: the game's record.
            config: its config.
            omniscient: include everything hidden, as `restore` needs it.
            seat: the viewer; None for what everybody sees.
        """
        if not omniscient and self._seen is not None:
            s = s.copy()
            self._seen(s, config, seat)
        data: dict[str, Any] = {
            "game": self.game,
            "players": config.players,
            "options": {name: config.options[name] for name in self._options} | self._words(config.options),
            **self._writer(config)(View(s, config, omniscient, seat), s.tolist(), None),
        }
        return data | (self._more(s, config, seat, omniscient) if self._more is not None else {})

    def _writer(self, config: GameConfig) -> Write:
        if (writer := self._writers.get(config)) is None:
            custom = {name: how[0] for name, how in self._custom.items()}
            writer = self._writers[config] = struct_writer(self.state, config, custom)
        return writer

    def _words(self, options: Mapping[str, Any]) -> dict[str, str]:
        """The options that could be files, but are words."""
        return {name: options[name] for name in self._files if is_word(options.get(name))}

    def options_of_snapshot(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The options that a snapshot was made with, `players` included.

        Raises:
            BadSnapshot: it is of another game, or they are not there.
        """
        if data.get("game") != self.game:
            raise BadSnapshot(f"snapshot: game is {shown(data.get('game'))}, must be {shown(self.game)}")
        options = data.get("options")
        if not isinstance(options, Mapping) or "players" not in data:
            raise BadSnapshot("snapshot: 'players' or 'options' is missing")
        for name, option in self._files.items():
            told = options.get(name)
            try:
                if told is not None and option.word(told) is None:
                    raise ValueError("it names no cards")
            except ValueError as error:
                raise BadSnapshot(f"snapshot: options.{name} is {shown(told)}: {error}") from None
        return {"players": data["players"], **options}

    def restore(self, data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
        """Write the position of an omniscient snapshot into `s`, a zeroed record.

        Raises:
            BadSnapshot: in one line, where and why the data is no position of the game.
        """
        try:
            own = self._words(config.options)
            for name in self._files:
                told = Entry(data)["options"]
                if own.get(name) != (other := told[name].value if name in told else None):
                    cards = f"the cards of {shown(own[name])}" if name in own else "other cards"
                    raise BadSnapshot(f"snapshot: options.{name} is {shown(other)}, but these are {cards}")
            for name in s.dtype.names:
                s[name] = self.state.blank[0][name]
            _Reader(config, s, self._custom).struct(self.state, Entry(data), s)
            self._check(s, config)
        except BadSnapshot:
            raise
        except _FAULTS_OF_FORM as error:  # a fault that no reading and no check has foreseen
            raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {shown(error)}") from None
        if difference := first_difference("", data, self.snapshot(s, config, True)):
            raise BadSnapshot(f"snapshot: {difference}")

    def _check(self, s: Any, config: GameConfig) -> None:
        if self._derive is not None:
            self._derive(s, config)
        for check in self.checks:
            for fault in check(s, config):
                raise BadSnapshot(f"snapshot: {fault}")


class _Reader:
    """Reads the entries of a snapshot into records, each within its range."""

    def __init__(self, config: GameConfig, state: Any, custom: Mapping[str, Custom]) -> None:
        self._config, self._state, self._custom = config, state, custom

    def struct(self, struct: type[Struct], entry: Entry, s: Any, owner: int | None = None) -> None:
        """Read a record; `owner` is the seat whose it is, None if nobody's."""
        for name, fields in entries_of(struct):
            if fields[0].form is Form.DIGITS and name not in entry:
                raise BadSnapshot(f"snapshot: {name} is missing: only omniscient snapshots can be restored")
            if fields[0].form is Form.CUSTOM:
                continue  # below, since it may rely on the others
            if not fields[0].group:
                self._field(fields[0], entry[name], s)
            elif fields[0].form is Form.LISTING:
                self._places(fields, entry[name], s)
            elif not entry[name].is_null:
                for field in fields:
                    self._field(field, entry[name][field.key], s)
        for field in struct.fields:
            if field.form is Form.SIZE:
                listing = next(each for each in struct.fields if each.name == field.of)
                s[field.name] = np.count_nonzero(s[field.of] != listing.empty, axis=-1)
        for field in struct.fields:
            if field.form is Form.CUSTOM:
                self._field(field, entry[field.key], s, owner)

    def _places(self, fields: Sequence[Field], entry: Entry, s: Any) -> None:
        """Read a group that begins with a listing: the first places of each of its rows."""
        for place, each in enumerate(entry.entries(most=fields[0].shape[0])):
            for field in fields:
                names, high = field.names_in(self._config), field.high_in(self._config)
                s[field.name][place] = self._listed(field, each[field.key], names, high)

    def _field(self, field: Field, entry: Entry, s: Any, owner: int | None = None) -> None:
        if field.form is Form.CUSTOM and not field.by_seat:
            self._custom[field.name][1](entry, self._state, self._config, owner)
        elif not field.shape and field.form is not Form.STRUCT:
            s[field.name] = self._value(field, entry)
        elif not field.shape:
            self._into(field, entry, s[field.name], ())
        elif field.by_seat:
            for seat, each in enumerate(entry.entries(exactly=self._config.players)):
                self._into(field, each, s[field.name], field.shape[1:], (seat,))
        else:
            self._into(field, entry, s[field.name], field.shape)

    def _into(
        self, field: Field, entry: Entry, array: Any, shape: tuple[int, ...], place: tuple[int, ...] = ()
    ) -> None:
        """Read a list for each axis, down to what the form reads as one."""
        if field.form is Form.CUSTOM:
            self._custom[field.name][1](entry, self._state, self._config, place[0] if place else None)
        elif len(shape) > (field.form in ROWS):
            for index, each in enumerate(entry.entries(exactly=shape[0])):
                self._into(field, each, array, shape[1:], (*place, index))
        elif field.struct is not None:
            if not (field.none and entry.is_null):
                owner = place[0] if field.by_seat else None
                self.struct(field.struct, entry, array[place] if place else array, owner)
        elif field.form in ROWS:
            self._row(field, entry, array[place])
        else:
            array[place] = self._value(field, entry)

    def _row(self, field: Field, entry: Entry, row: Any) -> None:
        names, high = field.names_in(self._config), field.high_in(self._config)
        if field.form is Form.COUNTS and names is not None:
            row[:] = entry.counts(names, high)
        elif field.form is Form.COUNTS_OF_SOME and names is not None:
            row[:] = entry.counts_of_some(names, high)
        elif field.form is Form.COPIES:
            most = [high] * len(row) if isinstance(high, int) else high
            for each in entry.entries():
                place = each.whole(field.low, len(row) - 1) if names is None else each.place_in(names)
                if row[place] == most[place]:
                    raise each.refusal(f"there at most {most[place]} times")
                row[place] += 1
        else:
            read = [self._listed(field, each, names, high) for each in entry.entries(most=len(row))]
            if field.backwards:
                read.reverse()
            if field.rising:
                read.sort()
            row[:] = field.empty
            row[len(row) - len(read) if field.at_end else 0 :][: len(read)] = read

    def _listed(self, field: Field, entry: Entry, names: Sequence[str] | None, high: Any) -> int:
        return entry.whole(field.low, high) if names is None else entry.place_in(names)

    def _value(self, field: Field, entry: Entry) -> int:
        names, null = field.names_in(self._config), NONE if field.none else None
        if field.form is Form.DIGITS:
            return entry.rng()
        if field.form is Form.FLAG:
            return entry.flag()
        if field.form is Form.NAME and names is not None:
            return entry.place_in(names, null=null)
        high = field.high_in(self._config)
        assert isinstance(high, int)
        if field.form is Form.BITS:
            each = [
                one.whole(1, high) - 1 if names is None else one.place_in(names) for one in entry.entries(most=high)
            ]
            return sum({1 << place for place in each})
        read = entry.whole(field.low + field.shift, high + field.shift, null=null)
        return read if entry.is_null else read - field.shift


def first_difference(where: str, given: object, read: Any) -> str:
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
