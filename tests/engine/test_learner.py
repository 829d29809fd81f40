"""`LearnerBatch`: the loop under the Gymnasium and Stable-Baselines3 environments."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from bdgame_env import BadOption, IllegalAction, Match, get_game
from bdgame_env.engine.codes import LEARNER, TERMINATED, TRUNCATED
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.rewards import RewardScheme, rank_reward

GAME = get_game("bdgame-v3")
RANDOM = Opponent("random", policy=0)


class Chooser:
    """Plays at random with its own generator, and records what it was asked."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.asked: list[Any] = []

    def act(self, observation: Any, mask: Any, states: Any) -> Any:
        self.asked.append((observation.copy(), mask.copy(), None if states is None else states.copy()))
        return (self.rng.random(mask.shape) * mask).argmax(axis=1)

    def seed(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)


def games(num_games=4, opponents=(RANDOM,), *, players=2, max_rounds=1, seed=7, options=None, **settings):
    config = GAME.config(players=players, max_rounds=max_rounds, **(options or {}))
    return LearnerBatch(GAME, config, num_games, list(opponents), seed=seed, threads=1, **settings)


def rows_rng(batch):
    return [np.random.default_rng(row) for row in range(batch.num_games)]


def legal_actions(batch, rng):
    """A random legal action for each row, from that row's own generator."""
    return np.array([own.choice(np.flatnonzero(mask)) for own, mask in zip(rng, batch.mask, strict=True)])


def play(batch, steps, rng=None, on_step=None):
    rng = rng or rows_rng(batch)
    for _ in range(steps):
        actions = legal_actions(batch, rng)
        batch.step(actions)
        if on_step:
            on_step(actions)


def same(one, other):
    """Whether two batches are at the same point, to the last byte."""
    names = ("rows", "obs", "mask", "final_obs", "states")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names)


# What the learner sees


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rows_show_what_the_learner_sees_and_may_do(players):
    batch = games(players=players)
    batch.reset()

    def check(_=None):
        for row in range(batch.num_games):
            match = Match(GAME, seed=0, **batch.config.options)
            match.states[:] = batch.states[row]
            assert match.seat == batch.rows[row].seat and batch.rows[row].status == LEARNER
            assert (match.mask() == batch.mask[row]).all()
            assert (match.observe() == batch.obs[row]).all()

    check()
    play(batch, 12, on_step=check)


def test_the_last_view_of_a_game_is_kept_when_a_new_one_has_begun():
    batch, staying = games(1), games(1, autoreset=False)
    for both in (batch, staying):
        both.reset()
    rng, ends = rows_rng(batch), 0
    for _ in range(30):
        actions = legal_actions(batch, rng)
        for both in (batch, staying):
            both.step(actions)
        assert batch.rows[0].done == staying.rows[0].done and batch.rows[0].reward == staying.rows[0].reward
        if batch.rows[0].done:
            ends += 1
            assert staying.states[0].over == 1 and batch.states[0].over == 0
            assert (batch.final_obs == staying.obs).all()
            assert (batch.final_obs == staying.final_obs).all()
            assert not staying.mask.any()
            with pytest.raises(IllegalAction):
                staying.step([0])
            staying.reset()
        assert (batch.obs == staying.obs).all() and (batch.mask == staying.mask).all()
    assert ends > 1


# Chance


@pytest.mark.slow
def test_row_i_plays_alike_however_many_rows_there_are():
    few, many = games(4), games(64)
    for batch in (few, many):
        batch.reset()
        play(batch, 8)
    assert few.rows["done"].any() or few.rows["steps"].min() < 8
    assert few.rows.tobytes() == many.rows[:4].tobytes()
    assert few.obs.tobytes() == many.obs[:4].tobytes()


@pytest.mark.slow
def test_threads_share_a_batch_and_change_nothing():
    config = GAME.config(max_rounds=1)
    alone, shared = (LearnerBatch(GAME, config, 600, [RANDOM], seed=1, threads=threads) for threads in (1, 2))
    for batch in (alone, shared):
        batch.reset()
        play(batch, 8)
    assert same(alone, shared)


def test_row_i_plays_the_games_of_match_i():
    batch = games(3, seed=11)
    batch.reset()
    assert [int(deal) for deal in batch.states["game_seed"]] == [
        Match(GAME, seed=11, match=row).game_seed for row in range(3)
    ]


