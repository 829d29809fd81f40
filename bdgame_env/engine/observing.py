"""What the observations of all games share: one list of fields for record and schema, and marks of one of several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .arrays import Ints
from .game import ObservationField, observation_schema
from .jit import kernel
from .layout import record

Fields = Iterable[tuple[str, tuple[int, ...], int, int, str]]


def observation(
    fields: Fields,
    cards: Mapping[str, str] | None = None,
    *,
    decks: Mapping[str, str] | None = None,
    features: Mapping[str, Sequence[str]] | None = None,
    faces: Mapping[str, str] | None = None,
) -> tuple[np.dtype[Any], tuple[ObservationField, ...]]:
    """The record dtype of an observation, int8 throughout, and its schema. For the arguments: `observation_schema`."""
    schema = observation_schema(fields, cards, decks=decks, features=features, faces=faces)
    return record([(f.name, np.int8, f.shape) if f.shape else (f.name, np.int8) for f in schema]), schema


@kernel
def mark(row: Ints, number: int) -> None:
    """Write 1 at this place of a row, shape (n,), and 0 elsewhere; a negative number (NONE) marks no place."""
    row[:] = 0
    if number >= 0:
        row[number] = 1
