"""Ratings, win rates and their intervals, on results written by hand."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
from openskill.models import PlackettLuce

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.plackett_luce import resampled_skills, skills_in_order
from bdgame_env.experiments.arena.standings import bootstrap, mean_ranks, standings, win_shares


def result(number: int, agents: tuple[int, ...], ranks: tuple[int, ...], deal: int = 0, **more: object) -> GameResult:
    points = tuple(10 - place for place in ranks)
    return GameResult(number, deal, 1000 + deal, agents, points, ranks, 100, False, **more)  # type: ignore[arg-type]


def test_shared_first_places_are_split() -> None:
    shares = win_shares(np.array([[1, 2, 3], [1, 1, 3], [1, 1, 1]]))
    assert shares.tolist() == [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3]


def test_ties_have_the_mean_of_their_places() -> None:
    assert mean_ranks(np.array([[1, 2, 2, 4], [1, 1, 1, 4]])).tolist() == [[1, 2.5, 2.5, 4], [2, 2, 2, 4]]


def rate(agents: int, results: list[GameResult]) -> list[tuple[float, float]]:
    """Mean and standard deviation of each skill after these games in this order."""
    means, sigmas = skills_in_order(agents, results, np.arange(len(results))[None])
    return list(zip(means[0].tolist(), sigmas[0].tolist(), strict=True))


def rate_by_openskill(agents: int, results: list[GameResult]) -> list[tuple[float, float]]:
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(agents)]
    for one in results:
        taken: dict[int, list[int]] = {}
        for agent, rank in zip(one.agents, one.ranks, strict=True):
            taken.setdefault(agent, []).append(rank)
        if len(taken) > 1:
            means = [float(np.mean(own)) for own in taken.values()]
            ranks = [float(sum(other < mean for other in means)) for mean in means]  # openskill truncates fractions
            rated = model.rate([[ratings[agent]] for agent in taken], ranks=ranks)
            for agent, (rating,) in zip(taken, rated, strict=True):
                ratings[agent] = rating
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]


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


def test_the_winner_is_rated_above() -> None:
    results = [result(k, (k % 2, 1 - k % 2), (1 + k % 2, 2 - k % 2), deal=k // 2) for k in range(40)]
    (first, sigma), (second, _) = rate(2, results)
    assert first > 25 > second and sigma < 25 / 3


def test_ties_only_leave_equal_ratings() -> None:
    (first, _), (second, _) = rate(2, [result(k, (0, 1), (1, 1)) for k in range(10)])
    assert first == pytest.approx(25) and second == pytest.approx(25)


def test_an_agent_with_several_seats_is_rated_once() -> None:
    (first, _), (second, _) = rate(2, [result(k, (0, 1, 0, 1), (1, 4, 2, 3)) for k in range(5)])
    assert first > 25 > second
    assert rate(2, [result(0, (0, 1, 1, 0), (1, 2, 3, 4))])[0][0] == pytest.approx(25)
    assert rate(1, [result(0, (0, 0), (1, 2))]) == [(25.0, 25 / 3)]


def test_standings_hold_every_count() -> None:
    results = [
        result(1, (1, 0), (2, 1), deal=0),
        result(0, (0, 1), (1, 2), deal=0),
        result(2, (0, 1), (1, 1), deal=1),
        result(3, (1, 0), (2, 1), deal=1, forfeit=0, reason="raised"),
    ]
    table = standings(["weak", "strong"][::-1], results)
    best, worst = table.agents
    assert (best.agent, worst.agent) == ("strong", "weak") and best.rating > 25 and best.sigma < 25 / 3
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


def test_mean_places_are_compared_with_their_fractions() -> None:
    """2 is better than 2.5, not a tie."""
    (first, _), (second, _) = rate(2, [result(0, (0, 0, 1, 1), (1, 3, 1, 4))])
    assert first > 25 > second


@pytest.mark.parametrize("players", [2, 3, 4])
def test_skills_are_those_of_openskill(players: int) -> None:
    rng = np.random.default_rng(players)
    results = []
    for number in range(200):
        drawn = rng.integers(1, players + 1, players)
        ranks = tuple(int(1 + (drawn < mine).sum()) for mine in drawn)
        results.append(result(number, tuple(map(int, rng.integers(0, 5, players))), ranks, deal=number // 4))
    means, sigmas = skills_in_order(5, results, np.stack([np.arange(200), np.arange(200)[::-1]]))
    for row, order in enumerate((results, results[::-1])):
        expected = np.array(rate_by_openskill(5, order))
        assert means[row] == pytest.approx(expected[:, 0], abs=1e-9)
        assert sigmas[row] == pytest.approx(expected[:, 1], abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_rating_lies_in_its_interval_in_whatever_order_games_were_played(seed: int) -> None:
    """Even if an agent won all of its first games and lost all others."""
    rng = np.random.default_rng(seed)
    won = rng.random(160) < 0.7
    for order in (np.argsort(~won, kind="stable"), np.argsort(won, kind="stable")):
        games = [
            result(k, (0, 1), (1, 2) if won[game] else (2, 1), deal=int(game) // 4) for k, game in enumerate(order)
        ]
        for row in standings("ab", games).agents:
            assert row.rating_interval is not None
            assert row.rating_interval[0] < row.rating < row.rating_interval[1]
    first, last = (rate(2, games)[0][0] for games in (games, games[::-1]))
    assert abs(first - last) > 3, "in one order alone it depends on the order"


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
    assert (resampled_skills(2, mixed, seed=1, resamples=5) == resampled_skills(2, mixed, seed=1, resamples=5)).all()
    uneven = [*mixed, *(result(20 + k, (0, 1), (1, 2), deal=3) for k in range(5))]
    assert np.isfinite(resampled_skills(2, uneven, resamples=5)).all()
