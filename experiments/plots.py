"""Figures of results, as PNG files and for HTML pages."""

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

from bdgame_env.engine.quoting import shown
from bdgame_env.engine.user_files import NotRead, read_text

from .errors import BadInput
from .files import write_bytes

_DPI = 150


def plot_learning_curve(
    csv_file: Path | str,
    path: Path | str,
    *,
    x: str = "steps",
    y: str = "win_rate",
    lines: str = "label",
    band: Sequence[str] = ("low", "high"),
    level: float | None = None,
) -> None:
    """Plot a learning curve from a CSV file with one evaluation per row.

    Args:
        csv_file: the CSV file, with column names in its first line.
        path: the PNG file.
        x: column of the horizontal axis.
        y: column of the vertical axis.
        lines: column by whose values the rows are split into curves; one curve if there is no such column.
        band: columns of the lower and upper ends of y's interval; no band without them.
        level: y of a dashed line for comparison, such as the win rate of equal players.

    Raises:
        BadInput: the file has no rows, no column `x` or `y`, or a value that is not a number.
        OSError: the file cannot be read.
    """
    save(learning_figure(csv_file, x=x, y=y, lines=lines, band=band, level=level), path)


def learning_figure(
    csv_file: Path | str,
    *,
    x: str = "steps",
    y: str = "win_rate",
    lines: str = "label",
    band: Sequence[str] = ("low", "high"),
    level: float | None = None,
) -> Figure:
    """The figure of `plot_learning_curve`, with its arguments and errors."""
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(csv_file))))
    except NotRead as error:
        raise BadInput(f"{csv_file}: {error}") from None
    if not rows or x not in rows[0] or y not in rows[0]:
        raise BadInput(f"{csv_file}: no rows with columns {shown(x)} and {shown(y)}")
    try:
        curves: dict[str, list[list[float]]] = {}
        columns = [x, y, *(name for name in band if all(end in rows[0] for end in band))]
        for row in rows:
            curves.setdefault(row.get(lines) or "", []).append([float(row[column]) for column in columns])
    except (TypeError, ValueError) as error:
        raise BadInput(f"{csv_file}: {error}") from None
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
    """A figure as an `<svg>` element for an HTML page, without external references.

    Args:
        figure: any figure.
        name: unique among the figures of a page, so that the ids of their parts do not clash.
    """
    text = io.StringIO()
    settings: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
    }  # text stays text; the same figure gives the same file
    with rc_context(settings):
        figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    whole = text.getvalue()
    return re.sub(r' xmlns(:\w+)?="[^"]*"', "", whole[whole.index("<svg") :])  # HTML needs no namespaces


def new_figure(width: float, height: float) -> Figure:
    """An empty figure; width and height in inches."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)  # needs neither a screen nor pyplot's global state
    return figure


def save(figure: Figure, path: Path | str) -> None:
    """Write a figure as a PNG file."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=_DPI, format="png")
    write_bytes(path, picture.getvalue())
