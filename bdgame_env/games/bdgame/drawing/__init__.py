"""Pictures of Bdgame: the whole board, a seat, a card, and the same as text."""

from .board import DRAW

__all__ = ["DRAW"]
