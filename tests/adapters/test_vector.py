"""The Gymnasium vector environment of one learner."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from bdgame_env import BadOption, IllegalAction, get_game
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.registration import make_gym, make_vector, register_gymnasium
from tests.adapters.test_gym import Chooser, assert_same

register_gymnasium()

GAME = get_game("bdgame-v2")
ID = "bdgame_env/Bdgame-v2"


def short(num_envs=4, **settings):
    return make_vector("bdgame-v2", num_envs, **{"max_rounds": 1, "seed": 3, **settings})


def play(envs, steps):
    rng = [np.random.default_rng(row) for row in range(envs.num_envs)]
    trail = []
    for _ in range(steps):
        masks = envs.batch.mask
        actions = [own.choice(np.flatnonzero(mask)) for own, mask in zip(rng, masks, strict=True)]
        trail.append(envs.step(np.array(actions)))
    return trail


def test_make_vec_gives_the_native_environment():
    envs = gymnasium.make_vec(ID, num_envs=64, players=3, max_rounds=1, opponents=["random"])
    assert type(envs).__name__ == "LearnerVectorEnv" and envs.num_envs == 64
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(15):
        assert observations in envs.observation_space and observations.dtype == np.int8
        assert infos["action_mask"].shape == (64, envs.single_action_space.n) and infos["_action_mask"].all()
        actions = envs.action_space.sample()
        assert actions in envs.action_space and infos["action_mask"][np.arange(64), actions].all()
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert [each.shape for each in (rewards, terminations, truncations)] == [(64,)] * 3
        assert (rewards.dtype, terminations.dtype, truncations.dtype) == (np.float64, np.bool_, np.bool_)
        ended += truncations.sum()
    assert ended > 64
    envs.close()


@pytest.mark.parametrize("observation", ["flat", "float", "dict"])
def test_one_row_is_what_gymnasium_makes_of_the_single_environment(observation):
    """Including every key of the infos, final observations and final infos."""
    settings = {"players": 3, "max_rounds": 1, "observation": observation, "reward": "points"}
    native = make_vector("bdgame-v2", 1, **settings)
    gymnasiums = SyncVectorEnv([lambda: make_gym("bdgame-v2", **settings)], autoreset_mode=AutoresetMode.SAME_STEP)
    assert native.single_observation_space == gymnasiums.single_observation_space
    assert native.observation_space == gymnasiums.observation_space
    assert native.single_action_space == gymnasiums.single_action_space
    assert native.action_space == gymnasiums.action_space
    (view, info), (other_view, other_info) = native.reset(seed=4), gymnasiums.reset(seed=4)
    assert_same(view, other_view)
    assert_same(info, other_info)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60):
        action = [rng.choice(np.flatnonzero(native.batch.mask[0]))]
        (*step, info), (*other_step, other_info) = native.step(action), gymnasiums.step(action)
        assert_same(step, other_step)
        assert_same(info, other_info)
        ends += "final_obs" in info
    assert ends > 2


def test_final_observation_and_info_of_games_that_ended():
    envs = short(16)
    envs.reset()
    for _, rewards, terminations, truncations, infos in play(envs, 20):
        assert not terminations.any()
        assert ("final_obs" in infos) == ("final_info" in infos) == truncations.any()
        if not truncations.any():
            assert not rewards.any()
            continue
        assert (infos["_final_obs"] == truncations).all() and (infos["_final_info"] == truncations).all()
        final = infos["final_info"]["final"]
        assert final["points"].shape == final["ranks"].shape == (16, 2)
        for row in range(16):
            if not truncations[row]:
                assert infos["final_obs"][row] is None
                continue
            assert infos["final_obs"][row] in envs.single_observation_space
            assert final["lineup"][row][final["seat"][row]] == "learner"
            own, other = final["ranks"][row][[final["seat"][row], 1 - final["seat"][row]]]
            assert rewards[row] == np.sign(other - own)


def test_row_i_plays_alike_however_many_rows_there_are():
    few, many = short(4, players=3), short(64, players=3)
    for envs in (few, many):
        envs.reset(seed=6)
    for ours, theirs in zip(play(few, 15), play(many, 15), strict=True):
        for a, b in zip(ours[:4], theirs[:4], strict=True):
            assert (a == b[:4]).all()
        assert (ours[4]["action_mask"] == theirs[4]["action_mask"][:4]).all()


def test_a_seed_always_takes_effect_and_without_one_the_streams_go_on():
    envs, other = short(), short(seed=None)
    trails = [(each.reset(seed=8), play(each, 10), each.reset(), play(each, 10)) for each in (envs, other, envs)]
    assert_same(trails[0], trails[1])
    assert_same(trails[0], trails[2])
    assert not (trails[0][0][0] == trails[0][2][0]).all()


def test_what_was_returned_may_be_kept():
    envs = short()
    kept = [envs.reset(), *play(envs, 5)]
    copies = copy.deepcopy(kept)
    play(envs, 5)
    assert_same(kept, copies)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_a_copy_plays_on_in_the_same_way(copied):
    envs = short(opponents=[Chooser(), "random"], players=3)
    envs.reset(seed=1)
    play(envs, 4)
    twin = copied(envs)
    assert_same(play(twin, 15), play(envs, 15))
    for each in (envs, twin):
        assert each.action_masks()[np.arange(4), each.action_space.sample()].all()
    assert type(copy.deepcopy(envs.action_space)) is gymnasium.spaces.MultiDiscrete


def test_opponents_change_between_games():
    envs = short(8)
    envs.reset()
    envs.set_opponents([Chooser()])
    assert {name for row in range(8) for name in envs.batch.lineup(row)} == {"learner", "random"}
    play(envs, 20)
    assert {name for row in range(8) for name in envs.batch.lineup(row)} == {"learner", "Chooser"}


def test_wrong_use_is_refused_in_one_line():
    envs = short(illegal="raise")
    envs.reset()
    with pytest.raises(IllegalAction, match=r"row 0: .* is not legal"):
        envs.step(envs.batch.mask.argmin(axis=1))
    with pytest.raises(BadOption, match="must be None or a whole number"):
        envs.reset(seed=[1, 2, 3, 4])
    with pytest.raises(BadOption, match="reset takes no options"):
        envs.reset(options={"reset_mask": None})
    with pytest.raises(BadOption, match="num_games=0"):
        short(0)
    from bdgame_env.adapters.vector import LearnerVectorEnv

    with pytest.raises(BadOption, match="autoreset=True"):
        LearnerVectorEnv(LearnerBatch(GAME, GAME.config(), 1, [Opponent("random", policy=0)], autoreset=False))
