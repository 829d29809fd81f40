"""Ratings of agents: one fit of the Plackett-Luce model to all games, whose order does not matter. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, log

import numpy as np
import numpy.typing as npt

from .matches import GameResult

RESAMPLES = 200
AVERAGE, UNIT = 1500.0, 400.0 / log(10.0)  # of the scale: 400 points more are odds of 10 to 1
_PRECISE, _LONGEST_STEP, _MOST_STEPS = 1e-7, 2.0, 200
_ROOM = 2_000_000  # numbers in one array of a fit; more resamples are fitted in several parts

Floats = npt.NDArray[np.float64]
Pattern = tuple[int, ...]


def ratings(agents: int, results: Sequence[GameResult], known: Floats | None = None) -> Floats:
    """The rating of each agent on the scale of Elo: of two agents, the odds of the better are 10 ** (difference / 400).

    In the model of R. D. Luce 1959 and R. L. Plackett 1975 the best of a game's seats is drawn in proportion to
    strengths, then the best of the others, and so on. All games count the same, and each seat counts, also where an
    agent has several. Of seats that tie, the log-likelihood is the mean over all their orders, so that between two a
    tie is half a win.

    An agent that wins or loses every game would be infinitely far from the others. So every agent has also tied one
    game with a player rated `AVERAGE`; ratings of agents that never met are compared through that player alone.

    The maximum is unique, and Newton's method finds it in some ten steps. The MM algorithm (D. R. Hunter 2004, "MM
    algorithms for generalized Bradley-Terry models", Annals of Statistics 32(1)) finds the same, in thousands of steps
    where an agent loses nearly all games.

    Args:
        agents: number of agents.
        results: games.
        known: shape (agents,), the ratings that are not to be fitted, NaN for those that are; None to fit all.
    """
    rated: Floats = _rated(_Games(agents, results), None, known)[0]
    return rated


def resampled_ratings(
    agents: int,
    results: Sequence[GameResult],
    known: Floats | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Floats | None:
    """Ratings when whole deals are drawn with replacement, since games on one deal are not independent.

    Returns:
        Shape (resamples, agents); None if there are fewer than two deals.
    """
    games = _Games(agents, results)
    deals = len(games.wins)
    if deals < 2:
        return None
    rng = np.random.default_rng(seed)
    drawn = np.stack([np.bincount(rng.integers(0, deals, deals), minlength=deals) for _ in range(resamples)])
    return _rated(games, drawn.astype(np.float64), known)


class _Games:
    """What the likelihood depends on, deal by deal.

    Attributes:
        wins: how often seats of an agent were drawn, shape (deals, agents).
        counts: how often the draw was from each set of seats, shape (deals, sets).
        members: how many seats of each agent a set has, shape (sets, agents).
    """

    def __init__(self, agents: int, results: Sequence[GameResult]) -> None:
        numbers, deals = np.unique([result.deal for result in results], return_inverse=True)
        known: dict[Pattern, int] = {}
        self.wins = np.zeros((len(numbers), agents))
        totals: dict[tuple[int, int], float] = {}
        for deal, result in zip(deals.tolist(), results, strict=True):
            np.add.at(self.wins[deal], list(result.agents), 1.0)
            for pattern, weight in _draws(result):
                place = deal, known.setdefault(pattern, len(known))
                totals[place] = totals.get(place, 0.0) + weight
        self.counts = np.zeros((len(numbers), len(known)))
        self.members = np.zeros((len(known), agents))
        for place, total in totals.items():
            self.counts[place] = total
        for pattern, row in known.items():
            np.add.at(self.members[row], list(pattern), 1.0)


def _draws(result: GameResult) -> list[tuple[Pattern, float]]:
    """The sets of seats, by their agents in ascending order, from which a seat was drawn, and how often.

    Of k seats that tie, s were drawn before in one of the equally likely ways to choose s of k.
    """
    found = []
    for rank in set(result.ranks):
        tied = [seat for seat, own in enumerate(result.ranks) if own == rank]
        left = [seat for seat, own in enumerate(result.ranks) if own >= rank]
        for size in range(len(tied)):
            for gone in combinations(tied, size):
                pattern = tuple(sorted(result.agents[seat] for seat in left if seat not in gone))
                found.append((pattern, 1.0 / comb(len(tied), size)))
    return found


def _rated(games: _Games, weights: Floats | None, known: Floats | None) -> Floats:
    """Ratings for each row of weights of the deals; None: one row, in which all count the same."""
    weights = np.ones((1, len(games.wins))) if weights is None else weights
    step = max(1, _ROOM // games.members.size)
    parts = [
        _fitted(rows @ games.wins, rows @ games.counts, games.members, known)
        for rows in np.split(weights, range(step, len(weights), step))
    ]
    return np.concatenate(parts)


def _fitted(wins: Floats, counts: Floats, members: Floats, known: Floats | None) -> Floats:
    """Ratings, shape (rows, agents), of rows of games: sums over deals of what `_Games` has."""
    agents = wins.shape[1]
    free = np.ones(agents, np.bool_) if known is None else np.isnan(known)
    strength = np.zeros(wins.shape)  # its logarithm, 0 for the average player
    if known is not None:
        strength[:, ~free] = (known[~free] - AVERAGE) / UNIT
    for _ in range(_MOST_STEPS):
        shares = members * np.exp(strength)[:, None, :]
        shares /= shares.sum(2, keepdims=True)
        expected = shares * counts[:, :, None]
        above = 1.0 / (1.0 + np.exp(-strength))  # the average player
        slope = wins - expected.sum(1) + 0.5 - above
        curvature = -np.matmul(expected.transpose(0, 2, 1), shares)
        curvature[:, range(agents), range(agents)] += expected.sum(1) + above * (1.0 - above)
        step = np.zeros(wins.shape)
        step[:, free] = np.linalg.solve(curvature[:, free][:, :, free], slope[:, free, None])[..., 0]
        strength += step.clip(-_LONGEST_STEP, _LONGEST_STEP)
        if abs(step).max() < _PRECISE:
            break
    return AVERAGE + UNIT * strength
