"""Comparing plans for a turn, for many games at once; the loops are in `plan_loops`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.layout import record
from bdgame_env.engine.loop_builder import instantiate
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import usable_threads

from . import plan_loops
from .playouts import OWN, PLAYOUT_FIELDS, PlayoutSettings, playout_rules, share_rows, work_space

ARM = record(
    [
        ("total", np.float64),  # sum of outcomes
        ("gain", np.float64),  # sum of the differences from the default arm
        ("squares", np.float64),  # sum of the squares of these differences
        ("deals", np.int32),  # determinizations tried
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
        playouts: how play goes on after the turn, and how its end is judged.
        deals: determinizations for every plan in the first stage; each further stage has as many as all before it.
        most_deals: the comparison ends after this many.
        z_score: standard errors by which a plan must beat the default policy.
        deviate: also try every legal action that no plan proposes.
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
    """What the planner decided in n positions.

    Attributes:
        actions: int32 (n,).
        values: float32 (n,), their mean outcomes, -1 to 1; 0 if there was only one arm.
        gains: float32 (n, actions), by how much each action beat the default policy; -inf if not tried.
    """

    actions: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    gains: npt.NDArray[np.float32]


class Planner:
    """Decides in many positions at once by playing out the plans of the game's compiled players.

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
        """Compare the plans in many positions.

        Args:
            states: the positions, records (n,); what the seat to decide cannot see has no effect.
            seeds: of the determinizations, uint64 (n,).
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
