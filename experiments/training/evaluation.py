"""How strong a network is, by games that training never sees; and the learning curve."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.ppo_agent import PolicyAgent
from bdgame_env.agents.networks.row_plan import Plan
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig

from ..arena.matches import play_batches
from ..arena.seating import Seating
from ..arena.share_intervals import share_intervals
from ..files import write_text
from .codes import LEARNER
from .config import SEEDS
from .matches import PLAY, Matches

CURVE = (
    "decisions", "seconds", "players", "opponent", "label", "games", "win_rate", "low", "high",
    "points", "opponent_points", "truncated", "length",
)  # fmt: skip


Numbers = npt.NDArray[Any]


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
        shared ranks counting in part; "low" and "high" are its 95 % interval over the deals; "points" are means for a
        seat, "length" is in decisions.
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
    return _row(opponent.name, results[:, :players], results[:, MAX_SEATS:-2], results[:, -2], results[:, -1])


def measure_against(spec: str, policy: Policy, game: Game, config: GameConfig, deals: int, seed: int) -> dict[str, Any]:
    """Play a policy from every seat against agents of any kind in all other seats; slower than `measure`.

    Args:
        spec: the agent, e.g. "planner".
        policy: the policy, which takes its most likely actions.
        game: the declaration of the game.
        config: its cards and options.
        deals: how many deals, each played from every seat.
        seed: of the deals, which no seed of a training run gives.

    Returns:
        As `measure`.

    Raises:
        UnknownAgent: the game has no such agent.
    """
    players = config.players
    agents: list[Agent] = [PolicyAgent(policy), make_agent(spec, game, config)]
    seeds = np.random.SeedSequence([SEEDS + seed, players]).generate_state(deals, np.uint64).tolist()
    games = [
        Seating(seat * deals + deal, deal, seeds[deal], tuple(int(other != seat) for other in range(players)))
        for seat in range(players)
        for deal in range(deals)
    ]
    found = [result for part in play_batches(game, config, agents, games, seed=SEEDS + seed) for result in part]
    agents[1].close()
    found.sort(key=lambda result: result.number)
    figures = [(*result.points, *result.ranks, result.truncated, result.decisions) for result in found]
    results = np.array(figures, np.int64)
    return _row(spec, results[:, :players], results[:, players:-2], results[:, -2], results[:, -1])


def _row(name: str, points: Numbers, ranks: Numbers, truncated: Numbers, decisions: Numbers) -> dict[str, Any]:
    """The row of games in which the network has seat 0 for the first deals, then seat 1, and so on."""
    players = points.shape[1]
    ranks = ranks[:, :players]
    deals = len(points) // players
    own = np.repeat(np.arange(players), deals)
    every = np.arange(len(points))
    first = ranks == 1
    won = np.where(first[every, own], 1.0 / first.sum(axis=1), 0.0).reshape(players, deals).sum(axis=0)
    low, high = share_intervals(won, np.full(deals, float(players))) if deals > 1 else (0.0, 1.0)
    mine = float(points[every, own].mean())
    return {
        "players": players,
        "opponent": name,
        "games": len(points),
        "win_rate": float(won.sum()) / len(points),
        "low": float(low),
        "high": float(high),
        "points": mine,
        "opponent_points": (float(points.sum(axis=1).mean()) - mine) / (players - 1),
        "truncated": float(truncated.mean()),
        "length": float(decisions.mean()),
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
