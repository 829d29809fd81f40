"""The result of a tournament as text on stdout."""

from __future__ import annotations

from ..tables import Table, interval, percent
from .outcome import Outcome
from .schedule import SWISS

_WIDTH = 120  # of the output in files and pipes
_MOST_REASONS = 5


def print_outcome(outcome: Outcome, played: int, seconds: float) -> None:
    """Print the standings, the verdicts and a summary of the games."""
    standings, settings = outcome.standings, outcome.settings
    rows = [
        (
            row.agent,
            f"{row.rating:.0f}{interval(row.rating_interval, 0)}",
            percent(row.win_rate, row.win_rate_interval),
            f"{row.mean_rank:.2f}",
            f"{row.mean_points:.2f}{interval(row.mean_points_interval)}",
            percent(row.truncated),
            str(row.games),
        )
        for row in standings.agents
    ]
    titles = ("rating (95 %)", "win rate (95 %)", "mean rank", "mean points (95 %)", "truncated", "games")
    Table("", ("agent", *titles), rows).print(_WIDTH)
    for line in outcome.verdict_lines:
        print(line)
    paired = settings.delta is None and settings.half_width is None and settings.format != SWISS
    each = f", {standings.games // standings.deals} seatings each" if paired else ""
    print(f"{standings.games} games on {standings.deals} deals{each}; {played} played in {seconds:.1f} s")
    print(
        f"won by seat: {', '.join(map(percent, standings.wins_by_seat))};"
        f" {standings.mean_decisions:.0f} decisions per game;"
        f" {100 * standings.truncated:.0f} % were ended by the round limit"
    )
    if outcome.continued:
        print(f"note: resumed {len(outcome.continued)} times with other code; see result.json")
    for name, reason, count in outcome.forfeits[:_MOST_REASONS]:
        print(f"lost by forfeit: {name}, {count} games: {reason}")
    if len(outcome.forfeits) > _MOST_REASONS:
        print(f"lost by forfeit: {len(outcome.forfeits) - _MOST_REASONS} more reasons, see games.csv with --out")
