"""Values as error messages show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

LONGEST = 60  # characters
SENTENCE = 200  # characters of a path, or of what another library says
LIST = 400  # characters of a list of what is allowed


def shown(value: Any) -> str:
    """The value's `repr` in one line of at most `LONGEST` characters; of a larger array its shape and dtype."""
    if isinstance(value, (str, bytes)):
        value = value[: LONGEST + 1]  # the rest is not shown, and may be megabytes
    elif isinstance(value, np.ndarray) and value.size > 1:
        return f"array(shape={value.shape}, dtype={cut(value.dtype)})"
    try:
        return cut(" ".join(repr(value).split()))
    except Exception:  # more digits than Python writes, too many brackets, or a mistake in `__repr__`
        return f"a value of type {cut(type(value).__name__)}"


def cut(text: Any, most: int = LONGEST) -> str:
    """A text without quotes, such as a path or another error, in one line of at most `most` characters."""
    whole = str(text)
    line = " ".join(whole[: 4 * most].split())
    return line if len(line) <= most and len(whole) <= 4 * most else line[:most] + "…"


def listed(names: Iterable[str]) -> str:
    """Names, such as those that are allowed, with commas: as many as `LIST` has room for, and how many are left."""
    told: list[str] = []
    room, left = LIST, 0
    for name in names:
        text = cut(name)
        room -= len(text) + 2
        if room < 0:
            left += 1
        else:
            told.append(text)
    return ", ".join(told) + (f" and {left} more" if left else "")
