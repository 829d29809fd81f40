"""Networks whose numbers are extreme or none, in training: windows, searches and steps of Adam."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env.experiments.training.codes import RIVAL
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.learner import Diverged, Learner
from bdgame_env.experiments.training.rollouts import Matches
from bdgame_env.experiments.training.samples import add_returns, new_window
from bdgame_env.experiments.training.search_teacher import SearchTeacher
from bdgame_env.experiments.training.stage import stage_of
from tests.support import nim_game
from tests.support.policies import HOSTILE, hostile_policy

GAME, MATCHES, STEPS, EVERY = nim_game.GAME, 4, 6, 2
CONFIG = TrainConfig(
    game=GAME.id, matches=MATCHES, steps=STEPS, width=8, threads=1, batch_size=8, search_every=EVERY, search_sims=4
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_window_is_played_and_learned_from(name: str) -> None:
    """Play never leaves its arrays; learning keeps finite weights, or says that it diverged."""
    policy = hostile_policy(GAME, GAME.config(), name)
    teacher = SearchTeacher(GAME, GAME.config(), CONFIG, policy.plan, 1)
    stage = stage_of(CONFIG, 0.0, 0, teacher=0)
    for temperature in (0.0, 1e-30, 1.0):
        window = new_window(policy.plan, MATCHES * STEPS, searches=True)
        matches = Matches(GAME, GAME.config(), MATCHES, 0, 1)
        matches.lineups[:, 1] = RIVAL
        stage["temperature"] = temperature
        matches.play_window(window, STEPS, stage, policy.network, [policy.network], policy.plan)
        assert (window.chosen < window.legals).all()
        assert np.isfinite(window.log_prob).all() and np.isfinite(window.values).all()
        teacher.improve(window, matches.asked, policy.network, np.arange(MATCHES * STEPS, dtype=np.uint64))
        found = window.improved[window.searched != 0]
        np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-5)
        add_returns(window, STEPS, np.float32(0.9), 0, MATCHES)
        learner = Learner(policy.plan, 8, 1, policy.weights, 1)
        diverged = False
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                learner.learn_window(window, stage, np.random.default_rng(0))
            except Diverged:
                diverged = True
        assert diverged or np.isfinite(learner.weights).all()
        assert diverged or np.isfinite(policy.weights).all()
