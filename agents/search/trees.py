"""Search trees for many games, whatever grows them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate
from bdgame_env.engine.struct import Struct, plain

from . import tree_nodes
from .work_space import WorkSpace

LONGEST_WALK = 4096  # nodes of a path

Integers = npt.NDArray[np.int32]
Figures = npt.NDArray[np.float32]


class Node(Struct):
    """What the nodes of all trees have.

    Attributes:
        value: sum of outcomes by seat.
        visits: how many there were.
        child: the first one, or NO_NODE. next: the next child of the same parent, or NO_NODE.
        action: that it stands for.
    """

    value: Floats = plain(np.float32, MAX_SEATS)
    visits: int = plain(np.int32)
    child: int = plain(np.int32)
    next: int = plain(np.int32)
    action: int = plain(np.int16)


@dataclass(frozen=True)
class Report:
    """Statistics of the actions at the roots; arrays of shape (n, actions).

    Attributes:
        visits: int32. values: float32, mean outcome for the seat to decide, -1 to 1. priors: float32.
    """

    visits: Integers
    values: Figures
    priors: Figures

    def best(self) -> Integers:
        """The most visited action of each row, int32 (n,); ties go to the better value."""
        most = self.visits == self.visits.max(axis=1, keepdims=True)
        chosen: Integers = np.where(most, self.values, -np.inf).argmax(axis=1).astype(np.int32)
        return chosen

    def preferences(self) -> Figures:
        """How strongly each action is preferred, float32 (n, actions); rows add up to 1."""
        return np.asarray(self.visits / self.visits.sum(axis=1, keepdims=True), np.float32)


@built_once
def tree_nodes_of(game: Game) -> ModuleType:
    """The game's own copy of `tree_nodes`."""
    return instantiate(tree_nodes, game, {})


class Trees(WorkSpace, ABC):
    """Search trees for many games.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        tree: dtype of a tree's record, see `playouts.Own`.
        node: dtype of a node's record, see `Node`.
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.

    Attributes:
        trees: records (n,). nodes: records (n or more, room).
    """

    def __init__(self, game: Game, config: GameConfig, tree: np.dtype[Any], node: np.dtype[Any], *, room: int) -> None:
        self.game, self.config = game, config
        self.room = max(room, config.num_actions + 1)
        self.trees: npt.NDArray[Any] = np.zeros(0, tree)
        self.nodes: npt.NDArray[Any] = np.zeros((0, self.room), node)
        self._spare = np.zeros(self.room, node)

    def __len__(self) -> int:
        return len(self.trees)

    def init_roots(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Start new trees, discarding all old ones.

        Args:
            seeds: of the trees' generators, uint64 (n,).
        """
        n = len(seeds)
        if len(self.nodes) < n:
            self.nodes = np.zeros((n, self.room), self.nodes.dtype)
        self.trees = np.zeros(n, self.trees.dtype)
        self.trees["rng"] = self.trees["deals"] = seeds
        tree_nodes_of(self.game).init_roots(self.trees, self.nodes, 0, n)

    def reuse_subtree(self, row: int, trees: npt.NDArray[Any], nodes: npt.NDArray[Any]) -> None:
        """Continue in tree `row` from what `subtree` returned, with the row's new generator."""
        self.trees["used"][row] = trees["used"][0]
        self.nodes[row, : len(nodes)] = nodes

    def subtree(self, row: int, action: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Cut tree `row` down to the subtree of an action, and return a copy: the tree (1,) and its nodes."""
        tree_nodes_of(self.game).keep(self.trees[row : row + 1], self.nodes[row : row + 1], action, self._spare)
        return self.trees[row : row + 1].copy(), self.nodes[row, : self.trees["used"][row]].copy()

    def visits(self) -> Integers:
        """Visits of each root, int32 (n,)."""
        visits: Integers = self.nodes["visits"][: len(self), 0].copy()
        return visits

    @abstractmethod
    def grow(self, states: npt.NDArray[Any], counts: npt.ArrayLike) -> None:
        """Run simulations.

        Args:
            states: the positions to decide in, records (n,). They are determinized in every simulation, so what the
                seat to decide cannot see has no effect.
            counts: simulations for each tree, integers (n,).
        """

    @abstractmethod
    def grow_for(self, states: npt.NDArray[Any], seconds: npt.ArrayLike, most: int) -> None:
        """Run simulations until each tree has used its seconds of one core or has run about `most` of them.

        A tree with any time at all gets at least a few simulations.
        """

    @abstractmethod
    def report(self, seats: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> Report:
        """Statistics of the roots' legal actions, with values for the seats `seats` (n,).

        Args:
            seats: integers (n,).
            masks: int8 (n, actions), 1 for legal: a reused tree may hold other actions.
        """

    def look_ahead(
        self, states: npt.NDArray[Any], actions: Integers
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
        """Whether the same seat decides again after its action, bool (n,), and what it sees then, int8 (n, size).

        `states` are changed.
        """
        seen = np.zeros((len(states), self.game.obs.itemsize), np.int8)
        self._look_ahead(states, np.asarray(actions, np.int32), seen.view(self.game.obs)[:, 0])
        return states["over"] == 0, seen

    @abstractmethod
    def _look_ahead(self, states: npt.NDArray[Any], actions: Integers, obs: npt.NDArray[Any]) -> None:
        """Change the states, set `over` where another seat decides, and write the observation records (n,)."""
