"""How strong a network is, by games that training never sees; and the learning curve."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig

from ..arena.share_intervals import share_intervals
from ..files import write_text
from .config import SEEDS
from .matches import PLAY, Matches
from .rollout_loops import LEARNER

CURVE = (
    "decisions", "seconds", "players", "opponent", "label", "games", "win_rate", "low", "high",
    "points", "opponent_points", "truncated", "length",
)  # fmt: skip


@dataclass(frozen=True)
class Opponent:
    """Who a network is measured against.

    Attributes:
        name: for the curve.
        policy: the number of a compiled policy, or RIVAL.
        network: the network of a RIVAL.
    """

    name: str
    policy: int
    network: Network | None = None


def measure(
    game: Game,
    config: GameConfig,
    network: Network,
    plan: Plan,
    opponent: Opponent,
    deals: int,
    seed: int,
    threads: int,
) -> dict[str, Any]:
    """Play a network (its most likely actions) from every seat against opponents in all other seats.

    Args:
        game: the declaration of the game.
        config: its cards and options.
        network: the network.
        plan: its plan.
        opponent: who plays the other seats.
        deals: how many deals, each played from every seat.
        seed: of the deals, which no seed of a training run gives.
        threads: how many share the games.

    Returns:
        Values for CURVE but the first two and "label". "win_rate" is the share of games in which it has the first rank,
        shared ranks counting in part; "low" and "high" are its 95 % interval, over the deals;
        "points" are means for a seat, "length" is in decisions.
    """
    players = config.players
    matches = Matches(game, config, deals * players, SEEDS + seed, threads)
    matches.lineups[:] = opponent.policy
    for seat in range(players):
        rows = slice(seat * deals, (seat + 1) * deals)
        matches.games[rows] = matches.games[:deals]
        matches.lineups[rows, seat] = LEARNER
    play = np.zeros(1, PLAY)
    results = matches.play_games(play, network, opponent.network or network, plan)
    points, ranks = results[:, :players], results[:, MAX_SEATS : MAX_SEATS + players]
    own = np.repeat(np.arange(players), deals)
    every = np.arange(len(results))
    first = ranks == 1
    won = np.where(first[every, own], 1.0 / first.sum(axis=1), 0.0).reshape(players, deals).sum(axis=0)
    low, high = share_intervals(won, np.full(deals, float(players))) if deals > 1 else (0.0, 1.0)
    mine = float(points[every, own].mean())
    return {
        "players": players,
        "opponent": opponent.name,
        "games": len(results),
        "win_rate": float(won.sum()) / len(results),
        "low": float(low),
        "high": float(high),
        "points": mine,
        "opponent_points": (float(points.sum(axis=1).mean()) - mine) / (players - 1),
        "truncated": float(results[:, 2 * MAX_SEATS].mean()),
        "length": float(results[:, 2 * MAX_SEATS + 1].mean()),
    }


def curve_line(row: dict[str, Any]) -> str:
    """A row of the learning curve as a line of text."""
    interval = f"{100 * row['low']:.0f}-{100 * row['high']:.0f}"
    return (
        f"{row['decisions']:>11,} decisions: wins {100 * row['win_rate']:5.1f} % ({interval}) against {row['label']},"
        f" points {row['points']:.1f} to {row['opponent_points']:.1f}, {row['games']} games,"
        f" {100 * row['truncated']:.1f} % truncated"
    )


def write_curve(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write the learning curve as a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, CURVE, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(path, text.getvalue())
