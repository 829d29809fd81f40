"""Finds the drawing of a game."""

from __future__ import annotations

from importlib import import_module

from ..engine.game import Game
from .plain_drawing import DRAW as PLAIN
from .scene import Drawing


def drawing_of(game: Game) -> Drawing:
    """The drawing that a game names, or one that shows any snapshot as a table."""
    if not game.drawing:
        return PLAIN
    drawing: Drawing = import_module(game.drawing).DRAW
    return drawing
