"""The summary of a balance report as text on stdout."""

from __future__ import annotations

from collections.abc import Iterable

from ..tables import Table
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
    same = {row.item: row for row in balance.rows if row.group == SAME}
    by_agent: dict[str, dict[Item, Row]] = {}
    for row in balance.rows:
        if row.group == AGENT:
            by_agent.setdefault(row.member, {})[row.item] = row
    if len(by_agent) > _MOST_AGENTS:
        by_agent = {}

    def show(title: str, items: Iterable[Item]) -> None:
        singles = [f"margin, {agent}" for agent in by_agent]
        rows = [
            (
                item.label,
                f"{same[item].taken}",
                rate(same[item]),
                took(same[item]),
                difference(same[item], "reward"),
                difference(same[item], "margin"),
                *(difference(rows[item], "margin") for rows in by_agent.values()),
            )
            for item in items
        ]
        if rows:
            print()
            Table(title, (title, "taken", "of legal", "by seats", "reward", "margin", *singles), rows).print(_WIDTH)

    def uplift(item: Item) -> float:
        return same[item].uplifts["margin"].value or 0.0

    show("family", (item for item in same if item.kind == FAMILY))
    cards = [item for item in same if item.kind == CARD]
    telling = sorted((item for item in cards if clear(same[item].uplifts["margin"])), key=uplift)
    show("card, best uplift", [item for item in telling[::-1] if uplift(item) > 0][:_MOST_CARDS])
    show("card, worst uplift", [item for item in telling if uplift(item) < 0][:_MOST_CARDS])
    known = sum(same[item].uplifts["margin"].low is not None for item in cards)
    never = [item.label for item in cards if not same[item].taken]
    if never:
        print(f"\nlegal at times, never taken: {', '.join(never)}")
    print(
        "\nreward, margin: of seats that took it at least once, less that of seats that did not (95 % intervals);"
        "\nin columns without a name, each agent is compared with itself in the same seat against the same opponents"
        f"\nof {known} cards with an interval, about {known // 20} would stand out by chance alone"
    )
