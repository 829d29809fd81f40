"""A drawing whose size depends on the position."""

from __future__ import annotations

from bdgame_env.render import widgets
from bdgame_env.render.plain_drawing import text
from bdgame_env.render.scene import Drawing, Scene
from bdgame_env.render.svg import Canvas


def _higher_and_higher(scene: Scene) -> Canvas:
    canvas = widgets.page(scene, 400 + 10 * scene.snapshot["round"], "growing")
    widgets.moves_bar(canvas, scene, 100)
    return canvas


DRAW = Drawing(picture=_higher_and_higher, text=text)
