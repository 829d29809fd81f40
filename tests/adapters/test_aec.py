from __future__ import annotations

import copy
import json
import pickle
import time
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from bdgame_env import BadSnapshot, IllegalAction, Match, bdgame_v3, get_game
from bdgame_env.adapters.aec import RawAEC, make_aec
from bdgame_env.engine.batch import Batch
from bdgame_env.registration import register_pettingzoo

GAME = get_game("bdgame-v3")
MAKERS = {"raw": bdgame_v3.raw_env, "wrapped": bdgame_v3.env}


@pytest.fixture(params=MAKERS)
def make(request):
    """`raw_env` and `env`, at the start of the game of seed 7."""

    def started(**options: Any) -> Any:
        env = MAKERS[request.param](**options)
        env.reset(seed=7)
        return env

    return started


def choose(env: Any, rng: np.random.Generator) -> int | None:
    """A random legal action according to the mask of the seat to decide; None for a seat that is done."""
    observation, _, terminated, truncated, _ = env.last()
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))


def play(env: Any, decisions: int, seed: int = 0) -> None:
    """Random decisions."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        env.step(choose(env, rng))


def ended(env: Any) -> Any:
    """The environment after random decisions to the end of the game, before any seat is removed."""
    rng = np.random.default_rng(0)
    while not env.terminations[env.agent_selection] and not env.truncations[env.agent_selection]:
        env.step(choose(env, rng))
    return env


def trace(env: Any, decisions: int) -> list[Any]:
    """What random play shows: who decides, everything in `last` and the dicts, every seat's observation."""
    rng, seen = np.random.default_rng(1), []
    for agent in env.agent_iter(decisions):
        views = {other: env.observe(other) for other in env.possible_agents}
        flags = (dict(env.rewards), dict(env.terminations), dict(env.truncations), list(env.agents))
        seen.append(copy.deepcopy((agent, env.last(), dict(env.infos), views, *flags)))
        env.step(choose(env, rng))
    return seen


def same(one: list[Any], other: list[Any]) -> bool:
    """Whether two traces are equal, array for array."""
    return len(one) == len(other) and all(data_equivalence(a, b) for a, b in zip(one, other, strict=True))


# PettingZoo's own tests


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["rank", "points"])
def test_pettingzoo_api(make, players, reward):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # it accepts dict observations only of games it knows
        api_test(make(players=players, reward=reward), num_cycles=1000)


@pytest.mark.parametrize("observation", ["dict", "float"])
def test_pettingzoo_api_with_other_observations(make, observation):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(make(observation=observation), num_cycles=100)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pettingzoo_seed(players):
    seed_test(lambda: bdgame_v3.env(players=players), num_cycles=500)


def test_pettingzoo_performance_benchmark(make, monkeypatch):
    ticks = iter(np.arange(0, 100, 0.01))
    monkeypatch.setattr(time, "time", lambda: float(next(ticks)))  # its five seconds pass in 500 cycles
    performance_benchmark(make(players=3))


