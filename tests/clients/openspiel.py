"""OpenSpiel: its example, its checks, its bots, its reinforcement-learning environment and its ways to compare bots."""

from __future__ import annotations

import unittest

import numpy as np
import pyspiel
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, generate_playthrough, mcts, random_agent, tabular_qlearner
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.bots import uniform_random
from open_spiel.python.tests import games_sim_test

from bdgame_env import get_game
from bdgame_env.adapters.openspiel import spiel_name
from tests.clients.checks import check

NEEDS = [".[openspiel]", "open_spiel"]
RNG = np.random.default_rng(1)


def load(game: str, players: int, max_rounds: int = 0) -> pyspiel.Game:
    short = f",max_rounds={max_rounds}" if max_rounds and "max_rounds" in get_game(game).options else ""
    return pyspiel.load_game(f"{spiel_name(get_game(game))}(players={players}{short})")


def random_bots(players: int) -> list[pyspiel.Bot]:
    return [uniform_random.UniformRandomBot(player, np.random.RandomState(player)) for player in range(players)]


def dealt(game: pyspiel.Game) -> pyspiel.State:
    state = game.new_initial_state()
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(RNG.choice(outcomes, p=chances))
    return state


@check("`example.py`: a random game with chance nodes, strings and returns")
def example(game: str, players: int) -> None:
    state = load(game, players).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            action = RNG.choice(outcomes, p=chances)
        else:
            action = RNG.choice(state.legal_actions(state.current_player()))
        assert state.action_to_string(state.current_player(), action)
        state.apply_action(action)
    assert str(state) and abs(sum(state.returns())) < 1e-9


@check("`pyspiel.random_sim_test`")
def random_sim_test(game: str, players: int) -> None:
    short = load(game, players, max_rounds=6 if game == "bdgame-v3" else 0)  # it looks at every position in many ways
    pyspiel.random_sim_test(short, num_sims=1, serialize=True, verbose=False)


@check("its tests of games in Python: `games_sim_test` and `api_test`")
def own_tests(game: str, players: int) -> None:
    loaded = load(game, players)
    games_sim_test.GamesSimTest().sim_game(loaded)
    tests = type("Tests", (api_test.EnforceAPIOnPartialTreeBase,), {"game": loaded, "game_name": str(loaded)})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(tests).run(result)
    assert result.testsRun >= 5 and not result.failures + result.errors, result


@check("`generate_playthrough.playthrough`")
def writes_a_playthrough(game: str, players: int) -> None:
    short = load(game, players, max_rounds=1)
    text = generate_playthrough.playthrough(str(short), action_sequence=[], seed=1)
    assert "PrivateObservationString(1) = " in text and "Returns() = " in text


@check("`MCTSBot` in Python against random bots: `evaluate_bots`")
def mcts_bot(game: str, players: int) -> None:
    loaded, bots = load(game, players), random_bots(players)
    bots[0] = mcts.MCTSBot(loaded, 1.4, 2, mcts.RandomRolloutEvaluator(1))
    state = near_the_end(loaded)
    assert abs(sum(evaluate_bots.evaluate_bots(state, bots, np.random))) < 1e-9


@check("`ISMCTSBot` in Python, by information state and by observation")
def ismcts_bot(game: str, players: int) -> None:
    loaded = load(game, players)
    for by_observation in (False, True):
        bot = ISMCTSBot(loaded, mcts.RandomRolloutEvaluator(1), 1.4, 4, use_observation_string=by_observation)
        for state in (dealt(loaded), near_the_end(loaded, 40)):
            assert bot.step(state) in state.legal_actions()


@check("`pyspiel.MCTSBot` and `pyspiel.evaluate_bots`, in C++")
def fast_mcts_bot(game: str, players: int) -> None:
    loaded = load(game, players)
    bot = pyspiel.MCTSBot(loaded, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 8, 10, False, 1, False)
    state = dealt(loaded)
    assert bot.step(state) in state.legal_actions()
    bots = [pyspiel.make_uniform_random_bot(player, 1) for player in range(players)]
    assert abs(sum(pyspiel.evaluate_bots(loaded.new_initial_state(), bots, 1))) < 1e-9


@check(
    "`pyspiel.ISMCTSBot`, in C++",
    fails="OpenSpiel's ISMCTSBot in C++ cannot play any game that is written in Python: its `step` calls Python "
    "without holding Python's lock and crashes the process, and its request to resample a state never reaches Python. "
    "The adapter refuses it in one line that names the bot of the same name in Python, which plays all games.",
)
def fast_ismcts_bot(game: str, players: int) -> None:
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 8)
    bot.step(dealt(load(game, players)))


@check("`rl_environment.Environment` with `RandomAgent` and `QLearner`")
def learning(game: str, players: int) -> None:
    env = rl_environment.Environment(load(game, players))
    num_actions = env.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(player, num_actions) for player in range(players)]
    agents[0] = tabular_qlearner.QLearner(0, num_actions)
    step = env.reset()
    while not step.last():
        output = agents[step.observations["current_player"]].step(step)
        step = env.step([output.action])
    for agent in agents:
        agent.step(step)
    assert abs(sum(step.rewards)) < 1e-9


def near_the_end(game: pyspiel.Game, left: int = 20) -> pyspiel.State:
    """A random game up to its last decisions."""
    end = dealt(game)
    states = [end]
    while not end.is_terminal():
        end = end.child(RNG.choice(end.legal_actions()))
        states.append(end)
    return states[-1 - left]
