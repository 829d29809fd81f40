"""The small picture that stands for Nicodemus in a list of games."""

from __future__ import annotations

from ....engine.game import GameConfig
from ....render.svg import Canvas
from ..cards import KINDS
from .cards import MACHINE, TILE, machine, project, token


def emblem(config: GameConfig) -> Canvas:
    """A machine, a project, and resources."""
    wide, high = MACHINE
    canvas = Canvas.sheet(wide + TILE[0] + 60, high + 4, set())
    machine(canvas.group(2, 2), KINDS[0])
    project(canvas.group(wide + 8, 2), 1)
    for resource in range(1, 4):
        token(canvas, wide + TILE[0] + 34, 18 + 32 * (resource - 1), 27, resource)
    return canvas
