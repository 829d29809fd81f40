"""Tree search guided by a network: forced wins, hidden cards, any number of players."""

from __future__ import annotations

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.search.az_agent import AZAgent
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.agents.test_mcts import WORLDS, choose, last_turn
from tests.support import nim_game as nim
from tests.support.policies import plain_policy

SIMS = 200 if JIT_DISABLED else 800
GAME = get_game("bdgame-v2")


def searcher(match: Match, seed: int = 0, **settings) -> AZAgent:
    policy = plain_policy(match.game, match.config)  # a policy that knows nothing
    agent = AZAgent(match.game, match.config, policy=policy, **{"sims": SIMS, "threads": 1, **settings})
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


def test_noise_changes_the_priors_only_where_it_is_asked_for():
    """Two seeds give different priors; without noise they give the same."""
    match = Match(nim.GAME, seed=0, heap=9)
    for noise, equal in ((0.0, True), (0.5, False)):
        priors = []
        for seed in (1, 2):
            agent = searcher(match, seed, noise=noise, sims=3)
            choose(agent, match)
            priors.append(agent.last.priors)
            assert agent.last.priors.sum() == pytest.approx(1.0, abs=1e-4)
        assert np.allclose(*priors) == equal


def test_the_compiled_player_plays_on_before_the_network_judges():
    """60 decisions by default; none in a game without a compiled player."""
    for game, options, same, other in ((GAME, {}, 60, 0), (nim.GAME, {"heap": 9}, 0, None)):
        match = Match(game, seed=4, **options)
        policy = plain_policy(game, match.config, scale=0.05)
        values = {}
        for cut in {-1, same, other} - {None}:
            agent = AZAgent(game, match.config, policy=policy, sims=8, threads=1, rollout_depth=cut)
            agent.seed(2)
            choose(agent, match)
            values[cut] = agent.last.values
        np.testing.assert_array_equal(values[-1], values[same])
        assert other is None or not np.array_equal(values[-1], values[other])


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
    with pytest.raises(UnknownAgent, match=f"{message}, must be a number from"):
        make_agent(f"az:path=x.npz,{settings}", GAME, GAME.config())
