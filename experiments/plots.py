"""Figures of results, as PNG files and for pages of HTML."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .arena.ratings import Standings
from .errors import BadInput
from .files import write_bytes

_DPI = 150
_LONGEST_NAME = 40


def plot_ratings(standings: Standings, path: Path | str) -> None:
    """Rating of each agent, best on top, with bars of two standard deviations to either side."""
    _save(ratings_figure(standings), path)


def ratings_figure(standings: Standings) -> Figure:
    """The figure of `plot_ratings`."""
    table = standings.agents
    figure = _figure(7.0, 1.4 + 0.45 * len(table))
    axes = figure.add_subplot()
    rows = np.arange(len(table))
    axes.errorbar(
        [standing.rating for standing in table],
        rows,
        xerr=[2 * standing.sigma for standing in table],
        fmt="o",
        capsize=4,
    )
    axes.set_yticks(rows, [_short(standing.agent) for standing in table], parse_math=False)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.set_xlabel("skill (Plackett-Luce), ± 2 standard deviations")
    axes.set_title(f"{standings.games} games on {standings.deals} deals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def plot_matrix(standings: Standings, path: Path | str) -> None:
    """How often the agent of the row placed above that of the column."""
    _save(matrix_figure(standings), path)


def matrix_figure(standings: Standings) -> Figure:
    """The figure of `plot_matrix`."""
    names = [_short(standing.agent) for standing in standings.agents]
    shares = np.array([[np.nan if s is None else s for s in row] for row in standings.win_matrix], np.float64)
    side = 2.5 + 0.8 * len(names)
    figure = _figure(side + 1.0, side)
    axes = figure.add_subplot()
    image = axes.imshow(shares, cmap="RdBu", vmin=0.0, vmax=1.0)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right", parse_math=False)
    axes.set_yticks(range(len(names)), names, parse_math=False)
    for row, column in np.argwhere(~np.isnan(shares)):
        share = shares[row, column]
        color = "white" if abs(share - 0.5) > 0.3 else "black"
        axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=color)
    axes.set_title("row placed above column, ties half")
    figure.colorbar(image, ax=axes, shrink=0.8)
    return figure


def seats_figure(standings: Standings) -> Figure:
    """How often each seat won, whoever sat there, with 95 % intervals."""
    shares = np.array(standings.wins_by_seat)
    ends = [
        interval or (share, share) for interval, share in zip(standings.wins_by_seat_intervals, shares, strict=True)
    ]
    figure = _figure(1.5 + 1.0 * len(shares), 3.2)
    axes = figure.add_subplot()
    low, high = np.array(ends).T
    axes.bar(range(len(shares)), shares, yerr=np.abs([shares - low, high - shares]), capsize=4, color="tab:blue")
    axes.axhline(1 / len(shares), color="gray", linestyle="--", linewidth=1)
    axes.set_xticks(range(len(shares)), [f"seat {seat}" for seat in range(len(shares))])
    axes.set_ylim(0.0, 1.0)
    axes.set_ylabel("share of wins (95 %)")
    return figure


def lengths_figure(decisions: Sequence[int]) -> Figure:
    """How many decisions the games took."""
    figure = _figure(5.0, 3.2)
    axes = figure.add_subplot()
    axes.hist(decisions, bins=min(40, max(1, max(decisions) - min(decisions) + 1)), color="tab:blue")
    axes.set_xlabel("decisions in a game")
    axes.set_ylabel("games")
    return figure


def plot_learning_curve(
    table: Path | str,
    path: Path | str,
    *,
    x: str = "steps",
    y: str = "win_rate",
    lines: str = "match",
    band: Sequence[str] = ("low", "high"),
    level: float | None = None,
) -> None:
    """A learning curve from a CSV file of evaluations, a line of the file for each.

    Args:
        table: the CSV file, with names of columns in its first line.
        path: the PNG file.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        lines: column whose values are drawn as curves of their own; one curve if there is no such column.
        band: columns of the lower and upper ends of y's interval; no band if there are no such columns.
        level: where to draw a line for comparison, such as the win rate of equals.

    Raises:
        BadInput: the file has no rows, no column `x` or `y`, or a value that is no number.
        OSError: it cannot be read.
    """
    _save(learning_figure(table, x=x, y=y, lines=lines, band=band, level=level), path)


def learning_figure(
    table: Path | str,
    *,
    x: str = "steps",
    y: str = "win_rate",
    lines: str = "match",
    band: Sequence[str] = ("low", "high"),
    level: float | None = None,
) -> Figure:
    """The figure of `plot_learning_curve`, with its arguments and errors."""
    with Path(table).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or x not in rows[0] or y not in rows[0]:
        raise BadInput(f"{table}: no rows with the columns {x!r} and {y!r}")
    try:
        curves: dict[str, list[list[float]]] = {}
        columns = [x, y, *(name for name in band if all(end in rows[0] for end in band))]
        for row in rows:
            curves.setdefault(row.get(lines) or "", []).append([float(row[column]) for column in columns])
    except (TypeError, ValueError) as error:
        raise BadInput(f"{table}: {error}") from None
    figure = _figure(7.0, 4.2)
    axes = figure.add_subplot()
    for name, points in curves.items():
        values = np.array(sorted(points)).T
        axes.plot(values[0], values[1], marker=".", label=name)
        if len(values) == 4:
            axes.fill_between(values[0], values[2], values[3], alpha=0.2)
    if level is not None:
        axes.axhline(level, color="gray", linestyle="--", linewidth=1)
    axes.set_xlabel(x.replace("_", " "))
    axes.set_ylabel(y.replace("_", " "))
    axes.grid(alpha=0.3)
    if any(curves):
        axes.legend(title=lines)
    return figure


def svg(figure: Figure, name: str) -> str:
    """A figure as an `<svg>` element to stand in a page of HTML, with nothing in it that points elsewhere.

    Args:
        figure: any.
        name: differs among the figures of a page, so that their parts do not take each other's names.
    """
    text = io.StringIO()
    settings: Any = {"svg.fonttype": "none", "svg.hashsalt": name}  # text stays text, and the same figure the same file
    with rc_context(settings):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    whole = text.getvalue()
    return re.sub(r' xmlns(:\w+)?="[^"]*"', "", whole[whole.index("<svg") :])  # HTML knows them by itself


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # no screen, and none of pyplot's global state
    return figure


def _save(figure: Figure, path: Path | str) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, dpi=_DPI, format="png")
    write_bytes(path, picture.getvalue())
