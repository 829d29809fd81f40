"""Draws a workshop of Bdgame in miniature: what kinds of parts there are, and how they are connected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render import widgets
from ....render.scene import Scene
from ....render.svg import Canvas
from ..cards import COLORS, HOPPER, NUM_BASIC, PACKER, ports_of
from .cards import BASIC_FILL, LETTER_FILL, PIPE, SPECIAL_FILL

_WIDE, _HIGH, _LANE = 30.0, 20.0, 10.0  # of a card, and how far lanes are apart
_MOST = 0.8  # scale of a workshop with few cards
_MARK = 8.0


def draw_sketch(canvas: Canvas, scene: Scene, seat: int, width: float, height: float) -> None:
    """Draw the workshop of a seat, from (0, 0), as large as its cards allow; it is described card by card."""
    cards = scene.snapshot["seats"][seat]["workshop"]
    left, top = (min((card[side] for card in cards), default=0) for side in ("x", "y"))
    right, bottom = (max((card[side] for card in cards), default=0) for side in ("x", "y"))
    wide, high = _WIDE * (right + 1 - left), _LANE * (bottom + 2 - top)
    scale = min(_MOST, width / wide, height / high)
    field = canvas.group(width - scale * wide, (height - scale * high) / 2, scale=scale)
    for card in cards:
        x, y = card["x"], card["y"]
        place = field.group(
            *((x - left) * _WIDE, (y - top) * _LANE), id=f"seat-{seat}-sketch-{x}-{y}", data_card=card["kind"]
        )
        _card(place, scene, card)


def _card(canvas: Canvas, scene: Scene, card: Mapping[str, Any]) -> None:
    number = scene.cards.kinds.index(card["kind"])
    special = number >= NUM_BASIC
    mark: dict[str, Any] = {"stroke": "#222222", "class": "token"}
    fill = SPECIAL_FILL if special else BASIC_FILL
    canvas.rect(0.5, 0.5, _WIDE - 1, _HIGH - 1, radius=2, fill=fill, stroke=widgets.EDGE)
    middle = _WIDE / 2, _HIGH / 2
    inlets, outlets = ports_of(scene.cards, card["kind"])
    for edge, ports in ((0.0, inlets), (_WIDE, outlets)):
        for port in ports:
            canvas.line(edge, port * _LANE, *middle, stroke=PIPE, stroke_width=2.5)
    if number == HOPPER:
        canvas.path("M6 4H24L18 15H12Z", fill=PIPE)
    elif number == PACKER:
        canvas.rect(10, 4, 13, 12, radius=1, fill="#d9b072", stroke="#6b5226")
    for port in outlets if special else ():
        made = [color for color, count in zip(COLORS, scene.cards.gives[number][port], strict=True) if count]
        at = (0.3, 0.5, 0.7)[port] * _HIGH - _MARK / 2
        for place, color in enumerate(made):
            x = (_WIDE - _MARK * len(made)) / 2 + place * _MARK
            canvas.rect(x, at, _MARK, _MARK, fill=LETTER_FILL[color], **mark)