def test_a_seed_begins_the_stream_and_reset_goes_on_in_it():
    one, other = games(seed=5), games(seed=6)
    other.seed(5)
    deals = []
    for batch in (one, other):
        batch.reset()
        first = batch.states["game_seed"].tolist()
        batch.reset()
        deals.append((first, batch.states["game_seed"].tolist()))
    assert deals[0] == deals[1] and deals[0][0] != deals[0][1]
    assert same(one, other)


def test_without_a_seed_games_differ():
    one, other = games(seed=None), games(seed=None)
    for batch in (one, other):
        batch.reset()
    assert (one.states["game_seed"] != other.states["game_seed"]).all()


@pytest.mark.slow
def test_seats_and_opponents_are_drawn_for_every_game():
    pool = [Opponent("often", act=Chooser().act, weight=3), Opponent("seldom", act=Chooser().act), RANDOM]
    batch = games(300, pool, players=2)
    batch.reset()
    names = [name for row in range(300) for name in batch.lineup(row) if name != "learner"]
    share = {name: names.count(name) / 300 for name in set(names)}
    assert share == {
        "often": pytest.approx(0.6, abs=0.1),
        "seldom": pytest.approx(0.2, abs=0.1),
        "random": pytest.approx(0.2, abs=0.1),
    }
    assert np.bincount(batch.rows["seat"]) / 300 == pytest.approx(0.5, abs=0.1)


def test_a_fixed_seat_stays():
    batch = games(8, players=3, seat=2)
    batch.reset()
    play(batch, 10)
    assert (batch.rows["seat"] == 2).all()


# Rewards


def place_rewards(ranks, scheme):
    return [rank_reward(np.asarray(ranks), len(ranks), seat, scheme) for seat in range(len(ranks))]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("reward", "scheme"), [("rank", RewardScheme.RANK), ("win", RewardScheme.WIN)])
def test_the_end_of_a_game_pays_the_learner_its_share_of_zero(players, reward, scheme):
    batch = games(16, players=players, reward=reward)
    batch.reset()
    ends, paid = 0, set()

    def check(_):
        nonlocal ends
        for row in range(batch.num_games):
            if not batch.rows[row].done:
                assert batch.rows[row].reward == 0
                continue
            final = batch.result(row)
            shares = place_rewards(final["ranks"], scheme)
            assert sum(shares) == pytest.approx(0)
            assert batch.rows[row].reward == pytest.approx(shares[final["seat"]])
            ends += 1
            paid.add(round(shares[final["seat"]], 3))

    play(batch, 12, on_step=check)
    assert ends >= 16 and min(paid) < 0 < max(paid)


@pytest.mark.slow
def test_a_learner_pays_for_what_others_do_after_its_last_decision():
    """The first seat's last decision ends its turn; the round limit ends the game after the second seat's turn."""
    batch = games(32, seat=0)
    batch.reset()
    paid = []

    def check(_):
        for row in np.flatnonzero(batch.rows["done"]):
            final = batch.result(row)
            assert final["decisions"] > final["steps"]  # all decisions of the second seat came after the learner's
            paid.append((int(final["ranks"][0]), float(batch.rows[row].reward)))

    play(batch, 14, on_step=check)
    assert {reward for place, reward in paid if place == 2} == {-1.0}


@pytest.mark.slow
def test_shaping_moves_rewards_within_a_game_and_not_between_games():
    """With gamma 1 they add up to the reward for the rank less the potential at the learner's first decision."""
    batch = games(16, players=3, max_rounds=2, reward="points", shaping=0.1)
    batch.reset()
    start, earned = batch.rows["potential"].copy(), np.zeros(16)
    assert (batch.rows["reward"] == 0).all()
    ends = 0

    def check(_):
        nonlocal ends
        earned[:] += batch.rows["reward"]
        for row in np.flatnonzero(batch.rows["done"]):
            final = batch.result(row)
            expected = place_rewards(final["ranks"], RewardScheme.RANK)[final["seat"]] - start[row]
            assert earned[row] == pytest.approx(expected, abs=1e-5)
            start[row], earned[row] = batch.rows[row].potential, 0
            ends += 1

    play(batch, 40, on_step=check)
    assert ends >= 16


