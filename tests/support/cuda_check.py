"""Compiles random games of every game for NVIDIA GPUs, from the same source, without a GPU: `make cuda-check`.

There rules cannot assign one array to another (`a[:] = b`), as that makes a copy where both may be the same memory:
they copy in loops.
"""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace
from unittest.mock import patch

import numba
import numpy as np
from numba import cuda

from bdgame_env.engine.game import Game
from bdgame_env.engine.rng import random_legal
from bdgame_env.registry import get_game, list_games

COMPUTE_CAPABILITY = (8, 0)


def ptx_of(game: Game) -> str:
    """The assembly (PTX) of a function that plays random games, each in a thread of its own."""
    rules = game.rules

    def play(games, configs, deals, mask):  # type: ignore[no-untyped-def]
        """The arguments are as for the game's compiled loops: `games` blank, `mask` a row for each game."""
        i = cuda.grid(1)
        if i < games.shape[0]:
            s = games[i]
            s.rng = deals[i]
            s.game_seed = deals[i]
            rules.reset(s, configs[0])
            while s.over == 0:
                for action in range(mask.shape[1]):
                    mask[i, action] = 0
                rules.legal(s, configs[0], mask[i])
                s.decisions += 1
                rules.apply(s, configs[0], random_legal(mask[i], s))

    def rows(dtype: np.dtype) -> numba.types.Array:  # type: ignore[type-arg]
        return numba.from_dtype(dtype)[::1]

    config = game.config()
    types = rows(game.state), rows(config.record.dtype), numba.uint64[::1], numba.int8[:, ::1]
    device = SimpleNamespace(compute_capability=COMPUTE_CAPABILITY)
    with patch("numba.cuda.dispatcher.get_current_device", return_value=device):  # asked before each function
        ptx, _ = cuda.compile_ptx(play, types, cc=COMPUTE_CAPABILITY)
    return str(ptx)


def main() -> None:
    """Compile the games named on the command line, or all."""
    for name in sys.argv[1:] or list_games():
        began = time.monotonic()
        ptx = ptx_of(get_game(name))
        assert ".visible .entry" in ptx, name
        print(f"{name}: {len(ptx) // 1024} KiB of PTX, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
