"""How strong a network is, by games that training never sees; and the learning curve."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
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
from .rollouts import Matches
from .stage import Stage

Integers = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Opponent:
    """Who a network is measured against, or learns against.

    Attributes:
        name: for the curve.
        policy: the number of a compiled policy, or RIVAL.
        network, plan: the network of a RIVAL, and its plan.
    """

    name: str
    policy: int
    network: Network | None = None
    plan: Plan | None = None


@dataclass(frozen=True, kw_only=True)
class CurveRow:
    """A row of the learning curve: games of a network that takes its most likely actions.

    Attributes:
        decisions: how many it had learned from. seconds: how long it had trained.
        players: seats of the games. opponent: who had the others. label: of the curve.
        games: how many were played, each deal from every seat.
        win_rate: share of games in which it has the first rank, shared ranks counting in part.
        low, high: its 95 % interval over the deals.
        points, opponent_points: means for a seat.
        truncated: share of games. length: mean, in decisions.
    """

    decisions: int = 0
    seconds: float = 0.0
    players: int
    opponent: str
    label: str = ""
    games: int
    win_rate: float
    low: float
    high: float
    points: float
    opponent_points: float
    truncated: float
    length: float

    def __str__(self) -> str:
        return (
            f"{self.decisions:>11,} decisions: wins {100 * self.win_rate:5.1f} % ({100 * self.low:.0f}-"
            f"{100 * self.high:.0f}) against {self.label}, points {self.points:.1f} to {self.opponent_points:.1f},"
            f" {self.games} games, {100 * self.truncated:.1f} % truncated"
        )


def measure(
    policy: Policy, game: Game, game_config: GameConfig, opponent: Opponent, deals: int, seed: int, threads: int
) -> CurveRow:
    """Play a policy from every seat against an opponent in all other seats, see `play_deals`."""
    return row_of(
        opponent.name, game_config.players, play_deals(policy, game, game_config, opponent, deals, seed, threads)
    )


def play_deals(
    policy: Policy, game: Game, game_config: GameConfig, opponent: Opponent, deals: int, seed: int, threads: int
) -> Integers:
    """Play a policy from every seat against an opponent in all other seats.

    Args:
        policy: the policy.
        game: the declaration of the game.
        game_config: its cards and options.
        opponent: who plays the other seats.
        deals: how many deals, each played from every seat.
        seed: of the deals, which no seed of a training run gives.
        threads: how many share the games.

    Returns:
        A row for each game, (deals of seat 0, then of seat 1, ...): see `rollout_loops.play_to_the_end`.
    """
    players = game_config.players
    matches = Matches(game, game_config, deals * players, SEEDS + seed, threads)
    matches.lineups[:] = opponent.policy
    for seat in range(players):
        rows = slice(seat * deals, (seat + 1) * deals)
        matches.games[rows] = matches.games[:deals]
        matches.lineups[rows, seat] = LEARNER
    most_likely: Any = np.zeros(1, Stage.dtype)
    rival = opponent.network or policy.network
    return matches.play_to_the_end(most_likely, policy.network, rival, policy.plan, opponent.plan)


def row_of(name: str, players: int, *results: Integers) -> CurveRow:
    """The row of games that `play_deals` played, with the same opponent and several decks, for example."""
    by_seat = np.concatenate([part.reshape(players, -1, part.shape[1]) for part in results], axis=1)
    joined = by_seat.reshape(-1, by_seat.shape[2])
    return _row(name, joined[:, :players], joined[:, MAX_SEATS:-2], joined[:, -2], joined[:, -1])


def measure_against(spec: str, policy: Policy, game: Game, game_config: GameConfig, deals: int, seed: int) -> CurveRow:
    """As `measure`, against agents of any kind, such as "planner"; slower.

    Raises:
        UnknownAgent: the game has no such agent.
    """
    players = game_config.players
    agents: list[Agent] = [PolicyAgent(policy), make_agent(spec, game, game_config)]
    seeds = np.random.SeedSequence([SEEDS + seed, players]).generate_state(deals, np.uint64).tolist()
    games = [
        Seating(seat * deals + deal, deal, seeds[deal], tuple(int(other != seat) for other in range(players)))
        for seat in range(players)
        for deal in range(deals)
    ]
    played = [result for part in play_batches(game, game_config, agents, games, seed=SEEDS + seed) for result in part]
    agents[1].close()
    played.sort(key=lambda result: result.number)
    figures = [(*result.points, *result.ranks, result.truncated, result.decisions) for result in played]
    results = np.array(figures, np.int64)
    return _row(spec, results[:, :players], results[:, players:-2], results[:, -2], results[:, -1])


def _row(name: str, points: Integers, ranks: Integers, truncated: Integers, decisions: Integers) -> CurveRow:
    """The row of games in which the network has seat 0 for the first deals, then seat 1, and so on."""
    players = points.shape[1]
    ranks = ranks[:, :players]
    deals = len(points) // players
    own = np.repeat(np.arange(players), deals)
    every = np.arange(len(points))
    first = ranks == 1
    won = np.where(first[every, own], 1.0 / first.sum(axis=1), 0.0).reshape(players, deals).sum(axis=0)
    low, high = share_intervals(won, np.full(deals, float(players))) if deals > 1 else (0.0, 1.0)
    own_points = float(points[every, own].mean())
    return CurveRow(
        players=players,
        opponent=name,
        games=len(points),
        win_rate=float(won.sum()) / len(points),
        low=float(low),
        high=float(high),
        points=own_points,
        opponent_points=(float(points.sum(axis=1).mean()) - own_points) / (players - 1),
        truncated=float(truncated.mean()),
        length=float(decisions.mean()),
    )


def write_curve(path: Path, rows: Sequence[CurveRow]) -> None:
    """Write the learning curve as a CSV file."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [column.name for column in fields(CurveRow)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(asdict, rows))
    write_text(path, text.getvalue())
