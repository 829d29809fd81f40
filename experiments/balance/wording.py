"""How figures read, in the text and on the page."""

from __future__ import annotations

from ..arena.ratings import Interval
from .analysis import Balance, Difference, Row, Spread


def share(value: float) -> str:
    """A share in percent."""
    return f"{100 * value:.1f} %"


def difference(row: Row, name: str) -> str:
    """An uplift with its interval, as far as the games tell; `name` as in RESULTS."""
    found, digits = row.uplifts[name], 1 if name == "margin" else 2
    if found.value is None:
        return "-"
    ends = "" if found.low is None else f" ({found.low:+.{digits}f} to {found.high:+.{digits}f})"
    return f"{found.value:+.{digits}f}{ends}"


def took(row: Row) -> str:
    """The share of seats that took an item, with its interval."""
    return f"{share(row.took)}{interval(row.took_interval)}"


def rate(row: Row) -> str:
    """How often an item was taken when it could be."""
    return share(row.taken / row.available) if row.available else "-"


def clear(found: Difference) -> bool:
    """Whether the interval leaves out 0."""
    return found.low is not None and found.high is not None and (found.low > 0 or found.high < 0)


def facts(balance: Balance) -> list[tuple[str, str]]:
    """Names and values of the figures about whole games."""
    rated = balance.outcome.standings
    by_seat = enumerate(zip(rated.wins_by_seat, rated.wins_by_seat_intervals, strict=True))
    seats = [f"{seat} {share(won)}{interval(ends)}" for seat, (won, ends) in by_seat]
    agents = [f"{row.agent} {share(row.win_rate)}{interval(row.win_rate_interval)}" for row in rated.agents]
    found = [
        ("games", f"{balance.games} on {rated.deals} deals"),
        ("decisions", _spread(balance.decisions)),
        ("margin, points", _spread(balance.margin)),
        ("lead changes", _spread(balance.lead_changes)),
        ("won by seat (95 %)", ", ".join(seats)),
        ("won by agent (95 %)", ", ".join(agents)),
        ("truncated", share(balance.truncated)),
    ]
    if balance.rounds is not None:
        found.insert(2, ("rounds", _spread(balance.rounds)))
    forfeits = len(balance.outcome.results) - balance.games
    if forfeits:
        found.append(
            ("forfeits", f"{forfeits} more games, which are counted in nothing but the wins by seat and agent")
        )
    return found


def interval(ends: Interval | None) -> str:
    """The interval of a share in percent, to follow it."""
    return "" if ends is None else f" ({100 * ends[0]:.1f}-{100 * ends[1]:.1f})"


def _spread(spread: Spread) -> str:
    return f"{spread.mean:.1f} on average; median {spread.median:.4g}, {spread.low:.4g} to {spread.high:.4g} in 8 of 10"
