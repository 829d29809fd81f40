"""Record dtypes: one NumPy record holds one game, without hidden padding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

_RECORD_ATTRIBUTES = frozenset(dir(np.recarray)) | frozenset(dir(np.record))


def record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A record dtype from `(name, dtype[, shape])` fields, read as attributes compiled or not.

    Raises:
        ValueError: a name hides an attribute of NumPy's records, or is given twice.
    """
    names = [field[0] for field in fields]
    for name in names:
        if name in _RECORD_ATTRIBUTES:
            raise ValueError(f"field {name!r} hides an attribute of numpy records: choose another name")
    plain = np.dtype(fields)
    if plain.itemsize != _used(plain):
        raise ValueError(f"fields {names} leave hidden padding")
    return np.dtype((np.record, plain))


def _used(dtype: np.dtype[Any]) -> int:
    """The bytes of a dtype that belong to a field, nested ones included."""
    if dtype.subdtype is not None:
        inner, shape = dtype.subdtype
        return _used(inner) * math.prod(shape)
    if dtype.fields is None:
        return dtype.itemsize
    return sum(_used(field[0]) for field in dtype.fields.values())


def as_bytes(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The same memory as bytes, shape `(n, itemsize)`: comparing and copying records this way is far faster."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
