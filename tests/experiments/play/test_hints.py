"""Who gives hints: the best rated agent that can say what it expects of moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.game import Game
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play import hints
from bdgame_env.experiments.play.hints import SECONDS, THINKERS, UNRATED, advised, hinter_for, judged_by
from bdgame_env.experiments.play.opinions import Question, ask_about
from bdgame_env.experiments.play.trials import tried
from tests.support import bots
from tests.support import nim_game as nim

RATED = {"ppo": 40.0, "network-planner": 35.0, "mcts": 30.0, "planner": 20.0}


@pytest.mark.parametrize("game_id", list_games())
def test_the_best_rated_thinker_gives_hints(monkeypatch: pytest.MonkeyPatch, game_id: str) -> None:
    """A network alone is no thinker, and a network planner needs weights that fit the options."""
    game = get_game(game_id)
    config = game.config(players=2)
    monkeypatch.setattr(hints, "shipped_ratings", lambda game: {2: RATED})
    assert hinter_for(game, config) == f"network-planner:time={SECONDS}"
    monkeypatch.setattr(hints, "shipped_ratings", lambda game: {3: RATED})
    assert hinter_for(game, config) == UNRATED


def test_who_cannot_play_a_game_gives_no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "shipped_ratings", lambda game: {2: RATED})
    assert hinter_for(nim.GAME, nim.GAME.config()) == f"mcts:time={SECONDS}", "no weights, no plans"


@pytest.mark.parametrize("game_id", list_games())
def test_thinkers_take_a_time(game_id: str) -> None:
    game = get_game(game_id)
    for name in THINKERS:
        make_agent(f"{name}:time={SECONDS}", game, game.config()).close()


@pytest.mark.parametrize("game_id", list_games())
def test_shipped_ladders_rate_agents_that_there_are(game_id: str) -> None:
    """From the best down, random play last."""
    game = get_game(game_id)
    for players, rated in shipped_ratings(game).items():
        for name in rated:
            make_agent(name, game, game.config(players=players)).close()
        assert list(rated.values()) == sorted(rated.values(), reverse=True)
        assert list(rated)[-1] == "random"


class Expects(bots.First):
    """Plays the first legal action, and expects the next of some values of it."""

    def __init__(self, match: Match, *values: float) -> None:
        super().__init__(match.game, match.config)
        self._coming = list(values)

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        actions = super().act(observation, mask, states)
        self.values = np.full(mask.shape, np.nan, np.float32)
        self.values[0, actions[0]] = self._coming.pop(0)
        return actions


@pytest.mark.parametrize(("value", "fell_back"), [(0.5, False), (-0.8, False), (-0.9, True)])
def test_where_all_is_lost_the_rule_based_player_advises(value: float, fell_back: bool) -> None:
    match = Match(get_game("bdgame-v3"), seed=1)
    question, names = Question.at(match, 0), match.action_names
    plain = make_agent("heuristic", match.game, match.config)
    rule_based = names[plain.act(question.observation, question.mask, question.states)[0]]
    assert rule_based != match.legal_moves()[0]
    for fallback in (plain, None):
        answer = advised(Expects(match, value), fallback, None, match, names)
        assert answer.fell_back == (fell_back and fallback is plain)
        assert names[answer.action] == (rule_based if answer.fell_back else match.legal_moves()[0])
        assert answer.remarks["value"] == pytest.approx(value) and bool(answer.values) != answer.fell_back


@pytest.mark.parametrize(
    ("game", "players", "expected"),
    [
        pytest.param(get_game("bdgame-v3"), 3, 0.25, id="the same turn"),
        pytest.param(nim.GAME, 2, -0.25, id="the only other seat"),
        pytest.param(nim.GAME, 3, None, id="one of two others"),
    ],
)
def test_a_move_that_was_not_tried_is_judged_by_what_follows(game: Game, players: int, expected: float | None) -> None:
    match = Match(game, seed=1, players=players)
    first, *_, played = match.legal_moves()
    before = match.get_state()
    answer = ask_about(Expects(match, 0.5, 0.125, 0.375), match, played, match.action_names)
    assert answer.values == ({first: 0.5} if expected is None else {first: 0.5, played: expected})
    assert ask_about(Expects(match, 0.5), match, first, match.action_names).values == {first: 0.5}
    assert match.get_state() == before


class Takes(bots.First):
    """Takes so many in Nim, or all that are left."""

    def __init__(self, match: Match, number: int) -> None:
        super().__init__(match.game, match.config)
        self._number = number

    def act(self, observation: Any, mask: Any, states: Any = None) -> Any:
        return np.minimum(self._number, mask.sum(axis=1)) - 1


def test_trials_count_the_best_of_the_players() -> None:
    """The other seat always takes one: of 8, taking 2 wins by taking one each time, 1 by taking 3 later, 3 never."""
    match = Match(nim.GAME, seed=1, players=2, heap=8)
    before, ones, threes = match.get_state(), Takes(match, 1), Takes(match, 3)
    assert tried(match, [0, 1, 2], (ones,), trials=2) == {0: -1, 1: 1, 2: -1}
    assert tried(match, [0, 1, 2], (ones, threes), trials=2) == {0: 1, 1: 1, 2: -1}
    assert match.get_state() == before


def test_a_hint_is_the_rule_based_players_move_where_that_wins() -> None:
    """The search likes taking 1 of 8, the first move; that and the rule-based player's 3 lose, and 2 wins."""
    match = Match(nim.GAME, seed=1, players=2, heap=8)
    for number, move in ((2, "take 2"), (3, "take 1")):
        answer = advised(Expects(match, 0.5), Takes(match, number), Takes(match, 1), match, match.action_names)
        assert match.action_names[answer.action] == move and answer.fell_back == (move == "take 2")
    assert answer.remarks["value"] == 0.5


def test_a_better_move_is_confirmed_by_games_after_both() -> None:
    """Taking 1 and 3 of 8 both lose, whatever a search expects of them; 2 wins."""
    match = Match(nim.GAME, seed=1, players=2, heap=8)
    players = (Takes(match, 1),)
    sure = 12 / 14  # as if two of fourteen games had ended otherwise
    for played, values in (
        ("take 3", {"take 1": -sure, "take 3": -sure}),
        ("take 2", {"take 1": -sure, "take 2": sure}),
    ):
        answer = judged_by(Expects(match, 0.5, 0.4, 0.4), players, match, played, match.action_names)
        assert answer.values == pytest.approx(values) and answer.remarks["value"] == pytest.approx(-sure)
    assert judged_by(Expects(match, 0.5, 0.4, 0.4), (), match, "take 3", match.action_names).values["take 1"] == 0.5
