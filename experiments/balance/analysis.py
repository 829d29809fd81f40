"""From the games of a tournament to figures: of each item, by agent and by seat, and of the games. Knows no game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.designing import design_of
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.rewards import RANK, rank_reward

from ..arena.matches import GameResult
from ..arena.outcome import Outcome
from ..arena.share_intervals import intervals_over_deals
from ..arena.standings import Interval, win_shares
from ..errors import BadInput
from .counting import Counted, count
from .items import Item, Items
from .tally import MEANINGS, figure_text, figures_of, meanings, tally_of
from .uplift import Floats, uplift

ALL, SAME, AGENT, SEAT = "all", "same seating", "agent", "seat"  # see `Row`
RESULTS = ("reward", "win", "margin")  # see `Row`


@dataclass(frozen=True)
class Difference:
    """A difference of means and its 95 % interval; None where the games do not tell."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Row:
    """An item among all seats, those of one agent, or one seat of the table.

    A row of SAME has the counts of all seats, but its uplifts compare each agent with itself in the same seat against
    the same opponents: otherwise what a good player likes, or only the first seat can get, looks good.

    Attributes:
        item: what was counted.
        group: ALL, SAME, AGENT or SEAT.
        member: the name of the agent or the number of the seat; "" otherwise.
        seats: how many seats of games the row is about: each seat of each game is one.
        available: decisions at which the item could be taken.
        taken: decisions at which it was.
        could: share of the seats that could take it at least once.
        took: share of the seats that took it at least once.
        took_interval: 95 % interval of it over deals, see `share_intervals`; None if there is only one deal.
        uplifts: by the names in RESULTS, the mean result of seats that took the item less that of the others: the
            reward for the rank (-1 to 1), the share of the win (0 to 1), and the points less those of the best other
            seat.
    """

    item: Item
    group: str
    member: str
    seats: int
    available: int
    taken: int
    could: float
    took: float
    took_interval: Interval | None
    uplifts: dict[str, Difference]


@dataclass(frozen=True)
class Spread:
    """A figure over games: its mean and the values that 10, 50 and 90 % of the games do not exceed."""

    mean: float
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Balance:
    """What the games of a tournament say about the game.

    Attributes:
        outcome: of the tournament; its standings have the win shares of seats.
        games: number of games counted: all that nobody forfeited.
        rows: of every item that could be taken at least once, by item, then ALL, SAME, agents, seats.
        decisions: in a game.
        rounds: in a game, or None if the game does not count them.
        margin: points of the best seat less those of the second best.
        lead_changes: how often another seat than before became the only one with the most points.
        truncated: share of the games that the round limit ended.
        figures: what the game counts of itself (`designing.Statistics`), by what it means.
    """

    outcome: Outcome
    games: int
    rows: Sequence[Row]
    decisions: Spread
    rounds: Spread | None
    margin: Spread
    lead_changes: Spread
    truncated: float
    figures: dict[str, str]


def analyze(outcome: Outcome, game: Game, config: GameConfig) -> Balance:
    """Count what happened in the games of a tournament.

    Raises:
        BadInput: every game was forfeited, or a stored game was played with other code.
    """
    results = [result for result in outcome.results if result.forfeit is None]
    if not results:
        raise BadInput(f"no game to count: all {len(outcome.results)} were lost by forfeit")
    items = Items(game, config)
    counted = count(game, config, items, results)
    points = np.sort(np.array([result.points for result in results]), 1)
    return Balance(
        outcome=outcome,
        games=len(results),
        rows=list(_rows(items, counted, results, outcome.settings.names)),
        decisions=_spread([result.decisions for result in results]),
        rounds=None if counted.rounds is None else _spread(counted.rounds),
        margin=_spread(points[:, -1] - points[:, -2]),
        lead_changes=_spread(counted.lead_changes),
        truncated=float(np.mean([result.truncated for result in results])),
        figures=_own_figures(game, items, counted),
    )


def _own_figures(game: Game, items: Items, counted: Counted) -> dict[str, str]:
    design = design_of(game)
    found = figures_of(tally_of(counted, items, design.taken, design.statistics), design.statistics)
    own = [name for name in found if name not in MEANINGS or name == "idle"]
    words = meanings(design.statistics)
    return {words[name]: figure_text(name, found[name], design.statistics, ends=False) for name in own}


def _rows(items: Items, counted: Counted, results: Sequence[GameResult], names: Sequence[str]) -> Iterator[Row]:
    games, players, _ = counted.taken.shape
    agents = np.array([result.agents for result in results]).ravel()
    seats = np.tile(np.arange(players), games)
    orders = np.unique([result.agents for result in results], axis=0, return_inverse=True)[1].ravel()
    seated = np.repeat(orders, players) * players + seats  # who sits there, and who in the other seats
    deals = np.repeat([result.deal for result in results], players)
    some = np.flatnonzero(counted.available.any((0, 1)))
    available, taken = (table[:, :, some].reshape(games * players, -1) for table in (counted.available, counted.taken))
    values = _values(results)
    everyone = np.ones(len(seats), np.bool_)
    groups: list[tuple[str, str, npt.NDArray[np.bool_]]] = [(ALL, "", everyone), (SAME, "", everyone)]
    groups += [(AGENT, name, agents == index) for index, name in enumerate(names)]
    groups += [(SEAT, str(seat), seats == seat) for seat in range(players)]
    tables = []
    for group, member, rows in groups:
        if not rows.any():  # every game of the agent was forfeited
            continue
        took = taken[rows] > 0
        who = seated if group == SAME else None
        uplifts = {name: uplift(took, value[rows], deals[rows], players=who) for name, value in values.items()}
        ends = intervals_over_deals(took, deals[rows])
        figures = (available[rows].sum(0), taken[rows].sum(0), (available[rows] > 0).mean(0), took.mean(0), ends)
        tables.append((group, member, int(rows.sum()), figures, uplifts))
    for column, number in enumerate(some):
        for group, member, size, (could_take, took_it, could, took_once, ends), uplifts in tables:
            yield Row(
                item=items.items[number],
                group=group,
                member=member,
                seats=size,
                available=int(could_take[column]),
                taken=int(took_it[column]),
                could=float(could[column]),
                took=float(took_once[column]),
                took_interval=None if np.isnan(ends[0, column]) else (float(ends[0, column]), float(ends[1, column])),
                uplifts={
                    name: Difference(_number(u.difference[column]), _number(u.low[column]), _number(u.high[column]))
                    for name, u in uplifts.items()
                },
            )


def _values(results: Sequence[GameResult]) -> dict[str, Floats]:
    """The results of all seats of all games, in that order, by the names in RESULTS; shape (games * seats,)."""
    ranks = np.array([result.ranks for result in results])
    points = np.array([result.points for result in results], np.float64)
    players = ranks.shape[1]
    rewards = [rank_reward(row, players, seat, RANK) for row in ranks for seat in range(players)]
    best_other = np.stack([np.delete(points, seat, 1).max(1) for seat in range(players)], 1)
    return {"reward": np.array(rewards), "win": win_shares(ranks).ravel(), "margin": (points - best_other).ravel()}


def _spread(values: Any) -> Spread:
    low, median, high = (float(value) for value in np.quantile(values, (0.1, 0.5, 0.9)))
    return Spread(float(np.mean(values)), low, median, high)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
