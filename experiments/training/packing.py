"""Samples as few bytes: only those that are learned from, only what is learned from them, compressed.

Of a sample's some 3,000 bytes in a window about 100 are left. Most are the rows that are on: they hardly change from
one decision to the next, which is what zlib's first level finds, at a tenth of the time that playing takes.
"""

from __future__ import annotations

import pickle
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from .codes import FINAL, OPEN
from .samples import Window

_LEVEL = 1
_WHOLE = ("rows_on", "legals", "chosen", "log_prob", "targets", "advantage", "searched")


def pack(window: Window) -> bytes:
    """The samples of a window whose returns are known. Their `values` and the order of `next` are left out."""
    kept = np.flatnonzero(window.next != OPEN)
    arrays: dict[str, npt.NDArray[Any]] = {"kept": _smallest(kept)}
    for name in _WHOLE:
        arrays[name] = _smallest(getattr(window, name)[kept])
    for name, counts in (("rows", window.rows_on), ("legal", window.legals), ("cards", window.legals)):
        arrays[name] = _smallest(_ragged(getattr(window, name)[kept], counts[kept]))
    found = kept[window.searched[kept] != 0]
    arrays["improved"] = _ragged(window.improved[found], window.legals[found])
    return zlib.compress(pickle.dumps(arrays, protocol=5), _LEVEL)


def unpack(packed: bytes, window: Window) -> None:
    """The inverse of `pack`, into a window of the same length; what was not packed is OPEN."""
    arrays = pickle.loads(zlib.decompress(packed))
    kept = arrays["kept"]
    window.next[:] = OPEN
    window.next[kept] = FINAL
    for name in _WHOLE:
        getattr(window, name)[kept] = arrays[name]
    for name, counts in (("rows", window.rows_on), ("legal", window.legals), ("cards", window.legals)):
        _fill(getattr(window, name), kept, counts, arrays[name])
    found = kept[arrays["searched"] != 0]
    _fill(window.improved, found, window.legals, arrays["improved"])


def _ragged(values: npt.NDArray[Any], counts: npt.NDArray[np.int32]) -> npt.NDArray[Any]:
    """The first values of each row, one row after the other."""
    if not values.shape[1]:
        return values.ravel()
    found: npt.NDArray[Any] = values[np.arange(values.shape[1]) < counts[:, None]]
    return found


def _fill(target: Any, rows: Any, counts: Any, values: Any) -> None:
    """The inverse of `_ragged`, into some rows of `target`."""
    if not target.shape[1] or not len(rows):
        return
    places, firsts = np.nonzero(np.arange(target.shape[1]) < counts[rows][:, None])
    target[rows[places], firsts] = values


def _smallest(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Whole numbers in two bytes each, where they fit; other arrays unchanged."""
    if values.dtype.kind == "i" and values.size and values.min() >= -(2**15) and values.max() < 2**15:
        return values.astype(np.int16)
    return values
