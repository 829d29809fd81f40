"""How figures read, in the text and on the page."""

from __future__ import annotations

from ..tables import percent
from .analysis import Balance, Difference, Row, Spread


def difference(row: Row, name: str) -> str:
    """An uplift with its interval, as far as the games tell; `name` as in RESULTS."""
    uplift, digits = row.uplifts[name], 1 if name == "margin" else 2
    if uplift.value is None:
        return "-"
    ends = "" if uplift.low is None else f" ({uplift.low:+.{digits}f} to {uplift.high:+.{digits}f})"
    return f"{uplift.value:+.{digits}f}{ends}"


def took(row: Row) -> str:
    """The share of seats that took an item, with its interval."""
    return percent(row.took, row.took_interval)


def rate(row: Row) -> str:
    """How often an item was taken when it could be."""
    return percent(row.taken / row.available) if row.available else "-"


def clear(uplift: Difference) -> bool:
    """Whether the interval leaves out 0."""
    return uplift.low is not None and uplift.high is not None and (uplift.low > 0 or uplift.high < 0)


def facts(balance: Balance) -> list[tuple[str, str]]:
    """Names and values of the figures about whole games."""
    rated = balance.outcome.standings
    by_seat = enumerate(zip(rated.wins_by_seat, rated.wins_by_seat_intervals, strict=True))
    seats = [f"{seat} {percent(won, ends)}" for seat, (won, ends) in by_seat]
    agents = [f"{row.agent} {percent(row.win_rate, row.win_rate_interval)}" for row in rated.agents]
    lines = [
        ("games", f"{balance.games} on {rated.deals} deals"),
        ("decisions", _spread(balance.decisions)),
        ("margin, points", _spread(balance.margin)),
        ("lead changes", _spread(balance.lead_changes)),
        ("won by seat (95 %)", ", ".join(seats)),
        ("won by agent (95 %)", ", ".join(agents)),
        ("truncated", percent(balance.truncated)),
        *balance.figures.items(),
    ]
    if balance.rounds is not None:
        lines.insert(2, ("rounds", _spread(balance.rounds)))
    forfeits = len(balance.outcome.results) - balance.games
    if forfeits:
        lines.append(
            ("forfeits", f"{forfeits} more games, which are counted in nothing but the wins by seat and agent")
        )
    return lines


def _spread(spread: Spread) -> str:
    return f"{spread.mean:.1f} on average; median {spread.median:.4g}, {spread.low:.4g} to {spread.high:.4g} in 8 of 10"
