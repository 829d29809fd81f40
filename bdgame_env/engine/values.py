"""One value, whatever holds it: what callers pass as a whole number, a number or a switch, as Python's own.

Python's and NumPy's numbers, arrays and tensors of one element are alike here. Truth values are no numbers, and a float
is no whole number, even if nothing follows its point: both are mistakes more often than meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

_DIGITS = re.compile(r"\s*[+-]?[0-9]{1,40}\s*")  # Python refuses thousands of them


def as_whole(value: object) -> int | None:
    """A whole number as an `int`; None if the value is anything else."""
    if type(value) is int:
        return value
    try:
        found = _only(value)
        return None if isinstance(found, bool) else index(found)
    except Exception:  # whatever the value's own methods raise
        return None


def whole_in(text: str) -> int | None:
    """The whole number that a text spells in digits, as a command line gives it; None if it spells anything else."""
    return int(text) if _DIGITS.fullmatch(text) else None


def as_number(value: object) -> int | float | None:
    """A number as an `int` or a `float`, infinity and NaN included; None if the value is anything else."""
    whole = as_whole(value)
    if whole is not None:
        return whole
    try:
        value = _only(value)
        return float(value) if isinstance(value, (float, np.floating)) else None
    except Exception:  # as above
        return None


def as_switch(value: object) -> bool | None:
    """A truth value as a `bool`; None if the value is anything else, such as 0 or 1."""
    try:
        value = _only(value)
        return bool(value) if isinstance(value, (bool, np.bool_)) else None
    except Exception:  # as above
        return None


def as_wholes(values: object, n: int) -> npt.NDArray[Any] | None:
    """Whole numbers as an array of shape (n,); None if the values are anything else.

    Args:
        values: an array or tensor of whole numbers, shape (n,), or a list or tuple of n values that `as_whole` takes.
        n: how many are wanted.

    Returns:
        A dtype of whole numbers, or objects if one of them exceeds 64 bits.
    """
    if isinstance(values, (list, tuple)):
        return _listed(values, n)
    try:
        given = np.asarray(values)
    except Exception:  # as above
        return None
    if given.shape != (n,):
        return None
    if given.dtype.kind == "O":
        return _listed(given.tolist(), n)
    return given if given.dtype.kind in "iu" else None


def _listed(values: Iterable[object], n: int) -> npt.NDArray[Any] | None:
    wholes = [as_whole(value) for value in values]
    if len(wholes) != n or None in wholes:
        return None
    try:
        return np.array(wholes, np.int64)
    except OverflowError:
        return np.array(wholes, object)


def _only(value: object) -> Any:
    """The element of an array or tensor that has exactly one; any other value as it is."""
    if isinstance(value, np.ndarray):
        return value.reshape(())[()]
    if not isinstance(value, (np.generic, int, float)) and hasattr(value, "item"):
        return value.item()  # a tensor: its own `index` would take True for 1
    return value
