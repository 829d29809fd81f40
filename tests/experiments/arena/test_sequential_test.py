"""The sequential test on scores drawn from known distributions."""

from __future__ import annotations

import numpy as np

from bdgame_env.experiments.arena.matches import GameResult
from bdgame_env.experiments.arena.sequential_test import LOOK, judge_pairs, settle


def scores(rate: float, deals: int, seed: int) -> np.ndarray:
    """Deals of two games each, every game won at random."""
    return (np.random.default_rng(seed).random((deals, 2)) < rate).mean(1)


def test_a_strong_difference_is_settled_early() -> None:
    for seed in range(50):
        assert settle(scores(0.9, 400, seed), 0.05)[0] == "above"
        outcome, after = settle(scores(0.1, 400, seed), 0.05)
        assert outcome == "below" and after is not None and after <= 6 * LOOK
    assert settle(np.ones(100), 0.05) == ("above", LOOK)


def test_errors_are_as_rare_as_promised() -> None:
    """In 400 tests at a score of 0.5 and 400 at 0.5 + delta."""
    none = [settle(scores(0.5, 3000, seed), 0.1)[0] for seed in range(400)]
    assert none.count("equal") >= 370 and none.count("above") + none.count("below") <= 26
    some = [settle(scores(0.6, 3000, 1000 + seed), 0.1)[0] for seed in range(400)]
    assert some.count("above") >= 370 and some.count("below") == 0


def test_equal_scores_are_settled_as_equal() -> None:
    outcome, after = settle(np.full(500, 0.5), 0.05)
    assert outcome == "equal" and after is not None


def test_too_few_deals_settle_nothing() -> None:
    assert settle(scores(0.55, 2 * LOOK, 0), 0.01) == ("open", None)


def test_what_is_settled_stays_settled() -> None:
    """Later scores do not count: play would have stopped."""
    early = np.ones(LOOK)
    assert settle(np.concatenate([early, np.zeros(500)]), 0.05) == settle(early, 0.05)


def result(number: int, deal: int, agents: tuple[int, ...], ranks: tuple[int, ...]) -> GameResult:
    return GameResult(number, deal, deal, agents, (0,) * len(ranks), ranks, 1, False)


def test_scores_by_deal_count_all_meetings() -> None:
    results = [
        result(0, 0, (0, 1, 1), (2, 1, 3)),  # 0 above one of two
        result(1, 0, (1, 0, 2), (1, 1, 3)),  # a tie
        result(2, 2, (0, 2, 1), (1, 2, 3)),
        result(3, 3, (0, 2, 2), (1, 2, 3)),  # without 1
    ]
    (verdict,) = judge_pairs(results, [(0, 1), (0, 3)], 0.05)
    assert (verdict.one, verdict.other, verdict.deals, verdict.score) == (0, 1, 2, 0.75)
    assert (verdict.outcome, verdict.settled_after) == ("open", None)
    (turned,) = judge_pairs(results, [(1, 0)], 0.05)
    assert turned.score == 0.25 and judge_pairs([], [(0, 1)], 0.05) == []
