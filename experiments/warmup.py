"""The command `warmup`: compiles ahead of time what the other commands would compile when they need it."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Annotated, Any

import typer
from rich.console import Console

from bdgame_env import list_games
from bdgame_env.engine.compile_listener import on_compiling
from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.quoting import shown
from bdgame_env.registry import get_game

from .errors import BadInput

PARTS = ("play", "search", "train")
_POLL_SECONDS = 0.25


def warmup(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="e.g. bdgame-v3; default: all games")] = None,
    only: Annotated[
        str | None, typer.Option(metavar="PARTS", help="any of play,search,train; default: all three")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="number of processes; default: the usable cores")] = None,
) -> None:
    """Compile what playing, searching and training need, so that nothing has to be compiled later.

    Machine code is kept in the user's cache folder, for all virtual environments with the same sources and the same
    versions of Python, NumPy and Numba. What is there already is not compiled again.
    """
    games = list_games() if game is None else [get_game(game).id]
    parts = read_parts(only)
    if JIT_DISABLED:
        raise BadInput("warmup: NUMBA_DISABLE_JIT is set, so that nothing is compiled")
    began = time.monotonic()
    functions = compile_games(games, parts, jobs or usable_cores())
    told = f"{functions} functions compiled" if functions else "nothing to compile"
    print(f"{', '.join(games)}: {told}, {', '.join(parts)} are ready ({time.monotonic() - began:.0f} s)")


def read_parts(text: str | None) -> list[str]:
    """The parts that were asked for, in their order.

    Raises:
        BadInput: there is no such part.
    """
    asked = list(PARTS) if text is None else text.split(",")
    for part in asked:
        if part not in PARTS:
            raise BadInput(f"--only {shown(text)}: {shown(part)} is not one of {', '.join(PARTS)}")
    return [part for part in PARTS if part in asked]


def compile_games(games: Sequence[str], parts: Sequence[str], jobs: int) -> int:
    """Compile games in processes of their own, with one line of progress; returns how many functions that were."""
    context = get_context("spawn")
    count = context.Value("q", 0)
    console = Console(stderr=True)
    with (
        ProcessPoolExecutor(min(jobs, len(games)), context, initializer=_begin, initargs=(count,)) as pool,
        _ended_if_interrupted(),
        console.status("starting") as status,
    ):
        running = [pool.submit(compile_game, game, parts) for game in games]
        announced = False
        while wait_for(running, _POLL_SECONDS).not_done:
            done, functions = sum(one.done() for one in running), count.value
            status.update(f"compiling for this machine: {functions} functions, {done} of {len(games)} games done")
            if functions and not announced and not console.is_terminal:
                console.print("bdgame_env: compiling for this machine, only once", highlight=False)
                announced = True
        for one in running:
            one.result()
    return int(count.value)


@contextmanager
def _ended_if_interrupted() -> Iterator[None]:
    """Ctrl-C ends the processes begun in here: a pool would wait until they have compiled all that they were given."""
    before = active_children()
    try:
        yield
    except KeyboardInterrupt:
        for process in active_children():
            if process not in before:
                process.terminate()
        raise


def compile_game(game: str, parts: Sequence[str]) -> None:
    """Compile parts of a game in this process."""
    from . import compile_ahead

    for part in parts:
        compile_ahead.PARTS[part](game)


def _begin(count: Any) -> None:
    """Prepare a process: it adds what it compiles to the common count."""
    gc.set_threshold(100_000, 20, 50)  # Numba makes millions of objects that live on; looking through them takes long

    def add(_: object) -> None:
        with count.get_lock():
            count.value += 1

    on_compiling(add)