def test_pettingzoo_render(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    render_test(bdgame_v3.env)


# Spaces and observations


@pytest.mark.parametrize("form", ["flat", "dict", "float"])
def test_observations_lie_in_their_space(make, form):
    env = make(players=3, observation=form)
    for _ in range(3):
        for agent in env.agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        play(env, 50)


def test_the_forms_hold_the_same_numbers():
    flat, named, floats = (bdgame_v3.raw_env(observation=form) for form in ("flat", "dict", "float"))
    for env in (flat, named, floats):
        env.reset(seed=3)
        play(env, 60)
    vector = flat.observe("player_1")["observation"]
    assert vector.dtype == np.int8 and np.array_equal(vector, floats.observe("player_1")["observation"])
    fields = named.observe("player_1")["observation"]
    for field in flat.observation_schema():
        assert fields[field.name].shape == (field.shape or (1,))
        assert np.array_equal(fields[field.name].ravel(), vector[field.slice])


def test_only_the_seat_to_decide_has_a_mask(make):
    env = make(players=4)
    for _ in range(100):
        for agent in env.agents:
            masks = env.observe(agent)["action_mask"], env.infos[agent]["action_mask"]
            if agent == env.agent_selection:
                legal = np.flatnonzero(masks[0])
                assert [env.action_to_string(action) for action in legal] == env.legal_moves()
                assert np.array_equal(*masks) and masks[0].any()
            else:
                assert not masks[0].any() and not masks[1].any()
        play(env, 1)
    for agent in ended(env).agents:
        assert not env.observe(agent)["action_mask"].any() and not env.infos[agent]["action_mask"].any()


def test_what_was_returned_may_be_kept(make):
    env = make()
    observation, *_, info = env.last()
    before = copy.deepcopy((observation, info))
    play(env, 20)
    assert data_equivalence((observation, info), before)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_observations_hide_what_determinization_changes(make, players):
    env = make(players=players)
    for _ in range(5):
        play(env, 40)
        for seat, agent in enumerate(env.agents):
            other = env.clone(determinize=seat, seed=5)
            assert other.snapshot(True) != env.snapshot(True)
            assert data_equivalence(other.observe(agent), env.observe(agent))
            assert other.snapshot() == env.snapshot()


# Rewards and the end


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reward", ["rank", "win", "points"])
def test_rewards_are_those_of_a_batch_and_sum_to_zero(players, reward):
    settings: dict[str, Any] = {"players": players, "reward": reward, "shaping": 0.5}
    env = bdgame_v3.raw_env(shaping_gamma=0.99, **settings)
    batch = Batch(GAME, 1, seed=4, shaping_gamma=0.99, **settings)
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    while not batch.done[0]:
        observation, *_ = env.last()
        assert np.array_equal(observation["observation"], batch.obs[0])
        action = choose(env, rng)
        env.step(action)
        batch.step(np.array([action]))
        assert np.allclose(list(env.rewards.values()), batch.rewards[0], atol=1e-6)
        assert abs(sum(env.rewards.values())) < 1e-9
    final = [*(info["points"] for info in env.infos.values()), *(info["rank"] for info in env.infos.values())]
    assert final == batch.finals[0].tolist()[:-1]


@pytest.mark.parametrize("reward", ["rank", "points"])
def test_a_seat_finds_what_others_moves_earned_it_at_its_own_last(make, reward):
    env = make(players=3, reward=reward)
    rng = np.random.default_rng(0)
    due = dict.fromkeys(env.agents, 0.0)
    decided, lost_by_anothers_move = "", False
    for agent in env.agent_iter():
        _, amount, terminated, truncated, _ = env.last()
        assert amount == due[agent]
        if terminated or truncated:
            lost_by_anothers_move |= agent != decided and amount < 0
        else:
            decided = agent
        due[agent] = 0.0
        env.step(choose(env, rng))
        for other, amount in env.rewards.items():
            due[other] += amount
    assert lost_by_anothers_move and not env.agents


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_that_ends_by_its_rules_is_terminated(make, players):
    env = make(players=players, deck="classic")  # on which random play has points by then
    play(env, 200)
    env.match.state.last_round = 1
    ended(env)
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert [info["rank"] for info in env.infos.values()] == env.match.ranks()
    assert max(env.rewards.values()) > 0 and sum(env.rewards.values()) == pytest.approx(0)


def test_max_rounds_truncates(make):
    env = ended(make(players=3, max_rounds=1))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert env.legal_moves() == [] and env.snapshot()["truncated"]


@pytest.mark.parametrize("reward", ["rank", "points"])
def test_max_cycles_truncates_after_that_many_decisions_and_pays_by_place(make, reward):
    cut, uncut = make(max_cycles=40, reward=reward), make(reward=reward)
    play(cut, 40)
    play(uncut, 40)
    assert all(cut.truncations.values()) and not any(cut.terminations.values())
    ranks = uncut.match.ranks()
    assert [info["rank"] for info in cut.infos.values()] == ranks
    if reward == "rank":
        assert list(cut.rewards.values()) == ([0, 0] if ranks == [1, 1] else [3 - 2 * place for place in ranks])
    assert abs(sum(cut.rewards.values())) < 1e-9
    cut.reset()
    play(cut, 39)
    assert not any(cut.truncations.values())


def test_after_the_end_every_seat_is_asked_once_and_then_nobody(make):
    env, asked = ended(make(players=4)), []
    for agent in env.agent_iter():
        assert env.last()[2] or env.last()[3]
        asked.append(agent)
        env.step(None)
    assert asked == env.possible_agents and env.agents == []


# Illegal actions


def test_an_illegal_action_raises_and_changes_nothing():
    env = bdgame_v3.raw_env(players=3)
    env.reset(seed=1)
    play(env, 30)
    before, view = copy.deepcopy(env.get_state()), env.last()
    illegal = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"] == 0)[0])
    with pytest.raises(IllegalAction, match=rf"'{env.action_to_string(illegal)}' is not legal now \(B.*legal moves: "):
        env.step(illegal)
    for action in (-1, 10**6, 2**70):
        with pytest.raises(IllegalAction, match="no action"):
            env.step(action)
    for action in (None, 1.5, "collect"):
        with pytest.raises(TypeError):
            env.step(action)
    with pytest.raises(IllegalAction, match="is no move of this game"):
        env.play("dance")
    assert env.get_state() == before and data_equivalence(env.last(), view)


def test_an_illegal_action_ends_the_wrapped_game():
    env = bdgame_v3.env(players=3)
    env.reset(seed=1)
    play(env, 30)
    offender = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    found = {}
    for agent in env.agent_iter():
        observation, found[agent], *_, info = env.last()
        assert not observation["action_mask"].any() and not info["action_mask"].any()
        assert (info["rank"], info["illegal"]) == ((3, True) if agent == offender else (1, False))
        assert info["points"] == env.unwrapped.match.points()[env.possible_agents.index(agent)]
        env.step(None)
    assert found == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    env.reset()
    play(env, 10)
    assert not any(env.terminations.values())


def stock(**options: Any) -> Any:
    """The environment in PettingZoo's own wrappers."""
    raw = TerminateIllegalWrapper(bdgame_v3.raw_env(**options), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw))


