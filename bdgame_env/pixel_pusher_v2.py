"""Pixel Pusher as a PettingZoo module: `pixel_pusher_v2.env(players=3)`, or `parallel_env`, as in its own packages."""

from functools import partial

from .adapters import parallel
from .adapters.aec import aec_functions
from .registry import get_game

__all__ = ["env", "from_snapshot", "parallel_env", "raw_env"]

_GAME = get_game("pixel-pusher-v2")
env, raw_env, from_snapshot = aec_functions(_GAME)
parallel_env = partial(parallel.parallel_env, _GAME)
parallel_env.__doc__ = parallel.RawParallel.__doc__
