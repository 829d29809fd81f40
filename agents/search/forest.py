"""Search trees whose leaves are judged by playouts, for many games at once; the loops are in `tree_loops`."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.struct import plain
from bdgame_env.engine.threads import usable_threads

from . import tree_loops
from .codes import MAX_N, NOBODY, PARANOID, PUCT, UCT
from .playouts import Own, PlayoutRecord, PlayoutSettings, playout_seams, share_rows, work_space
from .trees import LONGEST_WALK, Integers, Node, Report, Trees, tree_nodes_of


class TreeNode(Node):
    """A node of a tree whose leaves are judged by playouts.

    Attributes:
        prior: of its action.
        available: visits of its parent in which its action was legal.
        policy: the plan that proposed its action, or the playout policy.
    """

    prior: float = plain(np.float32)
    available: int = plain(np.int32)
    policy: int = plain(np.int16)


class TreeRecord(PlayoutRecord):
    """`SearchSettings` for compiled code: `formula` is UCT or PUCT, `others` MAX_N or PARANOID."""

    exploration: float = plain(np.float64)
    prior_weight: float = plain(np.float64)
    fpu_reduction: float = plain(np.float64)
    adviser: int = plain(np.int64)
    formula: int = plain(np.int32)
    others: int = plain(np.int32)


_CHUNK = 8  # simulations between two looks at the clock


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
        """Set the fields of a `TreeRecord`, shape (1,)."""
        self.playouts.write(settings, players)
        settings["formula"] = {"uct": UCT, "puct": PUCT}[self.formula]
        settings["others"] = PARANOID if self.paranoid else MAX_N
        settings["adviser"] = NOBODY if self.adviser is None else self.adviser
        for name in ("exploration", "prior_weight", "fpu_reduction"):
            settings[name] = getattr(self, name)


@built_once
def tree_loops_of(game: Game, players: CompiledPlayers | None) -> ModuleType:
    """The game's own copy of `tree_loops`, with its compiled players if it has any."""
    return instantiate(tree_loops, game, {**playout_seams(game, players), "tree_nodes": tree_nodes_of(game)})


def _work_of(
    game: Game, config: GameConfig, players: CompiledPlayers | None, longest: int
) -> tuple[npt.NDArray[Any], ...]:
    return *work_space(game, config, players), np.zeros(longest, np.int32)


class Forest(Trees):
    """Trees whose leaves are judged by playouts.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        players: the game's compiled players, if it has any.
        settings: how to search.
        room: most nodes of a tree. A full tree still runs simulations, but adds no nodes.
        threads: None for one per core.
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
        super().__init__(game, config, Own.dtype, TreeNode.dtype, room=room)
        self._plans = np.array(players.plans if players and settings.plans else (), np.int16)
        self._settings = np.zeros(1, TreeRecord.dtype)
        settings.write(self._settings, players)
        longest = min(self.room, LONGEST_WALK, config.max_decisions) + 1
        self._set_up_work(
            partial(tree_loops_of, game, players),
            partial(_work_of, game, config, players, longest),
            usable_threads(threads),
        )

    def grow(self, states: npt.NDArray[Any], counts: npt.ArrayLike) -> None:
        """See `Trees.grow`."""
        wanted = np.asarray(counts, np.int32)

        def part(number: int, lo: int, hi: int) -> None:
            self._loops.grow(
                *(states, self.config.record, self.trees, self.nodes, self._settings, self._plans, wanted),
                *(*self._work[number], lo, hi),
            )

        share_rows(part, wanted, self.threads, self._settings)

    def grow_for(self, states: npt.NDArray[Any], seconds: npt.ArrayLike, most: int) -> None:
        """See `Trees.grow_for`."""
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

    def report(self, seats: npt.NDArray[Any], masks: npt.NDArray[np.int8]) -> Report:
        """See `Trees.report`."""
        shape = (len(self), self.config.num_actions)
        report = Report(np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.float32))
        seats = np.asarray(seats, np.int8)
        self._loops.report(self.trees, self.nodes, seats, report.visits, report.values, report.priors, 0, len(self))
        legal = masks != 0
        visits = report.visits * legal
        visits += legal & (visits.sum(axis=1, keepdims=True) == 0)  # a full tree may lack all of them
        return Report(visits, report.values * legal, report.priors * legal)

    def _look_ahead(self, states: npt.NDArray[Any], actions: Integers, obs: npt.NDArray[Any]) -> None:
        self._loops.look_ahead(states, self.config.record, actions, obs, 0, len(states))
