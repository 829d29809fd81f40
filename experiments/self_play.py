"""The second stage of training: MaskablePPO against snapshots of itself and fixed opponents."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents import Agent, make_agent
from agents.arena import play_batches
from agents.networks import Policy
from agents.ppo_agent import PolicyAgent
from agents.ratings import standings
from agents.seating import seatings
from bdgame_env.core.game import Box, Game

from .config import TrainConfig
from .files import write_text

CURVE = ("steps", "opponent", "games", "win_rate", "low", "high", "mean_points", "opponent_points")


def evaluate(config: TrainConfig, game: Game, box: Box, policy: Policy, steps: int) -> list[dict[str, Any]]:
    """Games of the policy (most likely actions) against each evaluation opponent, in every seat order.

    Returns:
        One row of the learning curve for each opponent, with 95 % bootstrap intervals of the win rate.
    """
    rows = []
    for spec in config.self_play.evaluate_against:
        agents: list[Agent] = [PolicyAgent(policy), make_agent(spec, game, box)]
        tables = seatings(2, box.players, config.self_play.evaluation_games, config.seed + 1_000_003)
        results = [result for part in play_batches(game, box, agents, tables, seed=config.seed) for result in part]
        table = standings(["learner", spec], results)
        learner = next(row for row in table.agents if row.agent == "learner")
        other = next(row for row in table.agents if row.agent == spec)
        low, high = learner.win_rate_interval or (learner.win_rate, learner.win_rate)
        figures = (steps, spec, len(results), learner.win_rate, low, high, learner.mean_points, other.mean_points)
        rows.append(dict(zip(CURVE, figures, strict=True)))
    return rows


def write_curve(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the learning curve as CSV, whole."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CURVE, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())


class Milestones(BaseCallback):
    """Tells progress after every rollout, calls `reached` at every milestone, and passes on how games ended.

    Args:
        every: decisions between milestones.
        reached: is given the model.
        told: is given the number of decisions so far.
        ended: is given the infos of each step.
    """

    def __init__(
        self,
        every: int,
        reached: Callable[[MaskablePPO], None],
        told: Callable[[int], None],
        ended: Callable[[Sequence[dict[str, Any]]], None],
    ) -> None:
        super().__init__()
        self._every, self._reached, self._told, self._ended = every, reached, told, ended
        self._next = 0

    def _on_training_start(self) -> None:
        self._next = (self.model.num_timesteps // self._every + 1) * self._every

    def _on_step(self) -> bool:
        self._ended(self.locals["infos"])
        return True

    def _on_rollout_start(self) -> None:
        # here the model has learned from all its rollouts, so that a checkpoint continues exactly
        self._told(self.model.num_timesteps)
        while self.model.num_timesteps >= self._next:
            self._next += self._every
            self._reached(self.model)  # type: ignore[arg-type]
