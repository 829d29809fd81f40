"""Which games a tournament plays, round by round. Knows no game.

`rounds` yields the games of the next round and receives the results of the last. Its choice depends on those results
alone, so a tournament that was stopped and resumed plays the same games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.rng import game_seed

from .matches import GameResult
from .plackett_luce import ratings
from .seating import Seating, line_ups, seat_orders, seatings_of
from .sequential_test import LOOK, OPEN, judge_pairs
from .share_intervals import share_intervals
from .standings import meetings, score_interval, win_shares

ROUND_ROBIN, GAUNTLET, SWISS = FORMATS = ("round-robin", "gauntlet", "swiss")
CIRCLE, GUEST = "circle", "guest"  # of suites, see `circle_orders`
_LOOK = 4  # deals from one look at the precision to the next, and before a race
_LOOK_SECONDS = 15.0  # that a line-up thinks from one look at a race to the next

LineUps = list[tuple[int, ...]]
Rounds = Generator[list[Seating], Sequence[GameResult], None]


@dataclass(frozen=True)
class Plan:
    """What decides the games of a tournament.

    Attributes:
        agents: number of agents.
        players: number of seats.
        games: deals per line-up, each played in every seat order; the maximum with `delta`, and per round in
            Swiss.
        seed: deal g has the game seed that row g of a batch with this seed starts from.
        format: "round-robin" (every combination of agents), "gauntlet" (only those with agent 0), "swiss", or one of
            those in `circle_orders`.
        rounds: of Swiss; None for `swiss_rounds`.
        delta: drop a line-up once the scores of all its pairs are settled to this (see `sequential.settle`); None to
            play all games.
        precision: stop once half the width of the interval of agent 0's score is at most this; None to play all games.
        half_width: play on only where neighbors by rating are compared, until half the width of the interval of how
            often one ranks above the other is at most this, see `_race`; None to play all games.
        seconds: with `half_width`, stop once agents have thought for so long in all since the first deals; None for no
            limit.
    """

    agents: int
    players: int
    games: int
    seed: int = 0
    format: str = ROUND_ROBIN
    rounds: int | None = None
    delta: float | None = None
    precision: float | None = None
    half_width: float | None = None
    seconds: float | None = None

    @property
    def line_ups(self) -> LineUps:
        """Who meets in the games, but for Swiss."""
        return [row for row in line_ups(self.agents, self.players) if self.format != GAUNTLET or 0 in row]

    @property
    def judged(self) -> list[tuple[int, int]]:
        """The pairs of agents that `delta` applies to."""
        pairs = combinations(range(self.agents), 2)
        return [pair for pair in pairs if self.format != GAUNTLET or 0 in pair]


def swiss_rounds(agents: int) -> int:
    """Rounds that find a winner if there are no upsets: log2 of the number of agents, rounded up."""
    return max(1, ceil(log2(agents)))


def rounds(plan: Plan) -> Rounds:
    """Yield the games of each round; `send` the results of the round before.

    Raises:
        ValueError: the plan cannot be played.
    """
    if plan.format not in (*FORMATS, CIRCLE, GUEST) or min(plan.agents, plan.players, plan.games) < 1:
        raise ValueError(f"a tournament {plan} cannot be played")
    if plan.format == SWISS:
        return _swiss(plan)
    if plan.format in (CIRCLE, GUEST):
        return _in_circles(plan)
    if plan.half_width is not None:
        return _race(plan, plan.half_width)
    return _at_once(plan) if plan.delta is None else _until_settled(plan, plan.delta)


def most_games(plan: Plan) -> int:
    """The greatest number of games that a plan can come to."""
    if plan.format in (CIRCLE, GUEST):
        return plan.games * len(circle_orders(plan, 0))
    if plan.format == SWISS:
        chosen = swiss_line_ups(list(range(plan.agents)), plan.players, Counter(), Counter())
        count = plan.rounds or swiss_rounds(plan.agents)
    else:
        chosen, count = plan.line_ups, 1
    return count * plan.games * sum(len(seat_orders(row)) for row in chosen)


def _at_once(plan: Plan) -> Rounds:
    yield seatings_of(plan.line_ups, plan.seed, range(plan.games))


def _until_settled(plan: Plan, delta: float) -> Rounds:
    """`LOOK` deals at a time, without line-ups that are settled; games are numbered as if all were played."""
    going, results, number = plan.line_ups, list[GameResult](), _numbering(plan)
    for start in range(0, plan.games, LOOK):
        deals = range(start, min(start + LOOK, plan.games))
        results += yield number(seatings_of(going, plan.seed, deals))
        verdicts = judge_pairs(results, plan.judged, delta)
        unsettled = {(verdict.one, verdict.other) for verdict in verdicts if verdict.outcome == OPEN}
        going = [row for row in going if unsettled & set(combinations(sorted(set(row)), 2))]
        if not going:
            return


def _numbering(plan: Plan) -> Callable[[list[Seating]], list[Seating]]:
    """Numbers seatings as if all line-ups played every deal."""
    number_of = {order: k for k, order in enumerate(order for row in plan.line_ups for order in seat_orders(row))}

    def number(seatings: list[Seating]) -> list[Seating]:
        return [replace(one, number=one.deal * len(number_of) + number_of[one.agents]) for one in seatings]

    return number


def _race(plan: Plan, half_width: float) -> Rounds:
    """All line-ups on a few deals, then only those that tell neighbors by rating apart.

    With more than two players, the first are not all line-ups, but each agent with those that follow in the list, in a
    circle; then neighbors meet among those next to them. In a round every line-up has about equally long to think, so
    the faster its agents, the more deals it has.
    """
    number, results, played = _numbering(plan), list[GameResult](), Counter[tuple[int, ...]]()
    chosen = dict.fromkeys(plan.line_ups if plan.players == 2 else _circle_of(plan), _LOOK)
    first = 0  # games of the first round
    while chosen:
        seatings: list[Seating] = []
        for line_up, deals in chosen.items():
            until = min(played[line_up] + deals, plan.games)
            seatings += seatings_of([line_up], plan.seed, range(played[line_up], until))
            played[line_up] = until
        results += yield number(seatings)
        first = first or len(results)
        if plan.seconds is not None and sum(sum(one.seconds) for one in results[first:]) >= plan.seconds:
            return
        order = np.argsort(-ratings(plan.agents, results), kind="stable").tolist()
        windows = [_around(order, place, plan.players) for place in _wide(plan.agents, results, order, half_width)]
        costs = _seconds_of_agents(plan.agents, results)
        chosen = {}
        for line_up in dict.fromkeys(windows):
            if played[line_up] < plan.games:
                deals = _LOOK_SECONDS / (costs[[*line_up]].sum() * len(seat_orders(line_up)))
                chosen[line_up] = round(max(1, min(deals, max(LOOK, played[line_up]))))  # at most twice as many in all


def _circle_of(plan: Plan) -> LineUps:
    """Each agent with those that follow; all line-ups if there are fewer agents than seats."""
    if plan.agents <= plan.players:
        return plan.line_ups
    agents = [*range(plan.agents)] * 2
    return list(dict.fromkeys(tuple(sorted(agents[k : k + plan.players])) for k in range(plan.agents)))


def _around(order: Sequence[int], place: int, players: int) -> tuple[int, ...]:
    """The line-up in which the agent in this place meets the next one, and otherwise those next to the two."""
    if len(order) < players:
        return next(row for row in line_ups(len(order), players) if {order[place], order[place + 1]} <= set(row))
    start = min(max(0, place - (players - 2) // 2), len(order) - players)
    return tuple(sorted(order[start : start + players]))


def _wide(agents: int, results: Sequence[GameResult], order: Sequence[int], half_width: float) -> list[int]:
    """The places of agents whose comparison with the next one in the order is not yet narrow enough."""
    seats, ranks = np.array([one.agents for one in results]), np.array([one.ranks for one in results])
    above, met = meetings(agents, seats, ranks, np.array([one.deal for one in results]))
    pairs = tuple(order[:-1]), tuple(order[1:])
    low, high = share_intervals(above[:, *pairs], met[:, *pairs])
    return np.flatnonzero(~(high - low <= 2 * half_width)).tolist()  # also where two have not met


def _seconds_of_agents(agents: int, results: Sequence[GameResult]) -> npt.NDArray[np.float64]:
    """How long each agent has thought for a game on average, and never nothing at all."""
    seats, seconds = (np.array([getattr(one, name) for one in results]).ravel() for name in ("agents", "seconds"))
    total, games = np.bincount(seats, seconds, agents), np.bincount(seats, minlength=agents)
    return np.maximum(total / np.maximum(games, 1), 1e-9)


def circle_orders(plan: Plan, deal: int) -> LineUps:
    """Who sits where in the games of a deal: few games for many agents, each as often in every seat.

    In the format "circle" the agents stand in a circle, in an order drawn for the deal, and each meets those who
    follow, in all rotations of the seats. In the format "guest" agent 0 stands outside of the circle and has a seat in
    every game. Over several deals all meet all.
    """
    guest = int(plan.format == GUEST)
    drawn = np.random.SeedSequence(plan.seed, spawn_key=(deal, 0)).generate_state(plan.agents - guest, np.uint64)
    circle = [guest + agent for agent in np.argsort(drawn, kind="stable").tolist()]
    seats = range(plan.players - guest)
    tables = [(0,) * guest + tuple(circle[(k + seat) % len(circle)] for seat in seats) for k in range(len(circle))]
    return [table[k:] + table[:k] for table in tables for k in range(plan.players)]


def _in_circles(plan: Plan) -> Rounds:
    results: list[GameResult] = []
    step = plan.games if plan.precision is None else _LOOK
    for start in range(0, plan.games, step):
        orders = {deal: circle_orders(plan, deal) for deal in range(start, min(start + step, plan.games))}
        results += yield [
            Seating(deal * len(seats) + k, deal, game_seed(plan.seed, deal), order)
            for deal, seats in orders.items()
            for k, order in enumerate(seats)
        ]
        low, high = score_interval(results, 0) or (0.0, 1.0)
        if plan.precision is not None and high - low <= 2 * plan.precision:
            return


def _swiss(plan: Plan) -> Rounds:
    """Agents with similar scores meet; each round has new deals."""
    results: list[GameResult] = []
    met: Counter[tuple[int, int]] = Counter()
    left_over: Counter[int] = Counter()
    for number in range(plan.rounds or swiss_rounds(plan.agents)):
        order = standing_order(plan.agents, plan.players, results)
        chosen = swiss_line_ups(order, plan.players, met, left_over)
        deals = range(number * plan.games, (number + 1) * plan.games)
        results += yield seatings_of(chosen, plan.seed, deals, len(results))
        met.update(pair for row in chosen for pair in combinations(sorted(set(row)), 2))
        full = {agent for row in chosen if len(set(row)) == plan.players for agent in row}
        left_over.update(set(order) - full)


def standing_order(agents: int, players: int, results: Sequence[GameResult]) -> list[int]:
    """Agents by win rate so far, then by points per seat, then by index; one that has not played counts as average."""
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


def swiss_line_ups(
    order: Sequence[int], players: int, met: Counter[tuple[int, int]], left_over: Counter[int]
) -> LineUps:
    """Who meets in a round: from the top down, each agent meets the next-ranked ones it has met least often.

    If the agents do not fill all seats, those left over least often so far are left over, lowest-ranked first. A single
    one does not play; several play each other with more than one seat each.

    Args:
        order: agents, the best first.
        players: seats in a game.
        met: rounds in which two agents met, by pairs in ascending order.
        left_over: rounds in which an agent was left over.
    """
    spare = len(order) % players
    bottom_up = order[::-1]
    rest = sorted(sorted(bottom_up, key=lambda agent: left_over[agent])[:spare])
    waiting = [agent for agent in order if agent not in rest]
    chosen: LineUps = []
    while waiting:
        line_up = [waiting.pop(0)]
        while len(line_up) < players:
            line_up.append(min(waiting, key=lambda agent: _meetings(agent, line_up, met)))  # the first of equals
            waiting.remove(line_up[-1])
        chosen.append(tuple(sorted(line_up)))
    if spare > 1:
        chosen += [tuple(rest[index] for index in row) for row in line_ups(spare, players)]
    return chosen


def _meetings(agent: int, line_up: Iterable[int], met: Counter[tuple[int, int]]) -> int:
    return sum(met[min(agent, other), max(agent, other)] for other in line_up)
