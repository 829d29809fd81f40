"""The environments that are made of the game, under both spellings of its name."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

import bdgame_env
from bdgame_env import pixel_pusher_v2
from bdgame_env.games.pixel_pusher.game import GAME


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")  # the test knows its own games' dict observations by name
@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_accepts_it(players: int):
    """Its own tests, in turns and in parallel."""
    api_test(pixel_pusher_v2.env(players=players), num_cycles=100)
    parallel_api_test(pixel_pusher_v2.parallel_env(players=players), num_cycles=100)


def test_a_position_can_be_continued():
    """A module function makes an environment of a snapshot."""
    env = pixel_pusher_v2.raw_env(players=3)
    env.reset(seed=2)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    again = pixel_pusher_v2.from_snapshot(env.snapshot(omniscient=True))
    assert again.snapshot(omniscient=True) == env.snapshot(omniscient=True) and str(again) == "pixel_pusher_v2"


def test_both_spellings_of_the_name():
    """With a hyphen as in other projects' ids, with "_" as modules and folders have it; Gymnasium has its own."""
    assert GAME.id == "pixel-pusher-v2" and GAME.name == "pixel_pusher"
    for name in ("pixel-pusher-v2", "pixel_pusher-v2"):
        assert bdgame_env.get_game(name) is GAME
        assert bdgame_env.make_batch(name, 2, seed=1, players=3).mask.shape == (2, 141)
    env = gymnasium.make("bdgame_env/PixelPusher-v2", players=2)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation)


def test_one_learner_among_random_opponents():
    """Gymnasium: an episode to its end."""
    env = bdgame_env.make_gym("pixel-pusher-v2", players=3, seed=1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        action = int(np.flatnonzero(info["action_mask"])[-1])
        _, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
    assert -1 <= reward <= 1
