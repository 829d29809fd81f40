"""The greedy player of a game that has one: compiled, so that it can be asked for many games at once."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.core.drivers import LUCK
from bdgame_env.core.game import Box, Game
from bdgame_env.core.learner import CompiledPlayers, learner_drivers

from .base import Actions, Agent, Masks, Observations, UnknownAgent


def compiled_players(game: Game) -> CompiledPlayers | None:
    """The compiled players that know this game, or None."""
    name = f"{__package__}.heuristics.{game.name}"
    try:
        players: CompiledPlayers = import_module(name).PLAYERS
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    return players


class GreedyAgent(Agent):
    """Looks one turn ahead with the game's own compiled player.

    Raises:
        UnknownAgent: the game has none.
    """

    name = "greedy"
    needs_states = True

    def __init__(self, game: Game, box: Box) -> None:
        players = compiled_players(game)
        if players is None or "greedy" not in players.names:
            raise UnknownAgent(f"agent 'greedy': {game.id} has no greedy player")
        self._box = box
        self._policy = players.names.index("greedy") + 1
        self._drivers = learner_drivers(game, players)
        self._scratch = np.zeros(1, players.scratch)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        n = len(mask)
        if states is None:
            raise ValueError("the greedy agent needs states")
        actions = np.zeros(n, np.int32)
        policies = np.full(n, self._policy, np.int8)
        mask = np.ascontiguousarray(mask, np.int8)
        self._drivers.choose_games(
            *(states, self._box.record, policies, mask, np.zeros(n, LUCK), self._scratch, actions, 0, n)
        )
        return actions
