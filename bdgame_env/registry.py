"""The one list of games, as strings, loaded when asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from .core.game import Game

GAMES: dict[str, str] = {
    "bdgame-v1": "bdgame_env.games.bdgame.game:GAME",
    "gizmos-v1": "bdgame_env.games.gizmos.game:GAME",
    "nicodemus-v1": "bdgame_env.games.nicodemus.game:GAME",
}


class UnknownGame(ValueError):
    """A game id that is not registered."""


def register_game(game_id: str, where: str) -> None:
    """Add a game of your own: its id, and `module:attribute` of its `Game`."""
    GAMES[game_id] = where
    get_game.cache_clear()


def list_games() -> list[str]:
    """All ids, e.g. "bdgame-v1"."""
    return list(GAMES)


@cache
def get_game(game_id: str) -> Game:
    """The game of an id.

    Raises:
        UnknownGame: there is none; the message lists those that are.
    """
    if game_id not in GAMES:
        raise UnknownGame(f"unknown game {game_id!r}; known: {', '.join(GAMES)}")
    module, _, name = GAMES[game_id].partition(":")
    game: Game = getattr(import_module(module), name)
    if game.id != game_id:
        raise UnknownGame(f"{GAMES[game_id]} declares {game.id!r}, not {game_id!r}")
    return game
