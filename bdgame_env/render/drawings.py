"""Finds the drawing of a game, and its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import unescape
from importlib import import_module

from ..engine.game import Game
from .plain_drawing import DRAW as PLAIN
from .scene import Drawing, Scene
from .wording import Event, Reason, Step

_ELEMENT = re.compile(r"<[^>]* data-moves=[^>]*>")
_MOVES, _ID = re.compile(r' data-moves="([^"]+)"'), re.compile(r' id="([^"]+)"')


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


def words_of_moves(before: Scene, moves: Iterable[str]) -> dict[str, str]:
    """Moves of one position in plain words; those that read alike are numbered."""
    words = {move: words_of(before, move) for move in moves}
    alike: dict[str, list[str]] = {}
    for move, text in words.items():
        alike.setdefault(text, []).append(move)
    for text, same in alike.items():
        if len(same) > 1:
            words.update({move: f"{text} ({_ordinal(number)} of {len(same)})" for number, move in enumerate(same, 1)})
    return words


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


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


def reason_against(scene: Scene, move: str) -> Reason | None:
    """Why a move cannot be made now; None in a game without words.

    It belongs to another phase; or else the element of the table that would stand for it has a reason not to.
    """
    draw, verb = drawing_of(scene.game), move.partition(" ")[0]
    wording = draw.wording
    if wording is None:
        return None
    if verb in wording.only and scene.snapshot["phase"] not in wording.only[verb][0]:
        return wording.only[verb][1]
    as_if = Scene(scene.game, scene.snapshot, config=scene.config, seat=scene.seat, legal=(move,))
    for part in draw.table(as_if) if draw.table is not None else ():
        for id in _spots_of(str(part.canvas), move):
            if reason := wording.why_not(scene, id):
                return reason
    return wording.absent.get(verb)


def _spots_of(svg: str, move: str) -> list[str]:
    """The ids of the elements that stand for a move."""
    spots = [
        element
        for element in _ELEMENT.findall(svg)
        if (moves := _MOVES.search(element)) and move in json.loads(unescape(moves[1]))
    ]
    return [found[1] for element in spots if (found := _ID.search(element))]
