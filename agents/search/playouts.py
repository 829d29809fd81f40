"""Playouts and their evaluation: settings, and the kernels on which every search is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.layout import record
from bdgame_env.engine.loop_builder import built_once, instantiate, rules_of
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import run_between

from . import playout_loops

OWN = record(  # one position's share of a search
    [
        ("deals", np.uint64),  # the stream of the seeds for determinizations
        ("rng", np.uint64),
        ("played", np.int64),  # decisions in all playouts
        ("outcome", np.float32, MAX_SEATS),
        ("points", np.float32, MAX_SEATS),
        ("used", np.int32),  # nodes of its tree
        ("ranks", np.int8, MAX_SEATS),
    ]
)
STOP = ("stop", np.int64)  # in the settings of a search: 1 to end it at once, with whatever it has found
PLAYOUT_FIELDS: list[tuple[Any, ...]] = [
    ("value_scale", np.float64),
    ("margin", np.float64),
    STOP,
    ("playout", np.int32),
    ("player", np.int16),
    ("judge", np.int16),
]
PLAYOUT_KERNELS = (
    "finish_turn",
    "playout",
    "advice",
    "narrow",
    "outcome",
)  # what other search templates call of `playout_loops`


@dataclass(frozen=True)
class PlayoutSettings:
    """How positions are played out and judged.

    Attributes:
        player: number of the compiled policy that plays; 0 is random.
        playout: number of its decisions, after which it only finishes the turn.
        judge: judge an unfinished playout by the compiled players' `evaluate`, if they have one, instead of `progress`.
        value_scale: factor of a lead before it is squashed into a value.
        margin: 0 to 1, weight of the lead at the end of a game; the rest is the reward for the rank.
    """

    player: int = 0
    playout: int = 1_000_000
    judge: bool = True
    value_scale: float = 2.0
    margin: float = 0.8

    def write(self, settings: npt.NDArray[Any], players: CompiledPlayers | None) -> None:
        """Set the fields of a settings record, shape (1,)."""
        for name in ("player", "playout", "value_scale", "margin"):
            settings[name] = getattr(self, name)
        settings["judge"] = self.judge and players is not None and players.evaluate is not None


def playout_length(rollout_depth: int, config: GameConfig, players: CompiledPlayers | None) -> int:
    """Decisions of a playout for an agent's setting: 0 means to the end of the game, -1 what the players declare."""
    if rollout_depth < 0:
        return players.horizon if players is not None else CompiledPlayers.horizon
    return rollout_depth or int(config.max_decisions)


@built_once
def playout_rules(game: Game, players: CompiledPlayers | None) -> dict[str, Any]:
    """What the search templates call: the game's rules, its compiled players, and the kernels of `playout_loops`."""
    rules = rules_of(game, players)
    playouts = instantiate(playout_loops, game, rules)
    return {**rules, **{name: getattr(playouts, name) for name in PLAYOUT_KERNELS}}


def work_space(game: Game, config: GameConfig, players: CompiledPlayers | None) -> tuple[npt.NDArray[Any], ...]:
    """Work space of one thread: scratch of the compiled players, a trial state, a mask."""
    scratch = np.zeros(1, players.scratch if players else OWN)
    return scratch, np.zeros(1, game.state), np.zeros((1, config.num_actions), np.int8)


def share_rows(
    loop: Callable[[int, int, int], None], work: npt.NDArray[Any], threads: int, settings: npt.NDArray[Any]
) -> None:
    """Call `loop(part, lo, hi)` for one range of rows per thread, dividing `work` (n,) about equally.

    The main thread waits for other threads even if one is enough, since it could not be interrupted in a long call.
    Once interrupted, it sets `stop` in the settings (shape (1,)) of the search, which all loops look at.
    """
    n = len(work)
    parts = min(threads, int((work > 0).sum()))
    settings["stop"] = 0
    if parts <= 1 and (JIT_DISABLED or current_thread() is not main_thread()):
        loop(0, 0, n)
        return
    parts = max(1, parts)
    total = np.cumsum(work, dtype=np.int64)
    wanted = total[-1] * np.arange(1, parts) / parts
    bounds = [0, *(np.searchsorted(total, wanted) + 1).tolist(), n]
    run_between(loop, bounds, lambda: settings.__setitem__("stop", 1))
