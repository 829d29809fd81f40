"""When to stop playing: a sequential test of whether one agent does better than another. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from .matches import GameResult
from .standings import meetings

LOOK = 16  # deals from one look at the score to the next
ALPHA = BETA = 0.05

Floats = npt.NDArray[np.float64]
OPEN, ABOVE, BELOW, EQUAL = "open", "above", "below", "equal"


@dataclass(frozen=True)
class Verdict:
    """What is settled about two agents.

    Attributes:
        one, other: indices of the agents.
        deals: deals on which they met.
        score: share of meetings in which `one` placed above `other`, ties half; each deal counts alike.
        settled_after: deals after which it was settled, or None.
        outcome: "above" (`one` is better), "below" (it is worse), "equal" (neither by `delta`), or "open": the games
            were not enough to tell.
    """

    one: int
    other: int
    deals: int
    score: float
    settled_after: int | None
    outcome: str


def judge_pairs(results: Sequence[GameResult], pairs: Sequence[tuple[int, int]], delta: float) -> list[Verdict]:
    """A verdict for each pair of agents that has met.

    Args:
        results: of whole deals, in any order.
        pairs: indices of agents.
        delta: see `settle`.
    """
    if not results:
        return []
    agents, ranks = np.array([result.agents for result in results]), np.array([result.ranks for result in results])
    deals = np.array([result.deal for result in results])
    above, met = meetings(1 + max(int(agents.max()), *map(max, pairs)), agents, ranks, deals)
    verdicts = []
    for one, other in pairs:
        # Games of a deal share its chance, and all seat orders play it: so deals are independent, and games are not.
        together = met[:, one, other] > 0
        if together.any():
            scores = above[together, one, other] / met[together, one, other]
            outcome, after = settle(scores, delta)
            verdicts.append(Verdict(one, other, len(scores), float(scores.mean()), after, outcome))
    return verdicts


def settle(scores: Floats, delta: float, *, look: int = LOOK) -> tuple[str, int | None]:
    """Whether the mean of `scores` is 0.5, above or below, looking at it every `look` deals until it is settled.

    Two sequential probability ratio tests side by side, 0.5 against 0.5 + delta and 0.5 against 0.5 - delta; where
    both accept 0.5 the agents are equal (M. Sobel and A. Wald 1949, "A sequential decision procedure for choosing one
    of three hypotheses concerning the unknown mean of a normal distribution", Annals of Mathematical Statistics
    20(4)). Each uses the generalized likelihood ratio for a mean whose variance is estimated, in its normal
    approximation: M. Van den Bergh 2020, "A practical introduction to the GSPRT", as in the tests of chess engines.
    At a true score of 0.5 a difference is seen by mistake in about 5 % of tests (`ALPHA`, half on each side); at
    0.5 ± delta it is missed in about 5 % (`BETA`).

    Args:
        scores: by deal, 0 to 1.
        delta: the least difference from 0.5 that matters, in (0, 0.5).
        look: deals between looks, since nothing is settled in the middle of a batch.

    Returns:
        The outcome (see `Verdict`), and after how many deals it was settled or None.
    """
    upper, lower = log((1 - BETA) / (ALPHA / 2)), log(BETA / (1 - ALPHA / 2))
    better: bool | None = None
    worse: bool | None = None
    for count in [*range(look, len(scores), look), len(scores)]:
        seen = scores[:count]
        better = _decided(_log_ratio(seen, delta), lower, upper) if better is None else better
        worse = _decided(_log_ratio(1.0 - seen, delta), lower, upper) if worse is None else worse
        if better or worse:
            return (ABOVE if better else BELOW), count
        if better is False and worse is False:
            return EQUAL, count
    return OPEN, None


def _decided(ratio: float, lower: float, upper: float) -> bool | None:
    return True if ratio >= upper else False if ratio <= lower else None


def _log_ratio(scores: Floats, delta: float) -> float:
    """Logarithm of the likelihood of a mean of 0.5 + delta over that of 0.5, with the variance that was seen.

    A deal won and one lost are counted with those seen: after a run of equal scores the variance is not yet 0.
    """
    seen = np.append(scores, (0.0, 1.0))
    return float(len(scores) * delta * (seen.mean() - 0.5 - delta / 2) / seen.var())
