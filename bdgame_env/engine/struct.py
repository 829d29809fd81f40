"""Declaring the records of a game: each field once, with its dtype, shape, range, paragraph and who may see it.

    class Seat(Struct):
        points: int = number(np.int8, 0, 34, rule="N2.5")
        tokens: Ints = counts(TOKENS, SUPPLY, rule="N1.3")
        hand: Ints = counts(KINDS, COPIES, some=True, rule="N16.2", visible_to=OWNER)

`Seat.dtype` is the NumPy dtype of such a record, and `Seat.fields` says what it holds. Snapshots, what each seat sees
of them, restoring within the ranges and the positions of tests follow from it (`records.snapshots`). To a type checker,
`s: Seat` in a rule is a record with these attributes; no object of the class is ever made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from .layout import record

NONE = -1  # marks an empty place

# The same in all games, or by the `GameConfig`.
Names = Sequence[str | int | None] | Callable[[Any], Sequence[str | int]]
Limit = int | Sequence[int] | npt.NDArray[Any] | Callable[[Any], int | Sequence[int]]


class Sight(Enum):
    """Who sees a field. `OWNER` is the seat whose record it is in, `MOVER` the seat to decide, `SEATS` no spectator."""

    EVERYBODY = "everybody"
    SEATS = "seats"
    OWNER = "owner"
    MOVER = "mover"
    NOBODY = "nobody"


EVERYBODY, SEATS, OWNER, MOVER, NOBODY = Sight


class Form(Enum):
    """What a field is in a snapshot."""

    NUMBER = "a number, null for NONE"
    DIGITS = "64 bits as a string of digits"
    FLAG = "true or false"
    NAME = "a name, null for NONE"
    COUNTS = "a number for each name"
    COUNTS_OF_SOME = "a number for each name of which there are any"
    LISTING = "the numbers or names in a row, without empty places"
    COPIES = "the names or places that count, each as often as it does"
    BITS = "the names or positions (from 1) of the bits that are set"
    STRUCT = "a record, or a list of records"
    CUSTOM = "its own, see `Position`"
    SIZE = "not there: the length of a listing"
    UNSAVED = "not there: it follows from other fields, or is no part of the position"


@dataclass(frozen=True)
class Field:
    """One field of a record.

    Attributes:
        name: of the field.
        dtype: of one entry.
        shape: of the field; () for one entry.
        form: what it is in a snapshot.
        rule: the paragraphs that it comes from.
        low: least value of an entry; of COPIES the first place that can count.
        high: greatest value: one for all entries, one for each along the last axis, or either by the `GameConfig`.
        names: of the values (NAME, LISTING), of the entries (COUNTS, COPIES) or of the bits; by `GameConfig`, if it
            depends on the cards. Without names a LISTING holds numbers, COPIES places and BITS positions.
        none: whether NONE is a value too; of a STRUCT whether it is null while its first field is NONE.
        empty: the number that marks an empty place of a LISTING.
        at_end: whether a LISTING stands at the end of its row.
        backwards: whether a snapshot lists a LISTING from its last entry to its first.
        rising: whether a LISTING is in ascending order, since its order does not matter.
        visible_to: who sees it: a `Sight`, or `(s, viewer) -> bool` for the game's record and a seat or None. Others
            get the number, of a listing or counts for `OWNER`, `MOVER` or `NOBODY`; else null.
        struct: the record class of a STRUCT.
        by_seat: whether its first axis is the seats; a snapshot has only those in play.
        key: its name in snapshots.
        group: in a snapshot, the fields of a group are one entry with this name: a mapping by their keys, null if the
            first of them is; or if the first is a LISTING, a list of such mappings, one for each place.
        shift: added to numbers in snapshots, where they count from 1.
        of: the LISTING whose length this is.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...] = ()
    form: Form = Form.UNSAVED
    rule: str = ""
    low: int = 0
    high: Limit = 0
    names: Names | None = None
    none: bool = False
    empty: int = NONE
    at_end: bool = False
    backwards: bool = False
    rising: bool = False
    visible_to: Sight | Callable[[Any, int | None], bool] = EVERYBODY
    struct: type[Struct] | None = None
    by_seat: bool = False
    key: str = ""
    group: str = ""
    shift: int = 0
    of: str = ""
    name: str = ""

    @property
    def alignment(self) -> int:
        """Of one entry, in bytes."""
        return self.struct.alignment if self.struct is not None else self.dtype.alignment

    def names_in(self, config: Any) -> Sequence[Any] | None:
        """The names, for a `GameConfig`."""
        return self.names(config) if callable(self.names) else self.names

    def high_in(self, config: Any) -> int | Sequence[int]:
        """The greatest value, for a `GameConfig`."""
        high = self.high(config) if callable(self.high) else self.high
        return high.tolist() if isinstance(high, np.ndarray) else high


