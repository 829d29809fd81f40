"""Search trees for many games, grown by compiled loops on all cores; the loops are in `tree_loops`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.layout import record
from bdgame_env.engine.loop_builder import instantiate
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import usable_threads

from . import tree_loops
from .playouts import OWN, PLAYOUT_FIELDS, PlayoutSettings, playout_rules, share_rows, work_space
from .tree_loops import MAX_N, NOBODY, PARANOID, PUCT, UCT

NODE = record(
    [
        ("value", np.float32, MAX_SEATS),  # sum of outcomes by seat
        ("prior", np.float32),
        ("visits", np.int32),
        ("available", np.int32),  # visits of its parent in which its action was legal
        ("child", np.int32),  # the first one, or -1
        ("next", np.int32),  # the next child of the same parent, or -1
        ("action", np.int16),
        ("policy", np.int16),  # the plan that proposed its action, or the playout policy
    ]
)
SETTINGS = record(
    [
        *PLAYOUT_FIELDS,
        ("exploration", np.float64),
        ("prior_weight", np.float64),
        ("fpu_reduction", np.float64),
        ("formula", np.int32),
        ("others", np.int32),
        ("adviser", np.int64),
        ("late", np.float64),  # networks only, but one dtype: Numba takes similar ones for each other
    ]
)
_LONGEST_WALK = 4096
_CHUNK = 8  # simulations between two looks at the clock

Integers = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class SearchSettings:
    """How to search.

    Attributes:
        playouts: how simulations go on from a leaf, and how their ends are judged.
        formula: "puct" or "uct".
        exploration: weight of the formula's second term.
        adviser: number of the compiled policy whose action gets the prior `prior_weight`, or None.
        prior_weight: 0 to 1.
        fpu_reduction: first-play urgency reduction: an untried action counts as this much worse than its parent (puct).
        plans: the plans of the compiled players propose actions.
        paranoid: the other seats minimise the decider's value, instead of maximising their own.
    """

    playouts: PlayoutSettings = field(default_factory=PlayoutSettings)
    formula: str = "puct"
    exploration: float = 0.3
    adviser: int | None = None
    prior_weight: float = 0.5
    fpu_reduction: float = 0.1
    plans: bool = True
    paranoid: bool = False

    def write(self, settings: npt.NDArray[Any], players: CompiledPlayers | None) -> None:
        """Set the fields of a SETTINGS record, shape (1,)."""
        self.playouts.write(settings, players)
        settings["formula"] = {"uct": UCT, "puct": PUCT}[self.formula]
        settings["others"] = PARANOID if self.paranoid else MAX_N
        settings["adviser"] = NOBODY if self.adviser is None else self.adviser
        for name in ("exploration", "prior_weight", "fpu_reduction"):
            settings[name] = getattr(self, name)


@dataclass(frozen=True)
class Report:
    """Statistics of the actions at the roots; arrays of shape (n, actions).

    Attributes:
        visits: int32. values: float32, mean outcome for the seat to decide, -1 to 1. priors: float32.
    """

    visits: Integers
    values: Floats
    priors: Floats

    def only(self, mask: npt.NDArray[np.int8]) -> Report:
        """The same with zeros for actions whose mask is 0."""
        legal = mask != 0
        return Report(self.visits * legal, self.values * legal, self.priors * legal)

    def best(self) -> Integers:
        """The most visited action of each row, int32 (n,); ties go to the better value."""
        most = self.visits == self.visits.max(axis=1, keepdims=True)
        chosen: Integers = np.where(most, self.values, -np.inf).argmax(axis=1).astype(np.int32)
        return chosen


@cache
def tree_loops_of(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The game's own copy of `tree_loops`, with its compiled players if it has any."""
    return instantiate(tree_loops, game, playout_rules(game, players))


class Forest:
    """Search trees for many games.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        players: the game's compiled players, if it has any.
        settings: how to search.
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.
        threads: None for one per core.

    Attributes:
        trees: OWN records. nodes: NODE records, shape (number of trees, room).
        longest_walk: most nodes of a path.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        players: CompiledPlayers | None,
        settings: SearchSettings,
        *,
        room: int,
        threads: int | None = None,
    ) -> None:
        self.game, self.config = game, config
        self.threads = usable_threads(threads)
        self.room = max(room, config.num_actions + 1)
        self.trees = np.zeros(0, OWN)
        self.nodes = np.zeros((0, self.room), NODE)
        self._plans = np.array(players.plans if players and settings.plans else (), np.int16)
        self._settings = np.zeros(1, SETTINGS)
        settings.write(self._settings, players)
        self._loops = tree_loops_of(game, players)
        self._spare = np.zeros(self.room, NODE)
        self.longest_walk = min(self.room, _LONGEST_WALK, config.max_decisions) + 1
        self._work = [
            (*work_space(game, config, players), np.zeros(self.longest_walk, np.int32)) for _ in range(self.threads)
        ]

    def __len__(self) -> int:
        return len(self.trees)

    def init_roots(self, seeds: npt.NDArray[np.uint64]) -> None:
        """Start new trees, discarding all old ones.

        Args:
            seeds: of the trees' generators, uint64 (n,).
        """
        n = len(seeds)
        if len(self.nodes) < n:
            self.nodes = np.zeros((n, self.room), NODE)
        self.trees = np.zeros(n, OWN)
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
                *(states, self.config.record, self.trees, self.nodes, self._settings, self._plans, wanted),
                *(*self._work[number], lo, hi),
            )

        share_rows(part, wanted, self.threads)

    def grow_for(self, states: npt.NDArray[Any], seconds: npt.ArrayLike, most: int) -> None:
        """Run simulations until each tree has used its seconds of one core or has run about `most` of them.

        A tree with any time at all gets at least one chunk of simulations.
        """
        left = np.asarray(seconds, np.float64).copy()
        done = np.zeros(len(self), np.int64)
        chunk = _CHUNK
        while True:
            wanted = np.where((left > 0) & (done < most), chunk, 0).astype(np.int32)
            if not wanted.any():
                return
            begun = time.perf_counter()
            self.grow(states, wanted)
            spent = time.perf_counter() - begun
            going = wanted > 0
            cores = min(self.threads, int(going.sum()))
            each = spent * cores / going.sum()
            left[going] -= each
            done += wanted
            quick = max(1e-9, each / chunk)
            soonest = left[left > 0].min() if (left > 0).any() else 0.0
            chunk = int(min(max(_CHUNK, soonest / quick / 2), 4096))

    def report(self, seats: npt.NDArray[Any]) -> Report:
        """Statistics of the roots' actions, with values for the seats `seats` (n,)."""
        shape = (len(self), self.config.num_actions)
        report = Report(np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.float32))
        seats = np.asarray(seats, np.int8)
        self._loops.report(self.trees, self.nodes, seats, report.visits, report.values, report.priors, 0, len(self))
        return report

    def look_ahead(
        self, states: npt.NDArray[Any], actions: Integers
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
        """Whether the same seat decides again after its action, bool (n,), and what it sees then, int8 (n, size).

        `states` are changed.
        """
        seen = np.zeros((len(states), self.game.obs.itemsize), np.int8)
        self._loops.look_ahead(
            states, self.config.record, np.asarray(actions, np.int32), seen.view(self.game.obs)[:, 0], 0, len(states)
        )
        return states["over"] == 0, seen
