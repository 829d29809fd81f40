"""What agents that search with trees have in common: one tree from decision to decision of a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.rng import game_seed

from ..base import Actions, Agent, Masks, Observations, check_range
from .forest import Forest, Report

MOST_SIMULATIONS = 50_000
_SPROUTS = 16  # nodes that there is room for, for each simulation


@dataclass(frozen=True)
class _Known:
    """A tree to go on with: TREE record (1,), its nodes, and its root's share of the visits of the root before."""

    tree: npt.NDArray[Any]
    nodes: npt.NDArray[Any]
    share: float


def room_for(sims: float, actions: int) -> int:
    """Nodes for each tree of a search with so many simulations."""
    return int(min(1_000_000, _SPROUTS * sims + actions))


def check_budget(name: str, sims: float, time: float, threads: int, fewest: int = 1) -> None:
    """See that simulations, seconds and threads are in their ranges.

    Raises:
        UnknownAgent: one is not.
    """
    check_range(name, "sims", sims, fewest, MOST_SIMULATIONS)
    check_range(name, "time", time, 0, 3600)
    check_range(name, "threads", threads, 0, 1024)


class SearchAgent(Agent):
    """Searches every decision that is one, and goes on with the same tree for the next decision of the same turn.

    The tree belongs to what the seat has seen: it is looked up by the observation, so a tree that was grown in one
    game goes on in whatever game shows the same.

    Args:
        forest: the trees.
        sims: simulations that the root of a decision has seen in the end, those of a tree that goes on included.
        time: seconds of one core for a decision, instead of `sims`; a tree that goes on gets less, by what it knows.

    Attributes:
        last: visits, values and priors of the rows of the last `act` that had a choice; None if none had.
    """

    needs_states = True
    games_at_once = 16

    def __init__(self, forest: Forest, sims: int, time: float) -> None:
        self._forest, self._sims, self._time = forest, int(sims), float(time)
        self._rng = np.random.default_rng(game_seed(None))
        self._known: dict[bytes, _Known] = {}
        self.last: Report | None = None

    def seed(self, seed: int) -> None:
        """Fix the agent's own randomness, and forget all trees."""
        self._rng = np.random.default_rng(seed)
        self._known = {}

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`. Afterwards `last` tells visits, values and priors of the rows that had a choice."""
        if states is None:
            raise ValueError(f"the agent {self.name!r} needs states")
        actions: Actions = mask.argmax(axis=1).astype(np.int32)
        rows = np.flatnonzero(mask.sum(axis=1) > 1)
        self.last = None
        self.preferences = np.zeros(mask.shape, np.float32)
        self.preferences[np.arange(len(mask)), actions] = 1.0
        if len(rows):
            actions[rows], self.last = self._searched(observation[rows], mask[rows], states[rows])
            self.preferences[rows] = self.last.visits / self.last.visits.sum(axis=1, keepdims=True)
        else:
            self._known = {}
        return actions

    def _searched(self, observation: Observations, mask: Masks, states: npt.NDArray[Any]) -> tuple[Actions, Report]:
        forest = self._forest
        forest.init_roots(self._rng.integers(0, 2**64, len(states), np.uint64))
        done = np.zeros(len(states))
        for row, seen in enumerate(observation):
            known = self._known.pop(seen.tobytes(), None)
            if known is not None:
                done[row] = known.share
                forest.reuse_subtree(row, known.tree, known.nodes)
        if self._time:
            forest.grow_for(states, self._time * (1.0 - done), MOST_SIMULATIONS)
        else:
            forest.grow(states, np.maximum(self._sims - forest.visits(), 1))
        report = forest.report(states["seat"]).only(mask)  # a tree that goes on may know actions of other deals
        chosen = report.best()
        self._remember(states.copy(), chosen)
        return chosen, report

    def _remember(self, states: npt.NDArray[Any], chosen: Actions) -> None:
        """Keep the trees of the seats that decide again, by what they will see if nothing unknown turns up."""
        again, seen = self._forest.look_ahead(states, chosen)
        before = self._forest.visits()
        self._known = {}
        for row in map(int, np.flatnonzero(again)):
            tree, nodes = self._forest.subtree(row, int(chosen[row]))
            share = float(nodes["visits"][0] / max(1, before[row]))
            self._known[seen[row].tobytes()] = _Known(tree, nodes, share)
