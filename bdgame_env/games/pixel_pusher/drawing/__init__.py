"""Pictures and words of Pixel Pusher: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from ....render.scene import Drawing
from ....render.wording import Wording
from . import reasons, words
from .board import draw
from .table import table
from .text import lines

__all__ = ["DRAW"]

DRAW = Drawing(picture=draw, text=lines, table=table, wording=Wording.of(words, reasons))
