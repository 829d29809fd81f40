"""A player of the toy game that breaks the rules: what is to find such players is tried on it."""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.jit import rule
from bdgame_env.engine.learner import CompiledPlayers
from bdgame_env.engine.loops import LUCK
from tests.support import toy_game as toy


@rule
def _looks(policy: Any, s: Any, box: Any, mask: Any, luck: Any, scratch: Any) -> Any:
    """It draws if the card on top, which nobody can see, is high."""
    if mask[toy.DRAW] == 0:
        return toy.KEEP
    return toy.DRAW if s.deck[s.left - 1] >= 3 else toy.ROLL


CHEAT = CompiledPlayers(__name__, ("cheat",), _looks, LUCK, plans=(1,))
