"""The list of games by id; a game's module is imported when it is first asked for.

Installed packages add games by entry points of the group "bdgame_env.games": an id, and `module:attribute` of a `Game`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from .engine.game import Game
from .engine.quoting import listed, shown

if TYPE_CHECKING:
    from .adapters.settings import Players
    from .games.bdgame.options import Options as Bdgame
    from .games.gizmos.options import Options as Gizmos
    from .games.nicodemus.options import Options as Nicodemus
    from .games.pixel_pusher.options import Options as PixelPusher

    class Options(Players, Bdgame, Gizmos, Nicodemus, PixelPusher, total=False):
        """The options of all games, as types: mypy and pyright refuse `make_gym(..., plyers=3)`.

        Which of them a game has is checked at run time; the modules of the games (`gizmos_v3.env`) know their own.
        Options of a game of your own are passed as `**options`, a `dict[str, Any]`.
        """


GAMES: dict[str, str] = {
    "bdgame-v3": "bdgame_env.games.bdgame.game:GAME",
    "gizmos-v3": "bdgame_env.games.gizmos.game:GAME",
    "nicodemus-v2": "bdgame_env.games.nicodemus.game:GAME",
    "pixel-pusher-v2": "bdgame_env.games.pixel_pusher.game:GAME",
}


class UnknownGame(ValueError):
    """A game id that is not registered."""


def canonical_id(game_id: str) -> str:
    """The id as it is listed, e.g. "pixel-pusher-v2" for "pixel_pusher-v2", as folders and modules spell it."""
    name, mark, version = game_id.rpartition("-v")
    return f"{name.replace('_', '-')}{mark}{version}"


def register_game(game_id: str, where: str) -> None:
    """Add a game of your own: its id, and `module:attribute` of its `Game`.

    Raises:
        ValueError: one of them is not of that form.
    """
    if not isinstance(game_id, str) or not isinstance(where, str) or not all(where.partition(":")):
        raise ValueError(f"a game needs an id and a location module:attribute, not {shown(game_id)} and {shown(where)}")
    GAMES[canonical_id(game_id)] = where


@cache
def _find_installed() -> None:
    for entry in entry_points(group="bdgame_env.games"):
        GAMES.setdefault(canonical_id(entry.name), entry.value)


def list_games() -> list[str]:
    """All ids, e.g. "bdgame-v3"."""
    _find_installed()
    return list(GAMES)


def get_game(game_id: str) -> Game:
    """The game of an id, with its words joined by "-" or "_".

    Raises:
        UnknownGame: no such game; the message lists those that exist.
    """
    where = GAMES.get(canonical_id(game_id)) if isinstance(game_id, str) else None
    if where is None and isinstance(game_id, str):
        _find_installed()
        where = GAMES.get(canonical_id(game_id))
    if where is None:
        raise UnknownGame(f"unknown game {shown(game_id)}; known: {listed(GAMES)}")
    game = _declared(where)
    if game.id != canonical_id(game_id):
        raise UnknownGame(f"{where} declares {shown(game.id)}, not {shown(game_id)}")
    return game


def _declared(where: str) -> Game:
    module, _, name = where.partition(":")
    game: Game = getattr(import_module(module), name)
    return game
