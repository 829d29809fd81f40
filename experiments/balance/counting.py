"""Replays finished games and counts, for each seat, what it could take and what it took. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import loops_of

from ..arena.matches import GameResult
from ..errors import BadInput
from .items import Items

_GAMES_AT_ONCE = 128
_ROUND = "round_number"  # the field of the state that holds the round, from 1, in a game that has rounds

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Counted:
    """What happened in some games; a row for each, in the order of the results.

    Attributes:
        available: decisions at which a seat could take an item, int32, shape (games, seats, items).
        taken: decisions at which it did, likewise.
        decisions: of each seat, int32, shape (games, seats).
        lead_changes: how often another seat than before became the only one with the most points, int32, (games,).
        rounds: in which the games ended, int32, (games,); None if the game's state has no field `round_number`.
    """

    available: Counts
    taken: Counts
    decisions: Counts
    lead_changes: Counts
    rounds: Counts | None


def count(game: Game, config: GameConfig, items: Items, results: Sequence[GameResult]) -> Counted:
    """Replay games, many side by side.

    Raises:
        BadInput: a game does not end as its result says, because it was played with other code.
    """
    shape = (len(results), config.players)
    rounds = np.zeros(len(results), np.int32) if _ROUND in (game.state.names or ()) else None
    counted = Counted(
        np.zeros((*shape, len(items)), np.int32),
        np.zeros((*shape, len(items)), np.int32),
        np.zeros(shape, np.int32),
        np.zeros(len(results), np.int32),
        rounds,
    )
    for start in range(0, len(results), _GAMES_AT_ONCE):
        _replay(game, config, items, results, np.arange(start, min(start + _GAMES_AT_ONCE, len(results))), counted)
    return counted


def _replay(
    game: Game,
    config: GameConfig,
    items: Items,
    results: Sequence[GameResult],
    rows: npt.NDArray[np.intp],
    counted: Counted,
) -> None:
    """Replay the games with these indices, and write their rows of `counted`."""
    loops, players = loops_of(game), config.players
    order = sorted(rows.tolist(), key=lambda row: -results[row].decisions)  # so that running games are the first ones
    played = [results[row].action_ids for row in order]
    n = len(order)
    games = np.zeros(n, game.state)
    seeds = np.array([results[row].game_seed for row in order], np.uint64)
    loops.reset_games(games, config.record, seeds, 0, n)
    observations = np.zeros((n, game.obs.itemsize), np.int8)
    records = observations.view(game.obs).reshape(n)
    masks = np.zeros((n, config.num_actions), np.int8)
    finals = np.zeros((n, 2 * players + 1), np.int32)
    numbers, leader = np.array(order), np.full(n, -1)
    for step in range(len(played[0])):
        while len(played[n - 1]) <= step:
            n -= 1
        actions = np.array([ids[step] for ids in played[:n]], np.int32)
        loops.look_games(games, config.record, records, masks, 0, n)
        seats = games["seat"][:n].astype(np.intp)
        _add_items(items, observations[:n], masks[:n], actions, numbers[:n], seats, counted)
        loops.apply_games(games, config.record, actions, 0, n)
        loops.finals_games(games, config.record, finals, 0, n)
        now = _leaders(finals[:n, :players], leader[:n])
        counted.lead_changes[numbers[:n]] += (leader[:n] >= 0) & (now != leader[:n])
        leader[:n] = now
    if counted.rounds is not None:
        counted.rounds[numbers] = games[_ROUND]
    for row, state, final in zip(order, games, finals.tolist(), strict=True):
        result = results[row]
        if not state["over"] or tuple(final[: 2 * players]) != (*result.points, *result.ranks):
            raise BadInput(f"game {result.number} does not end as it was stored: it was played with other code")


def _add_items(
    items: Items,
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
    actions: npt.NDArray[np.int32],
    numbers: npt.NDArray[np.intp],
    seats: npt.NDArray[np.intp],
    counted: Counted,
) -> None:
    """Add one decision of each game: an item counts once, however many actions take it."""
    n = len(actions)
    items_of_actions = items.of_actions(observations)
    able = np.zeros((n, len(items)), np.bool_)
    row, action = np.nonzero(masks)
    for kind in items_of_actions:
        item = kind[row, action]
        able[row[item >= 0], item[item >= 0]] = True
        chosen = kind[np.arange(n), actions]
        there = chosen >= 0
        counted.taken[numbers[there], seats[there], chosen[there]] += 1
    counted.available[numbers, seats] += able
    counted.decisions[numbers, seats] += 1


def _leaders(points: npt.NDArray[np.int32], before: npt.NDArray[np.int_]) -> npt.NDArray[np.int_]:
    """The only seat with the most points, or the leader before while several have them."""
    alone = (points == points.max(1, keepdims=True)).sum(1) == 1
    return np.where(alone, points.argmax(1), before)