@pytest.mark.parametrize("illegal_at", [0, 57, None])
def test_the_short_way_is_what_pettingzoos_wrappers_do(illegal_at):
    ours, theirs = bdgame_v3.env(reward="points", max_rounds=5), stock(reward="points", max_rounds=5)
    ours.reset(seed=2)
    theirs.reset(seed=2)
    rng = np.random.default_rng(0)
    for number, (agent, other) in enumerate(zip(ours.agent_iter(), theirs.agent_iter(), strict=True)):
        assert agent == other and str(ours) == str(theirs)
        assert data_equivalence(ours.last(), theirs.last())
        action = choose(ours, rng)
        if number == illegal_at:
            action = int(np.flatnonzero(ours.last()[0]["action_mask"] == 0)[0])
        ours.step(action)
        theirs.step(action)
        for name in ("rewards", "terminations", "truncations", "agents", "num_agents", "agent_selection"):
            assert getattr(ours, name) == getattr(theirs, name)


def test_the_wrapped_environment_enforces_the_order_of_calls():
    env = bdgame_v3.env()
    for name in ("agents", "rewards", "agent_selection", "infos", "num_agents"):
        with pytest.raises(AttributeError, match="cannot be accessed before reset"):
            getattr(env, name)
    calls = (env.last, env.agent_iter, env.render, lambda: env.step(0), lambda: env.observe("player_0"))
    for call in calls:
        with pytest.raises((AssertionError, AttributeError), match="before"):
            call()
    env.reset()
    with pytest.raises(AssertionError, match="need to call step"):
        for _ in env.agent_iter():
            pass
    for action in (-1, 10**6):
        with pytest.raises(AssertionError, match="not in action space"):
            env.step(action)
    for action in (1.5, None):
        with pytest.raises(TypeError, match="an action is a whole number"):
            env.step(action)


def test_a_step_after_the_end_is_refused():
    env = ended(bdgame_v3.raw_env(max_rounds=1))
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    with pytest.raises(IllegalAction, match="the game is over"):
        env.play("collect")
    for _ in env.agent_iter():
        env.step(None)
    with pytest.raises(IllegalAction, match="reset"):
        env.step(0)


# Exact copies


