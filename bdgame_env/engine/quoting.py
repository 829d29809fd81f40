"""Values as error messages show them, and texts of others as they can be sent, printed and stored."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import numpy as np

LONGEST = 60  # characters
SENTENCE = 200  # characters of a path, or of what another library says
LIST = 400  # characters of a list of what is allowed


def shown(value: object) -> str:
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
    """A text without quotes, such as a path or another error, as `one_line` with at most `most` characters."""
    whole = str(text)
    line = one_line(whole[: 4 * most])
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


def one_line(text: str) -> str:
    """A text from anywhere in one line of letters that every terminal and file can hold.

    White space becomes one space. Control characters, marks that turn the direction of writing, and halves of
    characters, which UTF-8 cannot say, are left out.
    """
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def json_text(value: object, **settings: Any) -> str:
    """`json.dumps` with letters as they are, but halves of characters escaped, so that UTF-8 can say it."""
    return json.dumps(value, ensure_ascii=False, **settings).encode("utf-8", "backslashreplace").decode()
