"""Finds the drawing of a game, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from ..engine.game import Game
from .plain_drawing import DRAW as PLAIN
from .scene import Drawing, Scene
from .wording import Event, Step


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


def events_of(steps: Sequence[Step]) -> list[Event]:
    """What happened in the decisions of one turn, in the past tense; those of one seat that follow each other are one.

    What a game has no words for is told by its moves, in words or in notation.
    """
    wording = drawing_of(steps[0].before.game).wording
    known = [step for step in steps if step.seat is not None]
    found = wording.events(steps) if wording is not None else [(step.seat or 0, step.move) for step in known]
    if not found:
        found = [(step.seat or 0, words_of(step.before, step.move)) for step in known[-1:]]
    joined: list[Event] = []
    for seat, text in found:
        if joined and joined[-1][0] == seat:
            joined[-1] = (seat, f"{joined[-1][1]}, {text}")
        elif text:
            joined.append((seat, text))
    return joined
