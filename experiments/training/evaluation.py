"""Evaluation during training: games against fixed opponents, and the learning curve."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.engine.game import Game

from ..arena.matches import play_batches
from ..arena.ratings import standings
from ..arena.seating import seatings
from ..files import write_text
from ..play.game_records import result_record, write_record
from .config import TrainConfig

CURVE = ("steps", "players", "opponent", "label", "games", "win_rate", "low", "high", "mean_points", "opponent_points")

RECORDS = 2  # recorded games against each opponent


def evaluate(
    config: TrainConfig, game: Game, policy: Policy, steps: int, folder: Path | None = None
) -> list[dict[str, Any]]:
    """Play a policy (its most likely actions) against each evaluation opponent, in every seat order.

    Args:
        config: the run's settings.
        game: the game.
        policy: the policy to evaluate.
        steps: number of decisions that it has learned from.
        folder: where records of the first games against each opponent are written; None to write none.

    Returns:
        A row of the learning curve for each number of players and opponent, with 95 % bootstrap intervals of how often
        the policy ranked above the opponent.
    """
    rows = []
    for players in config.players:
        game_config = game.config(players=players, **config.options)
        for spec in config.self_play.evaluate_against:
            agents: list[Agent] = [PolicyAgent(policy, game, game_config), make_agent(spec, game, game_config)]
            games = seatings(2, players, config.self_play.evaluation_games, config.seed + 1_000_003)
            results = [
                result for part in play_batches(game, game_config, agents, games, seed=config.seed) for result in part
            ]
            if folder is not None:
                for result in results[:RECORDS]:
                    names = [("learner", spec)[agent] for agent in result.agents]
                    name = f"{steps:09}_{re.sub(r'[^A-Za-z0-9]+', '_', spec)}_{players}p_{result.number}.txt"
                    write_record(folder / name, result_record(game, game_config, names, result))
            rated = standings(["learner", spec], results)
            learner = next(row for row in rated.agents if row.agent == "learner")
            other = next(row for row in rated.agents if row.agent == spec)
            one, two = rated.agents.index(learner), rated.agents.index(other)
            above = rated.win_matrix[one][two]
            low, high = rated.win_matrix_intervals[one][two] or (above, above)
            label = spec if len(config.players) == 1 else f"{spec}, {players} players"
            rate = (len(results), above, low, high)
            figures = (steps, players, spec, label, *rate, learner.mean_points, other.mean_points)
            rows.append(dict(zip(CURVE, figures, strict=True)))
    return rows


def curve_line(row: dict[str, Any]) -> str:
    """A row of the learning curve as a line of text."""
    interval = f"{100 * row['low']:.0f}-{100 * row['high']:.0f}"
    return (
        f"{row['steps']:>9,} decisions: {100 * row['win_rate']:5.1f} % ({interval}) against {row['label']},"
        f" points {row['mean_points']:.1f} to {row['opponent_points']:.1f},"
        f" {row['games']} games"
    )


def write_curve(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the learning curve as a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CURVE, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())
