"""Counts what each seat could take and took in games, replayed or played by compiled players. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.engine.designing import Design, design_of
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.loop_builder import built_once, instantiate, loops_of, seams_of
from bdgame_env.engine.players import AGENT_RNG
from bdgame_env.engine.seam import gathered
from bdgame_env.engine.threads import run_ranges, usable_threads

from ..arena.matches import GameResult
from ..errors import BadInput
from . import counting_loops
from .items import Items

_ROUND = "round_number"  # the field of the state that holds the round, from 1, in a game that has rounds
_LEAST = 4  # games of a thread

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Counted:
    """What happened in some games; a row for each.

    Attributes:
        available: decisions at which a seat could take an item, int32, shape (games, seats, items).
        taken: decisions at which it did, likewise.
        decisions: of each seat, int32, shape (games, seats).
        lead_changes: how often another seat than before became the only one with the most points, int32, (games,).
        rounds: in which the games ended, int32, (games,); None if the game's state has no field `round_number`.
        counts: what the game counts of itself (`designing.Statistics`), int32, shape (games, seats, counts).
        points, ranks: of each seat, int32, shape (games, seats).
        truncated: whether the round limit ended a game, bool, (games,).
    """

    available: Counts
    taken: Counts
    decisions: Counts
    lead_changes: Counts
    rounds: Counts | None
    counts: Counts
    points: Counts
    ranks: Counts
    truncated: npt.NDArray[np.bool_]


def count(game: Game, config: GameConfig, items: Items, results: Sequence[GameResult]) -> Counted:
    """Replay games.

    Raises:
        BadInput: a game does not end as its result says, because it was played with other code.
    """
    run = _Run(game, config, items, np.array([result.game_seed for result in results], np.uint64))
    played = [result.action_ids for result in results]
    starts = np.concatenate([[0], np.cumsum([len(ids) for ids in played])]).astype(np.int64)
    actions = np.array([action for ids in played for action in ids], np.int32)

    def replay(part: int, lo: int, hi: int) -> None:
        run.loops.replay_games(
            run.games, config.record, run.seeds, actions, starts, items.tables, run.counts, run.room(), lo, hi
        )

    run_ranges(replay, len(results), usable_threads(None), _LEAST)
    counted = run.counted()
    for row, result in enumerate(results):
        end = (*counted.points[row].tolist(), *counted.ranks[row].tolist())
        if not run.games["over"][row] or end != (*result.points, *result.ranks):
            raise BadInput(f"game {result.number} does not end as it was stored: it was played with other code")
    return counted


def play(
    game: Game,
    config: GameConfig,
    items: Items,
    seeds: npt.NDArray[np.uint64],
    policies: npt.NDArray[np.int8],
    *,
    exploring: bool = False,
) -> tuple[Counted, Counts]:
    """Play games by compiled players.

    Args:
        game: any game.
        config: its cards and options.
        items: of this game and config.
        seeds: the games' seeds, shape (n,).
        policies: the numbers of the players, int8, shape (n, MAX_SEATS).
        exploring: begin with positions of `Game.explore`.

    Returns:
        What happened, and what each seat began with (`designing.Holdings`), int32, shape (n, seats, entries); without
        `exploring` there are no entries.
    """
    run, compiled = _Run(game, config, items, seeds), compiled_players(game)
    holdings = design_of(game).holdings
    held = np.zeros((len(seeds), config.players, holdings.length if exploring and holdings else 0), np.int32)
    rng = np.zeros(len(seeds), AGENT_RNG)
    rng["rng"] = seeds ^ np.uint64(0x5DEECE66D)  # a stream apart from the game's own

    def some(part: int, lo: int, hi: int) -> None:
        scratch = np.zeros(1, compiled.scratch if compiled else AGENT_RNG)
        run.loops.play_games(
            *(run.games, config.record, seeds, policies, rng, held, items.tables, run.counts, run.room(), scratch),
            *(lo, hi),
        )

    run_ranges(some, len(seeds), usable_threads(None), _LEAST)
    return run.counted(), held


class _Run:
    """Games that are played from their seeds, and room for what is counted."""

    def __init__(self, game: Game, config: GameConfig, items: Items, seeds: npt.NDArray[np.uint64]) -> None:
        self.game, self.config, self.items, self.seeds = game, config, items, seeds
        self.loops = _loops_of(game)
        n, seats = len(seeds), config.players
        statistics = design_of(game).statistics
        self.games = np.zeros(n, game.state)
        self.counts = (
            np.zeros((n, seats, len(items)), np.int32),
            np.zeros((n, seats, len(items)), np.int32),
            np.zeros((n, seats), np.int32),
            np.zeros(n, np.int32),
            np.zeros((n, MAX_SEATS, len(statistics.counts) if statistics else 1), np.int32),
        )

    def room(self) -> tuple[Any, ...]:
        """Work space of a thread."""
        seen = np.zeros(1, self.game.obs)
        mask = np.zeros((1, self.config.num_actions), np.int8)
        last = np.zeros(len(self.items), np.int64)
        return seen, seen.view(np.int8).reshape(1, -1), mask, np.zeros(1, self.game.state), last

    def counted(self) -> Counted:
        """What was counted in all games."""
        n, seats = len(self.games), self.config.players
        finals = np.zeros((n, 2 * seats + 1), np.int32)
        loops_of(self.game).finals_games(self.games, self.config.record, finals, 0, n)
        rounds = self.games[_ROUND].astype(np.int32) if _ROUND in (self.game.state.names or ()) else None
        available, taken, decisions, lead_changes, counts = self.counts
        points, ranks = finals[:, :seats], finals[:, seats:-1]
        truncated = self.games["truncated"] != 0
        return Counted(available, taken, decisions, lead_changes, rounds, counts[:, :seats], points, ranks, truncated)


@built_once
def _loops_of(game: Game) -> ModuleType:
    """The game's own copy of `counting_loops`, with its compiled players and what it counts of itself."""
    design: Design = design_of(game)
    statistics, holdings = design.statistics, design.holdings
    counting = gathered(
        "statistics",
        count=statistics.count if statistics else _count_nothing,
        finish=statistics.finish if statistics else _finish_nothing,
        holdings=holdings.count if holdings else _hold_nothing,
    )
    exploring = gathered("exploring", explore=game.explore or _stay)
    seams = {**seams_of(game, compiled_players(game)), "statistics": counting, "exploring": exploring}
    return instantiate(counting_loops, game, seams)


@kernel
def _count_nothing(s: Any, config: Any, action: int, counts: Any, room: Any) -> None:
    """Stands in for `Statistics.count`."""


@kernel
def _finish_nothing(s: Any, config: Any, counts: Any) -> None:
    """Stands in for `Statistics.finish`."""


@kernel
def _hold_nothing(s: Any, config: Any, seat: int, out: Any) -> None:
    """Stands in for `Holdings.count`."""


@kernel
def _stay(s: Any, config: Any, rng: Any) -> None:
    """Stands in for `Game.explore`."""
