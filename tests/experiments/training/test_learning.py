"""Self-play alone learns to play a game whose best moves are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import RANK, fresh
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.experiments.training.learner import Learner
from bdgame_env.experiments.training.rollouts import Matches
from bdgame_env.experiments.training.samples import add_returns, new_window
from tests.support import nim_game
from tests.support.windows import stage

pytestmark = pytest.mark.slow

GAME, HEAP = nim_game.GAME, 12
CONFIG = GAME.config(heap=HEAP)
MATCHES, STEPS, BATCH, WIDTH, LAYERS = 128, 16, 256, 16, 1
UPDATES = 150


def trained(threads: int, updates: int) -> tuple[Any, Any]:
    """The plan and weights after some updates of PPO against itself."""
    plan = plan_network(GAME, CONFIG)
    window = new_window(plan, MATCHES * STEPS)
    weights = {"entropy": 0.01, "value_weight": 0.5, "other_weight": 0.1}
    settings = stage(learning_rate=3e-3, max_norm=0.5, clip_range=0.2, **weights)
    rng = np.random.default_rng(0)
    learner = Learner(plan, WIDTH, LAYERS, fresh(plan, WIDTH, LAYERS, 0), threads)
    matches = Matches(GAME, CONFIG, MATCHES, 0, threads)
    for _ in range(updates):
        matches.play_window(window, STEPS, settings, learner.network, learner.network, plan)
        add_returns(window, STEPS, np.float32(0.9), 0, MATCHES)
        for _ in range(2):
            for chosen in np.split(rng.permutation(MATCHES * STEPS), MATCHES * STEPS // BATCH):
                learner.step(window, chosen, settings)
    return plan, learner.weights


def seen(heap: int) -> Any:
    """What the first seat sees, and what it may do."""
    observation = np.zeros(1, nim_game.OBS)
    observation["heap"] = heap
    mask = np.array([[stones <= heap for stones in range(1, nim_game.MOST + 1)]], np.int8)
    return observation.view(np.int8).reshape(1, -1), mask


def test_nim_is_learned() -> None:
    plan, weights = trained(2, UPDATES)
    policy = Policy(plan, weights, WIDTH, LAYERS, {})
    for heap in range(1, HEAP + 1):
        logits, heads = policy.evaluate(*seen(heap))
        own, other = heads[0, RANK : RANK + 2]
        if heap % 4:
            assert 1 + logits[0].argmax() == heap % 4, f"{heap} stones"
            assert own > 0.5 and other < -0.5, f"{heap} stones are won"
        elif heap < HEAP:
            assert own < 0 < other, f"{heap} stones are lost"


def test_the_same_training_twice() -> None:
    for threads in (1, 2):
        (_, one), (_, other) = trained(threads, 5), trained(threads, 5)
        assert np.array_equal(one, other)
