"""Playouts and their evaluation: settings, and the kernels on which every search is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.loop_builder import built_once, instantiate, seams_of
from bdgame_env.engine.players import CompiledPlayers
from bdgame_env.engine.struct import GameState, Settings, Struct, plain
from bdgame_env.engine.threads import run_between

from . import playout_loops


class Own(Struct):
    """One position's share of a search.

    Attributes:
        deals: the stream of the seeds for determinizations.
        rng: the search's generator.
        played: decisions in all playouts.
        outcome: of the present simulation, by seat. points, ranks: at its end.
        used: nodes of its tree.
    """

    deals: int = plain(np.uint64)
    rng: int = plain(np.uint64)
    played: int = plain(np.int64)
    outcome: Floats = plain(np.float32, MAX_SEATS)
    points: Floats = plain(np.float32, MAX_SEATS)
    used: int = plain(np.int32)
    ranks: Ints = plain(np.int8, MAX_SEATS)


class Stoppable(Struct):
    """Settings of any search.

    Attributes:
        margin: see the settings of each.
        stop: 1 to end it at once, with whatever it has found.
    """

    margin: float = plain(np.float64)
    stop: int = plain(np.int64)


class PlayoutRecord(Stoppable):
    """`PlayoutSettings` for compiled code; `judge` is 1 if there is one to judge by."""

    value_scale: float = plain(np.float64)
    playout: int = plain(np.int32)
    player: int = plain(np.int16)
    judge: int = plain(np.int16)


class Playouts(Protocol):
    """What searches call of `playout_loops`, or of `network_playout_loops`: `scratch` is the work space of each."""

    def playout(self, s: GameState, config: Settings, own: Own, settings: Any, scratch: Any, mask: Ints, /) -> None:
        """Play some decisions by the playout policy, and then until another seat is to decide."""

    def finish_turn(
        self, s: GameState, config: Settings, own: Own, policy: int, settings: Any, scratch: Any, mask: Ints, /
    ) -> None:
        """Let the seat to decide finish its turn by a plan, or by the playout policy where the plan has no opinion."""

    def advice(self, policy: int, s: GameState, config: Settings, mask: Ints, own: Own, scratch: Any, /) -> int:
        """The action of a policy, or NO_OPINION."""

    def narrow(self, s: GameState, config: Settings, mask: Ints, settings: Any, scratch: Any, /) -> None:
        """Leave in `mask` the legal actions that are worth a try."""

    def outcome(self, s: GameState, config: Settings, settings: Any, own: Own, scratch: Any, /) -> None:
        """Write `own.outcome`, the value of a position for every seat, -1 to 1."""


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
def playout_seams(game: Game, players: CompiledPlayers | None) -> dict[str, Any]:
    """The modules that search templates call: those of the game, and its copy of `playout_loops`."""
    seams = seams_of(game, players)
    return {**seams, "playouts": instantiate(playout_loops, game, seams)}


if TYPE_CHECKING:
    playouts: Playouts  # for templates, see `engine.seam`


def work_space(game: Game, config: GameConfig, players: CompiledPlayers | None) -> tuple[npt.NDArray[Any], ...]:
    """Work space of one thread: scratch of the compiled players, a trial state, a mask."""
    scratch = np.zeros(1, players.scratch if players else Own.dtype)
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
