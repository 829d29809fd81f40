"""A game as text for language models and programs: rules, cards in sight, position and moves, in words and notation.

Lines of rules, cards and positions begin with "| ", so that none of them can be mistaken for a move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import TYPE_CHECKING

from .drawings import drawing_of, words_of_moves
from .scene import Scene
from .text_picture import text_picture

if TYPE_CHECKING:
    from ..engine.game import Game

MARK = "| "
_PLACE = re.compile(r"<[^>]* data-(?:says|card)=[^>]*>")
_SAYS, _CARD = re.compile(r' data-says="([^"]+)"'), re.compile(r' data-card="([^"]+)"')
_FOR_EYES = re.compile("outline|disc\\b|x3 on a card|<!--")  # lines about what a picture looks like
_EMPHASIS = re.compile(r"\*\*|`")


def marked(text: str) -> str:
    """Text with the mark before each line."""
    return "".join(f"{MARK}{line}".rstrip() + "\n" for line in text.splitlines())


def rules_text(game: Game) -> str:
    """How a game is played, in at most 60 lines; empty if it has no guide."""
    wording = drawing_of(game).wording
    if wording is None:
        return ""
    seen = (line for line in wording.guide.splitlines() if not _FOR_EYES.search(line))
    lines = (line.removeprefix("## ") for line in seen)
    return marked(_EMPHASIS.sub("", "\n".join(lines)))


def cards_in_sight(scene: Scene) -> dict[str, str]:
    """What the cards on the table do, in words, by their names in the notation or their numbers."""
    draw = drawing_of(scene.game)
    if draw.table is None or draw.wording is None:
        return {}
    texts = draw.wording.cards(scene.config)
    named = {name for part in draw.table(scene) for place in _PLACE.findall(str(part.canvas)) for name in _names(place)}
    return {name: text for name, text in texts.items() if name in named}


def _names(place: str) -> list[str]:
    """What the cards at a place are called: as it says, or else by the one card that it holds."""
    says, card = _SAYS.search(place), _CARD.search(place)
    return unescape(says[1]).split(", ") if says else [unescape(card[1])] if card else []


def cards_text(cards: Iterable[tuple[str, str]]) -> str:
    """A line for each card: its name and what it does."""
    return marked("".join(f"{name}: {text}\n" for name, text in cards))


def position_text(scene: Scene) -> str:
    """The position."""
    return marked(text_picture(scene))


def moves_text(scene: Scene) -> str:
    """The legal moves, numbered from 1: each in notation and, after a dash, in words."""
    width = max((len(move) for move in scene.legal), default=0)
    lines = []
    for number, (move, words) in enumerate(words_of_moves(scene, scene.legal).items(), 1):
        lines.append(f"  {number:3}  {move}" if words == move else f"  {number:3}  {move:{width}}  - {words}")
    return "".join(f"{line}\n" for line in lines)


def task_text(scene: Scene) -> str:
    """What has to be decided, in a line; empty if the game has no words for it."""
    wording = drawing_of(scene.game).wording
    return "" if wording is None else wording.turn(scene)


def prompt(scene: Scene) -> str:
    """Everything needed to choose a move, for a reader who knows nothing of the game.

    Args:
        scene: the position as the seat to decide sees it, with its legal moves.
    """
    rules, cards = rules_text(scene.game), cards_in_sight(scene)
    pieces = [f"You play the board game {scene.game.title} as seat {scene.seat} of {scene.players} (0 is the first).\n"]
    if rules:
        pieces.append(f"How it is played:\n{rules}")
    if cards:
        pieces.append(f"Cards in sight:\n{cards_text(cards.items())}")
    pieces.append(f"The position:\n{position_text(scene.without_moves())}")
    task = task_text(scene)
    pieces.append(f"Your decision{f': {task}' if task else ''}. Legal moves:\n{moves_text(scene)}")
    return "\n".join(pieces)
