"""The small picture that stands for Pixel Pusher in a list of games."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render import widgets
from ....render.svg import Canvas
from ..cards import CARDS, CONVERTER
from .cards import IMAGE, TILE, card_tile, image_line, line_height


def emblem(config: GameConfig) -> Canvas:
    """An image with some of its lines filled, and two machines."""
    wide, high = IMAGE
    canvas = Canvas.sheet(wide + TILE[0] + 10, high + 4, set())
    widgets.card(canvas, wide + 2, high + 4)
    for line in range(len(CARDS.image_lines[0])):
        image_line(canvas.group(5, 4 + line * line_height()), 1, line, line > 1, 6)
    mixing = (card for card, number in enumerate(CONVERTER) if CARDS.converters[number].startswith("mix"))
    for row, card in zip(range(2), mixing, strict=False):
        card_tile(canvas.group(wide + 6, 2 + row * TILE[1]), card)
    return canvas
