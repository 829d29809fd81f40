"""Values as error messages show them, and texts of others as they can be sent, printed and stored."""

from __future__ import annotations

import json
from typing import Any

LONGEST = 60  # characters


def shown(value: Any) -> str:
    """The value's `repr` in one line of at most `LONGEST` characters."""
    if isinstance(value, (str, bytes)):
        value = value[: LONGEST + 1]  # the rest is not shown, and may be megabytes
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # more digits than Python writes, or too many brackets
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def one_line(text: str) -> str:
    """A text from anywhere in one line of letters that every terminal and file can hold.

    White space becomes one space. Control characters, marks that turn the direction of writing, and halves of
    characters, which UTF-8 cannot say, are left out.
    """
    return " ".join("".join(letter for letter in text if letter.isprintable() or letter.isspace()).split())


def json_text(value: Any, **settings: Any) -> str:
    """`json.dumps` with letters as they are, but halves of characters escaped, so that UTF-8 can say it."""
    return json.dumps(value, ensure_ascii=False, **settings).encode("utf-8", "backslashreplace").decode()
