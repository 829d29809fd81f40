"""Pictures and words of Gizmos: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ....render.scene import Drawing
from ....render.wording import Wording
from ..cards import COLORS
from . import reasons, words
from .board import draw
from .cards import LETTERS, marble
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
    letters=dict(zip(LETTERS, COLORS, strict=False)),
    foreign=reasons.FOREIGN,
    only=reasons.ONLY,
    absent=reasons.ABSENT,
    reason=reasons.reason,
    turn=words.turn,
    stage=words.stage,
    phases=words.phases,
    sources=words.sources,
    forgoes=words.forgoes,
    rest=words.rest,
    brief="Take marbles from the row and build cards with them. "
    "Cards set each other off, so late turns become long chains.",
    icons={name: partial(marble, number) for number, name in enumerate(COLORS)},
    effort="30 to 45 minutes; easy to learn, with long chains to master",
)
DRAW = Drawing(picture=draw, text=lines, table=table, wording=_WORDING, emblem=emblem, gallery=gallery, look=LOOK)
