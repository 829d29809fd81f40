"""A drawing that forgets the moves that nothing it draws is about."""

from __future__ import annotations

from bdgame_env.core import furniture
from bdgame_env.core.drawing import Drawing, Scene
from bdgame_env.core.plain_drawing import text
from bdgame_env.core.svg import Canvas


def _without_moves(scene: Scene) -> Canvas:
    return furniture.page(scene, 400, "no buttons")


DRAW = Drawing(picture=_without_moves, text=text)
