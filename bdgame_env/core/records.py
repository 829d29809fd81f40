"""Record dtypes: one NumPy record holds one game, without hidden padding."""

from __future__ import annotations

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
    if plain.itemsize != sum(plain.fields[name][0].itemsize for name in names):  # type: ignore[index, misc]
        raise ValueError(f"fields {names} leave hidden padding")
    return np.dtype((np.record, plain))


def as_bytes(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The same memory as bytes, shape `(n, itemsize)`: comparing and copying records this way is far faster."""
    return records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