def by_state(env: Any) -> Any:
    twin = MAKERS["raw" if isinstance(env, RawAEC) else "wrapped"](players=3, reward="points", max_cycles=500)
    twin.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return twin


COPIES = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.clone(),
    "state": by_state,
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("decisions", [0, 300, 499, 501])
def test_a_copy_goes_on_in_the_same_way(make, way, decisions):
    env = make(players=3, reward="points", max_cycles=500)
    play(env, decisions)
    twin = COPIES[way](env)
    expected = trace(env, 250)
    assert same(trace(twin, 250), expected) and len(expected) > 1
    for each in (env, twin):
        each.reset()
    assert same(trace(twin, 30), trace(env, 30))


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "clone"])
def test_a_copy_and_its_original_are_independent(make, way):
    env = make(players=3, reward="points", max_cycles=500)
    play(env, 300)
    twin, before = COPIES[way](env), copy.deepcopy(env.get_state())
    view = env.last()
    play(twin, 100)
    twin.reset(seed=9)
    assert env.get_state() == before and data_equivalence(env.last(), view)


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "clone"])
def test_a_game_ended_by_an_illegal_action_is_copied_too(way):
    env = bdgame_v3.env(players=3, reward="points", max_cycles=500)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert same(trace(COPIES[way](env), 9), trace(env, 9))


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copy_samples_the_same_actions(make, way):
    env = make(players=3)
    env.action_space("player_0").seed(3)
    twin = COPIES[way](env)
    samples = [[each.action_space("player_0").sample() for _ in range(9)] for each in (env, twin)]
    assert samples[0] == samples[1]


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "clone"])
def test_a_copy_before_the_first_reset(way):
    env = COPIES[way](bdgame_v3.env())
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agents
    env.reset(seed=3)
    assert env.snapshot(True) == Match(GAME, seed=3).snapshot(True)


def test_a_state_is_restored_over_another_position(make):
    env = make(players=3)
    play(env, 100)
    state, expected = env.get_state(), None
    for _ in range(2):
        env.set_state(state)
        seen = trace(env, 100)
        assert expected is None or same(seen, expected)
        expected = seen
    with pytest.raises(ValueError, match="the state is of"):
        make(players=4).set_state(state)


def test_a_snapshot_goes_on_in_the_same_way(make):
    env = make(players=3)
    play(env, 300)
    data = json.loads(json.dumps(env.snapshot(omniscient=True)))
    loaded = make(players=3)
    loaded.from_snapshot(data)
    fresh = bdgame_v3.from_snapshot(data)
    assert str(fresh) == "bdgame_v3" and fresh.snapshot(True) == loaded.snapshot(True) == data
    expected = trace(env, 100)
    assert same(trace(loaded, 100), expected) and same(trace(fresh, 100), expected)


def test_the_snapshot_of_a_finished_game_is_finished(make):
    env = ended(make(max_rounds=3))
    fresh = bdgame_v3.from_snapshot(env.snapshot(omniscient=True))
    assert fresh.truncations == env.truncations and data_equivalence(fresh.infos, env.infos)
    assert set(fresh.rewards.values()) == {0.0}


def test_snapshots_that_do_not_fit_are_refused(make):
    env = make(players=3)
    before = env.get_state()
    with pytest.raises(BadSnapshot, match="players is 2, but this environment has 3"):
        env.from_snapshot(Match(GAME, players=2).snapshot(True))
    with pytest.raises(BadSnapshot, match="hidden"):
        env.from_snapshot(env.snapshot())
    for data in (None, {}, {"game": "chess"}):
        with pytest.raises(BadSnapshot):
            env.from_snapshot(data)
        with pytest.raises(BadSnapshot):
            bdgame_v3.from_snapshot(data)
    assert env.get_state() == before


def test_a_redealt_clone_is_reproducible_by_its_seed(make):
    env = make(players=3)
    one, other, third = (env.clone(determinize=1, seed=seed).snapshot(True) for seed in (8, 8, 9))
    assert one == other != third
    with pytest.raises(ValueError, match="no seat 3"):
        env.clone(determinize=3)


