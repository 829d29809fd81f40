"""Who beats whom as a game of its own: cycles, Nash averaging and alpha-rank. Knows no game.

A rating says who beats whom as if strength were one number. Where one beats two, two beats three and three beats one,
no number can say so, and ratings depend on who else was there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

LEAST_AGENTS = 3  # two cannot go in a circle
RESAMPLES = 100
INTENSITY, POPULATION = 100.0, 50  # of alpha-rank
_LEAST = 1e-20  # of the chances to take over, so that every agent can be reached
_LARGEST = 1e6  # of weights in the linear program, beside others of at least 1

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class MetaGame:
    """The game in which two players choose an agent each, and the payoff is how often one ranks above the other.

    All are by agent, in the order of the shares they were made from.

    Attributes:
        nash: weight of each agent in the Nash mix, see `nash_mix`.
        average: share of meetings in which it ranks above an agent drawn from that mix, ties half; at most one half,
            and one half for those in the mix.
        alpha: its weight by alpha-rank, see `alpha_rank`.
    """

    nash: Floats
    average: Floats
    alpha: Floats


def meta_game(shares: Floats) -> MetaGame:
    """The game of shares (n, n) in which the row's agent ranked above the column's."""
    nash = nash_mix(shares)
    return MetaGame(nash, _payoffs(shares) @ nash + 0.5, alpha_rank(shares))


def resampled_averages(above: Floats, met: Floats, *, seed: int = 0, resamples: int = RESAMPLES) -> Floats | None:
    """Nash averages when whole deals are drawn with replacement, since games on one deal are not independent.

    Args:
        above: how often the row's agent ranked above the column's, by deal, shape (deals, n, n); see
            `standings.meetings`.
        met: how often they met, likewise.
        seed: for the resampling.
        resamples: how many.

    Returns:
        Shape (resamples, n); None if there are fewer than two deals.
    """
    deals = len(above)
    if deals < 2:
        return None
    rng = np.random.default_rng(seed)
    whole = shares_of(above.sum(0), met.sum(0))
    averages = []
    for _ in range(resamples):
        weights = np.bincount(rng.integers(0, deals, deals), minlength=deals).astype(np.float64)
        drawn = shares_of(np.tensordot(weights, above, 1), np.tensordot(weights, met, 1))
        averages.append(meta_game(np.where(np.isnan(drawn), whole, drawn)).average)
    return np.stack(averages)


def shares_of(above: Floats, met: Floats) -> Floats:
    """Shares of meetings, shape (n, n), one half of an agent against itself; NaN for pairs that never met."""
    shares: Floats = np.divide(above, met, out=np.full(above.shape, np.nan), where=met > 0)
    np.fill_diagonal(shares, 0.5)
    return shares


def nash_mix(shares: Floats) -> Floats:
    """The Nash equilibrium with the most entropy, shape (n,): weights that no agent beats.

    D. Balduzzi et al. 2018, "Re-evaluating evaluation", NeurIPS 31: of all equilibria the one with the most entropy is
    unique, and a copy of an agent changes nothing but that it shares its weight. Payoffs are shares less one half, not
    their logits, which are infinite where one always wins.

    A linear program finds which agents are in any equilibrium; among the equilibria of these, the convex dual of the
    greatest entropy is minimized.

    Args:
        shares: (n, n), in which the row's agent ranks above the column's; those of a pair add up to 1.
    """
    from scipy.optimize import linprog, minimize

    payoffs = _payoffs(shares)
    count = len(payoffs)
    # Weights w >= 0 with payoffs @ w <= 0 are multiples of equilibria; as many as can be are at least 1.
    nothing, one = np.zeros((count, count)), np.eye(count)
    found = linprog(
        -np.concatenate([np.zeros(count), np.ones(count)]),
        A_ub=np.block([[payoffs, nothing], [-one, one]]),
        b_ub=np.zeros(2 * count),
        bounds=[(0.0, _LARGEST)] * count + [(0.0, 1.0)] * count,
        method="highs",
    )
    inside = found.x[count:] > 0.5
    columns = payoffs[:, inside]

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        weights, logarithm = _softmax(-multipliers @ columns)
        return logarithm, -columns @ weights

    # An agent of the mix gains nothing against it; one outside may lose.
    solved = minimize(
        dual,
        np.zeros(count),
        jac=True,
        method="L-BFGS-B",
        bounds=[(None if one else 0.0, None) for one in inside],
        options={"maxiter": 10_000, "maxfun": 20_000, "ftol": 0.0, "gtol": 1e-10},
    )
    mix = np.zeros(count)
    mix[inside] = _softmax(-solved.x @ columns)[0]
    return mix


def alpha_rank(shares: Floats, intensity: float = INTENSITY, population: int = POPULATION) -> Floats:
    """How long a population would play each agent, if a mutant of another took over as selection has it, shape (n,).

    S. Omidshafiei et al. 2019, "Alpha-rank: multi-agent evaluation by evolution", Scientific Reports 9, for one
    population and payoffs that add up to a constant: from agent s the chain goes to another agent t, drawn evenly, with
    the probability that a single t takes over from s. With so strong a selection (`intensity`, its alpha) nearly every
    agent that is ahead takes over. Copies of an agent count as so many agents.

    Args:
        shares: as in `nash_mix`.
        intensity: of selection.
        population: number of individuals.
    """
    count = len(shares)
    selection = intensity * population / (population - 1) * _payoffs(shares).T  # [s, t]: of t against s
    chain = _takes_over(selection, population) / (count - 1)
    # The stationary distribution without a subtraction, so that tiny probabilities keep their digits: W. K. Grassmann,
    # M. I. Taksar and D. P. Heyman 1985, "Regenerative analysis and steady state distributions for Markov chains".
    for last in range(count - 1, 0, -1):
        chain[:last, last] /= chain[last, :last].sum()
        chain[:last, :last] += np.outer(chain[:last, last], chain[last, :last])
    weights = np.ones(count)
    for agent in range(1, count):
        weights[agent] = weights[:agent] @ chain[:agent, agent]
    weights /= weights.sum()
    return weights


def cycles(low: Floats) -> list[tuple[int, int, int]]:
    """Three agents of which each ranks above the next, and the last above the first, in most meetings.

    Args:
        low: (n, n), lower ends of the intervals of shares; a cycle counts only if all three are above one half.
    """
    found = permutations(range(len(low)), 3)
    return [
        (one, two, three)
        for one, two, three in found
        if one < min(two, three) and min(low[one, two], low[two, three], low[three, one]) > 0.5
    ]


def _payoffs(shares: Floats) -> Floats:
    """Antisymmetric payoffs, whatever the rounding of shares."""
    payoffs: Floats = (shares - shares.T) / 2
    return payoffs


def _softmax(logits: Floats) -> tuple[Floats, float]:
    """Weights in proportion to the exponentials, and the logarithm of their sum."""
    top = float(logits.max())
    weights = np.exp(logits - top)
    total = float(weights.sum())
    return weights / total, top + float(np.log(total))


def _takes_over(selection: Floats, population: int) -> Floats:
    """The probability that one mutant takes over, (1 - exp(-x)) / (1 - exp(-m x)), for selection x in its favor."""
    one, all_of_them = np.expm1(-abs(selection)), np.expm1(-population * abs(selection))
    ahead = np.divide(one, all_of_them, out=np.full(selection.shape, 1.0 / population), where=selection != 0)
    behind = np.maximum(ahead * np.exp(-(population - 1) * abs(selection)), _LEAST)
    chances: Floats = np.where(selection >= 0, ahead, behind)
    return chances
