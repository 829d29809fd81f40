"""Ladders as a page of Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from bdgame_env import get_game

from ..tables import Table, interval, percent
from .outcome import Outcome

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
    return "\n".join([_HEAD, f"```sh\n{command}\n```", *map(_section, outcomes)])


def _section(outcome: Outcome) -> str:
    standings, settings = outcome.standings, outcome.settings
    by_seat = zip(standings.wins_by_seat, standings.wins_by_seat_intervals, strict=True)
    rows = [
        (
            one.agent,
            f"{one.rating:.1f}{interval(one.rating_interval)}",
            percent(one.win_rate, one.win_rate_interval, digits=0),
            f"{one.mean_rank:.2f}",
            percent(one.truncated),
            ", ".join("-" if share is None else f"{100 * share:.0f} %" for share in one.wins_by_seat),
        )
        for one in standings.agents
    ]
    lines = [
        f"\n## {get_game(settings.game).title}, {settings.options['players']} players\n",
        f"{standings.games:,} games on {standings.deals:,} deals, {standings.mean_decisions:.0f} decisions each,"
        f" {percent(standings.truncated)} truncated."
        f" Wins by seat: {', '.join(percent(share, ends) for share, ends in by_seat)}.\n",
        Table("", ("", "rating", "wins", "mean rank", "truncated", "wins by seat"), rows).markdown(),
    ]
    if outcome.forfeits:
        lost = "; ".join(f"{agent} {count} ({reason})" for agent, reason, count in outcome.forfeits)
        lines.append(f"\nForfeits: {lost}.")
    return "\n".join(lines) + "\n"
