"""The cards of a game as pictures, for guides and catalogs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .svg import Canvas


@dataclass(frozen=True)
class CardPicture:
    """A card.

    Attributes:
        name: as `Wording.cards` has it.
        picture: a document of its own.
        copies: how many there are of it in a game.
    """

    name: str
    picture: Canvas
    copies: int = 1


@dataclass(frozen=True)
class Shelf:
    """Cards of one kind, such as those of a level.

    Attributes:
        title: what they are.
        cards: in the order of the game's card file.
    """

    title: str
    cards: Sequence[CardPicture]
