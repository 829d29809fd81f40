"""The environments that are made of the game."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test

import bdgame_env
from bdgame_env import gizmos_v3


@pytest.mark.filterwarnings("ignore::UserWarning")  # the test knows its own games' dict observations by name
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_accepts_it(players: int):
    """Its own test, with the wrapped environment."""
    api_test(gizmos_v3.env(players=players, max_rounds=6), num_cycles=200)


def test_a_position_can_be_continued():
    """A module function makes an environment of a snapshot."""
    env = gizmos_v3.raw_env(players=3)
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    again = gizmos_v3.from_snapshot(env.snapshot(omniscient=True))
    assert again.snapshot(omniscient=True) == env.snapshot(omniscient=True) and str(again) == "gizmos_v3"


def test_one_learner_among_random_opponents():
    """Gymnasium: an episode to its end."""
    env = bdgame_env.make_gym("gizmos-v3", players=3, max_rounds=4, seed=1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[-1])
        _, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert -1 <= reward <= 1
