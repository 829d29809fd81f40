"""Comparing plans for a turn, for many games at once; the loops are in `plan_loops`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import usable_threads

from ..networks import Policy
from . import plan_loops
from .guides import guide_seams, network_space, player_space
from .playouts import PlayoutSettings, share_rows
from .search_records import Arm, NetworkSpace, Own, PlayerSpace
from .work_space import WorkSpace

_MOST_ARMS = 512
_FIRST_LOOK = 64  # playouts that tell how long one takes


@dataclass(frozen=True, kw_only=True)
class PlanSettings(PlayoutSettings):
    """How plans are compared; see also `PlayoutSettings`.

    Attributes:
        deals: determinizations for every plan in the first stage; each further stage has as many as all before it.
        most_deals: the comparison ends after this many.
        z_score: standard errors by which a plan must beat the default policy.
        deviate: also try every legal action that no plan proposes.
        considered, least_prior: with a network, try at most so many of them, and none that is less probable in
            proportion to the most probable one.
        truncation: with a network, what it takes off all utilities, as in training.
    """

    deals: int = 4
    most_deals: int = 16
    z_score: float = 1.0
    deviate: bool = False
    considered: int = 8
    least_prior: float = 0.01
    truncation: float = 0.3


@built_once
def plan_loops_of(game: Game, players: CompiledPlayers | None, *, by_network: bool) -> ModuleType:
    """The game's own copy of `plan_loops`, with its compiled players."""
    return instantiate(plan_loops, game, guide_seams(game, players, by_network=by_network))


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


def _work_of(game: Game, config: GameConfig, players: CompiledPlayers | None, policy: Policy | None) -> tuple[Any, ...]:
    """Work space of one thread, see `Comparison`."""
    if policy is not None:
        space: PlayerSpace | NetworkSpace = network_space(game, config, policy, players)
    else:
        space = player_space(players, players.plans if players else ())
    return np.zeros(_MOST_ARMS, Arm.dtype), space, np.zeros(1, game.state), np.zeros(config.num_actions, np.int8)


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
        self._config, self._settings = config, settings.record_for(players)
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
            self._loops.decide_games(
                *(states, self._config.record, self._settings, own, wanted, actions, values, gains, played),
                *(*self._work[number], lo, hi),
            )

        share_rows(part, np.ones(n, np.int64), self.threads, self._settings)
        return Decisions(actions, values, gains, played)
