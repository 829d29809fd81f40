"""Pictures and words of Gizmos: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from pathlib import Path

from ....render.scene import Drawing
from ....render.wording import Wording
from . import words
from .board import draw
from .reasons import why_not
from .table import table
from .text import lines

__all__ = ["DRAW"]

WORDING = Wording(
    folder=Path(__file__).parent.parent,
    move=words.move,
    cards=words.cards,
    why_not=why_not,
    turn=words.turn,
    sources=words.sources,
)
DRAW = Drawing(picture=draw, text=lines, table=table, wording=WORDING)
