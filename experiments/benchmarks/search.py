"""The speed of the tree search on one core: simulations, and decisions in their playouts."""

from __future__ import annotations

import time

import numpy as np

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.search.forest import Forest, SearchSettings
from bdgame_env.agents.search.playouts import PlayoutSettings
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.players import CompiledPlayers

from .figures import Bench, Figure, Work

PLAYOUTS = "tree search, decisions in {player} playouts, 1 thread"
SIMULATIONS = "tree search, simulations with {player} playouts of 60 decisions, 1 thread"
_SIMS, _GAMES = 50, 4


def search_figures(bench: Bench) -> list[Figure]:
    """Simulations and playout decisions per second, from the start of games, with fresh trees each time."""
    players = compiled_players(bench.game)
    figures = []
    for number, player in enumerate(("random", *(players.names[:1] if players else ()))):
        simulations, decisions = _searches(bench, players, number)
        figures.append(bench.rate(SIMULATIONS.format(player=player), simulations))
        figures.append(bench.rate(PLAYOUTS.format(player=player), decisions))
    return figures


def _searches(bench: Bench, players: CompiledPlayers | None, number: int) -> tuple[Work, Work]:
    """The search with playouts by a compiled policy, measured in simulations and in decisions."""
    settings = SearchSettings(PlayoutSettings(player=number, playout=60), adviser=number or None)
    forest = Forest(bench.game, bench.config, players, settings, room=16 * _SIMS, threads=1)
    games = np.zeros(_GAMES, bench.game.state)
    deals = np.arange(1, _GAMES + 1, dtype=np.uint64)
    loops_of(bench.game).reset_games(games, bench.config.record, deals, 0, _GAMES)

    def search() -> float:
        forest.init_roots(deals)
        begun = time.perf_counter()
        forest.grow(games, np.full(_GAMES, _SIMS))
        return time.perf_counter() - begun

    def decisions() -> tuple[float, float]:
        spent = search()
        return float(forest.trees["played"].sum()), spent

    return lambda: (_GAMES * _SIMS, search()), decisions
