"""The signs on the cards of Gizmos, one for each kind of card (G1.5), drawn in white on the slate of card backs."""

from __future__ import annotations

from typing import Any, NamedTuple

from ....render import widgets
from ....render.svg import Canvas


class Sign(NamedTuple):
    """A sign within a line on a card, and what stands for it where there are only letters."""

    kind: str
    text: str = ""


# Within a square of 24: lines, and what is filled.
_STROKES = {
    "file": "M12 4v7.5M8.6 8.6 12 12l3.4-3.4M5 13.5V19h14v-5.5",  # down into a tray
    "pick": "M12 3v4M7.3 14.5C5.6 10 8.5 7 12 7s6.4 3 4.7 7.5",  # a claw
    "build": "M5.5 19.5 13.5 10",  # the handle of a hammer
    "convert": "M5 8.7h13M14.8 5.3l3.4 3.4-3.4 3.4M19 15.6H6M9.2 12.2 5.8 15.6 9.2 19",
    "upgrade": "M12 19.5V6M6.5 11.3 12 5.5l5.5 5.8",
}
_FILLED = {
    "pick": "M12 11.3a4 4 0 1 0 .01 0z",  # with a marble
    "build": "M9.6 6.2 13 3.6q4.6 1.3 7 6.8l-3.2 2.9z",  # its head
}


def sign(canvas: Canvas, x: float, y: float, size: float, kind: str) -> None:
    """Draw a sign around (x, y)."""
    place = canvas.group(x - size / 2, y - size / 2, scale=size / 24, data_sign=kind)
    place.rect(0.5, 0.5, 23, 23, radius=5.5, fill=widgets.BACK, stroke="#222222", stroke_width=1)
    rounded: dict[str, Any] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    place.path(_STROKES[kind], fill="none", stroke="#ffffff", stroke_width=2.3, **rounded)
    if kind in _FILLED:
        place.path(_FILLED[kind], fill="#ffffff", **{"class": "token"})
