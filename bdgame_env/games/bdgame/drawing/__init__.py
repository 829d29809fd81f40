"""Pictures and words of Bdgame: the whole board, its parts, a seat and a card, as SVG and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....render.scene import Drawing, Scene
from ....render.wording import Wording
from . import reasons, words
from .board import draw
from .table import table
from .text import lines

__all__ = ["DRAW"]


def _steps(scene: Scene, move: str, after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The positions that a Device passes through after this move, to animate its cubes."""
    from ..device_steps import run_positions

    return run_positions(scene.snapshot, move, scene.config)


DRAW = Drawing(picture=draw, text=lines, steps=_steps, table=table, wording=Wording.of(words, reasons))
