"""Games of other packages on the same machine, for comparison: random legal play in the way that each is made for.

Other games have other rules, so their figures say what a step through a package costs, not which rules are faster.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from .figures import Bench, Figure, Work
from .play import aec_games

OPENSPIEL_GAMES = ("tic_tac_toe", "connect_four", "backgammon")
PGX_GAMES = ("connect_four", "backgammon")
RLCARD_GAMES = ("leduc-holdem", "gin-rummy")
_GAMES, _STEPS = 1024, 32  # of Pgx: games side by side, and steps in one compiled call


def pettingzoo_figures(bench: Bench) -> list[Figure]:
    """PettingZoo's connect four, in the same loop as the environments here.

    Raises:
        ModuleNotFoundError: pygame is not installed, which that game imports.
    """
    env = import_module("pettingzoo.classic.connect_four_v3").env()
    return [bench.rate("PettingZoo connect_four, AEC loop, decisions", aec_games(env))]


def openspiel_figures(bench: Bench, games: tuple[str, ...] = OPENSPIEL_GAMES) -> list[Figure]:
    """Random playouts. Chance moves are timed but not counted; starting games and observing are neither.

    Raises:
        ModuleNotFoundError: OpenSpiel is not installed.
    """
    spiel: Any = import_module("pyspiel")
    return [
        bench.rate(f"OpenSpiel {name}, random playouts in Python, decisions", _playouts(spiel.load_game(name)))
        for name in games
    ]


def rlcard_figures(bench: Bench, games: tuple[str, ...] = RLCARD_GAMES) -> list[Figure]:
    """`Env.step` with random legal actions; each step makes the observation of the next player.

    Raises:
        ModuleNotFoundError: RLCard is not installed.
    """
    rlcard: Any = import_module("rlcard")
    return [
        bench.rate(f"RLCard {name}, steps with observation, decisions", _rlcard_games(rlcard.make(name)))
        for name in games
    ]


def pgx_figures(bench: Bench, games: tuple[str, ...] = PGX_GAMES) -> list[Figure]:
    """Random legal play of 1,024 games with auto-reset inside one compiled call, on the CPU, with all its threads.

    Raises:
        ModuleNotFoundError: Pgx or JAX is not installed.
    """
    pgx: Any = import_module("pgx")
    return [
        bench.rate(
            f"Pgx {name}, N = {_GAMES}, compiled steps with observation, decisions, all threads",
            _pgx_steps(pgx, pgx.make(name)),
        )
        for name in games
    ]


PEERS: dict[str, Callable[[Bench], list[Figure]]] = {
    "PettingZoo's connect four": pettingzoo_figures,
    "OpenSpiel": openspiel_figures,
    "RLCard": rlcard_figures,
    "Pgx": pgx_figures,
}


def _playouts(game: Any) -> Work:
    rng = random.Random(0)

    def work() -> tuple[float, float]:
        state = game.new_initial_state()
        draw = rng.random
        decisions = 0
        began = time.process_time()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, time.process_time() - began

    return work


def _rlcard_games(env: Any) -> Work:
    rng = random.Random(0)

    def work() -> tuple[float, float]:
        state, _ = env.reset()
        decisions = 0
        began = time.process_time()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions, time.process_time() - began

    return work


def _pgx_steps(pgx: Any, env: Any) -> Work:
    jax: Any = import_module("jax")
    step = import_module("pgx.experimental").auto_reset(env.step, env.init)

    def once(carried: Any, _: Any) -> Any:
        state, key = carried
        key, choosing, stepping = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choosing, logits, axis=-1)
        state = jax.vmap(step)(state, actions, jax.random.split(stepping, _GAMES))
        return (state, key), state.observation.sum(dtype=np.float32)  # so that none of it is left out

    play = jax.jit(lambda state, key: jax.lax.scan(once, (state, key), None, _STEPS))
    key = jax.random.PRNGKey(0)
    carried = [jax.jit(jax.vmap(env.init))(jax.random.split(key, _GAMES)), key]

    def work() -> tuple[float, float]:
        began = time.process_time()
        (carried[0], carried[1]), seen = play(*carried)
        seen.block_until_ready()
        return _GAMES * _STEPS, time.process_time() - began

    return work
