"""Intervals of shares of wins: known values, the ends, and how often they hold the true share."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.experiments.arena.share_intervals import share_intervals, student


@pytest.mark.parametrize(("freedom", "quantile"), [(3, 3.1824), (5, 2.5706), (9, 2.2622), (29, 2.0452), (199, 1.9720)])
def test_students_quantile(freedom: int, quantile: float) -> None:
    assert float(student(0.95, np.float64(freedom))) == pytest.approx(quantile, rel=0.01)  # type: ignore[arg-type]


def test_independent_games_have_wilsons_interval() -> None:
    """160 wins of 200: 73.9 % to 84.9 %."""
    wins = (np.arange(200) < 160).astype(float)
    low, high = share_intervals(wins, np.ones(200))
    assert low == pytest.approx(0.739, abs=0.002) and high == pytest.approx(0.849, abs=0.002)


@pytest.mark.parametrize("all_won", [True, False])
def test_30_of_30_is_not_certainty(all_won: bool) -> None:
    won = np.full(15, 2.0 * all_won)
    low, high = share_intervals(won, np.full(15, 2.0))
    assert (low, high) == pytest.approx((0.766, 1.0) if all_won else (0.0, 0.234), abs=0.005)


def test_pairs_that_always_cancel_are_not_certainty_either() -> None:
    widths = []
    for deals in (5, 20, 500):
        low, high = share_intervals(np.ones(deals), np.full(deals, 2.0))
        assert low == pytest.approx(1 - high) and low < 0.5 < high
        widths.append(high - low)
    assert widths[0] > 0.3 and widths[2] < 0.005


def test_games_on_the_same_deal_count_less() -> None:
    """Four games on each deal that end alike say no more than one."""
    one = (np.arange(100) % 3 > 0).astype(float)
    assert share_intervals(4 * one, np.full(100, 4.0)) == pytest.approx(share_intervals(one, np.ones(100)))


def test_shapes_and_missing_deals() -> None:
    counts = np.array([[2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [2.0, 0.0, 0.0]])
    ends = share_intervals(counts / 2, counts)
    assert ends.shape == (2, 3)
    assert not np.isnan(ends[:, 0]).any() and np.isnan(ends[:, 1:]).all(), "one deal, and none"


def wins_of(rng: np.random.Generator, kind: str, share: float, deals: int, games: int) -> np.ndarray:
    """Which games are won, shape (deals, games): each with probability `share`, whatever others on its deal do."""
    alone = rng.random((deals, games)) < share
    together = np.repeat(rng.random((deals, 1)) < share, games, 1)
    if kind == "independent":
        return alone
    if kind == "alike":
        return together
    if kind == "often alike":
        return np.where(rng.random((deals, 1)) < 0.5, together, alone)
    return (rng.random((deals, 1)) + np.arange(games) / games) % 1 < share  # "opposed": as different as can be


@pytest.mark.parametrize("kind", ["independent", "alike", "often alike", "opposed"])
@pytest.mark.parametrize("share", [0.5, 0.7, 0.9, 0.99, 1.0])
@pytest.mark.parametrize(("deals", "games"), [(10, 2), (30, 2), (30, 6), (200, 2), (200, 6)])
def test_coverage(kind: str, share: float, deals: int, games: int) -> None:
    """95 % is promised. 2.5 % less is chance, or in part that results are whole numbers; so few deals are excused."""
    rng = np.random.default_rng(deals + games)
    runs = 1000
    won = np.stack([wins_of(rng, kind, share, deals, games).sum(1) for _ in range(runs)], 1).astype(float)
    low, high = share_intervals(won, np.full(won.shape, float(games)))
    held = float(((low - 1e-9 <= share) & (share <= high + 1e-9)).mean())
    assert held >= (0.885 if deals == 10 and share == 0.99 else 0.925)


def test_intervals_become_narrow() -> None:
    rng = np.random.default_rng(0)
    for share in (0.5, 0.9):
        won = wins_of(rng, "independent", share, 1000, 2).sum(1).astype(float)
        low, high = share_intervals(won, np.full(1000, 2.0))
        assert high - low == pytest.approx(2 * 1.96 * np.sqrt(share * (1 - share) / 2000), rel=0.1)
