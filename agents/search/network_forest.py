"""Search trees that a policy and value network guides, for many games at once; the loops are in `gumbel_loops`."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate, seams_of
from bdgame_env.engine.struct import plain
from bdgame_env.engine.threads import usable_threads

from ..networks import Policy
from . import gumbel_loops
from .network_playouts import network_seams
from .playouts import Own, Stoppable, share_rows
from .trees import LONGEST_WALK, Figures, Integers, Node, Report, Trees, tree_nodes_of


class NetworkTree(Own):
    """A tree that a network guides; `low` and `high` are the range of all outcomes."""

    low: float = plain(np.float32)
    high: float = plain(np.float32)


class NetworkNode(Node):
    """A node of a tree that a network guides.

    Attributes:
        key: a hash of the observation that its children's logits belong to.
        guess: the network's values by seat.
        prior: the network's logit, divided by the temperature.
        gumbel: noise.
        alive: whether the root still considers it.
    """

    key: int = plain(np.uint64)
    guess: Floats = plain(np.float32, MAX_SEATS)
    prior: float = plain(np.float32)
    gumbel: float = plain(np.float32)
    alive: int = plain(np.int16)


class GumbelRecord(Stoppable):
    """`GumbelSettings` for compiled code."""

    temperature: float = plain(np.float64)
    value_scale: float = plain(np.float64)
    visit_offset: float = plain(np.float64)
    doubt: float = plain(np.float64)
    noise: float = plain(np.float64)
    truncation: float = plain(np.float64)
    most_considered: int = plain(np.int32)
    least_visits: int = plain(np.int32)
    rollout_turns: int = plain(np.int32)


_FIRST_LOOK = 16  # simulations that tell how long one takes


@dataclass(frozen=True)
class GumbelSettings:
    """How to search.

    Attributes:
        temperature: divides the network's logits; above 1 makes the priors more alike.
        value_scale, visit_offset: the range of all values seen is worth `value_scale` * (`visit_offset` + visits of the
            most visited action) nats of logit.
        doubt: the value of an action is drawn towards that of its siblings, as if so many more visits had shown it.
        noise: factor of the Gumbel noise at the root: 0 for the strongest play, 1 for samples of the policy.
        most_considered: most actions that the root compares; a small budget compares fewer.
        least_visits: simulations of the budget for each of them.
        rollout_turns: turns that a simulation plays on by the network alone, the present one included, before it is
            judged; 0 to judge where it leaves the tree.
        margin, truncation: as in training, see `TrainConfig`.
    """

    temperature: float = 1.0
    value_scale: float = 1.0
    visit_offset: float = 50.0
    doubt: float = 8.0
    noise: float = 0.0
    most_considered: int = 16
    least_visits: int = 4
    rollout_turns: int = 0
    margin: float = 0.3
    truncation: float = 0.3

    def write(self, settings: npt.NDArray[Any]) -> None:
        """Set the fields of a `GumbelRecord`, shape (1,)."""
        for field in fields(self):
            settings[field.name] = getattr(self, field.name)


@dataclass(frozen=True)
class NetworkReport(Report):
    """Statistics of the actions at the roots, see `Report`.

    Attributes:
        policies: float32 (n, actions), the network's policies, improved by what the search found.
        chosen: int32 (n,), the best actions.
    """

    policies: Figures
    chosen: Integers

    def best(self) -> Integers:
        """The best action of each row, int32 (n,)."""
        return self.chosen

    def preferences(self) -> Figures:
        """The improved policies."""
        return self.policies


@built_once
def gumbel_loops_of(game: Game) -> ModuleType:
    """The game's own copy of `gumbel_loops`."""
    seams = {**seams_of(game), **network_seams(game), "tree_nodes": tree_nodes_of(game)}
    return instantiate(gumbel_loops, game, seams)


class NetworkForest(Trees):
    """Trees that a network guides.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        settings: how to search.
        policy: the network; may be replaced later.
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.
        threads: None for one per core.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        settings: GumbelSettings,
        policy: Policy,
        *,
        room: int,
        threads: int | None = None,
    ) -> None:
        super().__init__(game, config, NetworkTree.dtype, NetworkNode.dtype, room=room)
        self.policy = policy
        self._settings = np.zeros(1, GumbelRecord.dtype)
        settings.write(self._settings)
        work = partial(search_work, game, config, min(self.room, LONGEST_WALK))
        self._set_up_work(partial(gumbel_loops_of, game), work, usable_threads(threads))
        self._seconds_each = 0.0  # of one core for a simulation, at the last look

    def init_roots(self, seeds: npt.NDArray[np.uint64]) -> None:
        """See `Trees.init_roots`."""
        super().init_roots(seeds)
        self.trees["low"], self.trees["high"] = 1.0, -1.0

    def grow(self, states: npt.NDArray[Any], counts: npt.ArrayLike) -> None:
        """See `Trees.grow`; the budget is divided among the actions by sequential halving."""
        wanted = np.asarray(counts, np.int32)

        def part(number: int, lo: int, hi: int) -> None:
            self._loops.grow(
                *(states, self.config.record, self.trees, self.nodes, self._settings, self.policy.network),
                *(self.policy.plan, wanted, self._work[number], lo, hi),
            )

        share_rows(part, wanted, self.threads, self._settings)

    def grow_for(self, states: npt.NDArray[Any], seconds: npt.ArrayLike, most: int) -> None:
        """See `Trees.grow_for`.

        One halving takes most of the time that is left; how long a simulation takes is measured again after each.
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

    def report(self, seats: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> NetworkReport:
        """See `Trees.report`."""
        shape = (len(self), self.config.num_actions)
        report = NetworkReport(
            visits=np.zeros(shape, np.int32),
            values=np.zeros(shape, np.float32),
            priors=np.zeros(shape, np.float32),
            policies=np.zeros(shape, np.float32),
            chosen=np.zeros(len(self), np.int32),
        )
        self._loops.report(
            *(self.trees, self.nodes, self._settings, np.ascontiguousarray(masks, np.int8), np.asarray(seats, np.int8)),
            *(report.visits, report.values, report.priors, report.policies, report.chosen, 0, len(self)),
        )
        return report

    def _look_ahead(self, states: npt.NDArray[Any], actions: Integers, obs: npt.NDArray[Any]) -> None:
        mask = self._work[0][4]
        self._loops.look_ahead(states, self.config.record, actions, obs, mask, 0, len(states))


def search_work(game: Game, config: GameConfig, longest_walk: int) -> tuple[npt.NDArray[Any], ...]:
    """Work space of one thread, see `gumbel_loops`."""
    size = game.obs.itemsize
    memory = np.zeros(-(-size // 8), np.uint64)
    seen = memory.view(np.int8)[:size]
    path = np.zeros(min(longest_walk, config.max_decisions) + 1, np.int32)
    return np.zeros(1, game.state), seen.view(game.obs), seen, memory, np.zeros(config.num_actions, np.int8), path
