"""A card as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..plots import new_figure, save
from .card import name_of, sample_of


def plot_card(card: Mapping[str, Any], path: Path) -> None:
    """Draw the score in each cell with its interval, between random play and the strongest agent of the pool."""
    cells = card["cells"]
    figure = new_figure(7.0, 1.6 + 0.4 * len(cells))
    axes = figure.add_subplot()
    scores = np.array([cell["score"] for cell in cells])
    ends = np.array([cell["score_interval"] or [cell["score"]] * 2 for cell in cells]).T
    rows = np.arange(len(cells))
    axes.barh(rows, scores, xerr=abs(ends - scores), capsize=4, color="tab:blue", height=0.6)
    axes.set_yticks(rows, list(map(name_of, cells)))
    axes.invert_yaxis()
    for place in (0, 100):
        axes.axvline(place, color="gray", linestyle="--", linewidth=1)
    axes.set_xlabel("score (95 %): random play 0, the strongest of the pool 100")
    title = f"{card['agent'][-40:]}, {card['suite']}"
    axes.set_title("\n".join(filter(None, (title, sample_of(card)))), parse_math=False)
    save(figure, path)
