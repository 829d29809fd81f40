"""Pictures of Gizmos: the whole board, a seat and a card, as SVG and as text."""

from .board import DRAW

__all__ = ["DRAW"]
