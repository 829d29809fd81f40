"""The summary of a balance report as text on stdout."""

from __future__ import annotations

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .analysis import AGENT, SAME, Balance, Row
from .items import CARD, FAMILY, Item
from .wording import clear, difference, facts, rate, took

_WIDTH = 160  # of the output in files and pipes
_MOST_CARDS = 8
_MOST_AGENTS = 3  # with columns of their own


def print_balance(balance: Balance) -> None:
    """Print figures about the games, all families, and cards that stand out, agents compared with themselves."""
    for name, value in facts(balance):
        print(f"{name}: {value}")
    tables = _Tables(balance)
    tables.print("family", (item for item in tables.same if item.kind == FAMILY))
    cards = [item for item in tables.same if item.kind == CARD]
    telling = sorted((item for item in cards if clear(tables.same[item].uplifts["margin"])), key=tables.uplift)
    tables.print("card, best uplift", [item for item in telling[::-1] if tables.uplift(item) > 0][:_MOST_CARDS])
    tables.print("card, worst uplift", [item for item in telling if tables.uplift(item) < 0][:_MOST_CARDS])
    known = sum(tables.same[item].uplifts["margin"].low is not None for item in cards)
    never = [item.label for item in cards if not tables.same[item].taken]
    if never:
        print(f"\nlegal at times, never taken: {', '.join(never)}")
    print(
        "\nreward, margin: of seats that took it at least once, less that of seats that did not (95 % intervals);"
        "\nin columns without a name, each agent is compared with itself in the same seat against the same opponents"
        f"\nof {known} cards with an interval, about {known // 20} would stand out by chance alone"
    )


class _Tables:
    """Prints tables of items.

    Attributes:
        same: by item, its row of SAME.
    """

    def __init__(self, balance: Balance) -> None:
        self._console = Console()
        if not self._console.is_terminal:
            self._console = Console(width=max(self._console.width, _WIDTH))
        self.same = {row.item: row for row in balance.rows if row.group == SAME}
        self._single: dict[str, dict[Item, Row]] = {}
        for row in balance.rows:
            if row.group == AGENT:
                self._single.setdefault(row.member, {})[row.item] = row
        if len(self._single) > _MOST_AGENTS:
            self._single = {}

    def uplift(self, item: Item) -> float:
        """By which cards are sorted."""
        return self.same[item].uplifts["margin"].value or 0.0

    def print(self, title: str, items: Iterable[Item]) -> None:
        """Print a table of these items, if there are any."""
        grid = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
        grid.add_column(title, overflow="fold")
        singles = [f"margin, {escape(agent)}" for agent in self._single]
        for name in ("taken", "of legal", "by seats", "reward", "margin", *singles):
            grid.add_column(name, justify="right")
        for item in items:
            row = self.same[item]
            grid.add_row(
                escape(item.label),
                f"{row.taken}",
                rate(row),
                took(row),
                difference(row, "reward"),
                difference(row, "margin"),
                *(difference(rows[item], "margin") for rows in self._single.values()),
            )
        if grid.row_count:
            print()
            self._console.print(grid)
