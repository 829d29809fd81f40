"""Uses what is compiled once, so that later processes load it: what playing, searching and training a game need."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from bdgame_env import make_aec, make_batch, make_gym, make_parallel
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.base import Actions, Masks, Observations
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.match import Match
from bdgame_env.engine.rewards import RANK, rank_reward
from bdgame_env.registry import get_game

from .balance.counting import count
from .balance.items import Items
from .training.config import TrainConfig
from .training.show import Show
from .training.training_run import TrainingRun

PLAYERS = ("random", "heuristic", "ppo")
SEARCHES = ("mcts:sims=2", "planner:deals=2", "network-planner:deals=2", "az:sims=2")


def compile_play(game_id: str, players: Sequence[str] = PLAYERS) -> None:
    """The environments, one match, batches, tournaments, and players that do not search."""
    match = Match(get_game(game_id), seed=1)
    match.clone(determinize=0).play(match.legal_moves()[0])
    match.observe(), match.points(), match.snapshot()
    for opponents in ("random", _first_legal):
        env = make_gym(game_id, opponents=opponents)
        _, info = env.reset(seed=1)
        env.step(int(info["action_mask"].argmax()))
    aec = make_aec(game_id)
    aec.reset(seed=1)
    observation, *_ = aec.last()
    aec.step(int(observation["action_mask"].argmax()) if observation else None)
    make_parallel(game_id).reset(seed=1)
    batch = make_batch(game_id, 2, seed=1)
    batch.step(batch.mask.argmax(1).astype(np.int32))
    legal = np.array(match.legal_actions()[:1], np.int32)
    loops_of(match.game).apply_games(match.states.copy(), match.config.record, legal, 0, 1)  # of tournaments
    ranks: Any = np.ones(match.config.players, np.int64)
    rank_reward(ranks, match.config.players, 0, RANK)  # of balance runs
    count(match.game, match.config, Items(match.game, match.config), [])
    use_agents(match, players)


def compile_search(game_id: str) -> None:
    """The agents that search."""
    use_agents(Match(get_game(game_id), seed=1), SEARCHES)


def compile_training(game_id: str) -> None:
    """A training run, up to its first window of play."""
    config = TrainConfig(game=game_id, matches=2, threads=1, decisions=1)
    quiet = Show(Console(quiet=True), Progress(disable=True))
    with tempfile.TemporaryDirectory() as folder:
        TrainingRun(config, Path(folder), quiet).warm_up()


PARTS: Mapping[str, Callable[[str], None]] = {
    "play": compile_play,
    "search": compile_search,
    "train": compile_training,
}


def use_agents(match: Match, specs: Sequence[str]) -> None:
    """Ask each of these agents for one move, except for those that the game does not have."""
    for spec in specs:
        try:
            agent = make_agent(spec, match.game, match.config)
        except UnknownAgent:
            continue
        agent.act(match.observe()[None], match.mask()[None], match.states.copy())
        agent.close()


def _first_legal(observation: Observations, mask: Masks) -> Actions:
    chosen: Actions = mask.argmax(axis=1).astype(np.int32)
    return chosen
