"""Which games a tournament plays, round after round. Knows no game.

`rounds` gives the games of the next round and takes the results of the last. What it gives depends on those results
alone, so a tournament that was stopped comes by the same games again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, log2

import numpy as np

from bdgame_env.engine.rng import game_seed

from .matches import GameResult
from .ratings import win_shares
from .seating import Seating, line_ups, seat_orders, seatings
from .sequential import LOOK, OPEN, judge_pairs

ROUND_ROBIN, GAUNTLET, SWISS = FORMATS = ("round-robin", "gauntlet", "swiss")

Tables = list[tuple[int, ...]]
Rounds = Generator[list[Seating], Sequence[GameResult], None]


@dataclass(frozen=True)
class Plan:
    """What decides the games of a tournament.

    Attributes:
        agents: number of agents.
        players: number of seats.
        games: deals for each line-up (at most, with `delta`), each in every seat order; in Swiss each round.
        seed: deal g is that of table g of a batch of tables with this seed.
        format: "round-robin" (every combination of agents), "gauntlet" (those with agent 0) or "swiss".
        rounds: of Swiss; None for `swiss_rounds`.
        delta: stop a line-up when the scores of its pairs are settled to this (see `sequential.settle`); None to play
            all games.
    """

    agents: int
    players: int
    games: int
    seed: int = 0
    format: str = ROUND_ROBIN
    rounds: int | None = None
    delta: float | None = None

    @property
    def judged(self) -> list[tuple[int, int]]:
        """The pairs of agents that `delta` is about."""
        pairs = combinations(range(self.agents), 2)
        return [pair for pair in pairs if self.format != GAUNTLET or 0 in pair]


def swiss_rounds(agents: int) -> int:
    """Rounds that find a winner if nobody upsets anybody: the least power of 2 that has room for all."""
    return max(1, ceil(log2(agents)))


def rounds(plan: Plan) -> Rounds:
    """The games of one round after another; `send` takes the results of the round before.

    Raises:
        ValueError: nothing can be played so.
    """
    if plan.format not in FORMATS or min(plan.agents, plan.players, plan.games) < 1:
        raise ValueError(f"a tournament {plan} cannot be played")
    if plan.format == SWISS:
        return _swiss(plan)
    if plan.format == ROUND_ROBIN and plan.delta is None:
        return _at_once(seatings(plan.agents, plan.players, plan.games, plan.seed))
    chosen = [row for row in line_ups(plan.agents, plan.players) if plan.format == ROUND_ROBIN or 0 in row]
    if plan.delta is None:
        return _at_once(_paired(chosen, plan.seed, 0, plan.games))
    return _until_settled(plan, plan.delta, chosen)


def most_games(plan: Plan) -> int:
    """How many games it can become."""
    if plan.format == SWISS:
        tables = swiss_tables(list(range(plan.agents)), plan.players, Counter(), Counter())
        count = plan.rounds or swiss_rounds(plan.agents)
    else:
        tables, count = line_ups(plan.agents, plan.players), 1
        if plan.format == GAUNTLET:
            tables = [row for row in tables if 0 in row]
    return count * plan.games * sum(len(seat_orders(row)) for row in tables)


def _at_once(tables: list[Seating]) -> Rounds:
    yield tables


def _paired(tables: Tables, seed: int, start: int, stop: int, number: int = 0) -> list[Seating]:
    """Every deal from `start` to `stop` in all seat orders of all tables, numbered from `number`."""
    orders = [order for row in tables for order in seat_orders(row)]
    return [
        Seating(number + (deal - start) * len(orders) + place, deal, game_seed(seed, deal), order)
        for deal in range(start, stop)
        for place, order in enumerate(orders)
    ]


def _until_settled(plan: Plan, delta: float, chosen: Tables) -> Rounds:
    """`LOOK` deals at a time, without the line-ups in which all is settled; numbered as if all were played."""
    number_of = {order: k for k, order in enumerate(order for row in chosen for order in seat_orders(row))}
    going, results = chosen, list[GameResult]()
    for start in range(0, plan.games, LOOK):
        played = [
            Seating(table.deal * len(number_of) + number_of[table.agents], table.deal, table.game_seed, table.agents)
            for table in _paired(going, plan.seed, start, min(start + LOOK, plan.games))
        ]
        results += yield played
        verdicts = judge_pairs(results, plan.judged, delta)
        unsettled = {(verdict.one, verdict.other) for verdict in verdicts if verdict.outcome == OPEN}
        going = [row for row in going if unsettled & set(combinations(sorted(set(row)), 2))]
        if not going:
            return


# Swiss


def _swiss(plan: Plan) -> Rounds:
    """Those with like scores so far meet; each round has deals of its own."""
    results: list[GameResult] = []
    met: Counter[tuple[int, int]] = Counter()
    left_over: Counter[int] = Counter()
    for number in range(plan.rounds or swiss_rounds(plan.agents)):
        order = standing_order(plan.agents, plan.players, results)
        tables = swiss_tables(order, plan.players, met, left_over)
        start = number * plan.games
        results += yield _paired(tables, plan.seed, start, start + plan.games, len(results))
        met.update(pair for row in tables for pair in combinations(sorted(set(row)), 2))
        full = {agent for row in tables if len(set(row)) == plan.players for agent in row}
        left_over.update(set(order) - full)


def standing_order(agents: int, players: int, results: Sequence[GameResult]) -> list[int]:
    """Agents by their win rate so far, then by points per seat, then as named; who has not played counts as average."""
    wins, points = np.full(agents, 1 / players), np.zeros(agents)
    if results:
        seats = np.array([result.agents for result in results])
        shares = win_shares(np.array([result.ranks for result in results]))
        scored = np.array([result.points for result in results], np.float64)
        points[:] = scored.mean()
        for agent in np.unique(seats):
            wins[agent], points[agent] = shares[seats == agent].mean(), scored[seats == agent].mean()
    return sorted(
        range(agents), key=lambda agent: (-round(float(wins[agent]), 9), -round(float(points[agent]), 9), agent)
    )


def swiss_tables(order: Sequence[int], players: int, met: Counter[tuple[int, int]], left_over: Counter[int]) -> Tables:
    """Who meets in a round: from the top, each with the next ones of those it has met least often.

    If agents are left over, they are those who were left over least often, from the bottom: one alone does not play,
    several share tables on which they have more than one seat.

    Args:
        order: agents, the best first.
        players: seats at a table.
        met: rounds in which two agents met, by pairs in ascending order.
        left_over: rounds in which an agent was left over.
    """
    spare = len(order) % players
    bottom_up = order[::-1]
    rest = sorted(sorted(bottom_up, key=lambda agent: left_over[agent])[:spare])
    waiting = [agent for agent in order if agent not in rest]
    tables: Tables = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < players:
            table.append(min(waiting, key=lambda agent: _meetings(agent, table, met)))  # the first of equals
            waiting.remove(table[-1])
        tables.append(tuple(sorted(table)))
    if spare > 1:
        tables += [tuple(rest[index] for index in row) for row in line_ups(spare, players)]
    return tables


def _meetings(agent: int, table: Iterable[int], met: Counter[tuple[int, int]]) -> int:
    return sum(met[min(agent, other), max(agent, other)] for other in table)
