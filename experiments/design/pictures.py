"""The pictures of a report: decks by what they give up for what, and worth against price. Knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from matplotlib.figure import Figure

from ..plots import new_figure
from .worth import Worth, prices_of


def front_figure(points: Sequence[Mapping[str, float]], one: str, other: str, best: Mapping[str, float]) -> Figure:
    """Decks by the faults of two aims, with the front: the decks than which no other has fewer faults in both.

    Args:
        points: the faults of each deck by the name of the aim.
        one: the name of an aim.
        other: that of another.
        best: those of the best deck.
    """
    figure = new_figure(5.2, 3.6)
    axes = figure.add_subplot()
    axes.scatter([p[one] for p in points], [p[other] for p in points], s=10, alpha=0.5, label="decks")
    front: list[tuple[float, float]] = []
    for x, y in sorted((p[one], p[other]) for p in points):
        if not front or y < front[-1][1]:
            front.append((x, y))
    for (x, y), (later, lower) in pairwise(front):
        axes.plot([x, later, later], [y, y, lower], color="tab:orange", linewidth=1)
    axes.scatter([best[one]], [best[other]], marker="*", s=120, color="tab:red", label="best deck")
    axes.set_xlabel(f"faults: {one}")
    axes.set_ylabel(f"faults: {other}")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def worth_figure(found: Sequence[Worth]) -> Figure:
    """The worth of each card to those who begin with it against its price, with the line through them."""
    figure = new_figure(7.0, 4.5)
    axes = figure.add_subplot()
    prices, values = [worth.price for worth in found], [worth.points.value for worth in found]
    ends = [[w.points.value - w.points.low for w in found], [w.points.high - w.points.value for w in found]]
    axes.errorbar(prices, values, yerr=ends, fmt="o", markersize=3, linewidth=0.7)
    for worth in found:
        place = (worth.price, worth.points.value)
        axes.annotate(short(worth.name), place, fontsize=6, xytext=(3, 3), textcoords="offset points")
    start, slope = prices_of(found)
    if prices:
        line = [min(prices), max(prices)]
        axes.plot(line, [start + slope * price for price in line], color="gray", linestyle="--", linewidth=1)
    axes.set_xlabel("price")
    axes.set_ylabel("points of margin")
    axes.grid(alpha=0.3)
    return figure


def short(name: str) -> str:
    """A name of `Holdings.names` without the table and the entry of the price: "c_1Y_1R in play"."""
    path, _, more = name.partition(" ")
    keys = path.split(".")
    return f"{keys[1] if len(keys) > 2 else keys[0]} {more}".strip()
