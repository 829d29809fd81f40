"""The compiled players of a game, as agents that answer for many games at once."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.learner import learner_loops_of
from bdgame_env.engine.players import AGENT_RNG, CompiledPlayers
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.threads import run_ranges, usable_threads

from ..base import Actions, Agent, Masks, Observations, UnknownAgent

HEURISTIC = "heuristic"  # an alias of the first of a game's compiled players


def compiled_players(game: Game) -> CompiledPlayers | None:
    """The compiled players that know this game, or None."""
    name = f"{__package__}.{game.name}"
    try:
        players: CompiledPlayers = import_module(name).PLAYERS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    return players


def compiled_names(players: CompiledPlayers | None) -> tuple[str, ...]:
    """The names of the compiled policies by number: "random" is 0, then the game's players."""
    return ("random", *(players.names if players else ()))


def compiled_policy(players: CompiledPlayers | None, name: str) -> int | None:
    """The number of a policy; "heuristic" means the game's first player. None if the game has no such policy."""
    names = compiled_names(players)
    if name in names:
        return names.index(name)
    return 1 if name == HEURISTIC and players else None


class CompiledAgent(Agent):
    """One of the game's compiled players.

    Raises:
        UnknownAgent: the game has no player of that name.
    """

    needs_states = True
    player = ""

    def __init__(self, game: Game, config: GameConfig) -> None:
        players = compiled_players(game)
        policy = compiled_policy(players, self.player)
        if players is None or policy is None:
            raise UnknownAgent(f"agent {shown(self.player)}: {game.id} has no such player")
        self.name = self.player
        self._game, self._players, self._config = game, players, config
        self._policy = policy
        self._threads = usable_threads(None)
        self._scratch = [np.zeros(1, players.scratch) for _ in range(self._threads)]

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        n = len(mask)
        if states is None:
            raise ValueError(f"the agent {shown(self.name)} needs states")
        actions = np.zeros(n, np.int32)
        policies = np.full(n, self._policy, np.int8)
        mask = np.ascontiguousarray(mask, np.int8)
        choose = learner_loops_of(self._game, self._players).choose_games
        rng = np.zeros(n, AGENT_RNG)

        def part(number: int, lo: int, hi: int) -> None:
            scratch = self._scratch[number]
            choose(states, self._config.record, policies, mask, rng, scratch, actions, lo, hi)

        run_ranges(part, n, self._threads)
        return actions


class HeuristicAgent(CompiledAgent):
    """The game's default player: the first of its compiled ones."""

    player = HEURISTIC


class GreedyAgent(CompiledAgent):
    """Maximizes the value of each turn, and adds Devices that pay off."""

    player = "greedy"


class ThriftyAgent(CompiledAgent):
    """Like `GreedyAgent`, but adds a Device only when those it has are of no use."""

    player = "thrifty"


class EngineerAgent(CompiledAgent):
    """Maximizes the value of each turn, and builds machines of several special parts."""

    player = "engineer"


COMPILED = tuple(agent.player for agent in (HeuristicAgent, GreedyAgent, ThriftyAgent, EngineerAgent))
