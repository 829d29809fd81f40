"""Choosing among ways to spend a turn, for many games at once; the loops are in `plan_loops`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.layout import record
from bdgame_env.engine.loops import instantiate
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import usable_threads

from . import plan_loops
from .playouts import OWN, PLAYOUT_FIELDS, PlayoutSettings, playout_rules, share_rows, work_space

ARM = record(
    [
        ("total", np.float64),  # sum of outcomes
        ("gain", np.float64),  # sum of what they are above those of the default arm
        ("squares", np.float64),  # sum of the squares of that
        ("deals", np.int32),  # how many it was tried with
        ("action", np.int32),
        ("policy", np.int16),
        ("alive", np.int16),
        ("spare", np.int32),
    ]
)
SETTINGS = record(
    [*PLAYOUT_FIELDS, ("z_score", np.float64), ("deals", np.int32), ("most_deals", np.int32), ("deviate", np.int64)]
)
_MOST_ARMS = 512


@dataclass(frozen=True)
class PlanSettings:
    """How plans are compared.

    Attributes:
        playouts: how they are played on after the turn, and judged.
        deals: deals that every plan gets in the first stage; each further stage has as many as all before.
        most_deals: the comparison ends when so many were given.
        z_score: standard errors that a plan must be better by than the default policy.
        deviate: try every single legal action as well.
    """

    playouts: PlayoutSettings = field(default_factory=PlayoutSettings)
    deals: int = 4
    most_deals: int = 16
    z_score: float = 1.0
    deviate: bool = False


@cache
def plan_loops_of(game: Game, players: CompiledPlayers) -> ModuleType:
    """The game's own copy of `plan_loops`, with its compiled players."""
    return instantiate(plan_loops, game, playout_rules(game, players))


@dataclass(frozen=True)
class Decisions:
    """What the planner decided at n positions.

    Attributes:
        actions: int32 (n,).
        values: float32 (n,), their mean outcomes, -1 to 1; 0 where there was nothing to compare.
        gains: float32 (n, actions), how much better than the default policy each action was; -inf if not tried.
    """

    actions: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    gains: npt.NDArray[np.float32]


class Planner:
    """Decides at many positions, each by playing out the plans that the game's compiled players offer.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        players: the game's compiled players.
        settings: how to compare.
        threads: None for one per core.
    """

    def __init__(
        self,
        game: Game,
        config: GameConfig,
        players: CompiledPlayers,
        settings: PlanSettings,
        *,
        threads: int | None = None,
    ) -> None:
        self._config, self._plans = config, np.array(players.plans, np.int16)
        self._threads = usable_threads(threads)
        self._loops = plan_loops_of(game, players)
        self._settings = np.zeros(1, SETTINGS)
        settings.playouts.write(self._settings, players)
        for name in ("z_score", "deals", "most_deals", "deviate"):
            self._settings[name] = getattr(settings, name)
        self._work = [(np.zeros(_MOST_ARMS, ARM), work_space(game, config, players)) for _ in range(self._threads)]

    def decide(self, states: npt.NDArray[Any], seeds: npt.NDArray[np.uint64]) -> Decisions:
        """Compare the plans at many positions.

        Args:
            states: the positions, records (n,). What the seat to decide cannot see there does not count.
            seeds: of the deals, uint64 (n,).
        """
        n = len(states)
        own = np.zeros(n, OWN)
        own["deals"] = own["rng"] = seeds
        actions, values = np.zeros(n, np.int32), np.zeros(n, np.float32)
        gains = np.zeros((n, self._config.num_actions), np.float32)

        def part(number: int, lo: int, hi: int) -> None:
            arms, work = self._work[number]
            self._loops.decide_games(
                *(states, self._config.record, own, self._settings, self._plans),
                *(arms, actions, values, gains, *work, lo, hi),
            )

        share_rows(part, np.ones(n, np.int64), self._threads)
        return Decisions(actions, values, gains)
