"""The Gymnasium environment of one learner."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from bdgame_env import BadOption, IllegalAction, Match, get_game
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.registration import gymnasium_id, make_gym, register_gymnasium

register_gymnasium()

GAME = get_game("bdgame-v3")
ID = "bdgame_env/Bdgame-v3"


class Chooser:
    """Plays at random, with its own generator."""

    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __call__(self, observation, mask):
        return (self.rng.random(mask.shape) * mask).argmax(axis=1)


def first(observation, mask):
    """The first legal action."""
    return mask.argmax(axis=1)


def short(**settings):
    env = make_gym("bdgame-v3", **{"max_rounds": 1, "seed": 3, **settings})
    env.action_space.seed(0)
    return env


def play(env, steps, rng=None):
    """Play at random, with a new game after each end; returns everything that the environment returned."""
    rng = rng or np.random.default_rng(1)
    trail = []
    for _ in range(steps):
        trail.append(env.step(rng.choice(np.flatnonzero(env.action_masks()))))
        if trail[-1][2] or trail[-1][3]:
            trail.append(env.reset())
    return trail


def assert_same(one, other):
    assert data_equivalence(one, other, exact=True)


# Gymnasium


@pytest.mark.parametrize("observation", ["flat", "float", "dict"])
@pytest.mark.parametrize("settings", [{"players": 2}, {"players": 4, "opponents": [("random", 2), first]}])
def test_gymnasiums_own_checks_pass_without_a_warning(observation, settings):
    check_env(gymnasium.make(ID, observation=observation, **settings).unwrapped)


def test_make_by_id():
    env = gymnasium.make(ID, opponents=["random"], seat=1, players=3, reward="points", shaping=0.5, selling=True)
    env.reset(seed=1)
    learner = env.unwrapped
    assert learner.seat == 1 and learner.lineup == ("random", "learner", "random")
    assert env.observation_space.shape == (GAME.obs.itemsize,) and env.observation_space.dtype == np.int8
    assert env.action_space == gymnasium.spaces.Discrete(GAME.config(selling=True).num_actions)
    for _ in range(20):
        env.step(env.action_space.sample())


def test_ids_of_gymnasium():
    assert gymnasium_id("bdgame-v3") == ID
    assert gymnasium_id("pixel_pusher-v2") == gymnasium_id("pixel-pusher-v2") == "bdgame_env/PixelPusher-v2"
    register_gymnasium()  # again: no warning


# Games


def test_a_seed_always_takes_effect_and_without_one_the_stream_goes_on():
    env, other = short(), short(seed=None)
    trails = [(each.reset(seed=8), play(each, 20), each.reset(), play(each, 20)) for each in (env, other, env)]
    assert_same(trails[0], trails[1])
    assert_same(trails[0], trails[2])
    env.reset(seed=8)
    first = env.match().game_seed
    assert first == Match(GAME, seed=8).game_seed
    env.reset()
    assert env.match().game_seed != first


def test_observation_and_mask_are_those_of_the_match():
    env = short(players=3)
    observation, info = env.reset()
    for _ in range(25):
        match = env.match()
        assert match.seat == env.seat
        assert (match.observe() == observation).all() and observation in env.observation_space
        assert (match.mask() == info["action_mask"]).all() and info["action_mask"].dtype == np.int8
        assert (env.action_masks() == info["action_mask"]).all() and env.action_masks().dtype == np.bool_
        assert match.legal_moves() == env.legal_moves() and match.snapshot() == env.snapshot()
        observation, _, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            observation, info = env.reset()


def test_forms_of_an_observation_hold_the_same_numbers():
    envs = {form: short(observation=form) for form in ("flat", "float", "dict")}
    (flat, _), (floats, _), (fields, info) = (env.reset(seed=2) for env in envs.values())
    assert floats.dtype == np.float32 and (floats == flat).all()
    assert (fields["action_mask"] == info["action_mask"]).all()
    for field in GAME.schema:
        assert (
            fields[field.name].shape == (field.shape or (1,))
            and (fields[field.name].ravel() == flat[field.slice]).all()
        )
    assert fields["cells"].base is fields["hand"].base  # one vector
    for form, env in envs.items():
        assert env.reset()[0] in env.observation_space, form


def test_the_round_limit_truncates_and_pays_by_place():
    env = short(players=3, opponents=["random"])
    outcomes = set()
    for _ in range(100):
        env.reset()
        done = False
        while not done:
            observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
            done = terminated or truncated
            if not done:
                assert reward == 0 and "final" not in info
        final = info["final"]
        assert truncated and not terminated and final["truncated"]
        assert final["seat"] == env.seat and final["lineup"] == env.lineup and env.lineup[env.seat] == "learner"
        match = env.match()
        assert match.over and match.points() == list(final["points"]) and match.ranks() == list(final["ranks"])
        assert (match.observe(env.seat) == observation).all()
        assert not info["action_mask"].any() and env.legal_moves() == []
        ranks, own = list(final["ranks"]), final["ranks"][env.seat]
        shared = [2 - place for place in range(own, own + ranks.count(own))]  # 1, 0, -1 for the ranks 1, 2, 3
        assert reward == sum(shared) / len(shared)
        outcomes.add(reward)
    assert {-1, 0.5} <= outcomes


def test_a_game_must_be_begun():
    env = short()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    while not env.step(env.action_space.sample())[3]:
        pass
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    with pytest.raises(BadOption, match="reset takes no options"):
        env.reset(options={"deck": 1})


def test_an_illegal_action_names_move_rule_and_legal_moves_and_changes_nothing():
    env = short(seat=0, illegal="raise")
    env.reset(seed=1)
    before = pickle.dumps(env.get_state())
    action = int(np.flatnonzero(~env.action_masks())[-1])
    move = env.action_to_string(action)
    for attempt in (lambda: env.step(action), lambda: env.play(move), lambda: env.step(np.int64(action))):
        with pytest.raises(IllegalAction) as caught:
            attempt()
        assert f"'{move}' is not legal now ({GAME.actions.rule_of(move)}); legal moves: " in str(caught.value)
        assert ", ".join(env.legal_moves()) in str(caught.value)
    for nonsense in (-1, 10**9):
        with pytest.raises(IllegalAction, match=f"no action {nonsense}; ids are 0 to"):
            env.step(nonsense)
    with pytest.raises(IllegalAction, match="'jump' is no move of this game; legal moves: "):
        env.play("jump")
    with pytest.raises(TypeError):
        env.step(1.5)
    assert pickle.dumps(env.get_state()) == before


def test_moves_by_name():
    env, twin = short(max_rounds=3), short(max_rounds=3)
    for each in (env, twin):
        each.reset()
    for _ in range(3):
        move = env.legal_moves()[0]
        assert env.action_to_string(env.string_to_action(move)) == move
        assert_same(env.play(move), twin.step(env.string_to_action(move)))


def test_what_was_returned_may_be_kept():
    for observation in ("flat", "float", "dict"):
        env = short(observation=observation, max_rounds=3)
        kept = [env.reset()]
        copies = copy.deepcopy(kept)
        for _ in range(4):
            kept.append(env.step(env.action_space.sample()))
            copies.append(copy.deepcopy(kept[-1]))
        assert_same(kept, copies)


# Opponents, copies


def test_opponents_change_between_games():
    env = short(players=3)
    env.reset()
    env.set_opponents([Chooser()])
    assert env.lineup.count("random") == 2
    env.reset()
    assert env.lineup.count("Chooser") == 2
    env.set_opponents(["greedy"])
    env.reset()
    assert env.lineup.count("greedy") == 2
    play(env, 10)


@pytest.mark.parametrize("opponents", [["random"], [Chooser(), "random"]])
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()]
)
def test_a_copy_plays_on_in_the_same_way(opponents, copied):
    env = short(players=3, opponents=opponents)
    env.reset(seed=1)
    env.action_space.seed(5)
    play(env, 4)
    twin = copied(env)
    assert [twin.action_space.sample() for _ in range(5)] == [env.action_space.sample() for _ in range(5)]
    assert_same(play(twin, 20), play(env, 20))
    for each in (env, twin):
        for _ in range(8):
            each.reset()
            assert each.action_masks()[each.action_space.sample()]


def test_a_copied_action_space_is_plain():
    env = short()
    env.reset()
    for space in (copy.deepcopy(env.action_space), pickle.loads(pickle.dumps(env.action_space))):
        assert type(space) is gymnasium.spaces.Discrete and space == env.action_space


def test_a_state_brings_another_environment_to_the_same_point():
    env, other = short(), short(seed=77)
    env.reset(seed=1)
    play(env, 5)
    other.set_state(env.get_state())
    assert_same(play(other, 20), play(env, 20))


def test_a_clone_can_be_determinized():
    env = short(seat=0, max_rounds=3)
    env.reset(seed=1)
    twin, again = env.clone(determinize=0, seed=5), env.clone(determinize=0, seed=5)
    assert twin.snapshot() == env.snapshot() and twin.legal_moves() == env.legal_moves()
    assert twin.snapshot(omniscient=True) != env.snapshot(omniscient=True)
    assert_same(play(twin, 10), play(again, 10))
    with pytest.raises(BadOption, match="no seat 2"):
        env.clone(determinize=2)


def test_the_adapter_wants_one_game_that_stays_at_its_end():
    from bdgame_env.adapters.gym import LearnerEnv

    for num_games, autoreset in ((1, True), (2, False)):
        batch = LearnerBatch(GAME, GAME.config(), num_games, [Opponent("random", policy=0)], autoreset=autoreset)
        with pytest.raises(BadOption, match="one game with autoreset=False"):
            LearnerEnv(batch)


@pytest.mark.parametrize("name", ["batch", "rng", "_games", "digest"])
@pytest.mark.parametrize("value", [None, 5, b"", {}, ()])
def test_a_state_that_was_changed_is_refused(name, value):
    env = make_gym("bdgame-v3", seed=1)
    env.reset(seed=1)
    state, before = env.get_state(), env.batch.states.tobytes()
    changed = {**state, name: value} if name in state else {**state, "batch": {**state["batch"], name: value}}
    for wrong in (changed, value):
        with pytest.raises(ValueError, match="bdgame-v3: ") as refused:
            env.set_state(wrong)
        assert "\n" not in str(refused.value)
    assert env.batch.states.tobytes() == before
    env.set_state(state)
