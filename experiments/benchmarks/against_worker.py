"""Measures the checkout that it is started in, for `bench --against`: a game's name comes in, a speed goes out.

Both sides run this file, also a commit that has no such file: it imports nothing of the project but `bdgame_env` and
uses only what users use. A line on stdin is the id of a game, a line on stdout a JSON object with `speed` or `error`.
The first line on stdout has the `games` there are.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import bdgame_env

_GAMES, _STEPS, _BEFORE = 1024, 64, 32  # side by side; steps that are timed, and those before them
_SECONDS = 0.1  # least duration of a repetition


def prepared(game: str) -> Callable[[], float]:
    """Compiles what random play needs; returns what measures it once, in decisions per second.

    The timed steps write observation and mask and replay decisions made before, so that choosing them takes no time.
    """
    batch = bdgame_env.make_batch(game, _GAMES, seed=0, threads=1)
    rng = np.random.default_rng(0)

    def choose() -> Any:
        return (batch.mask * (1 + rng.random(batch.mask.shape))).argmax(1).astype(np.int32)

    for _ in range(_BEFORE):
        batch.step(choose())
    start = batch.get_state()
    actions = []
    for _ in range(_STEPS):
        actions.append(choose())
        batch.step(actions[-1])

    def measure() -> float:
        decisions, spent = 0, 0.0
        while spent < _SECONDS:
            batch.set_state(start)
            began = time.perf_counter()
            for chosen in actions:
                batch.step(chosen)
            spent += time.perf_counter() - began
            decisions += _GAMES * _STEPS
        return decisions / spent

    return measure


def main() -> None:
    """Answer until stdin ends."""
    ready: dict[str, Callable[[], float]] = {}
    _say(games=list(bdgame_env.list_games()), file=bdgame_env.__file__)
    for line in sys.stdin:
        game = line.strip()
        try:
            if game not in ready:
                ready[game] = prepared(game)
            _say(speed=ready[game]())
        except Exception as error:
            _say(error=f"{type(error).__name__}: {error}".partition("\n")[0])


def _say(**answer: Any) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
