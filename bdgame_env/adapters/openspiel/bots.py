"""Guards for OpenSpiel's bots in C++, which would end the process."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import pyspiel

from .registering import is_ours


def guard_bots() -> None:
    """Keep `pyspiel.MCTSBot` and `pyspiel.ISMCTSBot` from a crash with states of these games.

    Their `step` releases Python's lock, and OpenSpiel then calls into a game in Python without it, which is a
    segmentation fault for every such game. `MCTSBot.step` becomes `step_with_policy`, which keeps the lock. `ISMCTSBot`
    is refused: OpenSpiel does not pass its request to resample a state on to Python. Other games are as before.
    """
    bot = pyspiel.MCTSBot
    _replace(bot, "step", lambda self, state: bot.step_with_policy(self, state)[1])
    for method in ("step", "get_policy", "step_with_policy"):
        _replace(pyspiel.ISMCTSBot, method, _refuse)


def _refuse(self: Any, state: Any) -> Any:
    raise pyspiel.SpielError(
        "pyspiel.ISMCTSBot cannot resample the states of games in Python; use ISMCTSBot of "
        "open_spiel.python.algorithms.ismcts"
    )


def _replace(bot: Any, method: str, ours: Callable[[Any, Any], Any]) -> None:
    own = getattr(bot, method)
    if hasattr(own, "__wrapped__"):
        return

    @wraps(own)
    def guarded(self: Any, state: Any) -> Any:
        return (ours if is_ours(state) else own)(self, state)

    setattr(bot, method, guarded)
