"""Searches that improve the learner's policy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.samples import Window, new_window
from bdgame_env.experiments.training.search_teacher import SearchTeacher
from tests.support import nim_game
from tests.support.policies import plain_policy
from tests.support.windows import play_window

pytestmark = pytest.mark.slow

GAME, EVERY, MATCHES, STEPS = nim_game.GAME, 4, 8, 20


def improved(sims: int, seed: int = 0, threads: int = 1) -> tuple[Window, npt.NDArray[Any]]:
    """A window of Nim with the policies that searches found, and the states that were searched."""
    config = GAME.config(heap=7)
    made = play_window(GAME, config, MATCHES, STEPS, search_every=EVERY)
    window = new_window(made.plan, MATCHES * STEPS, searches=True)
    for name in ("legal", "legals", "searched"):
        getattr(window, name)[:] = getattr(made.window, name)
    policy = plain_policy(GAME, config)
    layers = {"width": policy.network.width, "layers": policy.network.layers}
    settings = TrainConfig(game=GAME.id, search_every=EVERY, search_sims=sims, margin=0.0, truncation=0.0, **layers)
    teacher = SearchTeacher(GAME, config, settings, policy.plan, threads)
    seeds = np.random.default_rng(seed).integers(0, 2**64, MATCHES * STEPS // EVERY, np.uint64)
    teacher.improve(window, made.matches.asked, policy.network, seeds)
    return window, made.matches.asked


def test_the_winning_move_is_taught() -> None:
    """Leave a multiple of 4: the improved policy of a network that knows nothing prefers it where there is one."""
    window, asked = improved(sims=200)
    found = 0
    for at in np.flatnonzero(window.searched):
        take = int(asked["heap"][at // EVERY]) % 4
        if take:
            found += 1
            count = window.legals[at]
            assert window.legal[at, window.improved[at, :count].argmax()] + 1 == take
            assert window.improved[at, :count].max() > 0.9
    assert found > 10


def test_policies_are_written_for_searched_samples_only() -> None:
    window, _ = improved(sims=6)
    for at, policy in enumerate(window.improved):
        count = window.legals[at]
        assert not policy[count:].any()
        assert policy[:count].sum() == pytest.approx(float(window.searched[at]), abs=1e-5)
    assert window.searched.sum() == MATCHES * STEPS // EVERY


def test_a_seed_gives_the_same_with_any_number_of_threads() -> None:
    (one, _), (same, _), (other, _) = improved(6), improved(6, threads=2), improved(6, seed=1)
    assert np.array_equal(one.improved, same.improved)
    assert not np.array_equal(one.improved, other.improved)
