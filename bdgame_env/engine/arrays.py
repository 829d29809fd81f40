"""Types of the arrays that rules read and write, for annotations; `arrays.pyi` has what checkers see.

NumPy's own types say of an entry that it is an `np.int8`, which no parameter of type `int` takes. To these an entry is
an `int`, and a row of an array of records a record of its class (`engine.struct`).
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np

S = TypeVar("S", covariant=True)

Ints = Ints2 = Ints3 = Floats = Floats2 = np.ndarray[Any, Any]


class Rows(Generic[S]):
    """An array of records, shape (n,)."""


class Rows2(Generic[S]):
    """An array of records, shape (n, m)."""
