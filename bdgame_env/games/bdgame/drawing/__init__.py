"""Pictures and words of Bdgame: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....render.scene import Drawing, Scene
from ....render.wording import Wording
from . import reasons, words
from .board import draw
from .cards import cube
from .emblem import emblem
from .events import events
from .gallery import gallery
from .look import LOOK
from .table import table
from .text import lines

__all__ = ["DRAW"]


def _steps(scene: Scene, move: str, after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The positions that a Device passes through after this move, to animate its cubes."""
    from ..device_steps import run_positions

    return run_positions(scene.snapshot, move, scene.config)


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
    forgoes=words.forgoes,
    brief="Collect and trade up cubes, buy part cards and lay them out as a machine. "
    "Run the machine to make what your customers order.",
    repeated=frozenset({"load", "discard", "pay"}),
    icons={name: partial(cube, letter) for letter, name in words.NAMES.items()},
    effort="45 to 60 minutes; complex: you design your own machines",
)
DRAW = Drawing(
    picture=draw, text=lines, steps=_steps, table=table, wording=_WORDING, emblem=emblem, gallery=gallery, look=LOOK
)