class Struct:
    """Base of the records of a game, see the module.

    Attributes:
        dtype: the record dtype. Fields lie in order of their alignment, as declared among equals, and the record fills
            a multiple of the greatest alignment.
        fields: those of the base class first, then in the order in which they are declared.
        alignment: the greatest among its fields, in bytes.
        blank: a record with nothing in it, shape (1,): listings are empty, fields that can be NONE are, all else is 0.
    """

    dtype: ClassVar[np.dtype[Any]]
    fields: ClassVar[tuple[Field, ...]] = ()
    alignment: ClassVar[int] = 1
    blank: ClassVar[npt.NDArray[Any]]

    if TYPE_CHECKING:

        def __getitem__(self, name: str) -> Any: ...
        def __setitem__(self, name: str, value: Any) -> None: ...
        def copy(self) -> Self: ...

    def __init_subclass__(cls) -> None:
        own = {name: f for name, f in vars(cls).items() if isinstance(f, Field)}
        declared = {f.name: f for f in cls.fields} | own  # an override keeps its place
        cls.fields = tuple(replace(f, name=name, key=f.key or name) for name, f in declared.items())
        ordered = sorted(cls.fields, key=lambda f: -f.alignment)
        items: list[tuple[Any, ...]] = [(f.name, f.dtype, f.shape) if f.shape else (f.name, f.dtype) for f in ordered]
        cls.alignment = ordered[0].alignment if ordered else 1
        size = sum(f.dtype.itemsize * math.prod(f.shape) for f in ordered)
        if gap := -size % cls.alignment:
            items.append(("filler", np.int8, gap))
        cls.dtype = record(items)
        cls.blank = np.zeros(1, cls.dtype)
        for f in cls.fields:
            if f.struct is not None:
                cls.blank[f.name] = f.struct.blank[0]
            elif f.form is Form.LISTING or f.none:
                cls.blank[f.name] = f.empty
        cls.blank.setflags(write=False)


# Declaring fields. All return `Any`, so that the class can say what a checker should see: `points: int = number(...)`.


class _Said(TypedDict, total=False):
    """What may be said of every field, see `Field`."""

    rule: str
    visible_to: Sight | Callable[[Any, int | None], bool]
    by_seat: bool
    key: str
    group: str
    shift: int


Shape = int | tuple[int, ...]


def number(dtype: Any, low: int, high: Limit, shape: Shape = (), *, none: bool = False, **said: Unpack[_Said]) -> Any:
    """Whole numbers from `low` to `high`; with `none` NONE too."""
    return Field(np.dtype(dtype), as_shape(shape), Form.NUMBER, low=low, high=high, none=none, **said)


def flag(**said: Unpack[_Said]) -> Any:
    """0 or 1, int8."""
    return Field(np.dtype(np.int8), (), Form.FLAG, high=1, **said)


def name_of(names: Names, shape: Shape = (), *, none: bool = False, **said: Unpack[_Said]) -> Any:
    """A place in a list of names, int8; with `none` NONE too."""
    return Field(np.dtype(np.int8), as_shape(shape), Form.NAME, names=names, none=none, **said)


def counts(names: Names, high: Limit, shape: Shape | None = None, *, some: bool = False, **said: Unpack[_Said]) -> Any:
    """How many there are of each of these names, int8.

    Args:
        names: along the last axis.
        high: most of each.
        shape: by default `(len(names),)`.
        some: whether a snapshot leaves out names that count 0.
        said: see `Field`.
    """
    if shape is None:
        assert not callable(names), "give the shape: names depend on the config"
        shape = len(names)
    form = Form.COUNTS_OF_SOME if some else Form.COUNTS
    return Field(np.dtype(np.int8), as_shape(shape), form, high=high, names=names, **said)


