"""A drawing whose size depends on the position."""

from __future__ import annotations

from bdgame_env.core import furniture
from bdgame_env.core.drawing import Drawing, Scene
from bdgame_env.core.plain_drawing import text
from bdgame_env.core.svg import Canvas


def _higher_and_higher(scene: Scene) -> Canvas:
    canvas = furniture.page(scene, 400 + 10 * scene.snapshot["round"], "growing")
    furniture.moves_bar(canvas, scene, 100)
    return canvas


DRAW = Drawing(picture=_higher_and_higher, text=text)
