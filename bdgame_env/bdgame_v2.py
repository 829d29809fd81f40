"""Bdgame as a PettingZoo module: `bdgame_v2.env(players=3)`, as in PettingZoo's own packages."""

from .adapters.aec import aec_functions
from .registry import get_game

__all__ = ["env", "from_snapshot", "raw_env"]

env, raw_env, from_snapshot = aec_functions(get_game("bdgame-v2"))
