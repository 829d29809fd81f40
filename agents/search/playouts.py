"""How positions are played out and judged, and how searches are run in threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import GameConfig
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.layout import record
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.threads import run_between


@dataclass(frozen=True)
class Stoppable:
    """Settings of any search; in compiled code, where its kernels read them, a record with the same fields.

    Attributes:
        stop: ends a search at once, with whatever it has found.
    """

    stop: bool = False

    def record(self) -> npt.NDArray[Any]:
        """A record (1,) for compiled code."""
        types = {field.name: np.float64 if field.type == "float" else np.int64 for field in fields(self)}
        return np.array([tuple(asdict(self).values())], record(list(types.items())))


@dataclass(frozen=True, kw_only=True)
class PlayoutSettings(Stoppable):
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

    def record_for(self, players: CompiledPlayers | None) -> npt.NDArray[Any]:
        """A record (1,) for compiled code, which judges by `evaluate` only if these players have one."""
        made = self.record()
        made["judge"] &= players is not None and players.evaluate is not None
        return made


def playout_length(rollout_depth: int, config: GameConfig, players: CompiledPlayers | None) -> int:
    """Decisions of a playout for an agent's setting: 0 means to the end of the game, -1 what the players declare."""
    if rollout_depth < 0:
        return players.horizon if players is not None else CompiledPlayers.horizon
    return rollout_depth or int(config.max_decisions)


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
