"""Uniform random legal play, for every game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.forks import Origin
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.rng import game_seed

from .base import Actions, Agent, Masks, Observations


class RandomAgent(Agent):
    """Each legal action is equally likely."""

    name = "random"

    def __init__(self, game: Game, config: GameConfig) -> None:
        del config
        self._game = game
        self._begin(None)

    def seed(self, seed: int) -> None:
        """Seed the agent's random generator."""
        self._begin(seed)

    def _begin(self, seed: int | None) -> None:
        self._origin, self._seed = Origin(seed), game_seed(seed)
        self._rng = np.zeros(0, AGENT_RNG)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        n = len(mask)
        if self._origin.is_parents():
            self._begin(None)
        if len(self._rng) < n:
            fresh = np.zeros(n, AGENT_RNG)
            fresh["rng"] = np.random.SeedSequence(self._seed).generate_state(n, np.uint64)
            fresh[: len(self._rng)] = self._rng
            self._rng = fresh
        actions = np.zeros(n, np.int32)
        loops_of(self._game).random_actions(np.ascontiguousarray(mask, np.int8), self._rng, actions, 0, n)
        return actions
