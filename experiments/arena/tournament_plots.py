"""Figures of a tournament's results: ratings, win matrix, seats, lengths."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ..plots import new_figure
from .standings import Standings

_LONGEST_NAME = 40


def ratings_figure(standings: Standings) -> Figure:
    """The rating of each agent, best at the top, with its interval."""
    agents = standings.agents
    figure = new_figure(7.0, 1.4 + 0.45 * len(agents))
    axes = figure.add_subplot()
    rows = np.arange(len(agents))
    ratings = np.array([standing.rating for standing in agents])
    ends = np.array([standing.rating_interval or (standing.rating,) * 2 for standing in agents]).T
    axes.errorbar(ratings, rows, xerr=abs(ends - ratings), fmt="o", capsize=4)
    axes.set_yticks(rows, [_short(standing.agent) for standing in agents], parse_math=False)
    axes.set_ylim(len(agents) - 0.5, -0.5)
    axes.set_xlabel("rating (Elo's scale), 95 % over deals")
    axes.set_title(f"{standings.games} games on {standings.deals} deals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def matrix_figure(standings: Standings) -> Figure:
    """How often the row's agent ranked above the column's."""
    names = [_short(standing.agent) for standing in standings.agents]
    shares = np.array([[np.nan if s is None else s for s in row] for row in standings.win_matrix], np.float64)
    side = 2.5 + 0.8 * len(names)
    figure = new_figure(side + 1.0, side)
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="RdBu", vmin=0.0, vmax=1.0)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", parse_math=False)
    axes.set_yticks(range(len(names)), names, parse_math=False)
    for row, column in np.argwhere(~np.isnan(shares)):
        share = shares[row, column]
        color = "white" if abs(share - 0.5) > 0.3 else "black"
        axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=color)
    axes.set_title("row ranked above column, ties half")
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def seats_figure(standings: Standings) -> Figure:
    """How often each seat won, over all agents, with 95 % intervals."""
    shares = np.array(standings.wins_by_seat)
    ends = [
        interval or (share, share) for interval, share in zip(standings.wins_by_seat_intervals, shares, strict=True)
    ]
    figure = new_figure(1.5 + 1.0 * len(shares), 3.2)
    axes = figure.add_subplot()
    low, high = np.array(ends).T
    axes.bar(range(len(shares)), shares, yerr=np.abs([shares - low, high - shares]), capsize=4, color="tab:blue")
    axes.axhline(1 / len(shares), color="gray", linestyle="--", linewidth=1)
    axes.set_xticks(range(len(shares)), [f"seat {seat}" for seat in range(len(shares))])
    axes.set_ylim(0.0, 1.0)
    axes.set_ylabel("share of wins (95 %)")
    return figure


def lengths_figure(decisions: Sequence[int]) -> Figure:
    """Histogram of the number of decisions per game."""
    figure = new_figure(5.0, 3.2)
    axes = figure.add_subplot()
    axes.hist(decisions, bins=min(40, max(1, max(decisions) - min(decisions) + 1)), color="tab:blue")
    axes.set_xlabel("decisions in a game")
    axes.set_ylabel("games")
    return figure


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"
