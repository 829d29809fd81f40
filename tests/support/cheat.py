"""A player of the toy game that looks at hidden cards, to show that such players are found."""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import AGENT_RNG, CompiledPlayers
from tests.support import toy_game as toy


@kernel
def _looks(policy: Any, s: Any, config: Any, mask: Any, rng: Any, scratch: Any) -> Any:
    """Draw if the card on top, which nobody can see, is high."""
    if mask[toy.DRAW] == 0:
        return toy.KEEP
    return toy.DRAW if s.deck[s.left - 1] >= 3 else toy.ROLL


CHEAT = CompiledPlayers(__name__, ("cheat",), _looks, AGENT_RNG, plans=(1,))
