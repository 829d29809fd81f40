"""All cards of a deck of Bdgame as pictures."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render.gallery import CardPicture, Shelf
from ....render.svg import Canvas
from ..cards import NUM_BASIC, Deck
from ..state import copies
from .cards import order, tile

_WIDE, _HIGH = 116.0, 82.0


def gallery(config: GameConfig) -> list[Shelf]:
    """Basic parts, special parts, orders."""
    deck: Deck = config.cards
    parts = []
    for kind, count in zip(deck.kinds, copies(config), strict=True):
        canvas = Canvas.sheet(_WIDE, _HIGH, set())
        tile(canvas, deck, kind, _WIDE, _HIGH, price=True)
        parts.append(CardPicture(kind, canvas, count))
    orders = []
    for name in deck.orders:
        canvas = Canvas.sheet(_WIDE, _HIGH, set())
        order(canvas, deck, name, _WIDE, _HIGH, plain=True)
        orders.append(CardPicture(name, canvas))
    return [Shelf("Basic parts", parts[:NUM_BASIC]), Shelf("Special parts", parts[NUM_BASIC:]), Shelf("Orders", orders)]
