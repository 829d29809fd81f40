"""What other seats see of a move (G17.4)."""

from __future__ import annotations

from ...engine.game import GameConfig
from . import actions as act
from .state import State


def told(s: State, config: GameConfig, action: int, viewer: int | None) -> str:
    """A move as a viewer other than the mover sees it; `s` is the record before it.

    When a researched card is filed or chosen to be built, the card becomes public, but not its place in the hand. When
    a card goes under a deck, only that fact is told. All other moves are told in full.
    """
    for verb, first in (("file", act.FILE_HAND), ("build", act.BUILD_HAND)):
        if act.FAMILY[action] == first:
            return f"{verb} hand (card {int(s.hand[action - first])})"
    if act.FAMILY[action] == act.PUT_UNDER:
        return "under (hidden)"
    return act.ACTIONS.names(config)[action]
