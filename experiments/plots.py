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

from .errors import BadInput
from .files import write_bytes

_DPI = 150


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
    save(learning_figure(table, x=x, y=y, lines=lines, band=band, level=level), path)


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
    figure = new_figure(7.0, 4.2)
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


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # no screen, and none of pyplot's global state
    return figure


def save(figure: Figure, path: Path | str) -> None:
    """Write a figure as a PNG file."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=_DPI, format="png")
    write_bytes(path, picture.getvalue())
