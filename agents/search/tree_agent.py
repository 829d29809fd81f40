"""The base of agents that search with trees, and keep a tree from one decision of a turn to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.quoting import shown
from bdgame_env.engine.rng import OwnGenerator

from ..base import Actions, Agent, Masks, Observations, check_range, check_whole
from .trees import Report, Trees

MOST_SIMULATIONS = 50_000
_SPROUTS = 16  # nodes reserved per simulation


@dataclass(frozen=True)
class _Known:
    """A tree to continue: OWN record (1,), its nodes, and the share of the old root's visits that its root has."""

    tree: npt.NDArray[Any]
    nodes: npt.NDArray[Any]
    share: float


def room_for(sims: float, actions: int) -> int:
    """The most nodes of a tree for a search with this many simulations."""
    return int(min(1_000_000, _SPROUTS * sims + actions))


def check_budget(name: str, sims: float, time: float, threads: int, fewest: int = 1) -> None:
    """Check that simulations, seconds and threads are in their ranges.

    Raises:
        UnknownAgent: one is not.
    """
    check_whole(name, "sims", sims, fewest, MOST_SIMULATIONS)
    check_range(name, "time", time, 0, 3600)
    check_whole(name, "threads", threads, 0, 1024)


class SearchAgent(Agent):
    """Searches every position with more than one legal action, and reuses the tree in the next decision of the turn.

    Trees are looked up by the observation, so a tree grown in one game is also reused in another game that looks the
    same.

    Args:
        forest: the trees.
        sims: visits of the root when it decides, those of a reused tree included.
        time: seconds of one core for a decision, instead of `sims`; a reused tree gets less, by its visits.

    Attributes:
        last: visits, values and priors of the rows with a choice in the last `act`; None if there were none.
    """

    needs_states = True
    games_at_once = 16

    def __init__(self, forest: Trees, sims: int, time: float) -> None:
        self._forest, self._sims, self._time = forest, int(sims), float(time)
        self._rng = OwnGenerator()
        self._known: dict[bytes, _Known] = {}
        self.last: Report | None = None

    def seed(self, seed: int) -> None:
        """Seed the agent's generator, and forget all trees."""
        self._rng.seed(seed)
        self._known = {}

    def act(self, observation: Observations, mask: Masks, states: npt.NDArray[Any] | None = None) -> Actions:
        """See `Agent.act`; sets `last`."""
        if states is None:
            raise ValueError(f"the agent {shown(self.name)} needs states")
        actions: Actions = mask.argmax(axis=1).astype(np.int32)
        rows = np.flatnonzero(mask.sum(axis=1) > 1)
        self.last = None
        self.preferences = np.zeros(mask.shape, np.float32)
        self.preferences[np.arange(len(mask)), actions] = 1.0
        self.values = np.full(mask.shape, np.nan, np.float32)
        if len(rows):
            actions[rows], self.last = self._searched(observation[rows], mask[rows], states[rows])
            self.preferences[rows] = self.last.policies
            self.values[rows] = np.where(self.last.visits > 0, self.last.values, np.nan)
        else:
            self._known = {}
        return actions

    def _searched(self, observation: Observations, mask: Masks, states: npt.NDArray[Any]) -> tuple[Actions, Report]:
        forest = self._forest
        forest.init_roots(self._rng().integers(0, 2**64, len(states), np.uint64))
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
        report = forest.report(states, mask)
        self._remember(states.copy(), report.chosen)
        return report.chosen, report

    def _remember(self, states: npt.NDArray[Any], chosen: Actions) -> None:
        """Keep the trees of seats that decide again, by what they will see if no hidden information turns up."""
        again, seen = self._forest.look_ahead(states, chosen)
        before = self._forest.visits()
        self._known = {}
        for row in map(int, np.flatnonzero(again)):
            tree, nodes = self._forest.subtree(row, int(chosen[row]))
            share = float(nodes["visits"][0] / max(1, before[row]))
            self._known[seen[row].tobytes()] = _Known(tree, nodes, share)
