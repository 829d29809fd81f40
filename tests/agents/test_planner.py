"""The planner: it chooses among the actions of its compiled players, plans or network, if better than the default."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_players
from bdgame_env.agents.search import planner as planner_module
from bdgame_env.agents.search.planner import Planner, PlanSettings
from bdgame_env.agents.search.planner_agent import PlannerAgent, sharpened
from bdgame_env.agents.search.playouts import playout_length
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.learner import learner_loops_of
from bdgame_env.engine.match import Match
from bdgame_env.engine.players import AGENT_RNG, NO_OPINION
from bdgame_env.experiments.arena.matches import play_batch
from bdgame_env.experiments.arena.seating import seatings
from bdgame_env.registry import list_games
from tests.support import nim_game as nim
from tests.support import toy_game as toy
from tests.support.policies import plain_policy

GAME = get_game("bdgame-v3")
PLAYERS = compiled_players(GAME)
HEURISTIC = 1  # the first compiled player of each game
POSITIONS = 8 if JIT_DISABLED else 64


def positions(players: int, steps: int) -> Batch:
    """Positions of greedy play."""
    batch = Batch(GAME, POSITIONS, seed=4, players=players)
    greedy = make_agent("greedy", GAME, batch.config, seed=0)
    for _ in range(steps):
        batch.step(greedy.act(batch.obs, batch.mask.copy(), batch.states.copy()))
    return batch


@pytest.mark.parametrize("game_id", list_games())
def test_plans_propose_legal_actions_or_have_no_opinion(game_id: str) -> None:
    """For all plans and the heuristic player, in positions from its games, some of whose decisions are random."""
    game = get_game(game_id)
    compiled = compiled_players(game)
    assert compiled is not None and len(compiled.plans) > (20 if game is GAME else 5)
    batch = Batch(game, POSITIONS, seed=4, players=game.seats[1])
    n = batch.num_games
    agents = [make_agent(name, game, batch.config, seed=0) for name in ("heuristic", "random")]
    proposed = set()
    for step in range(12 if JIT_DISABLED else 150):
        states, mask = batch.states.copy(), batch.mask.copy()
        for plan in (HEURISTIC, *compiled.plans) if step % 4 == 0 else ():
            actions = np.zeros(n, np.int32)
            learner_loops_of(game, compiled).choose_games(
                *(states, batch.config.record, np.full(n, plan, np.int8), mask),
                *(np.zeros(n, AGENT_RNG), np.zeros(1, compiled.scratch), actions, 0, n),
            )
            rows = np.flatnonzero(actions != NO_OPINION)
            assert mask[rows, actions[rows]].all(), f"plan {plan} wants illegal actions"
            proposed |= {plan} if len(rows) else set()
        assert states.tobytes() == batch.states.tobytes()
        batch.step(agents[step % 7 == 6].act(batch.obs, mask, states))
    if JIT_DISABLED:  # too few decisions for all of them
        assert proposed >= {HEURISTIC, *compiled.plans[: 3 if game is GAME else 2]}
    else:
        assert proposed == {HEURISTIC, *compiled.plans}


def decided(batch: Batch, threads: int = 1, **settings):
    planner = Planner(GAME, batch.config, PLAYERS, PlanSettings(player=1, playout=5, **settings), threads=threads)
    decided = planner.decide(batch.states.copy(), np.arange(batch.num_games, dtype=np.uint64))
    return decided.actions, decided.values


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_legally_and_alike_on_any_number_of_threads(players):
    """The deals belong to the position, not to the thread."""
    batch = positions(players, 6 if JIT_DISABLED else 25)
    actions, values = decided(batch, deals=2, most_deals=4)
    assert batch.mask[np.arange(batch.num_games), actions].all()
    assert np.abs(values).max() <= 1.0
    again, same = decided(batch, threads=2, deals=2, most_deals=4)
    np.testing.assert_array_equal(actions, again)
    np.testing.assert_array_equal(values, same)


def test_with_boundless_doubt_it_plays_as_the_default_player():
    """No other plan can be better by that much, unless its gain was the same with every deal."""
    batch = positions(2, 6 if JIT_DISABLED else 25)
    greedy = make_agent("greedy", GAME, batch.config, seed=0)
    wanted = greedy.act(batch.obs, batch.mask.copy(), batch.states.copy())
    surely, _ = decided(batch, deals=2, most_deals=2, z_score=1e9)
    freely, _ = decided(batch, deals=2, most_deals=2, z_score=0.0)
    assert (surely != wanted).sum() < (freely != wanted).sum()
    changed = surely != wanted  # a plan that gained the same with every deal has no standard error
    more, _ = decided(batch, deals=8, most_deals=8, z_score=1e9)
    assert ((more != wanted) <= changed).all()


@pytest.mark.slow
def test_it_beats_the_greedy_player():
    """Over 200 paired games on the classic deck, more often than chance would in one test of twenty."""
    config = GAME.config(players=2, deck="classic")
    agents = [PlannerAgent(GAME, config, rollout_depth=20), make_agent("greedy", GAME, config)]
    results = play_batch(GAME, config, agents, seatings(2, 2, 4 if JIT_DISABLED else 100, 1), seed=2)
    won = sum(result.ranks[result.agents.index(0)] == 1 for result in results)
    assert JIT_DISABLED or won >= 112


def test_a_budget_of_playouts_is_kept():
    """More or less, whatever the number of arms, each of which is tried once at least; without a choice none is."""
    batch = positions(2, 6 if JIT_DISABLED else 25)
    settings = PlanSettings(player=1, playout=1, deviate=True)
    planner = Planner(GAME, batch.config, PLAYERS, settings, threads=1)
    choice = batch.mask.sum(axis=1) > 1
    played = {}
    for sims in (1, 150, 300):
        decided = planner.decide(batch.states.copy(), np.arange(batch.num_games, dtype=np.uint64), sims)
        assert (decided.playouts[~choice] == 0).all()
        assert (decided.playouts >= np.isfinite(decided.gains).sum(axis=1))[choice].all()
        played[sims] = decided.playouts[choice]
    for sims in (150, 300):
        enough = played[1] < sims / 4
        assert enough.any()
        assert (played[sims] >= 0.5 * sims)[enough].all() and (played[sims] <= 1.5 * sims)[enough].all()


@pytest.mark.parametrize("seconds", [0.0, 0.005, 0.2])
def test_a_budget_of_time_is_turned_into_playouts(monkeypatch, seconds):
    """A millisecond for a playout."""
    batch = positions(2, 6)
    settings = PlanSettings(player=1, playout=1, deviate=True)
    planner = Planner(GAME, batch.config, PLAYERS, settings, threads=1)
    clock, wanted, decide = [0.0], [], planner.decide

    def timed(states, seeds, sims):
        decided = decide(states, seeds, 1)
        wanted.append(sims)
        clock[0] += 0.001 * decided.playouts.sum()
        return decided

    monkeypatch.setattr(planner, "decide", timed)
    monkeypatch.setattr(planner_module.time, "perf_counter", lambda: clock[0])
    for _ in range(2):
        planner.decide_within(batch.states.copy(), np.arange(batch.num_games, dtype=np.uint64), seconds, 100)
    assert len(wanted) == 3
    assert wanted[1:] == [pytest.approx(max(1, min(100, 1000 * seconds)), abs=1)] * 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_a_network_it_plays_legally_and_alike_on_any_number_of_threads(players):
    """With boundless doubt it plays as the network alone; tests/conformance has all games."""
    batch = Batch(GAME, 6, seed=4, players=players)
    policy = plain_policy(GAME, batch.config, scale=0.2)
    seeds = np.arange(batch.num_games, dtype=np.uint64)
    deviating = []
    for step in range(4 if JIT_DISABLED else 12):
        decided = []
        for threads, z_score in ((1, 1.0), (2, 1.0), (1, 1e9)):
            settings = PlanSettings(
                playout=1, margin=0.3, deals=4, most_deals=4, z_score=z_score, deviate=True, considered=3
            )
            planner = Planner(GAME, batch.config, PLAYERS, settings, policy=policy, threads=threads)
            decided.append(planner.decide(batch.states.copy(), seeds + np.uint64(step)))
        np.testing.assert_array_equal(decided[0].actions, decided[1].actions)
        np.testing.assert_array_equal(decided[0].gains, decided[1].gains)
        assert batch.mask[np.arange(batch.num_games), decided[0].actions].all()
        assert np.abs(decided[0].values).max() <= 1.0
        favorites = policy.logits(batch.obs, batch.mask).argmax(axis=1)
        deviating.append(decided[2].actions != favorites)
        batch.step(decided[0].actions)
    assert np.mean(deviating) <= 0.25  # a gain that is the same in every deal has no standard error


def test_with_a_network_it_tries_what_that_likes():
    """The most probable actions that are not much less probable than the first; no plans where there are no players."""
    match = Match(nim.GAME, seed=0, heap=6)
    policy = plain_policy(nim.GAME, match.config)
    for bias, tried in ((0.0, 3), (10.0, 2)):
        policy.network.action_bias[2] = -bias
        settings = PlanSettings(playout=100, margin=0.3, deals=8, most_deals=8, deviate=True)
        planner = Planner(nim.GAME, match.config, None, settings, policy=policy, threads=1)
        decided = planner.decide(match.states.copy(), np.zeros(1, np.uint64))
        assert np.isfinite(decided.gains).sum() == tried


def test_with_a_network_it_finds_the_better_move():
    """The network takes 1 of 3; then the other seat, which does the same, loses. Taking 3 wins at once."""
    match = Match(nim.GAME, seed=0, heap=3)
    policy = plain_policy(nim.GAME, match.config)
    policy.network.action_bias[1] = 1.0
    agent = PlannerAgent(nim.GAME, match.config, deals=2, most=4, rollout_depth=1, policy=policy, threads=1)
    agent.seed(0)
    action = int(agent.act(match.observe()[None], match.mask()[None], match.states.copy())[0])
    assert match.action_to_string(action) == "take 3"
    assert agent.values is not None and 0.7 <= agent.values[0, action] <= 1.0, "the rank, and some of the lead"
    others = np.delete(agent.values[0], action)
    assert (others < 0).any() and not (others > 0).any(), "some take less and lose, some were not tried"


def test_without_a_choice_the_planner_expects_nothing():
    """Then it plays nothing out."""
    match = Match(nim.GAME, seed=0, heap=1)
    agent = PlannerAgent(nim.GAME, match.config, policy=plain_policy(nim.GAME, match.config), threads=1)
    agent.act(match.observe()[None], match.mask()[None], match.states.copy())
    assert agent.values is not None and np.isnan(agent.values).all()


def test_planners_by_name():
    """The strong one and the one with a network are the planner with other settings, which can be set too."""
    config = GAME.config()
    strong = make_agent("strong-planner:most=64", GAME, config)
    by_network = make_agent("network-planner:sims=20", GAME, config)
    assert isinstance(strong, PlannerAgent) and isinstance(by_network, PlannerAgent)
    with pytest.raises(UnknownAgent, match=r"agent 'network-planner': x\.npz: "):
        make_agent("network-planner:path=x.npz", GAME, config)
    for setting in ("sims=-1", "time=-1", "considered=1", "deals=0"):
        with pytest.raises(UnknownAgent, match=f"agent 'strong-planner': {setting}, must be a (whole )?number from"):
            make_agent(f"strong-planner:{setting}", GAME, config)


def test_a_game_without_plans_has_no_planner():
    """The message is one line."""
    with pytest.raises(UnknownAgent, match="agent 'planner': toy-v1 has no plans to try"):
        PlannerAgent(toy.GAME, toy.GAME.config())


def test_playouts_are_as_long_as_the_games_players_say():
    """Unless a depth is given; 0 means the whole game."""
    config = GAME.config(players=2)
    short = replace(PLAYERS, horizon=7)
    lengths = [
        playout_length(cut, config, players) for cut, players in ((-1, short), (-1, None), (12, short), (0, short))
    ]
    assert lengths == [7, 60, 12, config.max_decisions]
    with pytest.raises(UnknownAgent, match="agent 'planner': rollout_depth=-2, must be a whole number from -1 to"):
        PlannerAgent(GAME, config, rollout_depth=-2)


def test_seconds_where_nobody_has_a_choice() -> None:
    """Nothing tells how long a playout takes; the only action is played, now and when there is a choice again."""
    match = Match(nim.GAME, seed=0, heap=1)
    agent = PlannerAgent(
        nim.GAME, match.config, time=0.001, policy=plain_policy(nim.GAME, match.config), threads=1, rollout_depth=1
    )
    for heap in (1, 9, 1):
        match = Match(nim.GAME, seed=0, heap=heap)
        assert agent.act(match.observe()[None], match.mask()[None], match.states.copy())[0] in match.legal_actions()


@pytest.mark.parametrize("sharpness", [0.0, 1.0, 1000.0])
def test_preferences_are_for_what_was_tried(sharpness: float) -> None:
    """Also without any sharpness, where all that was tried is equal."""
    gains = np.array([[0.5, -np.inf, 0.1, 0.0], [-np.inf, 0.0, -np.inf, -np.inf]], np.float32)
    told = sharpened(gains, sharpness)
    raised = np.where(np.isfinite(gains), np.exp(sharpness * np.array([[0, 0, -0.4, -0.5], [0, 0, 0, 0]])), 0)
    np.testing.assert_allclose(told, raised / raised.sum(axis=1, keepdims=True), atol=1e-6)
    assert told.dtype == np.float32
