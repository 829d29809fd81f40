"""Counting the pieces of a position, to check that none is lost and none added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def tally(rows: Iterable[npt.ArrayLike], size: int) -> npt.NDArray[np.int64]:
    """How often each number from 0 to `size` - 1 occurs in the rows, int64 (size,).

    Args:
        rows: whole numbers, of any shape; numbers outside the range, such as -1 for an empty place, do not count.
        size: one more than the greatest number that counts.
    """
    numbers = np.concatenate([np.zeros(0, np.int64), *(np.ravel(row) for row in rows)]).astype(np.int64)
    return np.bincount(numbers[(numbers >= 0) & (numbers < size)], minlength=size)


def miscounts(what: str, names: Sequence[Any], found: npt.ArrayLike, wanted: npt.ArrayLike, rule: str) -> Iterator[str]:
    """A fault, such as "9 tokens of wood, must be 8 (N1.3)", for each piece whose count is wrong.

    Args:
        what: what is counted, e.g. "tokens of".
        names: of the pieces, n of them.
        found: how many there are, shape (n,).
        wanted: how many there must be, shape (n,) or one number for all.
        rule: the paragraph that says so.
    """
    for name, count, must in zip(names, np.asarray(found), np.broadcast_to(wanted, len(names)), strict=True):
        if count != must:
            yield f"{count} {what} {name}, must be {must} ({rule})"
