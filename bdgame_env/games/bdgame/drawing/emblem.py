"""The small picture that stands for Bdgame in a list of games."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render.svg import Canvas
from ..cards import BASIC, HOPPER, PACKER, SPLITTER, Deck
from .cards import order, tile

_WIDE, _HIGH = 108.0, 72.0


def emblem(config: GameConfig) -> Canvas:
    """A Device of a hopper, a splitter and packers, and an order."""
    deck: Deck = config.cards
    canvas = Canvas.sheet(4 * _WIDE + 12, 2 * _HIGH + 4, set())
    field = canvas.group(0, 2)
    places = ((BASIC[HOPPER], 0, 1), (_first_splitter(deck), 1, 1), (BASIC[PACKER], 2, 0), (BASIC[PACKER], 2, 2))
    for kind, column, half_lane in places:
        tile(field.group(column * _WIDE, half_lane * _HIGH / 2), deck, kind, _WIDE, _HIGH, joined=True)
    order(field.group(3 * _WIDE + 12, _HIGH / 2), deck, deck.orders[-1], _WIDE, _HIGH, plain=True)
    return canvas


def _first_splitter(deck: Deck) -> str:
    return next(kind for kind, shape in zip(deck.kinds[8:], deck.shapes[8:], strict=True) if shape == SPLITTER)
