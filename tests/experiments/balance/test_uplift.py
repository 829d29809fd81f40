"""Differences of means and their intervals: by hand, against a plain jackknife, and by simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments.arena.share_intervals import student
from bdgame_env.experiments.balance.uplift import LEAST_DEALS, uplift


def column(values: list[Any]) -> Any:
    return np.array(values, np.bool_)[:, None]


def test_a_difference_by_hand() -> None:
    found = uplift(column([1, 1, 0, 0]), np.array([1.0, 0.0, 0.0, -1.0]), np.array([0, 1, 0, 1]))
    assert found.difference.tolist() == [1.0] and np.isnan([found.low, found.high]).all()


def test_one_group_alone_has_no_difference() -> None:
    took = np.array([[True, False]] * 8)
    found = uplift(took, np.tile([1.0, -1.0], 4), np.repeat(range(4), 2))
    assert np.isnan([found.difference, found.low, found.high]).all()


def test_players_are_compared_with_themselves() -> None:
    """Player 0 has two seats of both kinds that differ by 1, player 1 one of each, by 4; player 2 does not count."""
    took = column([1, 1, 0, 0, 1, 0, 1])
    results = np.array([3.0, 3.0, 2.0, 2.0, 0.0, -4.0, 90.0])
    who = np.array([0, 0, 0, 0, 1, 1, 2])
    found = uplift(took, results, np.arange(7), players=who)
    assert found.difference[0] == pytest.approx((1.0 * 1.0 + 0.5 * 4.0) / 1.5)
    design = np.column_stack([took, *(who == player for player in range(3))]).astype(float)
    assert found.difference[0] == pytest.approx(np.linalg.lstsq(design, results, rcond=None)[0][0])


def test_who_wins_more_and_takes_more_is_no_uplift() -> None:
    rng = np.random.default_rng(4)
    who = np.tile([0, 1], 400)
    took = (rng.random(800) < np.where(who == 0, 0.9, 0.1))[:, None]
    results = np.where(who == 0, 1.0, -1.0) + rng.normal(0, 0.5, 800)
    deals = np.repeat(np.arange(200), 4)
    assert uplift(took, results, deals).low[0] > 1.0
    same = uplift(took, results, deals, players=who)
    assert same.low[0] < 0.0 < same.high[0]


def test_the_interval_is_that_of_the_jackknife() -> None:
    rng = np.random.default_rng(1)
    deals = rng.integers(0, 9, 60)
    took, results = rng.random((60, 1)) < 0.4, rng.normal(size=60)

    def difference(rows: Any) -> Any:
        return results[rows & took[:, 0]].mean() - results[rows & ~took[:, 0]].mean()

    whole = difference(deals >= 0)
    variance = 8 / 9 * sum((difference(deals != deal) - whole) ** 2 for deal in range(9))
    own, others = (len(set(deals[kind])) for kind in (took[:, 0], ~took[:, 0]))
    variance += results.var() * (1 / own**2 + 1 / others**2)
    half = float(student(0.95, np.array([min(own, others) - 1.0]))[0]) * np.sqrt(variance)
    found = uplift(took, results, deals)
    assert found.difference[0] == pytest.approx(whole)
    assert [found.low[0], found.high[0]] == pytest.approx([whole - half, whole + half])


@pytest.mark.parametrize("number", [LEAST_DEALS - 1, LEAST_DEALS])
def test_few_deals_have_no_interval(number: int) -> None:
    deals = np.repeat(np.arange(20), 2)
    took = column([deal < number and k % 2 for k, deal in enumerate(deals)])
    found = uplift(took, np.tile([1.0, -1.0], 20), deals)
    assert found.difference[0] == pytest.approx(-2.0 * 20 / (40 - number))
    assert np.isnan(found.low[0]) == (number < LEAST_DEALS)


def test_equal_results_have_no_interval() -> None:
    found = uplift(column([k % 2 for k in range(40)]), np.ones(40), np.repeat(np.arange(20), 2))
    assert found.difference[0] == 0.0 and np.isnan(found.low[0])


@pytest.mark.parametrize(
    ("deals", "share", "least"),
    [pytest.param(10, 0.5, 0.93, id="few"), pytest.param(100, 0.5, 0.93, id="many"), (100, 0.02, 0.86)],
)
def test_intervals_cover_the_truth(deals: int, share: float, least: float) -> None:
    """Two seats win or lose two games on a deal that favors one of them; whoever takes the item plays better."""

    def games(count: int) -> tuple[Any, Any]:
        took = rng.random((count, 2, 2)) < share
        luck = rng.normal(size=(count, 1)) + rng.normal(size=(count, 2))
        won = np.sign(took[..., 0] * 1.0 - took[..., 1] + luck)
        return took.reshape(-1, 1), np.stack([won, -won], 2).ravel()

    rng = np.random.default_rng(5)
    took, results = games(200_000)
    truth = results[took[:, 0]].mean() - results[~took[:, 0]].mean()
    assert truth > 0.4
    found = [uplift(*games(deals), np.repeat(np.arange(deals), 4)) for _ in range(300)]
    known = [one for one in found if not np.isnan(one.low[0])]
    assert len(known) > 200
    assert np.mean([one.low[0] <= truth <= one.high[0] for one in known]) >= least
