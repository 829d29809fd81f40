"""A tournament as one self-contained HTML page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..plots import learning_figure, svg
from .html_page import page, table
from .outcome import Outcome
from .plots import lengths_figure, matrix_figure, ratings_figure, seats_figure
from .ratings import Interval


def report(outcome: Outcome) -> str:
    """The page: ratings, win matrix, seats, lengths, forfeits, learning curves, and how to repeat the tournament."""
    settings, rated = outcome.settings, outcome.standings
    title = f"{settings.game}: {len(settings.agents)} agents, {settings.options['players']} seats"
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{rated.games} games on {rated.deals} deals, {escape(settings.format)}, seed {settings.seed}.</p>",
        "<h2>Ratings</h2>",
        _ratings(outcome),
        svg(ratings_figure(rated), "ratings"),
        "<h2>Who ranked above whom</h2>",
        _matrix(outcome),
        svg(matrix_figure(rated), "matrix"),
        *_verdicts(outcome),
        "<h2>Advantage of seats</h2>",
        svg(seats_figure(rated), "seats"),
        "<h2>Length of games</h2>",
        f"<p>{rated.mean_decisions:.0f} decisions per game;"
        f" {100 * rated.truncated:.0f} % were ended by the round limit.</p>",
        svg(lengths_figure([result.decisions for result in outcome.results]), "lengths"),
        "<h2>Games lost by forfeit</h2>",
        _forfeits(outcome),
        *_curves(settings.agents),
        "<h2>Provenance</h2>",
        provenance(outcome),
    ]
    return page(title, parts)


def _ratings(outcome: Outcome) -> str:
    rows = [
        (
            escape(row.agent),
            f"{row.rating:.2f} ± {row.sigma:.2f}{_ends(row.rating_interval)}",
            _percent(row.win_rate, row.win_rate_interval),
            _figure(row.mean_rank, row.mean_rank_interval),
            _figure(row.mean_points, row.mean_points_interval),
            f"{100 * row.truncated:.1f} %",
            row.games,
            row.forfeits,
        )
        for row in outcome.standings.agents
    ]
    titles = ("agent", "rating ± sigma", "win rate", "mean rank", "mean points", "truncated", "games", "forfeits")
    note = "<p><small>In parentheses: 95 % intervals over deals.</small></p>"
    return table(titles, rows) + note


def _matrix(outcome: Outcome) -> str:
    rated = outcome.standings
    names = [escape(row.agent) for row in rated.agents]
    rows = [
        (name, *("" if share is None else _percent(share, ends) for share, ends in zip(shares, intervals, strict=True)))
        for name, shares, intervals in zip(names, rated.win_matrix, rated.win_matrix_intervals, strict=True)
    ]
    return table(("", *names), rows)


def _verdicts(outcome: Outcome) -> list[str]:
    if not outcome.verdicts:
        return []
    lines = "".join(f"<li>{escape(line)}</li>" for line in outcome.verdict_lines)
    return ["<h2>Verdicts</h2>", f"<ul>{lines}</ul>"]


def _forfeits(outcome: Outcome) -> str:
    if not outcome.forfeits:
        return "<p>None.</p>"
    rows = [(escape(name), count, escape(reason)) for name, reason, count in outcome.forfeits]
    return table(("agent", "games", "reason"), rows)


def _curves(agents: Sequence[str]) -> list[str]:
    """The learning curves in the folders of the policies that played."""
    parts: list[str] = []
    for number, policy in enumerate(
        dict.fromkeys(path for spec in agents for path in re.findall(r"[^=,:]+\.npz", spec))
    ):
        curve = Path(policy).parent / "learning_curve.csv"
        if curve.exists():
            try:
                drawing = svg(learning_figure(curve, level=0.5), f"curve-{number}")
            except (BadInput, OSError) as error:
                drawing = f"<p>{escape(str(error))}</p>"
            parts += [f"<h3>{escape(policy)}</h3>", drawing]
    return ["<h2>Learning curves</h2>", *parts] if parts else []


def provenance(outcome: Outcome) -> str:
    """A table of what is needed to repeat a tournament."""
    settings, run = outcome.settings, outcome.run
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
        "seconds per decision": ", ".join("no limit" if x is None else f"{x:g}" for x in settings.time_limits)
        or "no limit",
    }
    return table(("", ""), [(name, f"<code>{escape(str(value))}</code>") for name, value in facts.items()])


def _code(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "commit": f"{run.get('commit')}{', with changes' if run.get('modified') else ''}",
        "date": run.get("date"),
        "versions": ", ".join(f"{name} {version}" for name, version in run.get("versions", {}).items()),
    }


def _percent(share: float, ends: Interval | None) -> str:
    return f"{100 * share:.1f} %" + ("" if ends is None else f" ({100 * ends[0]:.1f}-{100 * ends[1]:.1f})")


def _figure(value: float, ends: Interval | None) -> str:
    return f"{value:.2f}{_ends(ends)}"


def _ends(ends: Interval | None) -> str:
    return "" if ends is None else f" ({ends[0]:.2f}-{ends[1]:.2f})"
