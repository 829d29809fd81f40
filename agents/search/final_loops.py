"""What a finished game is worth to searches by a network: a template, of which those make a copy for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.rewards import RANK, rank_reward, utility

if TYPE_CHECKING:
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from .network_forest import GumbelRecord
    from .planner import PlanRecord
    from .playouts import Own


@kernel
def final_outcome(s: GameState, config: Settings, settings: GumbelRecord | PlanRecord, own: Own) -> None:
    """Write `own.outcome`, every seat's utility, -1 to 1, as networks learn it; `own.ranks` and `own.points` too."""
    players = int(config.players)
    rules.ranks(s, config, own.ranks)
    for seat in range(players):
        own.points[seat] = rules.points(s, config, seat)
    for seat in range(players):
        value = utility(rank_reward(own.ranks, players, seat, RANK), own.points, players, seat, settings.margin)
        if s.truncated != 0:
            value -= settings.truncation
        own.outcome[seat] = min(1.0, max(-1.0, value))
