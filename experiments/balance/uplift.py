"""How much better those do who take something than those who do not, with intervals over deals. Knows no game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..arena.share_intervals import LEVEL, student

LEAST_DEALS = 4  # with the quantile of fewer, see `student`, an interval would say nothing

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Uplift:
    """Differences of means, by item; NaN where one of the groups is empty.

    Attributes:
        difference: mean result of those who took the item, less that of the others; float64, shape (items,).
        low, high: ends of the interval, likewise; NaN where fewer than LEAST_DEALS deals have members of a group, and
            where all results are the same.
    """

    difference: Floats
    low: Floats
    high: Floats


def uplift(
    took: npt.NDArray[np.bool_],
    results: Floats,
    deals: npt.NDArray[np.int_],
    level: float = LEVEL,
    *,
    players: npt.NDArray[np.int_] | None = None,
) -> Uplift:
    """The mean result of seats that took an item less that of the seats that did not.

    The seats of a game, and the games on a deal, are not independent, so the interval is that of the jackknife over
    deals: the difference is computed without each deal in turn, and from the spread of these comes the variance. That
    is the estimate CV3 of MacKinnon, Nielsen and Webb 2023 ("Cluster-robust inference: a guide to empirical practice",
    Journal of Econometrics 232), the least optimistic of the usual ones where few clusters have the item. For the same
    reason the quantile is Student's with as many degrees of freedom as deals with members of the smaller group, less
    one, and to the variance is added that of one more deal in each group whose results lie a standard deviation off:
    else a few seats that all won would promise that everybody will. The tests hold the coverage against simulations.

    Args:
        took: whether each seat took each item, shape (seats, items).
        results: of each seat, such as -1 to 1, shape (seats,).
        deals: the deal that each seat played on, any numbers, shape (seats,).
        level: how often an interval is to hold the true difference.
        players: who sat there, any numbers, shape (seats,): then only seats of the same player are compared, and the
            mean of the players' differences is taken with the weights of a regression on the item and the player, for
            n seats that took it and m that did not n * m / (n + m). None to compare all seats.
    """
    groups = np.zeros(len(results), np.int64) if players is None else np.unique(players, return_inverse=True)[1]
    _, deals = np.unique(deals, return_inverse=True)
    shape = (int(groups.max(initial=0)) + 1, int(deals.max(initial=0)) + 1, took.shape[1])
    own, own_sum, others, others_sum = (np.zeros(shape) for _ in range(4))
    for group in range(shape[0]):
        here = groups == group
        _add(own[group], own_sum[group], took[here], results[here], deals[here])
        _add(others[group], others_sum[group], ~took[here], results[here], deals[here])
    compared = (own.sum(1) > 0) & (others.sum(1) > 0)  # players that have seats of both kinds
    parts = (own, own_sum, others, others_sum)
    totals = [part.sum(1, keepdims=True) for part in parts]
    difference = _difference(*totals)[0]
    without = _difference(*(total - part for total, part in zip(totals, parts, strict=True)))
    own_deals, other_deals = (((table > 0) & compared[:, None]).any(0).sum(0) for table in (own, others))
    smaller, count = np.minimum(own_deals, other_deals), shape[1]
    means = np.bincount(groups, results) / np.maximum(1, np.bincount(groups))
    variance = float(((results - means[groups]) ** 2).mean()) if len(results) else 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (count - 1) / count * ((without - difference) ** 2).sum(0)
        spread += variance * (1.0 / own_deals**2 + 1.0 / other_deals**2)
        half = student(level, np.maximum(smaller - 1.0, 1.0)) * np.sqrt(spread)
    half[(smaller < LEAST_DEALS) | (variance == 0.0)] = np.nan
    return Uplift(difference, difference - half, difference + half)


def _add(
    seats: Floats, sums: Floats, members: npt.NDArray[np.bool_], results: Floats, deals: npt.NDArray[np.int_]
) -> None:
    """Add the number of members of a group, and the sum of their results, by deal and item, shape (deals, items)."""
    np.add.at(seats, deals, members)
    np.add.at(sums, deals, members * results[:, None])


def _difference(own: Floats, own_sum: Floats, others: Floats, others_sum: Floats) -> Floats:
    """The weighted mean over players of differences of means; arguments of shape (players, deals, items)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = own * others / (own + others)
        each = np.where(weight > 0, own_sum / own - others_sum / others, 0.0)
        mean: Floats = np.nansum(weight * each, 0) / np.nansum(weight, 0)
    return mean
