"""The result of a tournament as one self-contained HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..html_page import page
from ..plots import learning_figure, svg
from ..tables import Table, interval, percent
from .meta_game_text import cycles_line, meta_game_table
from .outcome import Outcome
from .standings import Standings
from .tournament_plots import lengths_figure, matrix_figure, ratings_figure, seats_figure


def tournament_page(outcome: Outcome) -> str:
    """The page: ratings, win matrix, seats, lengths, forfeits, learning curves, and how to repeat the tournament."""
    settings, rated = outcome.settings, outcome.standings
    forfeits = [(name, str(count), reason) for name, reason, count in outcome.forfeits]
    verdicts = "".join(f"<li>{escape(line)}</li>" for line in outcome.verdict_lines)
    parts = [
        f"<p>{rated.games} games on {rated.deals} deals, {escape(settings.format)}, seed {settings.seed}.</p>",
        "<h2>Ratings</h2>",
        _ratings(rated).html(),
        svg(ratings_figure(rated), "ratings"),
        "<h2>Who ranked above whom</h2>",
        _matrix(rated).html(),
        svg(matrix_figure(rated), "matrix"),
        *_meta_game(rated),
        f"<h2>Verdicts</h2>\n<ul>{verdicts}</ul>" if verdicts else "",
        "<h2>Advantage of seats</h2>",
        svg(seats_figure(rated), "seats"),
        "<h2>Length of games</h2>",
        f"<p>{rated.mean_decisions:.0f} decisions per game;"
        f" {100 * rated.truncated:.0f} % were ended by the round limit.</p>",
        svg(lengths_figure([result.decisions for result in outcome.results]), "lengths"),
        "<h2>Games lost by forfeit</h2>",
        Table("", ("agent", "games", "reason"), forfeits).html() if forfeits else "<p>None.</p>",
        *_curves(settings.agents),
        provenance_section(outcome),
    ]
    return page(f"{settings.game}: {len(settings.agents)} agents, {settings.options['players']} seats", parts)


def _ratings(rated: Standings) -> Table:
    rows = [
        (
            row.agent,
            f"{row.rating:.0f}{interval(row.rating_interval, 0)}",
            percent(row.win_rate, row.win_rate_interval),
            f"{row.mean_rank:.2f}{interval(row.mean_rank_interval, 2)}",
            f"{row.mean_points:.2f}{interval(row.mean_points_interval, 2)}",
            percent(row.truncated),
            str(row.games),
            str(row.forfeits),
        )
        for row in rated.agents
    ]
    titles = ("agent", "rating", "win rate", "mean rank", "mean points", "truncated", "games", "forfeits")
    return Table("Ratings", titles, rows, "In parentheses: 95 % intervals over deals.")


def _matrix(rated: Standings) -> Table:
    names = [row.agent for row in rated.agents]
    rows = [
        (name, *("" if share is None else percent(share, ends) for share, ends in zip(shares, intervals, strict=True)))
        for name, shares, intervals in zip(names, rated.win_matrix, rated.win_matrix_intervals, strict=True)
    ]
    return Table("Who ranked above whom", ("", *names), rows)


def _meta_game(rated: Standings) -> Iterable[str]:
    """Nash averaging, alpha-rank and cycles, where all of three or more agents have met."""
    if meta_game := meta_game_table(rated):
        yield "<h2>Beyond ratings</h2>"
        yield meta_game.html()
        yield f"<p>{escape(cycles_line(rated))}</p>"


def _curves(agents: Sequence[str]) -> Iterable[str]:
    """The learning curves in the folders of the policies that played."""
    policies = dict.fromkeys(path for spec in agents for path in re.findall(r"[^=,:]+\.npz", spec))
    files = {policy: Path(policy).parent / "learning_curve.csv" for policy in policies}
    there = [(policy, file) for policy, file in files.items() if file.exists()]
    if there:
        yield "<h2>Learning curves</h2>"
    for number, (policy, file) in enumerate(there):
        yield f"<h3>{escape(policy)}</h3>"
        try:
            yield svg(learning_figure(file, level=0.5), f"curve-{number}")
        except (BadInput, OSError) as error:
            yield f"<p>{escape(str(error))}</p>"


def provenance_section(outcome: Outcome) -> str:
    """What is needed to repeat a tournament."""
    settings, run = outcome.settings, outcome.run
    limits = ["no limit" if seconds is None else f"{seconds:g}" for seconds in settings.time_limits]
    facts = {
        "command": run.get("command"),
        **_code(run),
        **{
            f"resumed with other code, {k}: {name}": value
            for k, later in enumerate(outcome.continued, 1)
            for name, value in _code(later).items()
        },
        "options": ", ".join(f"{name}={value}" for name, value in settings.options.items()),
        "seed": settings.seed,
        "games per batch": settings.batch,
        "seconds per decision": ", ".join(limits) or "no limit",
    }
    rows = [(name, str(value)) for name, value in facts.items()]
    return "<h2>Provenance</h2>\n" + Table("Provenance", ("", ""), rows).html("code")


def _code(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "commit": f"{run.get('commit')}{', with changes' if run.get('modified') else ''}",
        "date": run.get("date"),
        "versions": ", ".join(f"{name} {version}" for name, version in run.get("versions", {}).items()),
    }
