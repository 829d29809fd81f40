"""Ctrl-C ends every long call within seconds, and cutting calls short or into slices changes no result."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Timer, current_thread, main_thread
from typing import Any

import numpy as np
import pytest

from bdgame_env import make_batch
from bdgame_env.agents.search import playouts
from bdgame_env.engine import threads
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.threads import results_of, run_ranges

SECONDS = 5.0  # until a call has ended; a machine that does nothing else needs less than one
BEGIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell disables for background processes
import numpy as np
from bdgame_env import get_game, make_batch, make_vector
from bdgame_env.agents.registry import make_agent
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.threads import run_ranges

game = get_game("bdgame-v3")

def search(spec):
    batch = make_batch(game.id, 8, seed=1)
    agent = make_agent(spec, game, batch.config, seed=1)
    return lambda: agent.act(batch.obs, batch.mask.copy(), batch.states.copy())

def playouts(threads):
    batch = make_batch(game.id, 20_000, seed=1)
    games, mask, rng = batch.states.copy(), batch.mask.copy(), np.zeros(20_000, [("rng", np.uint64)])
    play, record = loops_of(game).play_random, batch.config.record
    play(games, record, mask, rng, 1, 0, 1)
    return lambda: run_ranges(lambda part, lo, hi: play(games, record, mask, rng, 1000, lo, hi), 20_000, threads)
"""
CALLS = {
    "mcts": 'search("mcts:sims=2")(); long = search("mcts:sims=50000,threads=1")',
    "mcts in threads": 'search("mcts:sims=2")(); long = search("mcts:sims=50000,threads=2")',
    "mcts by time": 'search("mcts:sims=2")(); long = search("mcts:time=1000,threads=1")',
    "planner": 'search("planner:sims=2")(); long = search("planner:sims=50000,threads=1")',
    "az": 'search("az:sims=2")(); long = search("az:sims=50000,threads=1")',
    "compiled opponents": """
make_vector(game.id, 1, players=4, opponents="greedy", seed=1).reset()
long = make_vector(game.id, 100_000, players=4, opponents="greedy", seat=3, seed=1, threads=1).reset""",
    "compiled opponents in threads": """
make_vector(game.id, 1, players=4, opponents="greedy", seed=1).reset()
long = make_vector(game.id, 100_000, players=4, opponents="greedy", seat=3, seed=1, threads=2).reset""",
    "a compiled loop": "long = playouts(1)",
    "a compiled loop in threads": "long = playouts(2)",
}


EACH = """
for name, call in CALLS.items():
    exec(call)
    print(f"ready: {name}", flush=True)
    try:
        long()
    except KeyboardInterrupt:
        print(f"stopped: {name}", flush=True)
print("ready: the end", flush=True)
search("mcts:sims=50000,threads=1")()
"""


@pytest.mark.slow
def test_ctrl_c_ends_every_long_call() -> None:
    """And then the process, which went on after all others."""
    command = [sys.executable, "-c", f"{BEGIN}\nCALLS = {CALLS!r}\n{EACH}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None

        def press_ctrl_c() -> float:
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
            return time.monotonic()

        try:
            for name in CALLS:
                assert child.stdout.readline() == f"ready: {name}\n"
                begun = press_ctrl_c()
                assert child.stdout.readline() == f"stopped: {name}\n"
                assert time.monotonic() - begun < SECONDS, name
            assert child.stdout.readline() == "ready: the end\n"
            begun = press_ctrl_c()
            rest, errors = child.communicate(timeout=60)
            spent = time.monotonic() - begun
        finally:
            child.kill()
    assert "KeyboardInterrupt" in errors and rest == "", errors
    assert child.returncode == -signal.SIGINT
    assert spent < SECONDS


@pytest.mark.parametrize("sliced", [True, False])
@pytest.mark.parametrize("most", [1, 2, 5])
@pytest.mark.parametrize("rows", [0, 1, 7, 64, 301])
def test_ranges_cover_all_rows_in_order(monkeypatch: pytest.MonkeyPatch, rows: int, most: int, sliced: bool) -> None:
    """However long a slice takes; each row goes to the same thread as without slices."""
    monkeypatch.setattr(threads, "_SLICE_SECONDS", 0.001)

    def loop(part: int, lo: int, hi: int) -> list[tuple[int, int]]:
        time.sleep(0.00003 * (hi - lo))
        return [(part, row) for row in range(lo, hi)]

    found = run_ranges(loop, rows, most, 8, sliced=sliced)
    parts = max(1, min(most, rows // 8))
    bounds = [rows * part // parts for part in range(parts + 1)]
    assert [one for several in found for one in several] == [
        (part, row) for part in range(parts) for row in range(bounds[part], bounds[part + 1])
    ]
    assert len(found) == parts if not sliced or rows <= 8 else len(found) > parts


@pytest.mark.skipif(JIT_DISABLED, reason="so many games take minutes")
def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    for seconds in (0.0, 60.0):  # slices shrink to single rows, or grow
        monkeypatch.setattr(threads, "_SLICE_SECONDS", seconds)
        batch = make_batch("bdgame-v3", 700, seed=5, threads=1)
        for _ in range(3):
            batch.step(batch.mask.argmax(axis=1))
        played.append([array.tobytes() for array in (batch.states, batch.obs, batch.mask, batch.rewards)])
    assert played[0] == played[1]


def test_work_in_other_threads_ends_when_some_fails() -> None:
    stop, begun, ended = Event(), Event(), Event()

    def work() -> None:
        begun.set()
        assert stop.wait(20)
        ended.set()

    def fail() -> None:
        assert begun.wait(20)
        raise KeyError

    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(fail), pool.submit(work)]
        with pytest.raises(KeyError):
            results_of(futures, stop.set)
        assert ended.is_set()


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C, which a shell disables for background processes."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.usefixtures("heard")
def test_a_search_is_told_to_stop(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Also the search in a single thread, which the main thread waits for; the next one runs again."""
    monkeypatch.setattr(playouts, "JIT_DISABLED", False)
    settings = playouts.Stoppable().record()
    ended = []

    def search(part: int, lo: int, hi: int) -> None:
        assert current_thread() is not main_thread()
        until = time.monotonic() + 20
        while not settings["stop"][0] and time.monotonic() < until:
            time.sleep(0.001)
        ended.append(settings["stop"][0])

    def quick(*_: Any) -> None:
        ended.append(settings["stop"][0])

    timer = Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        playouts.share_rows(search, np.ones(2, np.int64), most, settings)
    timer.join()
    assert ended == [1] * most
    playouts.share_rows(quick, np.ones(1, np.int64), 1, settings)
    assert ended[-1] == 0