def copies(size: Shape, high: Limit, *, low: int = 0, names: Names | None = None, **said: Unpack[_Said]) -> Any:
    """How many there are of each name or place from `low`, int8; a snapshot has each of them as often as it counts.

    Args:
        size: how many names or places there are, along the last axis.
        high: most of each.
        low: the first place that can count.
        names: of the places.
        said: see `Field`.
    """
    return Field(np.dtype(np.int8), as_shape(size), Form.COPIES, low=low, high=high, names=names, **said)


class _Order(_Said, total=False):
    """How a listing lies in its row, see `Field`."""

    empty: int
    at_end: bool
    backwards: bool
    rising: bool


def listing(shape: Shape, low: int = 0, high: Limit = 0, *, names: Names | None = None, **said: Unpack[_Order]) -> Any:
    """Numbers from `low` to `high`, or places in `names`, in the first places of a row, then NONE; int8."""
    return Field(np.dtype(np.int8), as_shape(shape), Form.LISTING, low=low, high=high, names=names, **said)


def size_of(listing: str, shape: Shape = (), *, rule: str = "") -> Any:
    """The number of entries of the listing of this name beside it, int8; of each of its rows, if it has several."""
    return Field(np.dtype(np.int8), as_shape(shape), Form.SIZE, rule, of=listing)


def bits(size: int, dtype: Any = np.int8, *, names: Names | None = None, **said: Unpack[_Said]) -> Any:
    """A set: bit i is for the i-th of `size` positions or names."""
    return Field(np.dtype(dtype), (), Form.BITS, high=size, names=names, **said)


def part(struct: type[Struct], shape: Shape = (), *, none: bool = False, **said: Unpack[_Said]) -> Any:
    """A record inside a record, or an array of them; with `none` null while its first field is NONE."""
    return Field(struct.dtype, as_shape(shape), Form.STRUCT, struct=struct, none=none, **said)


def custom(dtype: Any, shape: Shape = (), *, none: bool = False, **said: Unpack[_Said]) -> Any:
    """What a snapshot has in a form of its own, which `Position` is told by the name of the field; also a `Struct`."""
    struct = dtype if isinstance(dtype, type) and issubclass(dtype, Struct) else None
    entry = np.dtype(dtype) if struct is None else struct.dtype
    return Field(entry, as_shape(shape), Form.CUSTOM, struct=struct, none=none, **said)


def unsaved(dtype: Any, shape: Shape = (), *, none: bool = False, rule: str = "") -> Any:
    """What follows from other fields, or is no part of the position: `Position.derive` writes it on restoring."""
    return Field(np.dtype(dtype), as_shape(shape), Form.UNSAVED, rule, none=none)


def plain(dtype: Any, shape: Shape = ()) -> Any:
    """Numbers of a record that is no part of a position, such as settings."""
    return Field(np.dtype(dtype), as_shape(shape), Form.UNSAVED)


def digits() -> Any:
    """64 bits that nobody sees."""
    return Field(np.dtype(np.uint64), (), Form.DIGITS, visible_to=NOBODY)


def as_shape(size: Shape) -> tuple[int, ...]:
    """A shape as a tuple."""
    return size if isinstance(size, tuple) else (size,)


class GameState(Struct):
    """What the record of every game has.

    Attributes:
        rng: the state of the random number generator, see `engine.rng`.
        game_seed: the seed that this game was dealt from.
        decisions: how many were made.
        seat: who decides now.
        over: 1 once the game has ended.
        truncated: 1 if a limit ended it.
    """

    rng: int = digits()
    game_seed: int = unsaved(np.uint64)
    decisions: int = unsaved(np.int32)
    seat: int = number(np.int8, 0, lambda config: config.players - 1)
    over: int = unsaved(np.int8)
    truncated: int = flag()


class Settings(Struct):
    """What the config record of every game has: cards and options for compiled code."""

    players: int = unsaved(np.int8)
