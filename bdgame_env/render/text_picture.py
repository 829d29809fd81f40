"""Positions as text for terminals and logs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from .drawings import drawing_of
from .scene import Line, Scene

if TYPE_CHECKING:
    from ..engine.match import Match

# The colors that a line of text may name. A letter always carries their meaning as well.
INKS = {
    "bold": "1",
    "dim": "2",
    "red": "1;31",
    "green": "32",
    "yellow": "33",
    "blue": "1;34",
    "magenta": "35",
    "cyan": "36",
    "black": "1;90",
    "move": "1;32",
}


def text_picture(scene: Scene, *, color: bool = False) -> str:
    """A position as lines of text, each with its newline; with `color` in ANSI escape codes."""
    lines = drawing_of(scene.game).text(scene)
    if scene.last:
        lines.append(["last   ", "; ".join(scene.last)])
    if scene.legal:
        lines.append(["moves  ", (", ".join(scene.legal), "move")])
    return "".join(_line(line, color) + "\n" for line in lines)


def text_of(match: Match, *, seat: int | None = None, last: Iterable[str] = (), color: bool | None = None) -> str:
    """`text_picture` of a match as the seat may see it; see `picture.scene_of`.

    Args:
        match: the match.
        seat: the viewer's seat; None for a spectator.
        last: the latest moves.
        color: None to follow `shows_colors`.

    Raises:
        ValueError: no such seat.
    """
    from .picture import scene_of

    return text_picture(scene_of(match, seat=seat, last=last), color=shows_colors() if color is None else color)


def shows_colors() -> bool:
    """Whether stdout is a terminal that shows colors; `NO_COLOR` and `FORCE_COLOR` override that."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    with suppress(AttributeError, ValueError):  # a program without a console has no stdout, or a closed one
        return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return False


def _line(line: Line, color: bool) -> str:
    """A line's pieces as one text, without trailing spaces."""
    pieces: list[str] = []
    for piece in reversed(line):
        text, ink = piece if isinstance(piece, tuple) else (piece, "")
        text = "".join(letter if letter.isprintable() else "?" for letter in text)
        text = text if pieces else text.rstrip()
        if text:
            pieces.append(f"\x1b[{INKS[ink]}m{text}\x1b[0m" if color and ink and text.strip() else text)
    return "".join(reversed(pieces))