def test_done_tells_an_end_by_the_round_limit_from_others():
    batch = games(8)
    batch.reset()
    seen = set()
    play(batch, 12, on_step=lambda _: seen.update(batch.rows["done"].tolist()))
    assert TRUNCATED in seen and TERMINATED not in seen
    assert batch.result(0)["truncated"] == (batch.rows[0].done == TRUNCATED)


# Opponents


@pytest.mark.slow
def test_opponents_change_only_between_games():
    agents = {name: Chooser() for name in ("a", "b", "c")}
    pool = {name: Opponent(name, act=agent.act) for name, agent in agents.items()}
    batch = games(6, [pool["a"], RANDOM], players=3, max_rounds=2)
    batch.reset()
    lineups = [batch.lineup(row) for row in range(6)]
    dealt_from = [{"a", "random"}] * 6
    now = dealt_from[0]

    def check(_):
        for row in range(6):
            if batch.rows[row].done:
                assert batch.result(row)["lineup"] == lineups[row]
                lineups[row], dealt_from[row] = batch.lineup(row), now
            assert batch.lineup(row) == lineups[row]
            assert set(lineups[row]) - {"learner"} <= dealt_from[row]

    rng = rows_rng(batch)
    for names in ("b", "cb", "a"):
        play(batch, 5, rng, check)
        batch.set_opponents([pool[name] for name in names])
        now = set(names)
    asked = len(agents["b"].asked)
    play(batch, 5, rng, check)
    assert len(agents["b"].asked) > asked  # its games go on although it has left the pool
    play(batch, 30, rng, check)
    assert set(lineups) <= {("learner", "a", "a"), ("a", "learner", "a"), ("a", "a", "learner")}


def test_an_agent_in_python_is_asked_for_many_games_at_once():
    agent = Chooser()
    batch = games(32, [Opponent("agent", act=agent.act)], seat=1)
    batch.reset()
    observation, mask, states = agent.asked[0]
    assert observation.shape == (32, GAME.obs.itemsize) and observation.dtype == np.int8
    assert mask.shape == (32, batch.config.num_actions) and mask.any(axis=1).all() and states is None


def test_an_agent_that_wants_states_gets_determinized_copies():
    agent = Chooser()
    batch = games(8, [Opponent("agent", act=agent.act, needs_states=True)])
    batch.reset()
    play(batch, 5)
    true_decks = {tuple(deck) for deck in batch.states["parts_deck"]}
    for observation, mask, states in agent.asked[-3:]:
        seen = np.zeros_like(observation)
        loops_of(GAME).observe_games(
            *(states, batch.config.record, states["seat"].copy(), seen.view(GAME.obs)[:, 0], 0, len(states))
        )
        assert (seen == observation).all() and mask.any(axis=1).all()
        assert (states["game_seed"] == 0).all()
        assert not {tuple(deck) for deck in states["parts_deck"]} & true_decks


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda mask: mask.argmin(axis=1), "opponent 'bad' played .* is not legal"),
        (lambda mask: np.full(len(mask), 10**10), "opponent 'bad' played action 10000000000, which is not legal"),
        (lambda mask: mask.argmax(axis=1)[:-1], r"'bad' gave array\(shape=\(3,\), dtype=int64\), not whole"),
        (lambda mask: mask.argmax(axis=1) * 1.0, r"opponent 'bad' gave array\(shape=\(4,\), dtype=float64\)"),
    ],
)
def test_an_agent_that_plays_wrongly_is_named_and_the_games_must_be_reset(answer, told):
    batch = games(4, [Opponent("bad", act=lambda observation, mask, states: answer(mask))], seat=1)
    with pytest.raises(IllegalAction, match=told):
        batch.reset()
    with pytest.raises(RuntimeError, match="reset"):
        batch.step(batch.mask.argmax(axis=1))
    batch.set_opponents([RANDOM])
    batch.reset()
    play(batch, 3)


def test_a_seed_fixes_the_chance_of_agents_too():
    trails = []
    for own in (1, 2):
        agent = Chooser(own)
        batch = games(4, [Opponent("agent", act=agent.act, seed=agent.seed)])
        batch.reset()
        play(batch, 12)
        trails.append(batch.states.tobytes())
    assert trails[0] == trails[1]


# Refusals


def test_before_reset_there_is_nothing_to_step():
    with pytest.raises(RuntimeError, match="call reset"):
        games().step(np.zeros(4, int))


