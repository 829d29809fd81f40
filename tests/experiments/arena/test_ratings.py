"""Ratings, win rates and their intervals, on results written by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import permutations, product

import numpy as np
import pytest

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.plackett_luce import AVERAGE, UNIT, Floats, ratings, resampled_ratings
from bdgame_env.experiments.arena.standings import bootstrap, mean_ranks, score_interval, standings, win_shares


def result(number: int, agents: tuple[int, ...], ranks: tuple[int, ...], deal: int = 0, **more: object) -> GameResult:
    points = tuple(10 - place for place in ranks)
    return GameResult(number, deal, 1000 + deal, agents, points, ranks, 100, False, **more)  # type: ignore[arg-type]


def test_shared_first_places_are_split() -> None:
    shares = win_shares(np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1]]))
    assert shares.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3]


def test_ties_have_the_mean_of_their_places() -> None:
    assert mean_ranks(np.array([[1, 2, 2, 4], [1, 1, 1, 4]])).tolist() == [[1, 2.5, 2.5, 4], [2, 2, 2, 4]]


def test_bootstrap_agrees_with_the_normal_interval() -> None:
    wins = (np.random.default_rng(0).random((400, 1, 1)) < 0.3).astype(float)
    ends = bootstrap(wins, np.ones((400, 1)), resamples=4000)
    assert ends is not None
    mean, error = wins.mean(), 1.96 * wins.std() / np.sqrt(400)
    assert ends[:, 0, 0] == pytest.approx([mean - error, mean + error], abs=0.006)


def test_intervals_are_over_deals_and_not_over_games() -> None:
    """Paired games that cancel within each deal hardly vary; the same games on separate deals do."""
    paired = [result(k, (k % 2, 1 - k % 2), (1, 2), deal=k // 2) for k in range(20)]
    loose = [result(k, (k % 2, 1 - k % 2), (1, 2), deal=k) for k in range(20)]
    for name, wide in (("win_rate_interval", 0.0), ("mean_rank_interval", 1.0), ("mean_points_interval", 9.0)):
        low, high = getattr(standings("ab", paired).agents[0], name)
        least, most = getattr(standings("ab", loose).agents[0], name)
        assert high - low < 0.6 * (most - least)
        assert (high == low) == bool(wide), "bootstrap intervals of equal deals have no width"
    assert bootstrap(np.ones((1, 2, 1)), np.ones((1, 2))) is None


def test_standings_hold_every_count() -> None:
    results = [
        result(1, (1, 0), (2, 1), deal=0),
        result(0, (0, 1), (1, 2), deal=0),
        result(2, (0, 1), (1, 1), deal=1),
        result(3, (1, 0), (2, 1), deal=1, forfeit=0, reason="raised"),
    ]
    table = standings(["weak", "strong"][::-1], results)
    best, worst = table.agents
    assert (best.agent, worst.agent) == ("strong", "weak") and best.rating > AVERAGE > worst.rating
    assert best.win_rate == 3.5 / 4 and best.games == 4 and best.mean_rank == 1.125 and best.mean_points == 9.0
    assert best.wins_by_seat == (0.75, 1.0) and table.wins_by_seat == (0.375, 0.625)
    assert worst.forfeits == 1 and best.forfeits == 0
    assert table.win_matrix == ((None, 0.875), (0.125, None))
    assert (table.games, table.deals, table.mean_decisions, table.truncated) == (4, 2, 100.0, 0.0)
    assert standings(["strong", "weak"], results[::-1]) == table, "the order of the results does not matter"
    assert json.loads(json.dumps(asdict(table), allow_nan=False))["agents"][0]["agent"] == "strong"


def test_games_that_the_round_limit_ended_are_counted_for_those_who_played_them() -> None:
    results = [replace(result(k, (k % 2, 2), (1, 2), deal=k), truncated=k == 1) for k in range(4)]
    table = standings("abc", results)
    assert {row.agent: row.truncated for row in table.agents} == {"a": 0.0, "b": 0.5, "c": 0.25}
    assert table.truncated == 0.25


def test_nothing_to_rate() -> None:
    with pytest.raises(ValueError, match="no results to rate: c"):
        standings(["a", "b", "c"], [result(0, (0, 1), (1, 2))])


def test_the_matrix_and_the_seats_have_intervals() -> None:
    """Agent 0 wins only from seat 0: the pair is even on every deal, the seats are not; 2 never meets 3."""
    results = [result(k, (k % 2, 1 - k % 2), (1, 2), deal=k // 2) for k in range(20)]
    results += [result(20 + k, (2, 0), (1, 1 + k % 2), deal=k) for k in range(10)]
    results += [result(30 + k, (3, 1), (1, 2), deal=k) for k in range(10)]
    table = standings("abcd", results)
    place = {row.agent: k for k, row in enumerate(table.agents)}
    ends = table.win_matrix_intervals
    low, high = ends[place["a"]][place["b"]] or (0.0, 0.0)
    assert 0.3 < low < 0.5 < high < 0.7
    assert ends[place["c"]][place["d"]] is None and ends[place["a"]][place["a"]] is None
    low, high = ends[place["c"]][place["a"]] or (0.0, 0.0)
    share = table.win_matrix[place["c"]][place["a"]]
    assert share == 0.75 and 0.45 < low < share < high < 0.95
    first, second = table.wins_by_seat_intervals
    assert first is not None and second is not None and first[0] > second[1]
    assert standings("ab", results[:2]).win_matrix_intervals == ((None, None), (None, None)), "one deal"


def simulated(strengths: Sequence[float], games: int, players: int, seed: int) -> list[GameResult]:
    """Games by the model: the order of seats whose strengths are shifted by Gumbel noise (Yellott 1977)."""
    rng = np.random.default_rng(seed)
    results = []
    for number in range(games):
        agents = rng.choice(len(strengths), players, replace=False)
        drawn = np.array(strengths)[agents] + rng.gumbel(size=players)
        ranks = 1 + (drawn[None] > drawn[:, None]).sum(1)
        results.append(result(number, tuple(agents.tolist()), tuple(ranks.tolist()), deal=number // 3))
    return results


def mm_step(rated: Floats, results: Sequence[GameResult]) -> Floats:
    """Ratings after a step of the MM algorithm of Hunter (2004), with every order of seats that tie written out."""
    strength = np.exp((rated - AVERAGE) / UNIT)
    wins = np.full(len(strength), 0.5)  # the tie with the average player
    expected = 1 / (1 + strength)
    for one in results:
        tied = [[seat for seat, own in enumerate(one.ranks) if own == rank] for rank in sorted(set(one.ranks))]
        orders = list(product(*(permutations(group) for group in tied)))
        for order in orders:
            seats = [one.agents[seat] for group in order for seat in group]
            for place, agent in enumerate(seats):
                wins[agent] += 1 / len(orders)
                np.add.at(expected, seats[place:], 1 / len(orders) / strength[seats[place:]].sum())
    return AVERAGE + UNIT * np.log(wins / expected)


def test_known_strengths_are_found_from_games_of_three() -> None:
    strengths = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]
    found = (ratings(7, simulated(strengths, 2000, 3, seed=1)) - AVERAGE) / UNIT
    assert found == pytest.approx(strengths, abs=0.25) and np.corrcoef(found, strengths)[0, 1] > 0.995


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_mm_algorithm_stays_where_the_fit_ends_with_ties_and_several_seats(players: int) -> None:
    rng = np.random.default_rng(players)
    results = []
    for number in range(40):
        drawn = rng.integers(1, players + 1, players)
        ranks = tuple(int(1 + (drawn < mine).sum()) for mine in drawn)
        results.append(result(number, tuple(map(int, rng.integers(0, 5, players))), ranks, deal=number // 4))
    found = ratings(5, results)
    assert mm_step(found, results) == pytest.approx(found, abs=1e-6)
    assert abs(mm_step(np.full(5, AVERAGE), results) - AVERAGE).max() > 10


def test_the_order_of_the_games_does_not_matter() -> None:
    results = simulated([-2.0, 0.0, 1.0, 1.5], 200, 3, seed=2)
    shuffled = [results[k] for k in np.random.default_rng(0).permutation(len(results))]
    assert ratings(4, shuffled) == pytest.approx(ratings(4, results), abs=1e-6)
    assert ratings(4, results[::-1]) == pytest.approx(ratings(4, results), abs=1e-6)


def test_a_tie_counts_as_all_orders_of_those_who_tie() -> None:
    assert ratings(2, [result(k, (0, 1), (1, 1)) for k in range(10)]) == pytest.approx([AVERAGE] * 2)
    others = [result(9, (0, 1, 2), (1, 2, 3))]
    ties = [result(0, (0, 1, 2), (1, 1, 1))] * 6 + [result(1, (0, 1, 2), (1, 2, 2))] * 2
    orders = [result(0, (0, 1, 2), ranks) for ranks in permutations((1, 2, 3))]
    orders += [result(1, (0, 1, 2), ranks) for ranks in ((1, 2, 3), (1, 3, 2))]
    assert ratings(3, others + ties) == pytest.approx(ratings(3, others + orders), abs=1e-6)


def test_400_points_are_odds_of_ten_to_one() -> None:
    results = [result(k, (0, 1), (2, 1) if k % 11 == 0 else (1, 2)) for k in range(110_000)]
    first, second = ratings(2, results)
    assert first - second == pytest.approx(400, abs=0.1)


def test_an_agent_that_always_loses_has_a_rating_that_falls_with_the_number_of_games() -> None:
    """The tie with an average player bounds it, and hardly matters to those who win and lose."""
    last = AVERAGE
    for games in (1, 10, 100, 1000):
        even = [result(k, (k % 2, 1 - k % 2), (1 + (k // 2) % 2, 2 - (k // 2) % 2)) for k in range(4 * games)]
        lost = [result(k, (k % 2, 2), (1, 2)) for k in range(games)]
        one, other, loser = ratings(3, even + lost)
        assert one == pytest.approx(other, abs=20 if games == 1 else 1e-6) and AVERAGE - 2000 < loser < last
        last = loser
    assert ratings(3, even)[2] == AVERAGE, "one that never played is average"


def test_known_ratings_are_kept_and_the_others_fitted_to_them() -> None:
    results = simulated([-1.0, 0.0, 1.0, 2.0], 300, 3, seed=3)
    together = ratings(4, results)
    known = together.copy()
    known[3] = np.nan
    assert ratings(4, results, known) == pytest.approx(together, abs=1e-6), "the maximum over all is one over each"
    known[:3] += 100
    shifted = ratings(4, results, known)
    assert shifted[:3] == pytest.approx(known[:3]) and 50 < shifted[3] - together[3] < 100
    drawn = resampled_ratings(4, results, known, resamples=5)
    assert drawn is not None and (drawn[:, :3] == drawn[0, :3]).all() and len(set(drawn[:, 3].tolist())) == 5


def test_a_score_has_the_interval_of_student_over_deals() -> None:
    won = (1, 2, 2, 3)  # of the four games of each deal
    games = [
        result(4 * deal + k, (0, 1 + k % 2), (1, 2) if k < count else (2, 1), deal=deal)
        for deal, count in enumerate(won)
        for k in range(4)
    ]
    half = 3.182 * np.std([count / 4 for count in won], ddof=1) / 2  # the quantile for 3 degrees of freedom
    assert score_interval(games, 0) == pytest.approx((0.5 - half, 0.5 + half), rel=0.01)
    assert score_interval(games[:4], 0) is None and score_interval(games[:4] + games[4:8], 1) is not None


def test_ratings_have_intervals_over_deals() -> None:
    """They are narrow if one agent wins nearly all of many deals, wide if it wins half of few."""
    clear = [result(k, (k % 2, 1 - k % 2), (1 + k % 2, 2 - k % 2), deal=k // 2) for k in range(80)]
    best, worst = standings("ab", clear).agents
    assert best.rating_interval is not None and worst.rating_interval is not None
    assert best.rating_interval[0] > worst.rating_interval[1]
    assert best.rating_interval[0] <= best.rating <= best.rating_interval[1]
    mixed = [result(k, (k % 2, 1 - k % 2), (1, 2), deal=k) for k in range(10)]
    one, other = (row.rating_interval for row in standings("ab", mixed).agents)
    assert one is not None and other is not None and one[0] < other[1] and other[0] < one[1]
    assert standings("ab", clear[:2]).agents[0].rating_interval is None
    assert (resampled_ratings(2, mixed, seed=1, resamples=5) == resampled_ratings(2, mixed, seed=1, resamples=5)).all()
