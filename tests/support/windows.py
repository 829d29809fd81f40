"""Windows of play for the tests of learning: small networks, any game, any line-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bdgame_env.agents.networks.network import Floats, Network, size_of, view
from bdgame_env.agents.networks.row_plan import Plan, plan_network
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.experiments.training.rollouts import Matches
from bdgame_env.experiments.training.samples import Window, new_window
from bdgame_env.experiments.training.stage import Stage, Stages


def random_weights(plan: Plan, width: int, layers: int, seed: int) -> Floats:
    """Weights that are all different from 0, biases among them, and give layers of about size 1."""
    rng = np.random.default_rng(seed)
    weights = rng.standard_normal(size_of(plan, width, layers), np.float32) * np.float32(0.2)
    view(weights, plan, width, layers).dense[:] *= 2
    return weights


def stage(**values: float) -> Stages:
    """A stage with these settings; those not named are 0."""
    made = np.zeros(1, Stage.dtype)
    for name, value in values.items():
        made[name] = value
    return made


def learning_stage(**values: float) -> Stages:
    """A stage in which every part of the loss counts."""
    weights = {"clip_range": 0.2, "entropy": 0.05, "value_weight": 0.5, "other_weight": 0.1, "search_weight": 0.7}
    return stage(**{**weights, "adviser": 1, "advice": 0.3, "learning_rate": 0.01, "max_norm": 0.5, **values})


@dataclass
class Played:
    """A window and what it was played with.

    Attributes:
        matches: after the window. started: their records before it.
        counts: what `play_window` counted.
    """

    plan: Plan
    learner: Network
    rival: Network
    matches: Matches
    started: Any
    window: Window
    counts: Any


def play_window(
    game: Game,
    config: GameConfig,
    count: int,
    steps: int,
    *,
    width: int = 16,
    layers: int = 1,
    seed: int = 0,
    threads: int = 1,
    lineup: tuple[int, ...] = (),
    **play: float,
) -> Played:
    """A window of `count` matches by two random networks; every match has the line-up, moved on by one seat each."""
    plan = plan_network(game, config)
    learner, rival = (view(random_weights(plan, width, layers, seed + k), plan, width, layers) for k in range(2))
    window = new_window(plan, count * steps)
    matches = Matches(game, config, count, seed, threads)
    for match in range(count if lineup else 0):
        matches.lineups[match, : config.players] = np.roll(lineup, match)
    started = matches.games.copy()
    counts = matches.play_window(window, steps, stage(**play), learner, [rival], plan)
    return Played(plan, learner, rival, matches, started, window, counts)
