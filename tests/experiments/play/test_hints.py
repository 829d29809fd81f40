"""Who gives hints: the best rated agent that can say what it expects of moves."""

from __future__ import annotations

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.experiments.play import hints
from bdgame_env.experiments.play.hints import SECONDS, THINKERS, UNRATED, hinter_for
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
