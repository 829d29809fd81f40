"""Illegal actions: with illegal="end" the mover loses and the game is over, in every environment and every game."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

from bdgame_env import IllegalAction, get_game, list_games, make_aec, make_gym, make_parallel, make_sb3_vec
from bdgame_env import make_vector as make_vector_env
from bdgame_env.engine.learner import LearnerBatch, Opponent
from tests.clients.checks import SIZES

GAMES = list_games()


def wrong(mask: Any) -> int:
    """An action of the space that is not legal."""
    return int(np.flatnonzero(np.asarray(mask) == 0)[-1])


@pytest.mark.parametrize(("game", "players"), SIZES)
def test_the_mover_loses_and_the_others_get_nothing(game: str, players: int) -> None:
    """PettingZoo's environments: AEC as TerminateIllegalWrapper has it, Parallel with terminations alone."""
    env = make_aec(game, players=players)
    env.reset(seed=1)
    mover = env.agent_selection
    env.step(wrong(env.last()[0]["action_mask"]))
    assert env.rewards == {agent: -1.0 if agent == mover else 0.0 for agent in env.agents}
    assert all(env.terminations.values()) and all(env.truncations.values())
    together = make_parallel(game, players=players)
    observations, _ = together.reset(seed=1)
    actions = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    _, rewards, terminations, truncations, _ = together.step(
        {**actions, mover: wrong(observations[mover]["action_mask"])}
    )
    assert rewards == {agent: -1.0 if agent == mover else 0.0 for agent in observations}
    assert all(terminations.values()) and not any(truncations.values()) and together.agents == []


@pytest.mark.parametrize("reward", ["rank", "win", "points"])
@pytest.mark.parametrize(("game", "players"), SIZES)
def test_a_learner_loses(game: str, players: int, reward: str) -> None:
    """The return is -1 whatever the scheme, since shaping is taken back; a new game can begin."""
    env = make_gym(game, players=players, reward=reward, seed=1)
    env.action_space.seed(1)
    env.reset()
    total, steps = 0.0, 6
    for _ in range(steps - 1):
        _, gain, *ended, _ = env.step(env.action_space.sample())
        assert not any(ended)
        total += gain
    before, position = env.match().get_state(), env.batch.obs[0].copy()
    observation, gain, terminated, truncated, info = env.step(wrong(env.action_masks()))
    assert terminated and not truncated and total + gain == pytest.approx(-1.0, abs=1e-5)
    final = info["final"]
    assert final["illegal"] and not final["truncated"] and final["steps"] == steps
    assert final["ranks"].tolist() == [players if seat == env.seat else 1 for seat in range(players)]
    assert not info["action_mask"].any() and env.legal_moves() == []
    assert env.match().get_state() == before and (observation == position).all()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    _, info = env.reset()
    assert info["action_mask"].any() and "final" not in env.step(env.action_space.sample())[4]


@pytest.mark.parametrize("game", GAMES)
def test_rows_end_one_by_one(game: str) -> None:
    """In each step rows that chose well play as they would alone; the others begin the game that follows."""
    envs, calm = make_vector_env(game, 4, seed=1), make_vector_env(game, 4, seed=1)
    learners = make_sb3_vec(game, 4, seed=1)
    for each in (envs, calm, learners):
        each.reset()
    for _ in range(4):
        masks = envs.batch.mask.copy()
        actions = masks.argmax(axis=1)
        fine = calm.step(actions)
        actions[2] = wrong(masks[2])
        views, rewards, terminations, truncations, infos = envs.step(actions)
        seen, gains, dones, told = learners.step(actions)
        assert terminations.tolist() == dones.tolist() == [False, False, True, False] and not truncations.any()
        assert rewards.tolist() == gains.tolist() == [0.0, 0.0, -1.0, 0.0]
        assert (views == seen).all() and told[2]["final"]["illegal"] and told[2]["episode"]["r"] == -1.0
        assert told[2]["TimeLimit.truncated"] is False and infos["final_info"]["final"]["illegal"].tolist()[2]
        assert (views[[0, 1, 3]] == fine[0][[0, 1, 3]]).all() and infos["action_mask"].any(axis=1).all()
        calm.batch.set_state(envs.batch.get_state())


def test_opponents_in_python_play_on_in_the_next_game() -> None:
    """Where they are to move first there."""
    envs = make_vector_env("gizmos-v3", 8, players=3, seed=1, opponents=lambda seen, mask: mask.argmax(axis=1))
    envs.reset()
    rng = np.random.default_rng(0)
    for _ in range(20):
        *_, terminations, _, infos = envs.step(rng.integers(0, 106, 8))
        assert terminations.any() and (envs.batch.states["seat"] == envs.batch.rows["seat"]).all()
        assert infos["action_mask"].any(axis=1).all()


def test_raise_changes_nothing() -> None:
    for game in GAMES:
        aec, learner = make_aec(game, illegal="raise"), make_gym(game, illegal="raise")
        aec.reset(seed=1)
        learner.reset(seed=1)
        before = aec.unwrapped.get_state(), learner.batch.states.tobytes()
        with pytest.raises(IllegalAction, match=r"is not legal now \(.*\); legal moves: "):
            aec.step(wrong(aec.last()[0]["action_mask"]))
        with pytest.raises(IllegalAction, match=r"is not legal now \(.*\); legal moves: "):
            learner.step(wrong(learner.action_masks()))
        assert (aec.unwrapped.get_state(), learner.batch.states.tobytes()) == before
        aec.play(aec.legal_moves()[0])
        for make in (make_vector_env, make_sb3_vec):
            envs = make(game, 2, illegal="raise")
            envs.reset()
            with pytest.raises(IllegalAction, match="row 0"):
                envs.step(np.array([wrong(mask) for mask in envs.batch.mask]))


def test_copies_keep_the_rule() -> None:
    env = make_aec("gizmos-v3", illegal="raise")
    env.reset(seed=1)
    for twin in (env.clone(), copy.deepcopy(env)):
        with pytest.raises(IllegalAction):
            twin.step(wrong(twin.last()[0]["action_mask"]))
    learner = make_gym("gizmos-v3")
    learner.reset(seed=1)
    assert copy.deepcopy(learner).step(wrong(learner.action_masks()))[2]


def test_what_is_no_action_and_a_move_by_name_always_raise() -> None:
    """They are mistakes of the caller's."""
    learner = make_gym("gizmos-v3", seed=1)
    learner.reset()
    before = learner.batch.states.tobytes()
    for action in (-1, 106, 10**9):
        with pytest.raises(IllegalAction, match="no action"):
            learner.step(action)
    with pytest.raises(IllegalAction, match="is not legal now"):
        learner.play(wrong(learner.action_masks()))
    with pytest.raises(TypeError):
        learner.step(None)
    assert learner.batch.states.tobytes() == before


def test_a_lost_game_stays_lost() -> None:
    """In a batch that stays at its finished games, and in a determinized copy of one."""
    game = get_game("gizmos-v3")
    batch = LearnerBatch(
        *(game, game.config(), 2, [Opponent("random", policy=0)]), autoreset=False, illegal="end", seed=1, threads=1
    )
    batch.reset()
    batch.step([wrong(mask) for mask in batch.mask])
    assert batch.rows["done"].all() and not batch.mask.any()
    with pytest.raises(IllegalAction, match="row 0"):
        batch.step([0, 0])
    batch.determinize(0, seed=1)
    assert not batch.mask.any()
    batch.reset()
    assert batch.mask.any(axis=1).all() and not batch.rows["done"].any()
