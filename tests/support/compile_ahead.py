"""Compiles what several test processes would otherwise compile twice: `python -m tests.support.compile_ahead`.

Every game is compiled in its own process, JOBS (2) at once. Compiled searches are tested on the first game of the
registry, so they are compiled ahead for that one only, last of all, when its rules lie in the user's cache folder.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from bdgame_env import make_aec, make_batch, make_gym
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.base import Actions, Masks, Observations
from bdgame_env.engine.match import Match
from bdgame_env.registry import get_game, list_games
from tests.support.policies import plain_policy

SEARCHES = ("mcts:sims=2", "planner", "az:sims=2")


def compile_game(game_id: str) -> float:
    """Use every compiled function of a game once; returns the seconds it took."""
    started = time.perf_counter()
    game = get_game(game_id)
    match = Match(game, seed=1)
    match.clone(determinize=0).play(match.legal_moves()[0])
    match.observe(), match.points(), match.snapshot()
    for opponents in ("random", _first_legal):
        env = make_gym(game_id, opponents=opponents)
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))
    aec = make_aec(game_id)
    aec.reset(seed=1)
    aec.step(int(aec.last()[0]["action_mask"].argmax()))
    batch = make_batch(game_id, 2, seed=1)
    batch.step(batch.mask.argmax(1).astype(np.int32))
    _use_agents(match, ["heuristic"])
    return time.perf_counter() - started


def compile_searches(game_id: str) -> float:
    """Use every search of a game once; returns the seconds it took."""
    started = time.perf_counter()
    _use_agents(Match(get_game(game_id), seed=1), SEARCHES)
    return time.perf_counter() - started


def _use_agents(match: Match, specs: Sequence[str]) -> None:
    game = match.game
    policy = plain_policy(game, match.config)
    for spec in specs:
        settings = {"policy": policy} if spec.startswith("az") else {}
        try:
            agent = make_agent(spec, game, match.config, **settings)
        except UnknownAgent:
            continue  # the game lacks what that agent needs
        agent.act(match.observe()[None], match.mask()[None], match.states.copy())
        agent.close()


def _first_legal(observation: Observations, mask: Masks) -> Actions:
    return mask.argmax(axis=1).astype(np.int32)


def _collect_seldom() -> None:
    gc.set_threshold(100_000, 20, 50)  # Numba makes millions of objects that live on; looking through them takes long


def main() -> None:
    """Compile all games of the registry."""
    first, *others = list_games()
    games = [first, *reversed(others)]  # in this order two processes are done at the same time
    jobs = int(os.environ.get("JOBS", "2"))
    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_collect_seldom) as pool:
        compiling = {game: pool.submit(compile_game, game) for game in games}
        compiling["searches"] = pool.submit(compile_searches, first)
    print("compiled ahead: " + ", ".join(f"{name} {one.result():.0f} s" for name, one in compiling.items()))


if __name__ == "__main__":
    main()
