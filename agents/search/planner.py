"""Comparing plans for a turn, for many games at once; the loops are in `plan_loops`."""

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
from bdgame_env.engine.struct import Struct, plain
from bdgame_env.engine.threads import usable_threads

from ..networks import Policy
from . import plan_loops
from .network_playouts import network_playout_seams, network_space
from .playouts import Own, PlayoutRecord, PlayoutSettings, playout_seams, share_rows, work_space
from .work_space import WorkSpace


class Arm(Struct):
    """An action, and a policy for the rest of the turn.

    Attributes:
        total: sum of outcomes.
        gain: sum of the differences from the default arm. squares: of their squares.
        deals: determinizations tried.
        alive: 1 until it is dropped.
    """

    total: float = plain(np.float64)
    gain: float = plain(np.float64)
    squares: float = plain(np.float64)
    deals: int = plain(np.int32)
    action: int = plain(np.int32)
    policy: int = plain(np.int16)
    alive: int = plain(np.int16)


class PlanRecord(PlayoutRecord):
    """`PlanSettings` for compiled code."""

    z_score: float = plain(np.float64)
    truncation: float = plain(np.float64)
    least_prior: float = plain(np.float64)
    deals: int = plain(np.int32)
    most_deals: int = plain(np.int32)
    deviate: int = plain(np.int32)
    considered: int = plain(np.int32)


_MOST_ARMS = 512
_FIRST_LOOK = 64  # playouts that tell how long one takes


@dataclass(frozen=True)
class PlanSettings:
    """How plans are compared.

    Attributes:
        playouts: how play goes on after the turn, and how its end is judged.
        deals: determinizations for every plan in the first stage; each further stage has as many as all before it.
        most_deals: the comparison ends after this many.
        z_score: standard errors by which a plan must beat the default policy.
        deviate: also try every legal action that no plan proposes.
        considered, least_prior: with a network, try at most so many of them, and none that is less probable in
            proportion to the most probable one.
        truncation: with a network, what it takes off all utilities, as in training.
    """

    playouts: PlayoutSettings = field(default_factory=PlayoutSettings)
    deals: int = 4
    most_deals: int = 16
    z_score: float = 1.0
    deviate: bool = False
    considered: int = 8
    least_prior: float = 0.01
    truncation: float = 0.3


@built_once
def plan_loops_of(game: Game, players: CompiledPlayers | None, *, by_network: bool = False) -> ModuleType:
    """The game's own copy of `plan_loops`, with its compiled players."""
    seams = network_playout_seams(game, players) if by_network else playout_seams(game, players)
    return instantiate(plan_loops, game, seams)


@dataclass(frozen=True)
class Decisions:
    """What the planner decided in n positions.

    Attributes:
        actions: int32 (n,).
        values: float32 (n,), their mean outcomes, -1 to 1; 0 if there was only one arm.
        gains: float32 (n, actions), by how much each action beat the default policy; -inf if not tried.
        playouts: int64 (n,), how many it took to decide.
    """

    actions: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    gains: npt.NDArray[np.float32]
    playouts: npt.NDArray[np.int64]


def _work_of(
    game: Game, config: GameConfig, players: CompiledPlayers | None, policy: Policy | None
) -> tuple[npt.NDArray[Any], tuple[Any, ...]]:
    scratch, trials, masks = work_space(game, config, players)
    space = scratch if policy is None else network_space(game, policy, scratch)
    return np.zeros(_MOST_ARMS, Arm.dtype), (space, trials, masks)


class Planner(WorkSpace):
    """Decides in many positions at once by playing out the plans of the game's compiled players.

    Everybody plays on by one of these players, or by a network, which then judges positions too.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        players: the game's compiled players.
        settings: how to compare.
        policy: the network, if it is to play; `players` may be None then.
        threads: None for one per core.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        players: CompiledPlayers | None,
        settings: PlanSettings,
        *,
        policy: Policy | None = None,
        threads: int | None = None,
    ) -> None:
        self._config, self._plans = config, np.array(players.plans if players else (), np.int16)
        self._settings = np.zeros(1, PlanRecord.dtype)
        settings.playouts.write(self._settings, players)
        for name in ("z_score", "truncation", "least_prior", "deals", "most_deals", "deviate", "considered"):
            self._settings[name] = getattr(settings, name)
        self._set_up_work(
            partial(plan_loops_of, game, players, by_network=policy is not None),
            partial(_work_of, game, config, players, policy),
            usable_threads(threads),
        )
        self._seconds_each = 0.0  # of one core for a playout, at the last look

    def decide_within(
        self, states: npt.NDArray[Any], seeds: npt.NDArray[np.uint64], seconds: float, most: int
    ) -> Decisions:
        """Like `decide`, with about as many playouts for each position, `most` of them, as take so long on one core."""
        if not self._seconds_each:
            looked = self._timed(states, seeds, _FIRST_LOOK)
            if not self._seconds_each:  # nobody has a choice
                return looked
        return self._timed(states, seeds, min(most, int(seconds / self._seconds_each)))

    def _timed(self, states: npt.NDArray[Any], seeds: npt.NDArray[np.uint64], sims: int) -> Decisions:
        begun = time.perf_counter()
        decided = self.decide(states, seeds, max(1, sims))
        searched = decided.playouts > 0
        if searched.any():
            spent = (time.perf_counter() - begun) * min(self.threads, int(searched.sum()))
            self._seconds_each = spent / float(decided.playouts.sum())
        return decided

    def decide(self, states: npt.NDArray[Any], seeds: npt.NDArray[np.uint64], sims: int = 0) -> Decisions:
        """Compare the plans in many positions.

        Args:
            states: the positions, records (n,); what the seat to decide cannot see has no effect.
            seeds: of the determinizations, uint64 (n,).
            sims: about how many playouts to spend on each position, instead of the deals in the settings; 0 for those.
        """
        n = len(states)
        own = np.zeros(n, Own.dtype)
        own["deals"] = own["rng"] = seeds
        actions, values = np.zeros(n, np.int32), np.zeros(n, np.float32)
        gains = np.zeros((n, self._config.num_actions), np.float32)
        wanted, played = np.full(n, sims, np.int64), np.zeros(n, np.int64)

        def part(number: int, lo: int, hi: int) -> None:
            arms, work = self._work[number]
            self._loops.decide_games(
                *(states, self._config.record, own, self._settings, self._plans, wanted),
                *(arms, actions, values, gains, played, *work, lo, hi),
            )

        share_rows(part, np.ones(n, np.int64), self.threads, self._settings)
        return Decisions(actions, values, gains, played)
