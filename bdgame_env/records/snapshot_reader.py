"""The entries of a snapshot: each is read as what it must be, or refused in one line that says where and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..engine.game import BadSnapshot
from ..engine.quoting import shown

_RNG_STATES = 1 << 64


class Entry:
    """One entry of a snapshot and its place in it, such as `seats[0].hand`; the place of the whole is "".

    Every reading raises `BadSnapshot` where the entry, or one inside it, is missing or not what it must be.
    """

    __slots__ = ("value", "where")

    def __init__(self, value: Any, where: str = "") -> None:
        self.value, self.where = value, where

    def refusal(self, wanted: str) -> BadSnapshot:
        """The error that this entry is not what it must be."""
        return BadSnapshot(f"snapshot: {self.where or 'the whole'} is {shown(self.value)}, must be {wanted}")

    @property
    def is_null(self) -> bool:
        """Whether nothing stands here."""
        return self.value is None

    # Mappings and lists

    def __contains__(self, name: str) -> bool:
        return name in self._mapping()

    def __getitem__(self, name: str) -> Entry:
        if name not in self:
            raise BadSnapshot(f"snapshot: {place_of(self.where, name)} is missing")
        return Entry(self.value[name], place_of(self.where, name))

    def entries(self, *, exactly: int | None = None, most: int | None = None) -> list[Entry]:
        """The entries of a list, if there are as many as there must be."""
        if type(self.value) is int:
            raise self.refusal("a list: a number says that it is hidden, but only omniscient snapshots can be restored")
        if not isinstance(self.value, Sequence) or isinstance(self.value, str):
            raise self.refusal("a list")
        size = len(self.value)
        if exactly is not None and size != exactly:
            raise BadSnapshot(f"snapshot: {self.where} has {size} entries, must have {exactly}")
        if most is not None and size > most:
            raise BadSnapshot(f"snapshot: {self.where} has {size} entries, at most {most}")
        return [Entry(value, f"{self.where}[{index}]") for index, value in enumerate(self.value)]

    def fill(self, row: Any, read: Callable[[Entry], int], *, backwards: bool = False) -> int:
        """Read a list of at most `len(row)` entries into the first places of a row, shape (n,); how many they are.

        With `backwards` the last entry of the list comes first.
        """
        found = [read(entry) for entry in self.entries(most=len(row))]
        row[: len(found)] = found[::-1] if backwards else found
        return len(found)

    def counts(self, names: Sequence[str], most: int | Iterable[int]) -> list[int]:
        """A mapping of a number, 0 to `most`, for each of these names."""
        return [self[name].whole(0, limit) for name, limit in zip(names, _each(most, names), strict=True)]

    def counts_of_some(self, names: Sequence[str], most: int | Iterable[int]) -> list[int]:
        """A mapping of a number, 1 to `most`, for some of these names; the others count 0."""
        for name in self._mapping():
            if name not in names:
                raise BadSnapshot(f"snapshot: {shown(name)} is unknown in {self.where}; known: {', '.join(names)}")
        limits = zip(names, _each(most, names), strict=True)
        return [self[name].whole(1, limit) if name in self else 0 for name, limit in limits]

    # Single values

    def whole(self, least: int, most: int, *, null: int | None = None) -> int:
        """A whole number from `least` to `most`; null stands for the number `null`, if one is given."""
        if self.is_null and null is not None:
            return null
        if type(self.value) is not int or not least <= self.value <= most:
            raise self.refusal(f"{least} to {most}{_or_null(null)}")
        return self.value

    def place_in(self, names: Sequence[str | int | None], *, null: int | None = None) -> int:
        """Where a name, or null, stands among these; null stands for the number `null`, if one is given."""
        if self.is_null and null is not None:
            return null
        names = tuple(names)  # in a str parts of it would be found
        if self.value not in names:
            told = ", ".join("null" if name is None else str(name) for name in names)
            raise self.refusal(f"one of {told}{_or_null(null)}")
        return names.index(self.value)

    def flag(self) -> bool:
        """True or false."""
        if type(self.value) is not bool:
            raise self.refusal("true or false")
        return self.value

    def rng(self) -> int:
        """The state of the random numbers, 64 bits: more than JSON's numbers hold, so digits in a string."""
        digits = self.value
        fits = type(digits) is str and digits.isascii() and digits.isdecimal() and len(digits) <= len(str(_RNG_STATES))
        if not fits or int(digits) >= _RNG_STATES or digits != str(int(digits)):
            raise self.refusal(f"a whole number in a string, 0 to {_RNG_STATES - 1}")
        return int(digits)

    def _mapping(self) -> Mapping[Any, Any]:
        if not isinstance(self.value, Mapping):
            raise self.refusal("a mapping of names to entries")
        return self.value


def place_of(where: str, name: str) -> str:
    """The place of a mapping's entry, of that name."""
    return f"{where}.{name}" if where else name


def _each(most: int | Iterable[int], names: Sequence[str]) -> Iterable[int]:
    return [most] * len(names) if isinstance(most, int) else most


def _or_null(null: int | None) -> str:
    return "" if null is None else " or null"
