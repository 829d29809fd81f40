"""Finds the drawing of a game, and its words."""

from __future__ import annotations

from importlib import import_module

from ..engine.game import Game
from .plain_drawing import DRAW as PLAIN
from .scene import Drawing, Scene


def drawing_of(game: Game) -> Drawing:
    """The drawing that a game names, or one that shows any snapshot as a table."""
    if not game.drawing:
        return PLAIN
    drawing: Drawing = import_module(game.drawing).DRAW
    return drawing


def words_of(before: Scene, move: str) -> str:
    """A move in plain words; its notation if the game has no words, and "" for a move that its reader cannot see.

    Args:
        before: the position before the move, as the reader sees it.
        move: the move in notation, as told to the reader.
    """
    wording = drawing_of(before.game).wording
    return wording.move(before, move) if wording is not None and move else move
