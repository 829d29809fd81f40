"""A drawing that leaves out the moves that belong to nothing drawn."""

from __future__ import annotations

from bdgame_env.render import widgets
from bdgame_env.render.plain_drawing import text
from bdgame_env.render.scene import Drawing, Scene
from bdgame_env.render.svg import Canvas


def _without_moves(scene: Scene) -> Canvas:
    return widgets.page(scene, 400, "no buttons")


DRAW = Drawing(picture=_without_moves, text=text)
