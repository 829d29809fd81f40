"""Pictures and words of Nicodemus: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ....render.scene import Drawing
from ....render.wording import Wording
from ..cards import TOKENS
from . import reasons, words
from .board import draw
from .cards import LETTERS, resource
from .emblem import emblem
from .events import events
from .gallery import gallery
from .look import LOOK
from .table import table
from .text import lines

__all__ = ["DRAW"]

_WORDING = Wording(
    folder=Path(__file__).parent.parent,
    move=words.move,
    events=events,
    cards=words.cards,
    letters=dict(zip(LETTERS, TOKENS, strict=False)),
    foreign=reasons.FOREIGN,
    only=reasons.ONLY,
    absent=reasons.ABSENT,
    reason=reasons.reason,
    turn=words.turn,
    stage=words.stage,
    phases=words.phases,
    sources=words.sources,
    forgoes=words.forgoes,
    brief="Play machines from your hand into a shared row, or pay resources to repair one. "
    "Every machine in the row helps both players, so timing is everything.",
    icons={name: partial(resource, number) for number, name in enumerate(TOKENS)},
    effort="20 to 30 minutes; easy to learn, sharp against a good opponent",
)
DRAW = Drawing(picture=draw, text=lines, table=table, wording=_WORDING, emblem=emblem, gallery=gallery, look=LOOK)
