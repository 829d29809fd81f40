"""Searches that improve the learner's policy, for it to learn from (expert iteration: Anthony et al. 2017)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import Floats
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.engine.game import Game, GameConfig

from .samples import Window

_TREES = 256  # side by side
_NODES_PER_SIMULATION = 32


class SearchTeacher:
    """Searches positions with the network that learns.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        policy: a network of the learner's shape.
        sims: simulations of each search.
        settings: how to search; the root's Gumbel noise makes it try other actions each time.
        threads: how many share the work.
    """

    def __init__(
        self, game: Game, config: GameConfig, policy: Policy, sims: int, settings: GumbelSettings, threads: int
    ) -> None:
        room = _NODES_PER_SIMULATION * sims + config.num_actions
        self._forest = NetworkForest(game, config, settings, policy, room=room, threads=threads)
        self._sims = sims

    def improve(
        self, window: Window, asked: npt.NDArray[Any], every: int, weights: Floats, seeds: npt.NDArray[np.uint64]
    ) -> None:
        """Fill `window.improved` where `window.searched` is set.

        Args:
            window: the samples.
            asked: the states of those that are searched, sample k at k // every.
            every: see above.
            weights: of the network.
            seeds: of the searches' generators, that of sample k at k // every.
        """
        self._forest.policy.weights[:] = weights
        samples = np.flatnonzero(window.searched)
        for first in range(0, len(samples), _TREES):
            part = samples[first : first + _TREES]
            states = asked[part // every]
            masks = np.zeros((len(part), self._forest.config.num_actions), np.int8)
            for row, sample in enumerate(part):
                masks[row, window.legal[sample, : window.legals[sample]]] = 1
            self._forest.init_roots(seeds[part // every])
            self._forest.grow(states, np.full(len(part), self._sims))
            policies = self._forest.report(states["seat"], masks).policies
            for row, sample in enumerate(part):
                count = window.legals[sample]
                window.improved[sample, :count] = policies[row, window.legal[sample, :count]]
