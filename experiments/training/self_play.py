"""The second stage of training: MaskablePPO against snapshots of itself and fixed opponents."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from bdgame_env.engine.rng import game_seed

from .model import network_of
from .run import TrainingRun


def play_against_league(run: TrainingRun) -> None:
    """Take the remaining steps of self-play."""
    play, model = run.config.self_play, run.model
    left = play.steps - model.num_timesteps
    if left <= 0:
        return
    if not run.snapshots:
        run.milestone()
    network = network_of(model)
    for part in (network.value, network.expected):
        part.requires_grad_(not play.keep_values)
    _set_opponents(run)
    started, first = time.monotonic(), model.num_timesteps

    def on_rollout(steps: int) -> None:
        part = min(1.0, steps / play.steps)
        rate = play.learning_rate + part * (play.learning_rate_end - play.learning_rate)
        model.lr_schedule = lambda _: rate
        model.ent_coef = play.entropy + part * (play.entropy_end - play.entropy)
        run.env.set_shaping(play.shaping + part * (play.shaping_end - play.shaping))
        speed = (steps - first) / max(1e-9, time.monotonic() - started)
        run.show.progress("self-play", steps, play.steps, f"{speed:,.0f} decisions/s {run.latest()}")

    def reached() -> None:
        run.milestone()
        _set_opponents(run)

    model.learn(
        left, callback=Milestones(play.evaluate_every, reached, on_rollout, run.league.count), reset_num_timesteps=False
    )
    for part in (network.value, network.expected):
        part.requires_grad_(True)
    if run.curve[-1]["steps"] < run.steps:
        run.milestone()


def _set_opponents(run: TrainingRun) -> None:
    """Set the league's opponents, and seed them such that a resumed run plays the same games."""
    playing: set[str] = set()
    for number, part in enumerate(run.env.parts):
        part.batch.seed_agents(game_seed(run.config.seed + number, run.steps))
        part.set_opponents(run.league.pool(run.snapshots, part.batch.config.players))
        playing |= {agent.name for agent in part.batch.agents.values()}
    run.league.forget_all_but(playing)


class Milestones(BaseCallback):
    """Reports rollouts, milestones and ended games.

    Args:
        every: decisions between milestones.
        reached: called at each milestone.
        on_rollout: called before each rollout with the number of decisions so far.
        ended: called with the infos of each step.
    """

    def __init__(
        self,
        every: int,
        reached: Callable[[], None],
        on_rollout: Callable[[int], None],
        ended: Callable[[Sequence[dict[str, Any]]], None],
    ) -> None:
        super().__init__()
        self._every, self._reached, self._on_rollout, self._ended = every, reached, on_rollout, ended
        self._next = 0

    def _on_training_start(self) -> None:
        self._next = (self.model.num_timesteps // self._every + 1) * self._every

    def _on_step(self) -> bool:
        self._ended(self.locals["infos"])
        return True

    def _on_rollout_start(self) -> None:
        # here the model has learned from all its rollouts, so a run resumed from a checkpoint continues exactly
        self._on_rollout(self.model.num_timesteps)
        if self.model.num_timesteps >= self._next:
            self._next = (self.model.num_timesteps // self._every + 1) * self._every
            self._reached()
