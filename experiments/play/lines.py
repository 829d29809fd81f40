"""Reads lines that a person or a program types."""

from __future__ import annotations

from typing import TextIO

LONGEST = 10_000  # characters of a line that are read


def next_line(lines: TextIO) -> str:
    """The next line, cut off after `LONGEST` characters; "" at the end."""
    line = rest = lines.readline(LONGEST)
    while rest and not rest.endswith("\n"):
        rest = lines.readline(LONGEST)
    return line
