"""Ladders as a page of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from bdgame_env import get_game

from .outcome import Outcome
from .ratings import Interval, Standing

_HEAD = """# The ladder

The agents that come with each game, rated in tournaments on deals that neither training nor tuning saw. Ratings are
those of the Plackett-Luce model, comparable within one table only; intervals are 95 %, over deals. A win shared by
several counts in part.
"""


def ladder_page(outcomes: Sequence[Outcome], command: str) -> str:
    """The page: a table for each tournament, agents from the strongest down.

    Args:
        outcomes: tournaments that have ended.
        command: what was typed to make the page.
    """
    return "\n".join([_HEAD, f"```sh\n{command}\n```", *map(_table, outcomes)])


def _table(outcome: Outcome) -> str:
    standings, settings = outcome.standings, outcome.settings
    players = int(settings.options["players"])
    seats = ", ".join(
        f"{100 * share:.1f} %{_ends(ends, 100, 1)}"
        for share, ends in zip(standings.wins_by_seat, standings.wins_by_seat_intervals, strict=True)
    )
    lines = [
        f"\n## {get_game(settings.game).title}, {players} players\n",
        f"{standings.games:,} games on {standings.deals:,} deals, {standings.mean_decisions:.0f} decisions each,"
        f" {100 * standings.truncated:.1f} % truncated. Wins by seat: {seats}.\n",
        "| | rating | wins | mean rank | truncated | wins by seat |",
        "|---|---|---|---|---|---|",
        *map(_row, standings.agents),
    ]
    if outcome.forfeits:
        lost = "; ".join(f"{agent} {count} ({reason})" for agent, reason, count in outcome.forfeits)
        lines.append(f"\nForfeits: {lost}.")
    return "\n".join(lines) + "\n"


def _row(one: Standing) -> str:
    seats = ", ".join("-" if share is None else f"{100 * share:.0f} %" for share in one.wins_by_seat)
    return (
        f"| {one.agent} | {one.rating:.1f}{_ends(one.rating_interval, 1, 1)} |"
        f" {100 * one.win_rate:.1f} %{_ends(one.win_rate_interval, 100, 0)} | {one.mean_rank:.2f} |"
        f" {100 * one.truncated:.1f} % | {seats} |"
    )


def _ends(ends: Interval | None, scale: int, digits: int) -> str:
    """An interval in brackets, or nothing."""
    return "" if ends is None else f" ({scale * ends[0]:.{digits}f}-{scale * ends[1]:.{digits}f})"
