"""The Gymnasium vector environment of one learner."""

from __future__ import annotations

import copy
import pickle
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from bdgame_env import BadOption, IllegalAction, get_game, list_games
from bdgame_env.adapters.gym import LearnerEnv
from bdgame_env.adapters.vector import PER_GAME
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.threads import run_ranges
from bdgame_env.registration import gymnasium_id, make_gym, make_vector, register_gymnasium
from tests.adapters.test_gym import Chooser, assert_same, first

register_gymnasium()

GAME = get_game("bdgame-v3")
ID = "bdgame_env/Bdgame-v3"


def short(num_envs=4, **settings):
    return make_vector("bdgame-v3", num_envs, **{"max_rounds": 1, "seed": 3, **settings})


def play(envs, steps):
    rng = [np.random.default_rng(row) for row in range(envs.num_envs)]
    trail = []
    for _ in range(steps):
        masks = envs.batch.mask
        actions = [own.choice(np.flatnonzero(mask)) if mask.any() else 0 for own, mask in zip(rng, masks, strict=True)]
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


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("game", "settings"),
    [
        *(("bdgame-v3", {"players": 3, "max_rounds": 1, "observation": form}) for form in ("flat", "float", "dict")),
        *((game, {}) for game in list_games()),
    ],
)
def test_one_row_is_what_gymnasium_makes_of_the_single_environment(game, settings, mode):
    """Including every key of the infos, final observations and final infos. Every eighth action is illegal."""
    settings = {"reward": "points", **settings}
    native = make_vector(game, 1, autoreset_mode=mode, **settings)
    gymnasiums = SyncVectorEnv([lambda: make_gym(game, **settings)], autoreset_mode=mode)
    assert native.metadata["autoreset_mode"] is gymnasiums.metadata["autoreset_mode"] is mode
    assert native.single_observation_space == gymnasiums.single_observation_space
    assert native.observation_space == gymnasiums.observation_space
    assert native.single_action_space == gymnasiums.single_action_space
    assert native.action_space == gymnasiums.action_space
    (view, info), (other_view, other_info) = native.reset(seed=4), gymnasiums.reset(seed=4)
    assert_same(view, other_view)
    assert_same(info, other_info)
    rng, ends = np.random.default_rng(0), 0
    for number in range(60):
        mask = info["action_mask"][0]
        action = [mask.argmin() if number % 8 == 7 or not mask.any() else rng.choice(np.flatnonzero(mask))]
        (*step, info), (*other_step, other_info) = native.step(action), gymnasiums.step(action)
        assert_same(step, other_step)
        assert_same(info, other_info)
        done = step[2] | step[3]
        assert ("final_obs" if mode is AutoresetMode.SAME_STEP else "final") in info or not done.any()
        ends += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            (view, info), (other_view, other_info) = (
                envs.reset(options={"reset_mask": done}) for envs in (native, gymnasiums)
            )
            assert_same(view, other_view)
            assert_same(info, other_info)
    assert ends > 2


def test_in_all_modes_each_row_plays_the_same_games(monkeypatch):
    """With a step more for each new game in NEXT_STEP, and one reset for each in DISABLED; in two threads."""
    monkeypatch.setattr("bdgame_env.engine.learner.run_ranges", partial(run_ranges, least=2))
    told = {}
    for mode in AutoresetMode:
        envs = short(6, players=3, autoreset_mode=mode.value, opponents=[first, "random"], threads=2)
        _, infos = envs.reset(seed=6)
        rows = told[mode] = [[] for _ in range(6)]
        for _ in range(24):
            masks = infos["action_mask"]
            over = ~masks.any(axis=1)
            assert not over.any() or mode is AutoresetMode.NEXT_STEP
            _, rewards, terminations, truncations, infos = envs.step(masks.argmax(axis=1))
            done = terminations | truncations
            for row in np.flatnonzero(~over):
                rows[row].append((rewards[row], done[row], *masks[row]))
            assert not (rewards[over].any() or done[over].any())
            if mode is AutoresetMode.DISABLED and done.any():
                kept = envs.batch.obs[~done].copy()
                views, infos = envs.reset(options={"reset_mask": done})
                assert (views[~done] == kept).all() and infos["action_mask"].any(axis=1).all()
    shortest = [min(map(len, rows)) for rows in zip(*told.values(), strict=True)]
    assert min(shortest) >= 12
    for rows in zip(*told.values(), strict=True):
        for steps in zip(*rows, strict=False):
            assert steps[0] == steps[1] == steps[2]


def test_a_seed_and_a_mask_seed_the_chosen_rows():
    envs, other = short(autoreset_mode="Disabled"), short(autoreset_mode="Disabled")
    fresh, _ = other.reset(seed=9)
    before, _ = envs.reset(seed=1)
    chosen = np.array([False, True, False, True])
    views, _ = envs.reset(seed=9, options={"reset_mask": chosen})
    assert (views[chosen] == fresh[chosen]).all() and (views[~chosen] == before[~chosen]).all()
    assert (before[chosen] != fresh[chosen]).any()


