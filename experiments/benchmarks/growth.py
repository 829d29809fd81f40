"""How speed grows with the number of games and of threads, and the memory that a game takes."""

from __future__ import annotations

import tracemalloc

from bdgame_env.engine.batch import Batch

from . import play
from .figures import BYTES, Bench, Figure, exactly

THREADS = (1, 2, 4, 8, 16)
MEMORY = "memory of a batch, per game"


def growth_name(n: int, threads: int) -> str:
    """The name of the figure for a batch of n games."""
    return f"growth, decisions, random play, N = {n}, {threads} thread{'s' if threads > 1 else ''}"


def growth_figures(bench: Bench) -> list[Figure]:
    """Decisions per second of random play by number of games, and of the largest batch by number of threads.

    Observation and mask are written. Above the number of cores, threads take turns.
    """
    player = play.random_player(bench)
    positions, _ = play.positions_of(bench, player)
    figures = []
    for n in bench.growth:
        start, actions = play.recorded(bench, player, positions, n)
        for threads in THREADS if n == max(bench.growth) else (1,):
            work = play.replay(bench, start, actions, True, threads)
            figures.append(bench.rate(growth_name(n, threads), work))
    return [*figures, exactly(MEMORY, BYTES, _bytes_per_game(bench, max(bench.growth)))]


def _bytes_per_game(bench: Bench, n: int) -> float:
    """What a batch of n games allocates, divided by n."""
    tracemalloc.start()
    try:
        batch = Batch(bench.game, n, seed=0, threads=1, **bench.config.options)
        return tracemalloc.get_traced_memory()[0] / batch.num_games
    finally:
        tracemalloc.stop()
