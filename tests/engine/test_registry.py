"""`registry`: games by id, loaded on demand."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

import bdgame_env
from bdgame_env import registry
from tests.support import toy_game


@pytest.fixture
def games(monkeypatch):
    """The list of games, restored after the test."""
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    return registry.GAMES


def test_every_game_is_declared_under_its_id():
    """List and declarations agree, and each game is loaded once."""
    assert registry.list_games() and registry.list_games() == bdgame_env.list_games()
    for game_id in registry.list_games():
        game = registry.get_game(game_id)
        assert game.id == game_id and registry.get_game(game_id) is game
        assert registry.GAMES[game_id].startswith(game.module + ":")


def test_an_unknown_game_is_refused_in_one_line(games):
    """The message lists the known games."""
    for wrong in ("chess-v1", "bdgame", "", "bdgame-v99"):
        with pytest.raises(registry.UnknownGame) as refused:
            bdgame_env.make_match(wrong)
        assert str(refused.value) == f"unknown game {wrong!r}; known: {', '.join(registry.list_games())}"


def test_a_game_of_ones_own_is_played_like_the_others(games):
    """register_game, then make_match, make_batch and a snapshot."""
    registry.register_game("toy-v1", "tests.support.toy_game:GAME")
    assert "toy-v1" in bdgame_env.list_games() and registry.get_game("toy-v1") is toy_game.GAME
    match = bdgame_env.make_match("toy-v1", seed=1, players=3)
    match.play("draw")
    again = bdgame_env.match_from_snapshot(match.snapshot(omniscient=True))
    assert again.legal_moves() == ["take keep", "take swap"]
    assert bdgame_env.make_batch("toy-v1", 2, seed=1).players == 2


def test_names_of_several_words_have_hyphens_or_underscores(games):
    """Both spellings find the game; it is listed once, and its own name is that of its folder."""
    registry.register_game("pixel_pusher-v2", registry.GAMES["pixel-pusher-v2"])
    assert registry.list_games().count("pixel-pusher-v2") == 1 and "pixel_pusher-v2" not in registry.list_games()
    game = registry.get_game("pixel-pusher-v2")
    assert registry.get_game("pixel_pusher-v2") is game and game.name == "pixel_pusher"
    assert registry.canonical_id("bdgame-v3") == "bdgame-v3" and registry.canonical_id("chess") == "chess"


def test_a_wrong_entry_is_refused(games):
    """One whose id differs from the declaration's, one whose name is not defined."""
    registry.register_game("toy-v2", "tests.support.toy_game:GAME")
    with pytest.raises(registry.UnknownGame, match="declares 'toy-v1', not 'toy-v2'"):
        registry.get_game("toy-v2")
    registry.register_game("toy-v1", "tests.support.toy_game:NO_SUCH_NAME")
    with pytest.raises(AttributeError, match="NO_SUCH_NAME"):
        registry.get_game("toy-v1")


def test_listing_games_loads_none():
    """The list consists of strings: cards and rules of a game are loaded on demand."""
    code = (
        "import sys, bdgame_env; bdgame_env.list_games();"
        "print([name for name in sys.modules if name.startswith('bdgame_env.games.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_installed_packages_add_games(games, monkeypatch):
    """By entry points; what is registered already stays as it is."""
    found = [EntryPoint("toy-v1", "tests.support.toy_game:GAME", "bdgame_env.games")]
    found += [EntryPoint("bdgame-v3", "nowhere:GAME", "bdgame_env.games")]
    monkeypatch.setattr(registry, "entry_points", lambda group: found if group == "bdgame_env.games" else [])
    registry._find_installed.cache_clear()
    assert registry.get_game("toy-v1").id == "toy-v1" and "toy-v1" in registry.list_games()
    assert registry.get_game("bdgame-v3").title == "Bdgame"
    registry._find_installed.cache_clear()
