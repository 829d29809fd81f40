"""The files of a finished tournament: tables, plots and an HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ..courtesy import courtesy
from ..files import csv_text, write_json, write_text
from ..plots import save
from .outcome import Outcome
from .standings import Interval, Standings
from .tournament_page import tournament_page
from .tournament_plots import matrix_figure, ratings_figure


def write_files(outcome: Outcome, out: Path) -> None:
    """Write result.json, games.csv, standings.csv, the plots and report.html, each whole or not at all.

    A picture or report that fails is noted on stderr.

    Raises:
        OSError: one of the first three cannot be written.
    """
    write_json(out / "result.json", outcome.to_json())
    write_text(out / "games.csv", csv_text(_game_rows(outcome)))
    write_text(out / "standings.csv", csv_text(_standing_rows(outcome.standings)))
    with courtesy("no ratings.png"):
        save(ratings_figure(outcome.standings), out / "ratings.png")
    with courtesy("no matrix.png"):
        save(matrix_figure(outcome.standings), out / "matrix.png")
    with courtesy("no report.html"):
        write_text(out / "report.html", tournament_page(outcome))


def _game_rows(outcome: Outcome) -> Iterable[Sequence[Any]]:
    names, seats = outcome.settings.names, range(int(outcome.settings.options["players"]))
    by_seat = [f"{what}_{seat}" for what in ("agent", "points", "rank") for seat in seats]
    yield ["number", "deal", "game_seed", *by_seat, "decisions", "truncated", "forfeit", "reason"]
    for result in outcome.results:
        yield [
            *(result.number, result.deal, result.game_seed),
            *(names[agent] for agent in result.agents),
            *result.points,
            *result.ranks,
            *(result.decisions, int(result.truncated)),
            "" if result.forfeit is None else names[result.agents[result.forfeit]],
            result.reason,
        ]


def _standing_rows(standings: Standings) -> Iterable[Sequence[Any]]:
    figures = ("rating", "win_rate", "mean_rank", "mean_points")
    with_ends = [f"{figure}{end}" for figure in figures for end in ("", "_low", "_high")]
    circular = ("nash", "nash_average", "alpha_rank")
    yield ["agent", "games", *with_ends, "truncated", "forfeits", *circular]
    for row in standings.agents:
        values: list[Any] = []
        for figure in figures:
            ends: Interval | None = getattr(row, f"{figure}_interval")
            values += [getattr(row, figure), *(ends or ("", ""))]
        yield [row.agent, row.games, *values, row.truncated, row.forfeits, *(getattr(row, name) for name in circular)]
