"""Samples on their way from a worker to the learner: what is learned from arrives as it was, in few bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments.training.codes import OPEN
from bdgame_env.experiments.training.gradients import PPO, add_returns
from bdgame_env.experiments.training.packing import pack, unpack
from bdgame_env.experiments.training.samples import Window, new_window
from bdgame_env.experiments.training.updates import Learner
from tests.support import nim_game, toy_game
from tests.support.windows import play_window, random_weights, update

MATCHES, STEPS, EVERY = 4, 10, 4


@pytest.fixture(scope="module", params=[toy_game.GAME, nim_game.GAME], ids=lambda game: game.id)
def played(request: pytest.FixtureRequest) -> Any:
    """A window with returns, and improved policies where searches were asked for."""
    made = play_window(request.param, request.param.config(), MATCHES, STEPS, search_every=EVERY)
    window = new_window(made.plan, MATCHES * STEPS, searches=True)
    for name in Window._fields:
        if name != "improved":
            getattr(window, name)[:] = getattr(made.window, name)
    rng = np.random.default_rng(3)
    for at in np.flatnonzero(window.searched):
        window.improved[at, : window.legals[at]] = rng.dirichlet(np.ones(window.legals[at]))
    add_returns(window, STEPS, np.float32(0.9), 0, MATCHES)
    return made, window


def arrived(made: Any, window: Window) -> Window:
    there = new_window(made.plan, MATCHES * STEPS, searches=True)
    for values in there:
        values[:] = 1  # what was there before
    unpack(pack(window), there)
    return there


def test_the_learner_learns_the_same(played: Any) -> None:
    made, window = played
    there = arrived(made, window)
    kept = np.flatnonzero(window.next != OPEN)
    assert len(kept) > 0 and (np.flatnonzero(there.next != OPEN) == kept).all()
    assert window.searched[kept].any()
    found = []
    for one in (window, there):
        learner = Learner(made.plan, 8, 1, random_weights(made.plan, 8, 1, seed=5), threads=1)
        losses = learner.learn(one, kept, update(PPO), 0.01, 0.5)
        found.append((losses.tolist(), learner.weights.tobytes()))
    assert found[0] == found[1]


def test_a_window_without_anything_to_learn(played: Any) -> None:
    made, window = played
    empty = Window(*(values.copy() for values in window))
    empty.next[:] = OPEN
    assert (arrived(made, empty).next == OPEN).all()


def test_they_take_few_bytes(played: Any) -> None:
    window = played[1]
    many = Window(*(np.concatenate([values] * 50) for values in window))
    assert len(pack(many)) * 8 < sum(values.nbytes for values in many)
