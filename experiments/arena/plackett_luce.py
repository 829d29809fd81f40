"""Skills of agents in the Plackett-Luce model, in many orders of the games side by side. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from .matches import GameResult

RESAMPLES, ORDERS = 200, 100
_MEAN, _SIGMA, _BETA, _LEAST = 25.0, 25.0 / 3.0, 25.0 / 6.0, 0.0001  # openskill's defaults

Floats = npt.NDArray[np.float64]


def skills(agents: int, results: Sequence[GameResult], *, seed: int = 0) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each agent's skill, from 25 and 25/3 at the start; shape (agents,) each.

    The model rates game after game and trusts the first ones most, so that one order alone can put a rating outside of
    its own interval, above all in Swiss tournaments, whose later games are between agents of equal strength. So the
    mean is the median over random orders. The standard deviation is that of the order in which the games were played;
    the model assumes independent games, which paired games are not, so `resampled_skills` gives the safer error bars.
    """
    rng, played = np.random.default_rng(seed), np.arange(len(results))
    orders = np.stack([played, *(rng.permutation(len(results)) for _ in range(ORDERS))])
    means, sigmas = skills_in_order(agents, results, orders)
    return np.median(means[1:], axis=0), sigmas[0]


def resampled_skills(
    agents: int, results: Sequence[GameResult], *, seed: int = 0, resamples: int = RESAMPLES
) -> Floats | None:
    """Mean skills when whole deals are drawn with replacement and their games rated in a random order.

    Returns:
        Shape (resamples, agents); None if there are fewer than two deals.
    """
    _, deals = np.unique([result.deal for result in results], return_inverse=True)
    count = int(deals.max()) + 1
    if count < 2:
        return None
    rng = np.random.default_rng(seed)
    of_deal = [np.flatnonzero(deals == deal) for deal in range(count)]
    drawn = [
        rng.permutation(np.concatenate([of_deal[deal] for deal in rng.integers(0, count, count)]))
        for _ in range(resamples)
    ]
    order = np.full((resamples, max(map(len, drawn))), -1)
    for row, games in zip(order, drawn, strict=True):
        row[: len(games)] = games
    return skills_in_order(agents, results, order)[0]


def skills_in_order(agents: int, results: Sequence[GameResult], order: npt.NDArray[np.int_]) -> tuple[Floats, Floats]:
    """Means and standard deviations of skills, shape (rows, agents), for each row of `order`.

    Bayesian updates game after game (R. C. Weng and C.-J. Lin 2011, "A Bayesian approximation method for online
    ranking", JMLR 12, 267-300), as openskill computes them (V. Joshy 2024, "OpenSkill: a faster asymmetric multi-team,
    multiplayer rating system", JOSS 9(93)), which takes one game at a time and is too slow for hundreds of orders; the
    tests compare the two. Agents do not learn during a tournament, so skills do not drift (tau = 0). An agent with
    several seats in a game is rated once, by its mean rank.

    Args:
        agents: number of agents.
        results: games.
        order: indices of games in the order in which they are rated, shape (rows, games); -1 for no game.
    """
    teams, ranks = _teams(agents, results)
    rows = np.arange(len(order))[:, None]
    mean = np.full((len(order), agents + 1), _MEAN)  # the last column is for empty seats
    variance = np.full(mean.shape, _SIGMA**2)
    for games in order.T:
        who, rank = teams[games], ranks[games]
        there = who < agents
        mu, square = mean[rows, who], variance[rows, who]
        c = np.sqrt(np.where(there, square + _BETA**2, 0.0).sum(1, keepdims=True))
        with np.errstate(invalid="ignore", divide="ignore"):  # where nobody plays
            strength = np.where(there, np.exp(mu / c), 0.0)
            not_above = (rank[:, :, None] <= rank[:, None, :]) & there[:, :, None] & there[:, None, :]  # q, i
            equal = ((rank[:, :, None] == rank[:, None, :]) & there[:, None, :]).sum(2)
            share = strength[:, None, :] / (strength[:, None, :] * not_above).sum(2)[:, :, None]
            omega = ((np.eye(who.shape[1]) - share) / equal[:, :, None]).sum(1, where=not_above)
            delta = (share * (1.0 - share) / equal[:, :, None]).sum(1, where=not_above)
            mu = mu + omega * square / c
            square = square * np.maximum(1.0 - delta * square / c**2 * np.sqrt(square) / c, _LEAST)
        plays = there & (there.sum(1, keepdims=True) > 1)
        mean[rows, who] = np.where(plays, mu, mean[rows, who])
        variance[rows, who] = np.where(plays, square, variance[rows, who])
    return mean[:, :agents], np.sqrt(variance[:, :agents])


def _teams(nobody: int, results: Sequence[GameResult]) -> tuple[npt.NDArray[np.int_], Floats]:
    """The agents of each game and their mean ranks, padded with `nobody`; the last row stands for no game."""
    players = len(results[0].agents)
    teams = np.full((len(results) + 1, players), nobody)
    ranks = np.zeros(teams.shape)
    for game, result in enumerate(results):
        for team, agent in enumerate(dict.fromkeys(result.agents)):
            teams[game, team] = agent
            ranks[game, team] = np.mean(
                [rank for other, rank in zip(result.agents, result.ranks, strict=True) if other == agent]
            )
    return teams, ranks
