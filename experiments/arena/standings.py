"""Ratings and win rates with their confidence intervals, from the results of games. Knows no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from .matches import GameResult
from .meta_game import LEAST_AGENTS, cycles, meta_game, resampled_averages, shares_of
from .plackett_luce import ratings, resampled_ratings
from .share_intervals import LEVEL, intervals_over_deals, share_intervals, student

RESAMPLES = 1000

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """How one agent did in a tournament. Intervals are None if there are fewer than two deals.

    Attributes:
        agent: its name.
        games: seats it played; a game counts once for each of its seats there.
        rating: see `plackett_luce.ratings`.
        rating_interval: 95 % bootstrap interval over deals, see `plackett_luce.resampled_ratings`.
        win_rate: share of its seats that won; a shared win is split.
        win_rate_interval: its 95 % interval over deals, see `share_intervals`.
        mean_rank_interval, mean_points_interval: 95 % bootstrap intervals over deals.
        mean_rank: 1 is the best; tied seats have the mean of the ranks they share.
        mean_points: points per seat.
        wins_by_seat: win rate in each seat; None for a seat it never had.
        truncated: share of its games that the round limit ended.
        forfeits: games lost by an error, an illegal action or time.
        nash, nash_average, alpha_rank: see `meta_game.MetaGame`; None for fewer than three agents, or if two never met.
        nash_average_interval: 95 % bootstrap interval over deals.
    """

    agent: str
    games: int
    rating: float
    rating_interval: Interval | None
    win_rate: float
    win_rate_interval: Interval | None
    mean_rank: float
    mean_rank_interval: Interval | None
    mean_points: float
    mean_points_interval: Interval | None
    wins_by_seat: tuple[float | None, ...]
    truncated: float
    forfeits: int
    nash: float | None = None
    nash_average: float | None = None
    nash_average_interval: Interval | None = None
    alpha_rank: float | None = None


@dataclass(frozen=True)
class Standings:
    """The result of a tournament.

    Attributes:
        agents: one `Standing` per agent, best rating first.
        win_matrix: share of meetings in which the row's agent ranked above the column's, ties counting half; rows and
            columns in the order of `agents`; None for a pair that never met.
        win_matrix_intervals: 95 % intervals over deals, see `share_intervals`; None for a pair that never met.
        wins_by_seat: win rate of each seat, over all agents.
        wins_by_seat_intervals: 95 % intervals over deals of these.
        games: number of games.
        deals: number of deals.
        truncated: share of games that the round limit ended.
        mean_decisions: decisions per game.
        cycles: names of three agents of which each ranks above the next and the last above the first, beyond the
            intervals of `win_matrix_intervals`.
    """

    agents: tuple[Standing, ...]
    win_matrix: tuple[tuple[float | None, ...], ...]
    win_matrix_intervals: tuple[tuple[Interval | None, ...], ...]
    wins_by_seat: tuple[float, ...]
    wins_by_seat_intervals: tuple[Interval | None, ...]
    games: int
    deals: int
    truncated: float
    mean_decisions: float
    cycles: tuple[tuple[str, str, str], ...] = ()


def standings(names: Sequence[str], results: Sequence[GameResult], *, seed: int = 0) -> Standings:
    """Rate the agents of a tournament.

    Raises:
        ValueError: there are no results, or an agent has none.
    """
    missing = set(range(len(names))) - {agent for result in results for agent in result.agents}
    if not results or missing:
        raise ValueError(f"no results to rate: {', '.join(names[index] for index in sorted(missing))}")
    results = sorted(results, key=lambda result: result.number)
    count, players = len(names), len(results[0].ranks)
    agents = np.array([result.agents for result in results])
    given = np.array([result.ranks for result in results])
    points = np.array([result.points for result in results], np.float64)
    wins, ranks = win_shares(given), mean_ranks(given)
    truncated = np.array([result.truncated for result in results], np.float64)
    _, deals = np.unique([result.deal for result in results], return_inverse=True)
    played_deals = int(deals.max()) + 1
    forfeits = Counter(result.agents[result.forfeit] for result in results if result.forfeit is not None)

    totals, seats = np.zeros((played_deals, count, 3)), np.zeros((played_deals, count))
    deal_of_seat = np.repeat(deals, players).reshape(agents.shape)
    np.add.at(totals, (deal_of_seat, agents), np.stack([wins, ranks, points], 2))
    np.add.at(seats, (deal_of_seat, agents), 1.0)
    means = _ratio(totals.sum(0), seats.sum(0)[:, None])
    mean_ends = bootstrap(totals[..., 1:], seats, seed=seed)
    win_ends = share_intervals(totals[..., 0], seats)
    rated, resampled = ratings(count, results), resampled_ratings(count, results, seed=seed)
    rating_ends = None if resampled is None else _ends(resampled)
    above, met = meetings(count, agents, given, deals)
    matrix, matrix_ends = _ratio(above.sum(0), met.sum(0)), share_intervals(above, met)
    shares = shares_of(above.sum(0), met.sum(0))
    meta = meta_game(shares) if count >= LEAST_AGENTS and not np.isnan(shares).any() else None
    averages = None if meta is None else resampled_averages(above, met, seed=seed)
    average_ends = None if averages is None else _ends(averages)
    circles = [] if meta is None else cycles(matrix_ends[0])
    order = np.argsort(-rated, kind="stable").tolist()
    rows = tuple(
        Standing(
            agent=names[index],
            games=int(seats[:, index].sum()),
            rating=float(rated[index]),
            rating_interval=_interval(rating_ends, index),
            win_rate=float(means[index, 0]),
            win_rate_interval=_interval(win_ends, index),
            mean_rank=float(means[index, 1]),
            mean_rank_interval=_interval(mean_ends, index, 0),
            mean_points=float(means[index, 2]),
            mean_points_interval=_interval(mean_ends, index, 1),
            wins_by_seat=tuple(_mean(wins[:, seat][agents[:, seat] == index]) for seat in range(players)),
            truncated=float(truncated[(agents == index).any(1)].mean()),
            forfeits=forfeits[index],
            nash=None if meta is None else float(meta.nash[index]),
            nash_average=None if meta is None else float(meta.average[index]),
            nash_average_interval=_interval(average_ends, index),
            alpha_rank=None if meta is None else float(meta.alpha[index]),
        )
        for index in order
    )
    seat_ends = intervals_over_deals(wins, deals)
    return Standings(
        agents=rows,
        win_matrix=tuple(tuple(_number(matrix[one, other]) for other in order) for one in order),
        win_matrix_intervals=tuple(tuple(_interval(matrix_ends, one, other) for other in order) for one in order),
        wins_by_seat=tuple(float(share) for share in wins.mean(0)),
        wins_by_seat_intervals=tuple(_interval(seat_ends, seat) for seat in range(players)),
        games=len(results),
        deals=played_deals,
        truncated=float(truncated.mean()),
        mean_decisions=float(np.mean([result.decisions for result in results])),
        cycles=tuple((names[one], names[two], names[three]) for one, two, three in circles),
    )


def bootstrap(
    totals: Floats, counts: Floats, *, seed: int = 0, resamples: int = RESAMPLES, level: float = LEVEL
) -> Floats | None:
    """Percentile intervals of means, resampling whole deals, since games on one deal are not independent.

    B. Efron 1979, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7(1); the percentile
    interval is chapter 13 of B. Efron and R. Tibshirani 1993, "An introduction to the bootstrap".

    Args:
        totals: sums by deal, shape (deals, ..., values), where ... is for example (agents,).
        counts: number of terms in each sum, shape (deals, ...).
        seed: for the resampling.
        resamples: number of resamples; time and precision grow with it.
        level: share of the resampled means within an interval.

    Returns:
        Lower and upper ends, shape (2, ..., values), NaN where `counts` is 0 everywhere; None if there are fewer than
        two deals.
    """
    deals = len(totals)
    if deals < 2:
        return None
    rng = np.random.default_rng(seed)
    means = np.empty((resamples, *totals.shape[1:]))
    for row in range(resamples):
        weights = np.bincount(rng.integers(0, deals, deals), minlength=deals).astype(np.float64)
        means[row] = _ratio(np.tensordot(weights, totals, 1), np.tensordot(weights, counts, 1)[..., None])
    ends = np.full((2, *totals.shape[1:]), np.nan)
    some = counts.sum(0) > 0
    ends[:, some] = _ends(means[:, some], level)
    return ends


def _ends(values: Floats, level: float = LEVEL) -> Floats:
    """The ends of the central interval of the values, along the first axis."""
    tail = (1.0 - level) / 2.0
    ends: Floats = np.nanquantile(values, [tail, 1.0 - tail], axis=0)
    return ends


def win_shares(ranks: npt.NDArray[np.int_]) -> Floats:
    """1 for a win, 1/k for a win that k seats share, else 0; shape (games, players) like `ranks`."""
    first = ranks == 1
    shares: Floats = first / first.sum(1, keepdims=True)
    return shares


def mean_ranks(ranks: npt.NDArray[np.int_]) -> Floats:
    """Ranks in which tied seats have the mean of the ranks they share, shape (games, players)."""
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(2)
    means: Floats = ranks + (tied - 1) / 2
    return means


def meetings(
    count: int, agents: npt.NDArray[np.int_], ranks: npt.NDArray[np.int_], deals: npt.NDArray[np.int_]
) -> tuple[Floats, Floats]:
    """How often agent a ranked above agent b, ties counting half, and how often they met.

    Args:
        count: number of agents.
        agents: index of the agent in each seat, shape (games, players).
        ranks: rank of each seat, shape (games, players).
        deals: of each game, numbered from 0.

    Returns:
        By deal: shapes (deals, count, count) and (deals, count, count); 0 on the diagonal.
    """
    shape = (int(deals.max()) + 1, count, count)
    above, met = np.zeros(shape), np.zeros(shape)
    for one, other in permutations(range(agents.shape[1]), 2):
        apart = agents[:, one] != agents[:, other]
        better = (ranks[:, one] < ranks[:, other]) + 0.5 * (ranks[:, one] == ranks[:, other])
        where = tuple(index[apart] for index in (deals, agents[:, one], agents[:, other]))
        np.add.at(above, where, better[apart])
        np.add.at(met, where, 1.0)
    return above, met


def scores_by_deal(results: Sequence[GameResult], agent: int) -> tuple[Floats, Floats]:
    """How often an agent ranked above others, ties counting half, and how often it met one; shape (deals,) each."""
    agents, ranks = np.array([result.agents for result in results]), np.array([result.ranks for result in results])
    _, deals = np.unique([result.deal for result in results], return_inverse=True)
    above, met = meetings(int(agents.max()) + 1, agents, ranks, deals)
    return above[:, agent].sum(1), met[:, agent].sum(1)


def score_interval(results: Sequence[GameResult], agent: int) -> Interval | None:
    """The 95 % interval over deals of the share of meetings in which an agent ranked above the other.

    That of Student, for the mean of the deals' shares: each is itself a mean over games against several opponents, so
    unlike single wins they vary even over few deals. None if there are fewer than two.
    """
    totals, counts = scores_by_deal(results, agent)
    shares, deals = totals / counts, len(totals)
    if deals < 2:
        return None
    half = float(student(LEVEL, np.array(deals - 1.0)) * shares.std(ddof=1) / np.sqrt(deals))
    return max(0.0, float(shares.mean()) - half), min(1.0, float(shares.mean()) + half)


def _interval(ends: Floats | None, *where: int) -> Interval | None:
    if ends is None or np.isnan(ends[(0, *where)]):
        return None
    return float(ends[(0, *where)]), float(ends[(1, *where)])


def _ratio(totals: Floats, counts: Floats) -> Floats:
    """Totals divided by counts; NaN where the count is 0."""
    ratio: Floats = np.divide(totals, counts, out=np.full(totals.shape, np.nan), where=counts > 0)
    return ratio


def _mean(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
