"""What a finished game is worth to searches by a network: a template, of which those make a copy for each game."""

# ruff: noqa: F821  the names of the rules are filled in for each game
# mypy: disable-error-code="name-defined,no-untyped-def,no-untyped-call"
from __future__ import annotations

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.rewards import RANK, rank_reward, utility


@kernel
def final_outcome(s, config, settings, own):
    """Write `own.outcome`, every seat's utility, -1 to 1, as networks learn it; `own.ranks` and `own.points` too."""
    players = int(config.players)
    ranks(s, config, own.ranks)
    for seat in range(players):
        own.points[seat] = points(s, config, seat)
    for seat in range(players):
        value = utility(rank_reward(own.ranks, players, seat, RANK), own.points, players, seat, settings.margin)
        if s.truncated != 0:
            value -= settings.truncation
        own.outcome[seat] = min(1.0, max(-1.0, value))
