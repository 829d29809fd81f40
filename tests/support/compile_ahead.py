"""Compiles what several test processes would otherwise compile twice: `python -m tests.support.compile_ahead`.

Every game is compiled in its own process, JOBS (2) at once. Compiled searches are tested on the first game of the
registry, so they are compiled ahead for that one only. The machine code goes to the user's cache folder.
"""

from __future__ import annotations

import os
import time
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
    policy = plain_policy(game, match.config)
    for spec in ("heuristic", *(SEARCHES if game_id == list_games()[0] else ())):
        settings = {"policy": policy} if spec.startswith("az") else {}
        try:
            agent = make_agent(spec, game, match.config, **settings)
        except UnknownAgent:
            continue  # the game lacks what that agent needs
        agent.act(match.observe()[None], match.mask()[None], match.states.copy())
        agent.close()
    return time.perf_counter() - started


def _first_legal(observation: Observations, mask: Masks) -> Actions:
    return mask.argmax(axis=1).astype(np.int32)


def main() -> None:
    """Compile all games of the registry."""
    games = list_games()
    with ProcessPoolExecutor(int(os.environ.get("JOBS", "2")), mp_context=get_context("spawn")) as pool:
        seconds = list(pool.map(compile_game, games))
    print("compiled ahead: " + ", ".join(f"{game} {took:.0f} s" for game, took in zip(games, seconds, strict=True)))


if __name__ == "__main__":
    main()
