"""The result of a tournament as text on stdout."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .outcome import Outcome
from .ratings import Interval
from .schedule import SWISS

_WIDTH = 120  # of the output in files and pipes
_MOST_REASONS = 5


def print_outcome(outcome: Outcome, played: int, seconds: float) -> None:
    """Print the standings, the verdicts and a summary of the games.

    Args:
        outcome: of the tournament.
        played: number of games played since the start of this command.
        seconds: how long they took.
    """
    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, _WIDTH))
    standings, settings = outcome.standings, outcome.settings
    grid = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    grid.add_column("agent", overflow="fold")
    for title in ("rating ± sigma", "win rate (95 %)", "mean rank", "mean points (95 %)", "truncated", "games"):
        grid.add_column(title, justify="right")
    for row in standings.agents:
        grid.add_row(
            escape(row.agent),
            f"{row.rating:.2f} ± {row.sigma:.2f}",
            f"{100 * row.win_rate:.1f} %{_ends(row.win_rate_interval, 100)}",
            f"{row.mean_rank:.2f}",
            f"{row.mean_points:.2f}{_ends(row.mean_points_interval, 1)}",
            f"{100 * row.truncated:.1f} %",
            str(row.games),
        )
    console.print(grid)
    for line in outcome.verdict_lines:
        print(line)
    paired = settings.delta is None and settings.format != SWISS
    each = f", {standings.games // standings.deals} seatings each" if paired else ""
    print(f"{standings.games} games on {standings.deals} deals{each}; {played} played in {seconds:.1f} s")
    seats = ", ".join(f"{100 * share:.1f} %" for share in standings.wins_by_seat)
    print(
        f"won by seat: {seats}; {standings.mean_decisions:.0f} decisions per game;"
        f" {100 * standings.truncated:.0f} % were ended by the round limit"
    )
    if outcome.continued:
        print(f"note: resumed {len(outcome.continued)} times with other code; see result.json")
    for name, reason, count in outcome.forfeits[:_MOST_REASONS]:
        print(f"lost by forfeit: {name}, {count} games: {reason}")
    if len(outcome.forfeits) > _MOST_REASONS:
        print(f"lost by forfeit: {len(outcome.forfeits) - _MOST_REASONS} more reasons, see games.csv with --out")


def _ends(ends: Interval | None, scale: int) -> str:
    return "" if ends is None else f" ({scale * ends[0]:.1f}-{scale * ends[1]:.1f})"
