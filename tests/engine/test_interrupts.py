"""Ctrl-C ends every long call within seconds, and cutting calls short or into slices changes no result."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from threading import Event, Thread

import numpy as np
import pytest

from bdgame_env import get_game, make_batch
from bdgame_env.agents.registry import make_agent
from bdgame_env.agents.search.playouts import share_rows
from bdgame_env.engine import threads
from bdgame_env.engine.threads import results_of, run_ranges

SECONDS = 5.0  # until the process has ended; a machine that does nothing else needs less than one
BEGIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell disables for background processes
import numpy as np
from bdgame_env import get_game, make_batch, make_vector
from bdgame_env.agents.registry import make_agent
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.threads import run_ranges

game = get_game("bdgame-v2")

def search(spec):
    batch = make_batch(game.id, 200, seed=1)
    agent = make_agent(spec, game, batch.config, seed=1)
    return lambda: agent.act(batch.obs, batch.mask.copy(), batch.states.copy())

def playouts(count, threads):
    batch = make_batch(game.id, 4, seed=1)
    games, mask, rng = batch.states.copy(), batch.mask.copy(), np.zeros(4, [("rng", np.uint64)])
    play, record = loops_of(game).play_random, batch.config.record
    for _ in range(count):
        run_ranges(lambda part, lo, hi: play(games, record, mask, rng, 100_000, lo, hi), 4, threads, 1)
"""
CALLS = {
    "mcts": 'search("mcts:sims=2")(); long = search("mcts:sims=50000:threads=1")',
    "mcts in threads": 'search("mcts:sims=2")(); long = search("mcts:sims=50000:threads=2")',
    "mcts by time": 'search("mcts:sims=2")(); long = search("mcts:time=1000:threads=1")',
    "planner": 'search("planner:sims=2")(); long = search("planner:sims=50000:threads=1")',
    "az": 'search("az:sims=2")(); long = search("az:sims=50000:threads=1")',
    "compiled opponents": """
make_vector(game.id, 1, players=4, opponents="greedy", seed=1).reset()
long = make_vector(game.id, 100_000, players=4, opponents="greedy", seat=3, seed=1, threads=1).reset""",
    "compiled opponents in threads": """
make_vector(game.id, 1, players=4, opponents="greedy", seed=1).reset()
long = make_vector(game.id, 100_000, players=4, opponents="greedy", seat=3, seed=1, threads=2).reset""",
    "a compiled loop": "playouts(1, 1); long = lambda: playouts(10**6, 1)",
    "a compiled loop in threads": "playouts(1, 2); long = lambda: playouts(10**6, 2)",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_ends_a_long_call(name: str) -> None:
    script = f"{BEGIN}\n{CALLS[name]}\nprint('ready', flush=True)\nlong()\nprint('ended', flush=True)\n"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
            begun = time.monotonic()
            rest, errors = child.communicate(timeout=60)
            spent = time.monotonic() - begun
        finally:
            child.kill()
    assert "KeyboardInterrupt" in errors and rest == "", errors
    assert child.returncode == -signal.SIGINT
    assert spent < SECONDS
