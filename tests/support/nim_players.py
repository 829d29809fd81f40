"""A perfect player of nim, as a compiled player, for the tests of teachers."""

from __future__ import annotations

from typing import Any

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import AGENT_RNG, CompiledPlayers
from tests.support.nim_game import MOST


@kernel
def choose(policy: Any, s: Any, config: Any, mask: Any, rng: Any, scratch: Any) -> Any:
    """Leave a multiple of 4, or take one stone where that is impossible."""
    return max(0, s.heap % (MOST + 1) - 1)


PLAYERS = CompiledPlayers(module=__name__, names=("perfect",), choose=choose, scratch=AGENT_RNG)