def test_a_redealt_clone_does_not_know_the_deals_to_come(make):
    env = make(players=3)
    twin = env.clone(determinize=1, seed=8)
    assert env.match.game_seed not in (twin.match.game_seed, twin.unwrapped._seed)
    env.reset()
    twin.reset()
    assert twin.snapshot(True) != env.snapshot(True)


# Seeds


def test_reset_with_a_seed_always_takes_effect(make):
    env = make()
    first = env.snapshot(True)
    play(env, 50)
    env.reset(seed=7)
    assert env.snapshot(True) == first
    env.reset(seed=8)
    assert env.snapshot(True) != first


def test_games_after_a_seeded_one_are_the_next_of_its_sequence(make):
    env = make(players=3)
    for match in range(4):
        assert env.snapshot(True) == Match(GAME, seed=7, match=match, players=3).snapshot(True)
        play(env, 10 * match)
        env.reset()


def test_without_a_seed_deals_differ():
    deals = set()
    for _ in range(3):
        env = bdgame_v3.env()
        for _ in range(3):
            env.reset()
            deals.add(env.match.game_seed)
    assert len(deals) == 9


def test_reset_can_repeat_a_deal(make):
    env = make()
    number, first = env.match.game_seed, env.snapshot(True)
    env.reset(seed=99, options={"game_seed": number})
    assert env.snapshot(True) == first


# Names, options, registration


def test_moves_by_name(make):
    env = make()
    assert "collect" in env.legal_moves()
    twin = env.clone()
    env.play("collect")
    twin.step(twin.string_to_action("collect"))
    assert env.get_state() == twin.get_state()
    assert env.action_to_string(env.string_to_action("collect")) == "collect"


def test_play_may_stand_in_for_step_in_the_loop(make):
    env = make()
    for _ in env.agent_iter(20):
        env.play(env.legal_moves()[0])


def test_the_module_is_as_pettingzoos_own():
    env = bdgame_v3.env(players=4)
    assert isinstance(env, OrderEnforcingWrapper) and isinstance(env.unwrapped, RawAEC)
    assert env.metadata["name"] == str(env) == "bdgame_v3" and not env.metadata["is_parallelizable"]
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    assert pickle.loads(pickle.dumps(bdgame_v3.env))(players=3).unwrapped.max_num_agents == 3
    assert type(make_aec(GAME)) is type(env)


def test_pettingzoo_makes_the_registered_game():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register_pettingzoo()
        register_pettingzoo()
    for name in ("bdgame_env/bdgame-v3", "bdgame_env/bdgame_v3", "bdgame-v3"):
        env = pettingzoo.make("aec", name, players=3, max_cycles=12)
        assert str(env) == "bdgame_v3" and env.unwrapped.max_cycles == 12 and len(env.possible_agents) == 3


def test_the_text_shows_the_public_position():
    env = bdgame_v3.env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text.startswith("Bdgame, round 1: seat 0 chooses an action, 3 actions left\n") and "deck 28" in text
    plain = bdgame_v3.raw_env()
    with pytest.warns(UserWarning, match="render_mode"):
        assert plain.render() is None


@pytest.mark.parametrize("ended_first", [False, True], ids=["running", "over"])
def test_a_state_that_was_changed_is_refused_and_changes_nothing(ended_first):
    """So is what is no state, or one of a match alone."""
    env = bdgame_v3.env(players=3, max_rounds=1)
    env.reset(seed=1)
    if ended_first:
        for _ in env.agent_iter():
            action = env.infos[env.agent_selection]["action_mask"].argmax()
            env.step(None if env.last()[2] or env.last()[3] else int(action))
            if len(env.agents) == 2:
                break
    else:
        play(env, 5)
    state = env.get_state()
    env.set_state(state)
    wrong: list[Any] = [None, 5, [], b"", {}, state[:-1], state + b" ", env.match.get_state()]
    for place in range(0, len(state), 7):
        changed = bytearray(state)
        changed[place] ^= 4
        wrong.append(bytes(changed))
    for changed in wrong:
        with pytest.raises(ValueError, match=r"bdgame-v3|bytes") as refused:
            env.set_state(changed)
        assert "\n" not in str(refused.value) and len(str(refused.value)) < 400
        assert env.get_state() == state
