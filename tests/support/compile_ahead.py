"""Compiles what several test processes would otherwise compile twice: `python -m tests.support.compile_ahead`.

Every game is compiled in its own process, JOBS (2) at once. Compiled searches are tested on the first game of the
registry, so they are compiled ahead for that one only, last of all, when its rules lie in the user's cache folder.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from bdgame_env.experiments.compile_ahead import compile_play, compile_search
from bdgame_env.registry import list_games
from tests.support.quick_code import compile_quickly

PLAYERS = ("heuristic",)  # networks are tested on the games that tests train


def timed(compiling: Callable[..., None], *arguments: Any) -> float:
    """The seconds that it took."""
    started = time.perf_counter()
    compiling(*arguments)
    return time.perf_counter() - started


def main() -> None:
    """Compile all games of the registry."""
    first, *others = list_games()
    games = [first, *reversed(others)]  # in this order two processes are done at the same time
    jobs = int(os.environ.get("JOBS", "2"))
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=compile_quickly) as pool:
        compiling = {game: pool.submit(timed, compile_play, game, PLAYERS) for game in games}
        compiling["searches"] = pool.submit(timed, compile_search, first)
    print("compiled ahead: " + ", ".join(f"{name} {one.result():.0f} s" for name, one in compiling.items()))


if __name__ == "__main__":
    main()
