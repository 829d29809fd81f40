"""Declaring what a seat sees: each field of an observation once, with its range, meaning and shape.

    class Obs(Observation):
        to_move: Ints = field(0, 1, "whose turn it is", Seats(MAX_SEATS))
        hand: Ints = field(0, COPIES, "the observer's hand by kind", KINDS, cards="count")
        bank: Ints = same(State.bank, "tokens in the bank")

`Obs.dtype` is the record dtype, int8 throughout, and `Obs.schema` says what it holds. To a type checker, `out: Obs` in
a rule is a record with these attributes; no object of the class is ever made.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np

from .arrays import Ints
from .game import ObservationField, Seats
from .jit import kernel
from .layout import record
from .struct import Field, Shape, as_shape


class Observation:
    """Base of what the seats of a game see, see the module.

    A field named "players", if there is one, holds the number of seats in play.

    Attributes:
        dtype: the record dtype; fields lie in the order in which they are declared.
        schema: the fields.
    """

    dtype: ClassVar[np.dtype[Any]]
    schema: ClassVar[tuple[ObservationField, ...]]

    def __init_subclass__(cls, deck: str = "card") -> None:
        """Lay out the fields; `deck` is the kind of card of those that describe cards and do not say of which kind."""
        found, start = [], 0
        for name, each in vars(cls).items():
            if isinstance(each, ObservationField):
                kind = each.deck or (deck if each.cards else "")
                stop = start + math.prod(each.shape)
                found.append(replace(each, name=name, start=start, stop=stop, deck=kind))
                start = stop
        cls.schema = tuple(found)
        cls.dtype = record([(f.name, np.int8, f.shape) if f.shape else (f.name, np.int8) for f in found])


class CardsShown(TypedDict, total=False):
    """How a field describes cards, see `ObservationField`."""

    cards: str
    deck: str
    features: tuple[str, ...]
    faces: str


# Declaring fields. Both return `Any`, so that the class can say what a checker should see: `points: Ints = field(...)`.


def field(low: int, high: int, meaning: str, shape: Shape = (), **shown: Unpack[CardsShown]) -> Any:
    """Whole numbers.

    Args:
        low: the least that an entry can be.
        high: the greatest.
        meaning: one line for the documentation.
        shape: a first axis whose length is a `Seats` is the seats, counted from the observer.
        shown: how the field describes cards, if it does.
    """
    axes = as_shape(shape)
    by_seat = bool(axes) and isinstance(axes[0], Seats)
    return ObservationField("", 0, 0, tuple(map(int, axes)), low, high, meaning, seats=by_seat, **shown)


def same(of: Any, meaning: str, axes: Shape = (), **shown: Unpack[CardsShown]) -> Any:
    """What a field of the state holds, of its shape after these axes, in its range: `same(State.bank, "...")`."""
    assert isinstance(of, Field)
    return field(of.low, int(np.max(of.high_in(None))), meaning, (*as_shape(axes), *of.shape), **shown)


@kernel
def mark(row: Ints, number: int) -> None:
    """Write 1 at this place of a row, shape (n,), and 0 elsewhere; a negative number (NONE) marks no place."""
    row[:] = 0
    if number >= 0:
        row[number] = 1
