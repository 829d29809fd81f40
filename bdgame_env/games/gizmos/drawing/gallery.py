"""All cards of Gizmos as pictures."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render.gallery import CardPicture, Shelf
from ....render.svg import Canvas
from ..cards import COLOR, LEVEL
from .cards import TILE, tile


def gallery(config: GameConfig) -> list[Shelf]:
    """The starting card, then the cards of each level."""
    shelves = [Shelf("Starting card", [_shown(0, config.players)])]
    for level in range(1, int(LEVEL.max()) + 1):
        cards = [_shown(card) for card in range(len(LEVEL)) if LEVEL[card] == level and COLOR[card] >= 0]
        shelves.append(Shelf(f"Level {level}", cards))
    return shelves


def _shown(card: int, copies: int = 1) -> CardPicture:
    canvas = Canvas.sheet(*TILE, set())
    tile(canvas, card)
    return CardPicture(str(card), canvas, copies)
