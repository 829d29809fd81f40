"""Tree search guided by a network: forced wins, hidden cards, any number of players."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.search import gumbel_loops, trees
from bdgame_env.agents.search.az_agent import AZAgent
from bdgame_env.agents.search.network_forest import GumbelSettings, NetworkForest
from bdgame_env.agents.search.search_records import Tree
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.engine.rewards import RANK, rank_reward, utility
from bdgame_env.engine.rng import nth
from tests.agents.test_mcts import WORLDS, choose, last_turn
from tests.support import nim_game as nim
from tests.support.policies import plain_policy
from tests.support.splitmix import advance

SIMS = 200 if JIT_DISABLED else 800
GAME = get_game("bdgame-v3")


def searcher(match: Match, seed: int = 0, **settings) -> AZAgent:
    policy = plain_policy(match.game, match.config)  # a policy that knows nothing
    agent = AZAgent(match.game, match.config, **{"policy": policy, "sims": SIMS, "threads": 1, **settings})
    agent.seed(seed)
    return agent


@pytest.mark.parametrize("heap", [5, 6, 7, 9])
def test_it_finds_the_forced_win(heap):
    """Leave a multiple of 4, whatever the network thinks."""
    match = Match(nim.GAME, seed=0, heap=heap)
    agent = searcher(match)
    assert choose(agent, match) == f"take {heap % 4}"
    assert agent.preferences is not None and agent.preferences.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("top", WORLDS)
def test_it_does_not_look_at_hidden_cards(top):
    """As in the test of `mcts`: drawing is right, whatever card is on top."""
    match = last_turn(top, points=2)
    for seed in range(5):
        assert choose(searcher(match, seed), match) == "draw"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_with_any_number_of_seats(players):
    """It makes legal decisions in many games at once, the same from the same seed; priors come from the network."""
    batch = Batch(GAME, 6, seed=3, players=players)
    policy = plain_policy(GAME, batch.config, scale=0.2)
    agents = [AZAgent(GAME, batch.config, sims=8, threads=k, policy=policy) for k in (1, 2)]
    for _ in range(6):
        played = []
        for agent in agents:
            agent.seed(5)
            played.append(agent.act(batch.obs, batch.mask, batch.states.copy()))
        np.testing.assert_array_equal(*played)
        assert batch.mask[np.arange(6), played[0]].all()
        told = agents[0].last
        if told is not None:
            np.testing.assert_allclose(told.priors.sum(axis=1), 1.0, atol=1e-4)
        batch.step(played[0])


def test_priors_are_the_network_s_probabilities():
    """Of the legal actions, at the temperature; 0 for all others."""
    batch = Batch(GAME, 6, seed=3)
    policy = plain_policy(GAME, batch.config, scale=0.2)
    logits = policy.logits(batch.obs, batch.mask)
    for temperature in (0.5, 2.0):
        agent = AZAgent(GAME, batch.config, sims=4, threads=1, policy=policy, temperature=temperature)
        agent.seed(1)
        agent.act(batch.obs, batch.mask, batch.states.copy())
        raised = np.exp((logits - logits.max(axis=1, keepdims=True)) / temperature)
        choice = batch.mask.sum(axis=1) > 1
        np.testing.assert_allclose(
            agent.last.priors, (raised / raised.sum(axis=1, keepdims=True))[choice], rtol=1e-4, atol=1e-6
        )
        assert choice.all() and agent.last.priors.std() > 0


def test_a_network_that_exaggerates_counts_as_certain():
    """Rewards are from -1 to 1, whatever a network expects."""
    match = Match(nim.GAME, seed=0, heap=50)
    policy = plain_policy(nim.GAME, match.config)
    policy.network.head_bias[:] = 30.0
    agent = AZAgent(nim.GAME, match.config, policy=policy, sims=20, threads=1)
    agent.seed(0)
    choose(agent, match)
    np.testing.assert_array_equal(agent.last.values, 1.0)


def test_noise_changes_what_is_tried_only_where_it_is_asked_for():
    """Without noise all seeds try the same two of three actions; Nim has no chance and nothing hidden."""
    match = Match(nim.GAME, seed=0, heap=9)
    for noise, ways in ((0.0, range(1, 2)), (1.0, range(2, 11))):
        tried = set()
        for seed in range(10):
            agent = searcher(match, seed, noise=noise, sims=8, considered=2)
            choose(agent, match)
            tried.add(agent.last.visits.tobytes())
        assert len(tried) in ways


def test_the_budget_is_divided_by_halving():
    """8 actions share 64 simulations: 2 each, then 5 more for 4 of them, then what is left for two."""
    match = Match(GAME, seed=1)
    agent = AZAgent(match.game, match.config, policy=plain_policy(match.game, match.config), sims=65, considered=8)
    agent.seed(0)
    choose(agent, match)
    visits = np.sort(agent.last.visits[0])[::-1]
    assert visits.sum() == 64
    assert (visits > 0).sum() == 8
    assert visits[:8].tolist() == [21, 21, 7, 7, 2, 2, 2, 2]


def test_the_improved_policy_is_that_of_the_paper():
    """Danihelka et al. 2022, sections 4 and appendix D: logits plus scaled values, completed where there are none."""
    match = Match(GAME, seed=4)
    policy = plain_policy(GAME, match.config, scale=0.05)
    agent = searcher(match, sims=40, policy=policy, doubt=0, considered=4, visit_offset=10, value_scale=0.5)
    obs, mask = match.observe()[None], match.mask()[None]
    agent.act(obs, mask, match.states.copy())
    forest, told, legal = agent._network_forest, agent.last, np.flatnonzero(mask[0])
    low, high = forest.trees["low"][0], forest.trees["high"][0]
    visits, values, priors = (part[0, legal] for part in (told.visits, told.values, told.priors))
    logits, heads = policy.evaluate(obs, mask)
    tried = visits > 0
    guess = np.clip(heads[0, 0], -1, 1)
    mixed = (guess + visits.sum() * (priors * values)[tried].sum() / priors[tried].sum()) / (1 + visits.sum())
    completed = (np.where(tried, values, mixed) - low) / (high - low)
    scores = logits[0, legal] + 0.5 * (10 + visits.max()) * completed
    wanted = np.exp(scores - scores.max())
    np.testing.assert_allclose(told.policies[0, legal], wanted / wanted.sum(), rtol=2e-3, atol=1e-5)
    assert 1 < tried.sum() < len(legal)


def test_priors_below_the_root_are_those_of_the_position():
    """Each node's children have the network's logits of the position that its path leads to."""
    match = Match(nim.GAME, seed=0, heap=12)
    policy = plain_policy(nim.GAME, match.config, scale=0.5)
    agent = AZAgent(nim.GAME, match.config, policy=policy, sims=60, threads=1)
    agent._remember = lambda states, chosen: None
    choose(agent, match)
    nodes = agent._network_forest.nodes[0]
    checked = 0
    waiting = [(0, match)]
    while waiting:
        node, here = waiting.pop()
        child = nodes["child"][node]
        if child >= 0:
            logits = policy.logits(here.observe()[None], here.mask()[None])[0]
            checked += 1
        while child >= 0:
            action = int(nodes["action"][child])
            assert nodes["prior"][child] == pytest.approx(logits[action], abs=1e-5)
            after = here.clone()
            after.play(action)
            if not after.over and after.mask().sum() > 1:
                waiting.append((int(child), after))
            child = nodes["next"][child]
    assert checked > 10


@pytest.mark.parametrize(("seconds", "least", "most"), [(1e-6, 16, 16), (0.1, 80, 100), (1.0, 800, 1000)])
def test_seconds_are_spent(monkeypatch, seconds, least, most):
    """A millisecond for a simulation: nearly all that the time allows are run, and always the first look."""
    match = Match(nim.GAME, seed=0, heap=50)
    agent = AZAgent(nim.GAME, match.config, policy=plain_policy(nim.GAME, match.config), time=seconds, threads=1)
    forest, clock, run = agent._network_forest, [0.0], []

    def grow(states, counts):
        run.append(int(counts[0]))
        clock[0] += 0.001 * run[-1]
        NetworkForest.grow(forest, states, counts)

    monkeypatch.setattr(forest, "grow", grow)
    monkeypatch.setattr(trees.time, "perf_counter", lambda: clock[0])
    choose(agent, match)
    assert least <= sum(run) <= most and sum(run) == agent.last.visits.sum() + 1


def test_another_network_takes_over():
    """As happens between two rounds of training."""
    match = Match(nim.GAME, seed=0, heap=5)
    agent = searcher(match, sims=2)
    choose(agent, match)
    even = agent.last.priors
    agent.set_policy(plain_policy(nim.GAME, match.config, scale=3.0))
    choose(agent, match)
    assert not np.allclose(agent.last.priors, even)


@pytest.mark.parametrize(
    ("settings", "message"), [("sims=0", "sims=0"), ("temperature=0", "temperature=0"), ("noise=2", "noise=2")]
)
def test_bad_settings_are_refused(settings, message):
    """The message is one line and says what is allowed."""
    with pytest.raises(UnknownAgent, match=f"{message}, must be a (whole )?number from"):
        make_agent(f"az:path=x.npz,{settings}", GAME, GAME.config())


@pytest.mark.parametrize(
    ("told", "setting", "others", "expected"),
    [
        ("search_scale", "value_scale", (0.25, 2.0), [1.0, 0.25, 2.0]),
        ("search_turns", "rollout_turns", (3, 0), [0, 3, 0]),
    ],
)
def test_the_network_s_file_says_how_to_search(told, setting, others, expected):
    """Unless the setting does: how far values are trusted, and for how many turns simulations play on."""
    match = Match(nim.GAME, seed=0, heap=9)
    used = []
    for meta, settings in (({}, {}), ({told: others[0]}, {}), ({told: others[0]}, {setting: others[1]})):
        policy = plain_policy(nim.GAME, match.config)
        policy.meta |= meta
        used.append(float(searcher(match, sims=64, policy=policy, **settings)._network_forest._settings[setting][0]))
    assert used == expected


@pytest.mark.parametrize(
    ("budget", "expected"), [({"sims": 16}, 4.0), ({"sims": 64}, 4.0), ({"sims": 400}, 1.76), ({"time": 0.1}, 4.0)]
)
def test_with_more_simulations_values_keep_the_weight_that_the_file_names(budget, expected):
    """The scale times the visits of the most visited action, about a quarter of them, and 50: 4 * 66 nats."""
    match = Match(nim.GAME, seed=0, heap=9)
    policy = plain_policy(nim.GAME, match.config)
    policy.meta |= {"search_scale": 4.0}
    agent = searcher(match, policy=policy, **budget)
    assert float(agent._network_forest._settings["value_scale"][0]) == pytest.approx(expected)
    given = searcher(match, policy=policy, value_scale=3.0, **budget)
    assert float(given._network_forest._settings["value_scale"][0]) == 3.0


@pytest.mark.parametrize("game", [nim.GAME, GAME], ids=lambda game: game.id)
@pytest.mark.parametrize("turns", [0, 1, 2, 100])
def test_a_simulation_is_judged_where_its_turns_end(game, turns):
    """Against a slow reading: after the action, the network's likeliest ones for so many turns, then its values."""
    match = Match(game, seed=2)
    policy = plain_policy(game, match.config, scale=0.2)
    agent = searcher(match, seed=4, policy=policy, sims=2, considered=1, rollout_turns=turns)
    agent.act(match.observe()[None], match.mask()[None], match.states.copy())
    (action,) = np.flatnonzero(agent.last.visits[0])
    deals = np.random.default_rng(4).integers(0, 2**64, 1, np.uint64)
    trial, seat = match.clone(), match.seat
    with np.errstate(over="ignore"):
        seeds = np.array([nth(deals[0], np.uint64(0))], np.uint64)
    trial._loops.determinize_games(trial._games, trial.config.record, seeds, np.array([seat], np.int8), 0, 1)
    trial.play(int(action))
    while not trial.over:
        if trial.mask().sum() > 1:
            logits, heads = policy.evaluate(trial.observe()[None], trial.mask()[None])
            if turns == 0:
                break
            mover = trial.seat
            trial.play(int(logits.argmax()))
            while not trial.over and trial.mask().sum() == 1:
                trial.play(trial.legal_actions()[0])
            turns -= trial.seat != mover
        else:
            trial.play(trial.legal_actions()[0])
    if trial.over:
        reward = rank_reward(np.array(trial.ranks(), np.int8), 2, seat, RANK)
        expected = utility(reward, np.array(trial.points(), np.float32), 2, seat, GumbelSettings.margin)
    else:
        expected = np.clip(heads[0, (seat - trial.seat) % trial.players], -1, 1)
    assert agent.last.values[0, action] == pytest.approx(expected, abs=1e-5)