def test_without_autoreset_a_game_that_is_over_must_be_reset_first():
    envs = short(autoreset_mode=AutoresetMode.DISABLED, max_rounds=20)
    envs.reset()
    chosen = envs.batch.mask.argmax(axis=1)
    chosen[2] = envs.batch.mask[2].argmin()
    assert envs.step(chosen)[2].tolist() == [False, False, True, False]
    state = envs.batch.get_state()
    with pytest.raises(ResetNeeded, match="the game of row 2 is over"):
        envs.step(envs.batch.mask.argmax(axis=1))
    assert envs.batch.get_state()["digest"] == state["digest"]


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("game", list_games())
def test_make_vec_takes_the_mode_in_all_its_ways(game, mode):
    for name in (mode, mode.value):
        envs = gymnasium.make_vec(gymnasium_id(game), num_envs=2, autoreset_mode=name)
        twin = gymnasium.make_vec(envs.spec)  # as Gymnasium makes it again
        kwargs = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": name}}
        theirs = gymnasium.make_vec(gymnasium_id(game), num_envs=2, **kwargs)
        assert {each.metadata["autoreset_mode"] for each in (envs, twin, theirs)} == {mode}
        assert type(twin) is type(envs) is not type(theirs)


@pytest.mark.parametrize("game", list_games())
def test_every_game_can_be_asked(game):
    envs = make_vector(game, 3, observation="dict", autoreset_mode="NextStep", render_mode="ansi")
    envs.reset(seed=2)
    envs.step(envs.action_space.sample())
    assert (np.array(envs.call("action_masks")) == envs.action_masks()).all()
    assert envs.get_attr("seat") == tuple(envs.batch.rows["seat"])
    assert envs.get_attr("lineup") == tuple(envs.batch.lineup(row) for row in range(3))
    names = get_game(game).notation(envs.batch.config)[0]
    legal = [[names[action] for action in np.flatnonzero(mask)] for mask in envs.batch.mask]
    assert list(envs.call("legal_moves")) == legal
    assert envs.call("string_to_action", legal[0][0])[0] == envs.batch.mask[0].argmax()
    for row, (match, seen) in enumerate(zip(envs.call("match"), envs.call("snapshot", seat=0), strict=True)):
        assert (match.observe() == envs.batch.obs[row]).all() and match.snapshot(seat=0) == seen
    assert envs.call("render") == envs.render()
    assert all(name in dir(LearnerEnv) or name in vars(make_gym(game)) for name in PER_GAME)


def test_what_is_set_for_every_game_is_given_back():
    envs = short()
    envs.set_attr("stage", [1, 2, 3, 4])
    envs.set_attr("name", "all")
    assert envs.get_attr("stage") == (1, 2, 3, 4) and envs.call("name") == ("all",) * 4
    with pytest.raises(ValueError, match="2 values of 'stage' for 4 games"):
        envs.set_attr("stage", [1, 2])
    for name in ("seat", "step", "render_mode"):
        with pytest.raises(AttributeError, match=f"'{name}' belongs to the environment"):
            envs.set_attr(name, 1)
    for name in ("step", "reset", "sit"):
        with pytest.raises(AttributeError, match=f"'{name}' cannot be asked of every game; what can: .*, seat, "):
            envs.call(name)
    envs.reset()
    envs.call("set_opponents", [Chooser()])
    envs.reset()
    assert {name for lineup in envs.get_attr("lineup") for name in lineup} == {"learner", "Chooser"}


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


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_a_copy_plays_on_in_the_same_way(copied, mode):
    envs = short(opponents=[Chooser(), "random"], players=3, autoreset_mode=mode)
    envs.reset(seed=1)
    play(envs, 4)
    twin = copied(envs)
    assert_same(play(twin, 15), play(envs, 15))
    for each in (envs, twin):
        assert each.action_masks()[np.arange(4), each.action_space.sample()].all()
    assert type(copy.deepcopy(envs.action_space)) is gymnasium.spaces.MultiDiscrete


def test_wrong_use_is_refused_in_one_line():
    envs = short(illegal="raise")
    envs.reset()
    with pytest.raises(IllegalAction, match=r"row 0: .* is not legal"):
        envs.step(envs.batch.mask.argmin(axis=1))
    with pytest.raises(BadOption, match="must be None or a whole number"):
        envs.reset(seed=[1, 2, 3, 4])
    with pytest.raises(BadOption, match="reset takes no options but 'reset_mask'"):
        envs.reset(options={"reset_mask": np.ones(4, bool), "opponents": "random"})
    for mask in (None, [True] * 4, np.ones(4), np.ones(3, bool), np.zeros(4, bool)):
        with pytest.raises(BadOption, match=r"must be a bool array of shape \(4,\) with at least one True"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ResetNeeded, match="call reset"):
        short().reset(options={"reset_mask": np.ones(4, bool)})
    for mode in ("NEXT_STEP", None, 1, []):
        with pytest.raises(BadOption, match="must be one of 'NextStep', 'SameStep', 'Disabled'"):
            short(autoreset_mode=mode)
    for autoreset in ("same_step", None, 1, []):
        with pytest.raises(BadOption, match="must be True, False or 'next_step'"):
            LearnerBatch(GAME, GAME.config(), 1, [Opponent("random", policy=0)], autoreset=autoreset)
    with pytest.raises(BadOption, match="num_envs=0"):
        short(0)
