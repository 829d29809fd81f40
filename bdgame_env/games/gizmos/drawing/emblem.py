"""The small picture that stands for Gizmos in a list of games."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render import widgets
from ....render.svg import Canvas
from ..cards import LEVEL, SCORES
from .cards import FILLS, LETTERS, TILE, tile


def emblem(config: GameConfig) -> Canvas:
    """A card of level 2, and marbles."""
    wide, high = TILE
    canvas = Canvas.sheet(wide + 100, high + 4, set())
    tile(canvas.group(2, 2), next(card for card in range(len(LEVEL)) if LEVEL[card] == 2 and not SCORES[card].any()))
    for number, (fill, letter) in enumerate(zip(FILLS, LETTERS, strict=True)):
        widgets.marble(canvas, wide + 30 + number % 2 * 42, 28 + number // 2 * 44, 38, fill, letter)
    return canvas
