"""Searches that improve the learner's policy, for it to learn from (expert iteration: Anthony et al. 2017)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import Network, size_of
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.engine.game import Game, GameConfig

from .config import TrainConfig
from .samples import Window

_TREES = 256  # side by side
_NODES_PER_SIMULATION = 32


class SearchTeacher:
    """Searches positions with the network that learns.

    Args:
        game: the declaration of the game.
        game_config: its cards and options.
        config: the settings of the run.
        plan: of the network that learns.
        threads: how many share the work.
    """

    def __init__(self, game: Game, game_config: GameConfig, config: TrainConfig, plan: Plan, threads: int) -> None:
        self._every, self._sims = config.search_every, config.search_sims
        settings = GumbelSettings(
            value_scale=config.search_scale,
            rollout_turns=config.search_turns,
            noise=1.0,  # so that it tries other actions each time
            margin=config.margin,
            truncation=config.truncation,
        )
        weights = np.zeros(size_of(plan, config.width, config.layers), np.float32)
        policy = Policy(plan, weights, config.width, config.layers, {"players": list(config.players)})
        room = _NODES_PER_SIMULATION * self._sims + game_config.num_actions
        self._forest = NetworkForest(game, game_config, settings, policy, room=room, threads=threads)

    def improve(
        self, window: Window, asked: npt.NDArray[np.void], network: Network, seeds: npt.NDArray[np.uint64]
    ) -> None:
        """Fill `window.improved` where `window.searched` is set.

        Args:
            window: the samples.
            asked: the states of those that are searched, sample k at k // search_every.
            network: to search with.
            seeds: of the searches' generators, that of sample k at k // search_every.
        """
        for part, weights in zip(self._forest.policy.network, network, strict=True):
            part[...] = weights
        samples = np.flatnonzero(window.searched)
        for first in range(0, len(samples), _TREES):
            some = samples[first : first + _TREES]
            states = asked[some // self._every]
            masks = np.zeros((len(some), self._forest.config.num_actions), np.int8)
            for row, sample in enumerate(some):
                masks[row, window.legal[sample, : window.legals[sample]]] = 1
            self._forest.init_roots(seeds[some // self._every])
            self._forest.grow(states, np.full(len(some), self._sims))
            policies = self._forest.report(states, masks).policies
            for row, sample in enumerate(some):
                count = window.legals[sample]
                window.improved[sample, :count] = policies[row, window.legal[sample, :count]]
