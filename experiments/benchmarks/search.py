"""The speed of the tree search on one core: simulations, and decisions in their playouts."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import fresh
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.agents.search.codes import NOBODY
from bdgame_env.agents.search.forest import Forest, SearchSettings
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.agents.search.tree_agent import room_for
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.players import CompiledPlayers

from .figures import Bench, Figure, Work

PLAYOUTS = "tree search, decisions in {player} playouts, 1 thread"
SIMULATIONS = "tree search, simulations with {player} playouts of 60 decisions, 1 thread"
BY_NETWORK = "tree search, simulations by a network of 2 x 128, 1 thread"
PLAYING_ON = "tree search, simulations by a network of 2 x 128, playing on for {turns} turns, 1 thread"
TURNS = 2
_SIMS, _GAMES = 50, 4
_NETWORK_SIMS, _WIDTH = 200, 128


def search_figures(bench: Bench) -> list[Figure]:
    """Simulations and playout decisions per second, from the start of games, with fresh trees each time."""
    players = compiled_players(bench.game)
    figures = []
    for number, player in enumerate(("random", *(players.names[:1] if players else ()))):
        simulations, decisions = _searches(bench, players, number)
        figures.append(bench.rate(SIMULATIONS.format(player=player), simulations))
        figures.append(bench.rate(PLAYOUTS.format(player=player), decisions))
    figures.append(bench.rate(BY_NETWORK, _network_search(bench, 0)))
    figures.append(bench.rate(PLAYING_ON.format(turns=TURNS), _network_search(bench, TURNS)))
    return figures


def _network_search(bench: Bench, turns: int) -> Work:
    """The search by a network with random weights, as `az` searches; simulations play on for so many turns."""
    plan = plan_network(bench.game, bench.config)
    policy = Policy(plan, fresh(plan, _WIDTH, 1, 0), _WIDTH, 1, {"players": [bench.config.players]})
    room = room_for(_NETWORK_SIMS, bench.config.num_actions)
    forest = NetworkForest(bench.game, bench.config, GumbelSettings(rollout_turns=turns), policy, room=room, threads=1)
    games, deals = _first_positions(bench)

    def search() -> tuple[float, float]:
        forest.init_roots(deals)
        begun = time.process_time()
        forest.grow(games, np.full(_GAMES, _NETWORK_SIMS))
        return _GAMES * _NETWORK_SIMS, time.process_time() - begun

    return search


def _first_positions(bench: Bench) -> tuple[npt.NDArray[np.void], npt.NDArray[np.uint64]]:
    """The states at the start of some games, and their deals."""
    games = np.zeros(_GAMES, bench.game.state)
    deals = np.arange(1, _GAMES + 1, dtype=np.uint64)
    loops_of(bench.game).reset_games(games, bench.config.record, deals, 0, _GAMES)
    return games, deals


def _searches(bench: Bench, players: CompiledPlayers | None, number: int) -> tuple[Work, Work]:
    """The search with playouts by a compiled policy, measured in simulations and in decisions."""
    settings = SearchSettings(player=number, playout=60, adviser=number or NOBODY)
    forest = Forest(bench.game, bench.config, players, settings, room=16 * _SIMS, threads=1)
    games, deals = _first_positions(bench)

    def search() -> float:
        forest.init_roots(deals)
        begun = time.process_time()
        forest.grow(games, np.full(_GAMES, _SIMS))
        return time.process_time() - begun

    def decisions() -> tuple[float, float]:
        spent = search()
        return float(forest.trees["played"].sum()), spent

    return lambda: (_GAMES * _SIMS, search()), decisions
