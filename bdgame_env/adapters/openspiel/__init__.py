"""The games in OpenSpiel: importing this registers them, `pyspiel.load_game("python_bdgame(players=3)")` loads one.

The names are "python_bdgame", "python_gizmos", "python_nicodemus" and "python_pixel_pusher"; the parameters are
`players` and the game's own options. See `BoardGame` and `BoardState`.

Raises:
    ModuleNotFoundError: open_spiel is not installed; names the extra.
"""

from __future__ import annotations

try:
    import pyspiel  # noqa: F401  here to say which extra is missing
except ModuleNotFoundError as error:
    if error.name != "pyspiel":
        raise
    told = "bdgame_env.adapters.openspiel needs open_spiel: pip install 'bdgame_env[openspiel]'"
    raise ModuleNotFoundError(told, name="pyspiel") from None

from .bots import guard_bots
from .game import BoardGame
from .registering import register_openspiel, spiel_name
from .state import BoardState

__all__ = ["BoardGame", "BoardState", "register_openspiel", "spiel_name"]

register_openspiel()
guard_bots()
