"""The speed of networks: how many observations they judge, and how many decisions training learns from."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import fresh
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.batch import Batch

from ..training.config import TrainConfig
from ..training.show import showing
from ..training.training_run import TrainingRun
from .figures import PER_SECOND, Bench, Figure, summary

INFERENCE = "network, 2 x 128, observations of 1,024 games, 1 thread"
LEARNING = "training by self-play, 2 x 128, decisions learned in a second of one core, {threads} threads"
_GAMES, _OPENING = 1024, 40
_WIDTH, _LAYERS = 128, 1


def network_figures(bench: Bench) -> list[Figure]:
    """Observations per second in the middle of random games, and decisions learned per second from random weights."""
    plan = plan_network(bench.game, bench.config)
    weights = fresh(plan, _WIDTH, _LAYERS, 0)
    policy = Policy(plan, weights, _WIDTH, _LAYERS, {"players": [bench.config.players]}, threads=1)
    batch = Batch(bench.game, _GAMES, seed=1, **bench.config.options)
    rng = np.random.default_rng(1)
    for _ in range(_OPENING):
        tickets = rng.random(batch.mask.shape) * batch.mask
        batch.step(tickets.argmax(axis=1).astype(np.int32))

    def judge() -> tuple[float, float]:
        begun = time.process_time()
        policy.evaluate(batch.obs, batch.mask)
        return _GAMES, time.process_time() - begun

    return [bench.rate(INFERENCE, judge), learning_figure(bench)]


def learning_figure(bench: Bench, threads: int = 2) -> Figure:
    """Decisions learned per second of processor time; the first window, in which everything compiles, does not count.

    All threads add to that time, so that as many free cores learn so many times as fast.
    """
    config = TrainConfig(
        game=bench.game.id,
        players=(bench.config.players,),
        options={name: value for name, value in bench.config.options.items() if name != "players"},
        threads=threads,
        width=_WIDTH,
        layers=_LAYERS,
        teacher="",
        snapshot_share=0.0,
        decisions=10**9,
    )
    rates = []
    with tempfile.TemporaryDirectory() as folder, showing() as show:
        run = TrainingRun(config, Path(folder), show)
        for repetition in range(1 + max(2, bench.repetitions)):
            begun, before = time.process_time(), run.state.decisions
            run.update()
            if repetition:
                rates.append((run.state.decisions - before) / (time.process_time() - begun))
    return summary(LEARNING.format(threads=threads), PER_SECOND, rates, max)
