"""The Stable-Baselines3 environment of one learner, driven by sb3-contrib's own `MaskablePPO`."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor, VecNormalize

from bdgame_env import BadOption, IllegalAction, get_game
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.registration import make_sb3_vec
from tests.adapters.test_gym import Chooser

GAME = get_game("bdgame-v3")


def short(num_envs=4, **settings):
    return make_sb3_vec("bdgame-v3", num_envs, **{"max_rounds": 1, "seed": 3, **settings})


def play(envs, steps):
    rng = [np.random.default_rng(row) for row in range(envs.num_envs)]
    trail = []
    for _ in range(steps):
        masks = envs.env_method("action_masks")
        actions = [own.choice(np.flatnonzero(mask)) for own, mask in zip(rng, masks, strict=True)]
        trail.append(envs.step(np.array(actions)))
    return trail


def model_for(envs, **settings):
    kind = {"n_steps": 32, "batch_size": 64, "n_epochs": 1, "policy_kwargs": {"net_arch": [16]}, "device": "cpu"}
    return MaskablePPO("MlpPolicy", envs, seed=0, **{**kind, **settings})


class Recorder(BaseCallback):
    """Keeps a copy of what the environment returned at every step."""

    def __init__(self, envs):
        super().__init__()
        self.envs = envs
        self.observations, self.masks, self.rewards = [], [], []

    def _on_rollout_start(self):
        self.observations, self.masks, self.rewards = [], [], []
        self._look()

    def _on_step(self):
        self.rewards.append(self.envs.batch.rows["reward"].copy())
        self._look()
        return True

    def _look(self):
        self.observations.append(self.envs.batch.obs.copy())
        self.masks.append(self.envs.batch.mask.copy())


def test_maskable_ppo_learns_and_its_rollouts_hold_what_was_seen():
    """Observations, masks and rewards of every step reach the buffer unchanged, although the arrays are reused."""
    envs = short(4, players=3, opponents=["random", Chooser()])
    model, recorder = model_for(envs), Recorder(envs)
    model.learn(512, callback=recorder)
    buffer = model.rollout_buffer
    assert model.num_timesteps == 512 and len(recorder.observations) == 33
    if buffer.generator_ready:  # training has flattened it, environment by environment
        stored = buffer.observations.reshape(4, 32, -1).swapaxes(0, 1)
        masks = buffer.action_masks.reshape(4, 32, -1).swapaxes(0, 1)
        actions = buffer.actions.reshape(4, 32).T.astype(int)
    assert (stored == recorder.observations[:-1]).all()
    assert (masks == recorder.masks[:-1]).all()
    assert np.take_along_axis(np.array(recorder.masks[:-1]), actions[..., None], axis=2).all()
    assert (buffer.rewards == recorder.rewards).all()
    returns = [episode["r"] for episode in model.ep_info_buffer]
    assert len(returns) > 20 and set(returns) <= {-1.0, -0.5, 0.0, 0.5, 1.0} and len(set(returns)) > 1


def test_masks_come_as_one_array():
    envs = short(5)
    envs.reset()
    masks = envs.env_method("action_masks")
    assert isinstance(masks, np.ndarray) and masks.dtype == np.bool_ and (masks == envs.batch.mask).all()
    assert is_masking_supported(envs) and (get_action_masks(envs) == masks).all()
    assert get_action_masks(envs).shape == (5, envs.action_space.n)
    assert (envs.env_method("action_masks", indices=[3, 1]) == masks[[3, 1]]).all()
    assert (envs.env_method("action_masks", indices=2) == masks[[2]]).all()
    before = masks.copy()
    play(envs, 2)
    assert (masks == before).all()


def test_the_end_of_a_game():
    envs = short(16, players=2)
    envs.reset()
    returns, lengths, ends = np.zeros(16), np.zeros(16, int), 0
    for observations, rewards, dones, infos in play(envs, 24):
        assert observations.dtype == np.int8 and rewards.dtype == np.float32 and dones.dtype == np.bool_
        returns += rewards
        lengths += 1
        for row, info in enumerate(infos):
            if not dones[row]:
                assert info == {}
                continue
            ends += 1
            assert info["terminal_observation"] in envs.observation_space
            assert not (info["terminal_observation"] == observations[row]).all()
            assert info["TimeLimit.truncated"] is False and info["final"]["truncated"] is True
            assert (info["episode"]["r"], info["episode"]["l"]) == (returns[row], lengths[row])
            assert info["episode"]["t"] >= 0
            own = info["final"]["ranks"][info["final"]["seat"]]
            assert rewards[row] == np.sign(info["final"]["ranks"].sum() - 2 * own)
            returns[row] = lengths[row] = 0
    assert ends > 32


def test_time_limits_can_be_told():
    envs = short(bootstrap=True)
    envs.reset()
    ends = [info for *_, infos in play(envs, 12) for info in infos if info]
    assert ends and all(info["TimeLimit.truncated"] is True for info in ends)


def test_a_seed_takes_effect_at_the_next_reset():
    envs = short()
    assert list(envs.seed(8)) == [8] * 4
    first = envs.reset()
    deals = envs.batch.states["game_seed"].tolist()
    assert envs.batch.states["game_seed"].tolist() != (envs.reset(), envs.batch.states["game_seed"].tolist())[1]
    other = short(seed=1)
    other.seed(8)
    assert (other.reset() == first).all() and other.batch.states["game_seed"].tolist() == deals


def test_a_state_brings_another_environment_to_the_same_point():
    """Games, returns and a seed that waits for the next reset."""
    one, other = short(), short(seed=9)
    one.reset()
    play(one, 7)
    one.seed(5)
    other.set_state(one.get_state())
    for (seen, *rest), (same, *as_well) in zip(play(one, 20), play(other, 20), strict=True):
        np.testing.assert_array_equal(seen, same)
        np.testing.assert_array_equal(rest[0], as_well[0])
        returns = [[info["episode"]["r"] for info in infos if "episode" in info] for infos in (rest[2], as_well[2])]
        assert returns[0] == returns[1]
    np.testing.assert_array_equal(one.reset(), other.reset())
    with pytest.raises(ValueError, match="no state of 3 games"):
        short(3).set_state(one.get_state())


def test_wrappers_reach_the_games():
    envs = VecNormalize(short(), norm_obs=False, norm_reward=False)
    assert isinstance(envs, VecEnvWrapper) and is_masking_supported(envs)
    envs.env_method("set_opponents", ["random", Chooser()])
    envs.reset()
    assert get_action_masks(envs).shape == (4, envs.action_space.n)
    assert [opponent.name for opponent in envs.unwrapped.batch.opponents] == ["random", "Chooser"]
    assert envs.get_attr("num_envs", indices=[0, 1]) == [4, 4] and envs.get_attr("render_mode") == [None] * 4
    envs.close()


def test_evaluation_needs_no_monitor():
    envs = short(4)
    returns, lengths = evaluate_policy(model_for(envs), envs, 10, return_episode_rewards=True)
    assert len(returns) == 10 and set(returns) <= {-1.0, 0.0, 1.0}
    assert min(lengths) >= 1 and max(lengths) > 3, "a turn may be ended at once, and has three actions else"


def test_a_monitor_may_go_around_it():
    """Without a warning, and it writes what the environment wrote."""
    envs = short()
    monitored = VecMonitor(envs)
    assert envs.env_is_wrapped(Monitor) == [False] * 4 and envs.env_is_wrapped(Monitor, [0]) == [False]
    bare = short()
    bare.reset()
    monitored.reset()
    for ours, theirs in zip(play(bare, 12), play(monitored, 12), strict=True):
        episodes = [
            [(info["episode"]["r"], info["episode"]["l"]) for info in each[3] if info] for each in (ours, theirs)
        ]
        assert episodes[0] == episodes[1]
    assert monitored.episode_count > 0


def test_what_evaluation_reports_is_not_scaled():
    """Through a wrapper that scales rewards, returns are still those of the games."""
    envs = VecNormalize(short(), norm_obs=False, gamma=0.5)
    returns, _ = evaluate_policy(model_for(envs), envs, 8, return_episode_rewards=True)
    assert set(returns) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))])
def test_a_copy_plays_on_in_the_same_way(copied):
    envs = short()
    envs.reset()
    play(envs, 4)
    twin = copied(envs)
    for ours, theirs in zip(play(envs, 12), play(twin, 12), strict=True):
        for one, other in zip(ours[:3], theirs[:3], strict=True):
            np.testing.assert_array_equal(one, other)


def test_wrong_use_is_refused():
    envs = short(illegal="raise")
    with pytest.raises(RuntimeError, match="call reset"):
        envs.step(np.zeros(4, int))
    envs.reset()
    with pytest.raises(IllegalAction, match=r"row 0: .* is not legal"):
        envs.step(envs.batch.mask.argmin(axis=1))
    with pytest.raises(AttributeError):
        envs.env_method("jump")
    assert not envs.has_attr("jump")
    envs.set_attr("note", 1)
    assert envs.get_attr("note") == [1] * 4
    with pytest.raises(BadOption, match="belongs to all games"):
        envs.set_attr("note", 2, indices=[0])
    with pytest.raises(BadOption, match="reset belongs to all games"):
        envs.env_method("reset", indices=[0])
    from bdgame_env.adapters.sb3_vec import RawLearnerVecEnv

    with pytest.raises(BadOption, match="autoreset=True"):
        RawLearnerVecEnv(LearnerBatch(GAME, GAME.config(), 1, [Opponent("random", policy=0)], autoreset=False))


def test_without_stable_baselines3_one_line_tells_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "bdgame_env.adapters.sb3_vec", raising=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "stable_baselines3"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_Missing(), *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'bdgame_env\[train\]'"):
        short()


class _Missing:
    """An import finder that hides stable_baselines3."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] == "stable_baselines3":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
