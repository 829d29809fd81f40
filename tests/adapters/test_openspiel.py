"""The games in OpenSpiel: its own checks, its bots and tools, and that hidden information stays hidden."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import unittest
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, random_agent, sample_some_states
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot
from open_spiel.python.observation import make_observation

from bdgame_env import BadOption, IllegalAction, get_game, list_games, make_match
from bdgame_env.adapters.openspiel import BoardState, register_openspiel, spiel_name
from bdgame_env.adapters.openspiel.bots import guard_bots
from tests.clients.checks import SIZES

GAMES = list_games()
SEED = 0x0123456789ABCDEF


def load(game_id: str, players: int | None = None, max_rounds: int = 2) -> Any:
    """A game of few rounds, where rounds can be chosen."""
    game = get_game(game_id)
    params: dict[str, Any] = {"max_rounds": max_rounds} if game_id in ("bdgame-v3", "gizmos-v3") else {}
    return pyspiel.load_game(spiel_name(game), params if players is None else {**params, "players": players})


def dealt(game: Any, seed: int = SEED) -> Any:
    state = game.new_initial_state()
    for byte in seed.to_bytes(8):
        state.apply_action(byte)
    return state


def played(game: Any, decisions: int, seed: int = SEED) -> Any:
    """A state in the middle of a random game."""
    rng, state = np.random.default_rng(1), dealt(game, seed)
    for _ in range(decisions):
        after = state.child(int(rng.choice(state.legal_actions())))
        if after.is_terminal():
            break
        state = after
    return state


def rollouts() -> RandomRolloutEvaluator:
    return RandomRolloutEvaluator(1, np.random.RandomState(1))


# OpenSpiel's own checks


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_openspiels_own_checks(game_id: str, players: int) -> None:
    game = load(game_id, players)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)

    class OwnChecks(api_test.EnforceAPIOnPartialTreeBase):
        @classmethod
        def setUpClass(cls) -> None:
            cls.some_states = sample_some_states.sample_some_states(game, max_states=8)
            cls.game_type = game.get_type()

    OwnChecks.game, OwnChecks.game_name = game, str(game)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(OwnChecks).run(result)
    assert result.testsRun >= 5 and not result.failures + result.errors + result.skipped, result


def test_all_games_are_registered_once() -> None:
    register_openspiel()  # again
    names = pyspiel.registered_names()
    for game in map(get_game, list_games()):
        assert names.count(f"python_{game.name}") == 1
        kind = pyspiel.load_game(spiel_name(game)).get_type()
        assert (kind.long_name, kind.min_num_players, kind.max_num_players) == (game.title, *game.seats)


def test_parameters_are_those_of_the_game() -> None:
    game = pyspiel.load_game("python_bdgame(players=3,trading=true,max_rounds=5)")
    assert str(game) == "python_bdgame(max_rounds=5,players=3,trading=True)"
    assert game.num_distinct_actions() == make_match("bdgame-v3", trading=True).config.num_actions
    assert game.board.id == "bdgame-v3" and game.config.options["trading"] is True
    assert pickle.loads(pickle.dumps(game)) == game
    assert pyspiel.load_game("python_gizmos(rules=quick)").config.options["rules"] == "quick"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("python_bdgame(players=5)", "players=5 is not allowed; allowed: 2 to 4"),
        ("python_gizmos(rules=dealer)", "'dealer' is not allowed; allowed: 'printed', 'quick'"),
        ("python_gizmos(plyers=3)", "Unknown parameter 'plyers'. Available parameters are: max_rounds, "),
        ("python_bdgame(deck=/no/such/deck.toml)", "/no/such/deck.toml: cannot be read"),
    ],
)
def test_a_wrong_parameter_is_one_line(text: str, told: str) -> None:
    with pytest.raises((BadOption, ValueError, pyspiel.SpielError)) as refused:
        pyspiel.load_game(text)
    assert told in str(refused.value) and "\n" not in str(refused.value)


def test_a_path_that_openspiel_would_take_apart_is_refused() -> None:
    with pytest.raises(BadOption, match=r"deck='a,b=c.toml', must have none of"):
        pyspiel.load_game("python_bdgame", {"deck": "a,b=c.toml"})


# The same game as elsewhere


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_chance_deals_the_game_seed(game_id: str, players: int) -> None:
    """From the same seed the same game as a match, to the end, with the same results."""
    game = load(game_id, players)
    state, match = dealt(game), make_match(game_id, **game.config.options)
    match.deal(SEED)
    rng = np.random.default_rng(3)
    while not match.over:
        assert state.current_player() == match.seat
        assert state.legal_actions() == match.legal_actions()
        names = [state.action_to_string(action) for action in state.legal_actions()]
        assert names == match.legal_moves()
        assert state.rewards() == state.returns() == [0.0] * players
        for player in range(players):
            assert state.observation_tensor(player) == match.observe(player).tolist()
        move = str(rng.choice(names))
        state.apply_action(state.string_to_action(move))
        match.play(move)
    assert state.is_terminal() and json.loads(str(state)) == match.snapshot(omniscient=True)
    order = np.argsort(state.returns(), kind="stable")[::-1]
    assert [match.ranks()[seat] for seat in order] == sorted(match.ranks())
    assert sum(state.returns()) == pytest.approx(0) and max(map(abs, state.returns())) <= 1


def test_chance_is_the_deal_alone() -> None:
    state = load("nicodemus-v2").new_initial_state()
    for count in range(8):
        assert state.is_chance_node() and len(state.chance_outcomes()) == 256
        assert str(state) == " ".join(["deal", *["07"] * count]) and state.action_to_string(7) == "deal 07"
        state = pickle.loads(pickle.dumps(state))  # a copy in the middle of the deal deals on
        state.apply_action(7)
    assert not state.is_chance_node() and state.returns() == [0.0, 0.0] and state.history() == [7] * 8
    assert str(state) == str(dealt(load("nicodemus-v2"), 0x0707070707070707))
    with pytest.raises(BadOption, match="a byte, 0 to 255, not 256"):
        load("nicodemus-v2").new_initial_state().apply_action(256)


@pytest.mark.parametrize("game_id", GAMES)
def test_an_illegal_action_changes_nothing(game_id: str) -> None:
    state = played(load(game_id), 5)
    before = str(state), state.history()
    illegal = min(set(range(state.num_distinct_actions())) - set(state.legal_actions()))
    for action in (illegal, state.num_distinct_actions(), -2):
        with pytest.raises(IllegalAction):
            state.apply_action(action)
    assert (str(state), state.history()) == before


# Copies


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_copies_play_on_alike(game_id: str, players: int) -> None:
    state = played(load(game_id, players), 12)
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    resampled = state.resample_from_infostate(state.current_player(), lambda: 0.5)
    for original, copies in [
        (state, [state.clone(), pickle.loads(pickle.dumps(state)), pyspiel.deserialize_game_and_state(text)[1]]),
        (resampled, [resampled.clone(), pickle.loads(pickle.dumps(resampled))]),
    ]:
        action = original.legal_actions()[0]
        after = original.child(action)
        for copy in copies:
            assert isinstance(copy, BoardState) and copy.history() == original.history()
            copy.apply_action(action)
            assert str(copy) == str(after) != str(original)
            for player in range(players):
                assert copy.information_state_string(player) == after.information_state_string(player)


# What a player knows


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_a_resampled_state_is_one_the_player_cannot_tell_from_the_true_one(game_id: str, players: int) -> None:
    for decisions in (0, 9, 30):
        state = played(load(game_id, players), decisions)
        for player in range(players):
            samples = [
                state.resample_from_infostate(player, lambda number=number: number) for number in (0.1, 0.1, 0.9)
            ]
            for sample in samples:
                assert sample.information_state_string(player) == state.information_state_string(player)
                assert sample.observation_tensor(player) == state.observation_tensor(player)
                assert sample.history() == [] and str(SEED) not in str(sample.position.match.state.game_seed)
                if state.current_player() == player:
                    assert sample.current_player() == player and sample.legal_actions() == state.legal_actions()
            assert str(samples[0]) == str(samples[1]) != str(samples[2])
            # A sample of another world that looks the same to the player: nothing of the true world comes through.
            again = samples[2].resample_from_infostate(player, lambda: 0.1)
            assert str(again) == str(samples[0])
            for other in range(players):
                assert again.information_state_string(other) == samples[0].information_state_string(other)


@pytest.mark.parametrize(("game_id", "players"), [size for size in SIZES if get_game(size[0]).told])
def test_what_a_player_is_not_told_does_not_show(game_id: str, players: int) -> None:
    """Of two actions that look alike to a player, neither its observation nor its information state tells which."""
    rng, state, compared = np.random.default_rng(5), dealt(load(game_id, players)), 0
    for _ in range(40):
        match, phase = state.position.match, state.position.match.choosing()[0]
        for player in set(range(players)) - {state.current_player()}:
            hidden = [state.child(action) for action in state.legal_actions() if not match.told(action, player)]
            hidden = [child for child in hidden if child.position.match.choosing()[0] == phase]  # later, choices show
            for asked in (True, False):  # a player knows that it is to decide
                alike = [child for child in hidden if (child.current_player() == player) == asked]
                views = {(child.information_state_string(player), child.observation_string(player)) for child in alike}
                assert len(views) <= 1
                if views and not asked:
                    assert views == {(state.information_state_string(player), state.observation_string(player))}
                compared += len(alike)
        state.apply_action(int(rng.choice(state.legal_actions())))
        if state.is_terminal():
            break
    assert (compared > 0) == (game_id == "pixel-pusher-v2")  # the other games tell a part of every action


@pytest.mark.parametrize("game_id", GAMES)
def test_players_remember(game_id: str) -> None:
    """Perfect recall: no information state comes twice, and each holds what the player chose before."""
    state = dealt(load(game_id, max_rounds=4))
    rng = np.random.default_rng(2)
    seen: set[tuple[int, str]] = set()
    for _ in range(60):
        if state.is_terminal():
            break
        player = state.current_player()
        key = (player, state.information_state_string())
        assert key not in seen
        seen.add(key)
        after = {state.child(action).information_state_string(player) for action in state.legal_actions()}
        assert len(after) == len(state.legal_actions())
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(seen) >= 10


def test_observers() -> None:
    game = load("gizmos-v3", 3)
    state = played(game, 20)
    match = state.position.match
    own = make_observation(game)
    own.set_from(state, 1)
    assert own.tensor.tolist() == match.observe(1).tolist() and own.tensor.dtype == np.float32
    for field in match.game.schema:
        assert own.dict[field.name].ravel().tolist() == match.observe(1)[field.slice].tolist()
    told = json.loads(own.string_from(state, 1))
    assert told.pop("player") == 1
    for name, value in told.items():
        assert np.array_equal(np.ravel(value), own.dict[name].ravel())
    public = make_observation(game, kind_of(private_info=pyspiel.PrivateInfoType.NONE))
    assert json.loads(public.string_from(state, 0)) == match.snapshot() and public.tensor is None
    for missing in (
        {"private_info": pyspiel.PrivateInfoType.ALL_PLAYERS},
        {"public_info": False, "private_info": pyspiel.PrivateInfoType.NONE},
        {"public_info": False, "perfect_recall": True},
    ):
        assert make_observation(game, kind_of(**missing)) is None
    with pytest.raises(BadOption, match="observers take no parameters"):
        make_observation(game, None, {"size": 3})


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_private_and_public_information_make_up_what_a_player_sees(game_id: str, players: int) -> None:
    game = load(game_id, players)
    public = make_observation(game, kind_of(private_info=pyspiel.PrivateInfoType.NONE))
    private = make_observation(game, kind_of(public_info=False))
    assert private.tensor is None
    assert private.string_from(game.new_initial_state(), 0) == '{"dealt":false}'
    told = set()
    for decisions in (0, 5, 20):
        state = played(game, decisions)
        for player in range(players):
            alone = private.string_from(state, player)
            seen = overlaid(json.loads(public.string_from(state, player)), json.loads(alone))
            assert seen == json.loads(json.dumps(state.position.match.snapshot(seat=player)))
            told.add(alone)
    assert (told == {"{}"}) == (game_id == "bdgame-v3")  # where nothing is hidden from one and known to another


def overlaid(public: Any, private: Any) -> Any:
    """Public data with what a player sees beyond it in its places."""
    if isinstance(public, list) and isinstance(private, dict):
        return [overlaid(value, private.get(str(number), value)) for number, value in enumerate(public)]
    if isinstance(public, dict) and isinstance(private, dict):
        return {**public, **{name: overlaid(public.get(name), value) for name, value in private.items()}}
    return private


@pytest.mark.slow
@pytest.mark.parametrize("game_id", GAMES)
def test_openspiel_writes_a_playthrough(game_id: str) -> None:
    text = playthrough(str(load(game_id, max_rounds=1)), action_sequence=[], seed=1)
    assert text.endswith("]\n") and "PrivateObservationString(1) = " in text and "Returns() = " in text


def kind_of(**chosen: Any) -> Any:
    return pyspiel.IIGObservationType(**{"perfect_recall": False, **chosen})


# Bots and tools


@pytest.mark.parametrize(("game_id", "players"), SIZES)
def test_bots_and_tools_play_it(game_id: str, players: int) -> None:
    game = load(game_id, players, max_rounds=1)
    late = played(game, 1000)  # right before the end of a game
    bots: list[Any] = [UniformRandomBot(player, np.random.RandomState(player)) for player in range(players)]
    bots[0] = MCTSBot(game, 1.4, 2, rollouts(), random_state=np.random.RandomState(1))
    assert sum(evaluate_bots.evaluate_bots(late.clone(), bots, np.random.RandomState(1))) == pytest.approx(0)
    ismcts = ISMCTSBot(game, rollouts(), 1.4, 2, random_state=np.random.RandomState(1))
    for state in (dealt(game), late):
        assert ismcts.step(state) in state.legal_actions()
    fast = [pyspiel.make_uniform_random_bot(player, 1) for player in range(players)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), fast, 1)) == pytest.approx(0)
    env = rl_environment.Environment(game)
    agents = [random_agent.RandomAgent(player, env.action_spec()["num_actions"]) for player in range(players)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.current_player()].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


@pytest.mark.parametrize("game_id", GAMES)
def test_searches_choose_legal_actions(game_id: str) -> None:
    game = load(game_id, max_rounds=1)
    state = played(game, 3)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    fast = pyspiel.MCTSBot(game, evaluator, 1.4, 4, 10, False, 1, False)
    by_observation = ISMCTSBot(game, rollouts(), 1.4, 4, use_observation_string=True)
    for bot in (MCTSBot(game, 1.4, 4, rollouts()), by_observation, fast):
        assert bot.step(state) in state.legal_actions()
    assert fast.mcts_search(state).explore_count == 4


def test_the_compiled_ismcts_is_refused_in_one_line() -> None:
    """It would end the process: see `guard_bots`."""
    guard_bots()  # again
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 4)
    for ask in (bot.step, bot.get_policy, bot.step_with_policy):
        with pytest.raises(
            pyspiel.SpielError, match=r"^pyspiel\.ISMCTSBot cannot .*; use ISMCTSBot of open_spiel\.python.*$"
        ):
            ask(dealt(load("nicodemus-v2")))


def test_games_that_openspiel_makes_of_these_are_guarded_too() -> None:
    game = pyspiel.load_game("misere(game=python_nicodemus())")
    state = dealt(game)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    assert pyspiel.MCTSBot(game, evaluator, 1.4, 4, 10, False, 1, False).step(state) in state.legal_actions()
    with pytest.raises(pyspiel.SpielError, match="cannot resample the states of games in Python"):
        pyspiel.ISMCTSBot(1, evaluator, 1.4, 4).step(state)


def test_bots_play_other_games_as_before() -> None:
    game = pyspiel.load_game("kuhn_poker")
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    assert pyspiel.ISMCTSBot(1, evaluator, 1.4, 20).step(state) in (0, 1)
    assert pyspiel.MCTSBot(game, evaluator, 1.4, 20, 10, False, 1, False).step(state) in (0, 1)


# The process


def test_a_process_ends_without_a_crash() -> None:
    """OpenSpiel frees what it holds after Python has ended."""
    code = "import bdgame_env.adapters.openspiel, pyspiel; print(pyspiel.load_game('python_nicodemus'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "python_nicodemus()", "")


def test_without_openspiel_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("bdgame_env.adapters.openspiel")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ModuleNotFoundError, match=r"needs open_spiel: pip install 'bdgame_env\[openspiel\]'$"):
        __import__("bdgame_env.adapters.openspiel")
