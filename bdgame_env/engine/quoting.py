"""Values as error messages show them."""

from __future__ import annotations

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
