"""Pictures and words of Pixel Pusher: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....render.scene import Drawing, Scene
from ....render.wording import Wording
from . import reasons, words
from .board import draw
from .cards import FILLS, icon
from .emblem import emblem
from .events import events
from .gallery import gallery
from .look import LOOK
from .table import table
from .text import lines

__all__ = ["DRAW"]


def _steps(scene: Scene, move: str, after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The positions that Collect passes through, to animate its pixels."""
    from ..collect_steps import collect_positions

    return collect_positions(scene.snapshot, after)


_WORDING = Wording(
    folder=Path(__file__).parent.parent,
    move=words.move,
    events=events,
    cards=words.cards,
    letters=words.NAMES,
    foreign=reasons.FOREIGN,
    only=reasons.ONLY,
    absent=reasons.ABSENT,
    reason=reasons.reason,
    turn=words.turn,
    stage=words.stage,
    phases=words.phases,
    sources=words.sources,
    brief="Draft machine cards, take pixels from a conveyor and mix their colors. "
    "Fill lines of tiny pictures before anyone else does.",
    repeated=frozenset({"activate", "give"}),
    icons={name: partial(icon, letter) for letter, name in words.NAMES.items() if letter in FILLS},
    effort="45 to 60 minutes; complex: everyone plans the same round at once",
)
DRAW = Drawing(
    picture=draw,
    text=lines,
    steps=_steps,
    steps_of_all=True,
    table=table,
    wording=_WORDING,
    emblem=emblem,
    gallery=gallery,
    look=LOOK,
)
