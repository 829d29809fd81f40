"""Search trees whose leaves are judged by a policy and value network, for many games at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.loop_builder import instantiate
from bdgame_env.engine.players import CompiledPlayers

from ..networks import Policy
from . import leaf_loops
from .forest import SETTINGS, Floats, Forest, SearchSettings, tree_loops_of
from .playouts import playout_rules, share_rows

_SHARED = ("select_child", "add_child", "back_up")


@dataclass(frozen=True)
class LeafSettings:
    """How leaves are judged.

    Attributes:
        search: how to search. Its playouts begin where the turn of a leaf ends.
        temperature: divides the network's logits; above 1 the priors are more alike.
        late: prior of an action that was not legal at the node's first visit.
        noise: share of Dirichlet noise in the priors of a root, for varied games in training.
        concentration: total concentration of that noise.
    """

    search: SearchSettings = field(default_factory=SearchSettings)
    temperature: float = 1.0
    late: float = 0.01
    noise: float = 0.0
    concentration: float = 10.0


@cache
def _leaf_loops_of(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The game's own copy of `leaf_loops`, with its compiled players if it has any."""
    trees = tree_loops_of(game, players)
    names = {**playout_rules(game, players), **{name: getattr(trees, name) for name in _SHARED}}
    return instantiate(leaf_loops, game, names)


class NetworkForest(Forest):
    """Trees whose leaves a network judges.

    Each simulation asks the network twice, about all trees at once, so it is most efficient with many games.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        players: the game's compiled players, if it has any.
        settings: how to search and judge.
        policy: the network; may be replaced later.
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.
        threads: None for one per core.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        players: CompiledPlayers | None,
        settings: LeafSettings,
        policy: Policy,
        *,
        room: int,
        threads: int | None = None,
    ) -> None:
        super().__init__(game, config, players, settings.search, room=room, threads=threads)
        self.policy, self.settings = policy, settings
        self._leaf_loops = _leaf_loops_of(game, players)
        self._leaf_settings = np.zeros(1, SETTINGS)
        settings.search.write(self._leaf_settings, players)
        self._leaf_settings["late"] = settings.late
        self._noise = np.random.default_rng(0)
        self._reserve(0)

    def seed_noise(self, seed: int) -> None:
        """Seed the noise."""
        self._noise = np.random.default_rng(seed)

    def _reserve(self, n: int) -> None:
        """Work space for n trees."""
        self._leaves, self._ends = np.zeros(n, self.game.state), np.zeros(n, self.game.state)
        self._masks = np.zeros((n, self.config.num_actions), np.int8)
        self._seen = np.zeros((n, self.game.obs.itemsize), np.int8)
        self._paths = np.zeros((n, self.longest_walk), np.int32)
        self._depths = np.zeros(n, np.int32)

    def grow(self, states: npt.NDArray[Any], counts: npt.ArrayLike) -> None:
        """Run simulations; see `Forest.grow`."""
        left = np.asarray(counts, np.int32).copy()
        if len(self._leaves) < len(states):
            self._reserve(len(states))
        while left.any():
            self._simulate(states, left)
            left = np.maximum(left - 1, 0)

    def _simulate(self, states: npt.NDArray[Any], wanted: npt.NDArray[np.int32]) -> None:
        """One simulation in every tree with `wanted` above 0."""
        n, config = len(states), self.config.record
        fresh = (wanted > 0) & (self.nodes["child"][:n, 0] < 0)
        masks, paths, depths, seen = self._masks[:n], self._paths[:n], self._depths[:n], self._seen[:n]
        views = seen.view(self.game.obs)[:, 0]
        leaves, ends, settings, loops = self._leaves, self._ends, self._leaf_settings, self._leaf_loops

        def walk(number: int, lo: int, hi: int) -> None:
            loops.walk_games(
                *(states, config, self.trees, self.nodes, settings, leaves, masks, views, paths, depths, wanted, lo, hi)
            )

        def finish(number: int, lo: int, hi: int) -> None:
            scratch, _, playground, _ = self._work[number]
            loops.finish_games(
                *(states, config, leaves, self.trees, settings, ends, views, depths, scratch, playground, lo, hi)
            )

        share_rows(walk, wanted, self.threads)
        priors = self._priors(np.flatnonzero((wanted > 0) & (leaves["over"][:n] == 0)), n)
        loops.expand_games(leaves, self.trees, self.nodes, settings, masks, priors, paths, depths, 0, n)
        if self.settings.noise and fresh.any():
            self._add_root_noise(fresh, masks)
        share_rows(finish, wanted, self.threads)
        values = self._values(np.flatnonzero((wanted > 0) & (ends["over"][:n] == 0)), n)
        scratch = self._work[0][0]
        loops.settle_games(config, self.trees, self.nodes, settings, ends, values, paths, depths, scratch, 0, n)

    def _priors(self, rows: npt.NDArray[np.intp], n: int) -> Floats:
        """Priors (n, actions) for the leaves of these rows."""
        priors = np.zeros((n, self.config.num_actions), np.float32)
        if len(rows):
            logits = self.policy.logits(self._seen[rows], self._masks[rows])
            priors[rows] = _softmax(logits / self.settings.temperature)
        return priors

    def _values(self, rows: npt.NDArray[np.intp], n: int) -> Floats:
        """Values (n, seats) for the ends of these rows, beginning with the seat to decide."""
        values = np.zeros((n, MAX_SEATS), np.float32)
        if len(rows):
            values[rows] = np.clip(self.policy.values(self._seen[rows]), -1.0, 1.0)  # the head is linear
        return values

    def _add_root_noise(self, fresh: npt.NDArray[np.bool_], masks: npt.NDArray[np.int8]) -> None:
        """Mix symmetric Dirichlet noise into the priors of roots that have just been expanded."""
        noise = np.zeros(masks.shape, np.float32)
        for row in np.flatnonzero(fresh):
            legal = np.flatnonzero(masks[row])
            noise[row, legal] = self._noise.dirichlet(np.full(len(legal), self.settings.concentration / len(legal)))
        rows = np.flatnonzero(fresh)
        nodes = self.nodes[rows]
        self._leaf_loops.add_root_noise(nodes, noise[rows], self.settings.noise, 0, len(rows))
        self.nodes[rows] = nodes


def _softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    raised /= raised.sum(axis=1, keepdims=True)
    return np.asarray(raised, np.float32)
