"""Search trees for many games, whatever guides them; the loops are in `tree_loops`."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.threads import usable_threads

from .playouts import share_rows
from .search_records import Node, Tree
from .work_space import WorkSpace

_LONGEST_WALK = 4096  # nodes of a path
_FIRST_LOOK = 16  # simulations that tell how long one takes

Integers = npt.NDArray[np.int32]
Figures = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Report:
    """Statistics of the legal actions at the roots; arrays of shape (n, actions).

    Attributes:
        visits: int32. values: float32, mean outcome for the seat to decide, -1 to 1. priors: float32.
        policies: float32, how strongly each action is preferred; rows add up to 1.
        chosen: int32 (n,), the best actions.
    """

    visits: Integers
    values: Figures
    priors: Figures
    policies: Figures
    chosen: Integers


class Trees(WorkSpace):
    """Search trees for many games.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        settings: how to search, a record (1,).
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.

    Attributes:
        trees: records (n,). nodes: records (n or more, room).
    """

    def __init__(self, game: Game, config: GameConfig, settings: npt.NDArray[Any], room: int) -> None:
        self.game, self.config, self._settings = game, config, settings
        self.room = max(room, config.num_actions + 1)
        self.trees: npt.NDArray[Any] = np.zeros(0, Tree.dtype)
        self.nodes: npt.NDArray[Any] = np.zeros((0, self.room), Node.dtype)
        self._spare = np.zeros(self.room, Node.dtype)
        self._seconds_each = 0.0  # of one core for a simulation, at the last look

    def _set_up_trees(self, loops: Callable[[], ModuleType], space: Callable[[], Any], threads: int | None) -> None:
        """Take the loops and what guides them in one thread, for as many threads, or one per core."""
        longest = min(self.room, _LONGEST_WALK, self.config.max_decisions) + 1
        work = partial(_work_of, self.game, self.config, space, longest)
        self._set_up_work(loops, work, usable_threads(threads))

    def __len__(self) -> int:
        return len(self.trees)

    def init_roots(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Start new trees, discarding all old ones.

        Args:
            seeds: of the trees' generators, uint64 (n,).
        """
        n = len(seeds)
        if len(self.nodes) < n:
            self.nodes = np.zeros((n, self.room), Node.dtype)
        self.trees = np.zeros(n, Tree.dtype)
        self.trees["rng"] = self.trees["deals"] = seeds
        self._loops.init_roots(self.trees, self.nodes, 0, n)

    def reuse_subtree(self, row: int, trees: npt.NDArray[Any], nodes: npt.NDArray[Any]) -> None:
        """Continue in tree `row` from what `subtree` returned, with the row's new generator."""
        self.trees["used"][row] = trees["used"][0]
        self.nodes[row, : len(nodes)] = nodes

    def subtree(self, row: int, action: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Cut tree `row` down to the subtree of an action, and return a copy: the tree (1,) and its nodes."""
        self._loops.keep(self.trees[row : row + 1], self.nodes[row : row + 1], action, self._spare)
        return self.trees[row : row + 1].copy(), self.nodes[row, : self.trees["used"][row]].copy()

    def visits(self) -> Integers:
        """Visits of each root, int32 (n,)."""
        visits: Integers = self.nodes["visits"][: len(self), 0].copy()
        return visits

    def grow(self, states: npt.NDArray[Any], counts: npt.ArrayLike) -> None:
        """Run simulations.

        Args:
            states: the positions to decide in, records (n,). They are determinized in every simulation, so what the
                seat to decide cannot see has no effect.
            counts: simulations for each tree, integers (n,).
        """
        wanted = np.asarray(counts, np.int32)

        def part(number: int, lo: int, hi: int) -> None:
            self._loops.grow(
                *(states, self.config.record, self._settings, self.trees, self.nodes, wanted),
                *(*self._work[number], lo, hi),
            )

        share_rows(part, wanted, self.threads, self._settings)

    def grow_for(self, states: npt.NDArray[Any], seconds: npt.ArrayLike, most: int) -> None:
        """Run simulations until each tree has used its seconds of one core or has run about `most` of them.

        A tree with any time at all gets at least a few simulations. They run in few and large parts, since a halving
        needs to know its budget; how long a simulation takes is measured again after each.
        """
        left = np.asarray(seconds, np.float64).copy()
        done = 0
        for _ in range(4):
            if self._seconds_each:
                counts = np.minimum(0.8 * left / self._seconds_each, most - done)
            else:
                counts = np.where(left > 0, _FIRST_LOOK, 0.0)
            counts = np.where(counts < _FIRST_LOOK, 0 if done else _FIRST_LOOK, counts) * (left > 0)
            if not counts.any():
                return
            begun = time.perf_counter()
            self.grow(states, counts)
            spent = (time.perf_counter() - begun) * min(self.threads, int((counts > 0).sum()))
            self._seconds_each = spent / float(counts.sum())
            left -= counts * self._seconds_each
            done += int(counts.max())

    def report(self, states: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> Report:
        """Statistics of the roots' legal actions, with values for the seats to decide.

        Args:
            states: the positions to decide in, records (n,).
            masks: int8 (n, actions), 1 for legal: a reused tree may hold other actions.
        """
        shape = (len(self), self.config.num_actions)
        visits, chosen = np.zeros(shape, np.int32), np.zeros(len(self), np.int32)
        values, priors, policies = (np.zeros(shape, np.float32) for _ in range(3))
        self._loops.report(
            *(states, self.config.record, self._settings, self.trees, self.nodes),
            *(np.ascontiguousarray(masks, np.int8), visits, values, priors, policies, chosen),
            *(*self._work[0], 0, len(self)),
        )
        return Report(visits, values, priors, policies, chosen)

    def look_ahead(
        self, states: npt.NDArray[Any], actions: Integers
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
        """Whether the same seat decides again after its action, bool (n,), and what it sees then, int8 (n, size).

        `states` are changed.
        """
        seen = np.zeros((len(states), self.game.obs.itemsize), np.int8)
        obs, mask = seen.view(self.game.obs)[:, 0], np.zeros(self.config.num_actions, np.int8)
        self._loops.look_ahead(states, self.config.record, np.asarray(actions, np.int32), obs, mask, 0, len(states))
        return states["over"] == 0, seen


def _work_of(game: Game, config: GameConfig, space: Callable[[], Any], longest: int) -> tuple[Any, tuple[Any, ...]]:
    """Work space of one thread, see `Search`."""
    mask, choices = np.zeros((2, config.num_actions), np.int8)
    scores = np.zeros(config.num_actions, np.float32)
    return space(), (np.zeros(1, game.state), mask, choices, np.zeros(longest, np.int32), scores)
