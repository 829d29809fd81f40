"""The forms of a seat's observation, and their spaces, from the schema of the game."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..engine.game import BadOption, Game, ObservationField
from ..engine.quoting import shown

FORMS = ("flat", "dict", "float")


def check_form(game: Game, form: str) -> str:
    """The form, checked.

    Raises:
        BadOption: there is no such form; lists the known ones.
    """
    if not isinstance(form, str) or form not in FORMS:
        raise BadOption(f"{game.id}: observation={shown(form)}, must be one of {', '.join(map(repr, FORMS))}")
    return form


def observation_space(game: Game, form: str = "flat") -> spaces.Box | spaces.Dict:
    """The space of an observation, bounded by the schema.

    Args:
        game: the declaration of the game.
        form: "flat": int8 of shape (size,); "float": the same numbers as float32; "dict": one int8 array per field, of
            its shape in the schema, or (1,) for a single number.
    """
    if form == "dict":
        return spaces.Dict({f.name: spaces.Box(f.low, f.high, array_shape(f), np.int8) for f in game.schema})
    low, high = np.empty((2, game.obs.itemsize), np.float32 if form == "float" else np.int8)
    for f in game.schema:
        low[f.slice], high[f.slice] = f.low, f.high
    return spaces.Box(low, high, dtype=low.dtype.type)


def array_shape(field: ObservationField) -> tuple[int, ...]:
    """The shape of a field in the form "dict": a single number is an array of one, as networks take it."""
    return field.shape or (1,)


def in_form(game: Game, form: str, vector: npt.NDArray[np.int8]) -> Any:
    """A flat observation, int8 of shape (size,), in another form; the fields of "dict" share its memory."""
    if form == "dict":
        return {name: vector[start:stop].reshape(shape) for name, start, stop, shape in _layout(game)}
    return vector.astype(np.float32) if form == "float" else vector


@cache
def _layout(game: Game) -> tuple[tuple[str, int, int, tuple[int, ...]], ...]:
    return tuple((f.name, f.start, f.stop, array_shape(f)) for f in game.schema)


def mask_space(num_actions: int) -> spaces.Box:
    """The space of an action mask: int8 of shape (num_actions,), 1 for legal."""
    return spaces.Box(0, 1, (num_actions,), np.int8)
