"""OpenSpiel's games on the same machine, through its Python API, for comparison."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from .figures import Bench, Figure

GAMES = ("tic_tac_toe", "catch", "backgammon")


def peer_figures(bench: Bench, games: tuple[str, ...] = GAMES) -> list[Figure]:
    """Random playouts. Chance moves are timed but not counted; starting games and observing are neither.

    Raises:
        ModuleNotFoundError: the extra `openspiel` is not installed.
    """
    spiel: Any = import_module("pyspiel")
    return [
        bench.rate(f"OpenSpiel {name}, random playouts in Python, decisions", _games(spiel.load_game(name)))
        for name in games
    ]


def _games(game: Any) -> Callable[[], tuple[float, float]]:
    rng = random.Random(0)

    def work() -> tuple[float, float]:
        state = game.new_initial_state()
        draw = rng.random
        decisions = 0
        began = time.perf_counter()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, time.perf_counter() - began

    return work