def test_an_illegal_action_is_refused_and_changes_nothing():
    batch = games()
    batch.reset()
    before = copy.deepcopy(batch)
    actions = legal_actions(batch, rows_rng(batch))
    actions[2] = batch.mask[2].argmin()
    with pytest.raises(IllegalAction, match=r"row 2: '.*' is not legal \(.*\); legal moves: "):
        batch.step(actions)
    assert same(batch, before)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"opponents": []}, "0 opponents in the pool, must be 1 to 64"),
        ({"opponents": [Opponent("idle")]}, "opponent 'idle' has neither a policy nor an act function"),
        ({"opponents": [Opponent("who", policy=1)]}, "opponent 'who' has policy=1, must be 0 to 0"),
        ({"opponents": [Opponent("never", policy=0, weight=0)]}, "weights must be 0 or more, and not all 0"),
        ({"opponents": [Opponent("nan", policy=0, weight=float("nan"))]}, "weights must be 0 or more"),
    ],
)
def test_wrong_opponents_are_refused_in_one_line(settings, told):
    with pytest.raises(BadOption, match=told) as caught:
        games(**settings)
    assert "\n" not in str(caught.value)


def test_a_refused_pool_changes_nothing():
    batch = games()
    with pytest.raises(BadOption):
        batch.set_opponents([RANDOM, Opponent("idle")])
    assert batch.opponents == (RANDOM,)
    batch.reset()
    play(batch, 3)


# Exact copies


@pytest.mark.slow
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch)), LearnerBatch.clone])
def test_a_copy_plays_on_in_the_same_way(copied):
    agent = Chooser()
    batch = games(6, [Opponent("agent", act=agent.act), RANDOM], players=3, reward="points")
    batch.reset()
    play(batch, 5)
    twin = copied(batch)
    rng = rows_rng(batch)
    for _ in range(15):
        actions = legal_actions(batch, rng)
        twin.step(actions)  # the copy first: it must not touch the original's agent
        batch.step(actions)
        assert same(batch, twin)
    assert [twin.lineup(row) for row in range(6)] == [batch.lineup(row) for row in range(6)]


def test_a_state_brings_another_batch_to_the_same_point():
    batch, other = games(), games(seed=99, opponents=[Opponent("other", act=Chooser().act)])
    batch.reset()
    play(batch, 4)
    other.set_state(batch.get_state())
    rng = rows_rng(batch)
    for _ in range(10):
        actions = legal_actions(batch, rng)
        for both in (batch, other):
            both.step(actions)
    assert same(batch, other)
    with pytest.raises(ValueError, match="no state of 3 games"):
        games(3).set_state(batch.get_state())


@pytest.mark.slow
def test_the_chance_of_agents_can_be_fixed_on_the_way():
    """Then state and seed determine how games go on, even with agents that have left the pool."""

    def kept_by(agents):
        return [Opponent(f"agent {k}", act=agent.act, seed=agent.seed) for k, agent in enumerate(agents)]

    one, other = [Chooser(1), Chooser(2)], [Chooser(3), Chooser(4)]
    batch = games(6, kept_by(one), players=3, max_rounds=3)
    batch.reset()
    play(batch, 3)
    batch.set_opponents([RANDOM])
    twin = games(6, kept_by(other), players=3, max_rounds=3)
    state = batch.get_state()
    left = {code: kept_by(other)[int(agent.name[-1])] for code, agent in batch.agents.items()}
    twin.set_state({**state, "_external": left})
    assert {agent.name for agent in left.values()} == {"agent 0", "agent 1"}
    for both in (batch, twin):
        both.seed_agents(5)
    rng = rows_rng(batch)
    for _ in range(10):
        actions = legal_actions(batch, rng)
        for both in (batch, twin):
            both.step(actions)
        assert same(batch, twin)
    assert other[0].asked or other[1].asked


def test_determinization_keeps_what_the_seat_sees():
    batch = games(3, seat=0, max_rounds=5)
    batch.reset()
    twin = batch.clone()
    twin.determinize(0, seed=1)
    assert (twin.obs == batch.obs).all() and (twin.mask == batch.mask).all()
    assert (twin.states["parts_deck"] != batch.states["parts_deck"]).any(axis=1).all()
    with pytest.raises(BadOption, match="no seat 2"):
        twin.determinize(2)