def test_a_full_tree_still_gives_legal_actions():
    """A tree without room for more than the root's children, kept from decision to decision."""
    batch = Batch(GAME, 4, seed=3)
    policy = plain_policy(batch.game, batch.config, scale=0.2)
    agent = AZAgent(batch.game, batch.config, sims=30, threads=1, policy=policy)
    forest = agent._network_forest
    forest.room = batch.config.num_actions // 8
    forest.nodes = np.zeros((4, forest.room), forest.nodes.dtype)
    agent.seed(1)
    for _ in range(30):
        actions = agent.act(batch.obs, batch.mask, batch.states.copy())
        assert batch.mask[np.arange(4), actions].all()
        assert agent.last is None or np.isfinite(agent.last.policies).all()
        batch.step(actions)


@pytest.mark.parametrize(("word", "noise"), [(2**64 - 1, 36.74), (0, -3.62)])
def test_noise_is_finite_for_every_draw(word: int, noise: float) -> None:
    """The greatest draw of the generator, and the least."""
    counter = word ^ (word >> 31) ^ (word >> 62)  # the inverse of SplitMix64
    for factor, shift in ((0x94D049BB133111EB, 27), (0xBF58476D1CE4E5B9, 30)):
        counter = counter * pow(factor, -1, 2**64) % 2**64
        counter ^= (counter >> shift) ^ (counter >> 2 * shift)
    tree = np.zeros(1, Tree.dtype)
    tree["rng"] = (counter - advance(0)) % 2**64
    assert gumbel_loops.gumbel(tree[0]) == pytest.approx(noise, abs=0.01)


@pytest.mark.parametrize("values", [1e-40, 1e-20, 0.0])
def test_values_that_hardly_differ_are_worth_the_same(values: float) -> None:
    """Where simulations play on, the values of positions on their way lie outside the range of the outcomes."""
    match = Match(nim.GAME, seed=0, heap=40)
    policy = plain_policy(nim.GAME, match.config, scale=0.2)
    policy.network.heads[:] *= np.float32(values)
    policy.network.head_bias[:] = 0.0
    agent = AZAgent(
        nim.GAME, match.config, policy=policy, sims=60, rollout_turns=2, value_scale=100, visit_offset=0, threads=1
    )
    agent.seed(0)
    choose(agent, match)
    assert np.isfinite(agent.last.policies).all()
    logits = policy.logits(match.observe()[None], match.mask()[None])
    wanted = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    np.testing.assert_allclose(agent.last.policies, wanted, atol=1e-4)
