"""Uniform random legal play, for every game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Box, Game
from bdgame_env.engine.loops import LUCK
from bdgame_env.engine.rng import deal_number

from .base import Actions, Agent, Masks, Observations


class RandomAgent(Agent):
    """Each legal action is equally likely."""

    name = "random"

    def __init__(self, game: Game, box: Box) -> None:
        del box
        self._game = game
        self._luck = np.zeros(0, LUCK)
        self._seed = deal_number(None)

    def seed(self, seed: int) -> None:
        """Fix the agent's own luck."""
        self._seed = deal_number(seed)
        self._luck = np.zeros(0, LUCK)

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`."""
        n = len(mask)
        if len(self._luck) < n:
            fresh = np.zeros(n, LUCK)
            fresh["rng"] = np.random.SeedSequence(self._seed).generate_state(n, np.uint64)
            fresh[: len(self._luck)] = self._luck
            self._luck = fresh
        actions = np.zeros(n, np.int32)
        self._game.drivers.random_actions(np.ascontiguousarray(mask, np.int8), self._luck, actions, 0, n)
        return actions
