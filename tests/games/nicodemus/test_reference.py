"""The cards of the slow Nicodemus, and how it searches for payments. test_lockstep.py compares its play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from bdgame_env.games.nicodemus.cards import CARDS, COLORS, SYMBOLS
from tests.games.nicodemus.positions import COPIES
from tests.support.reference.nicodemus_cards import KINDS, MACHINES, PROJECTS, RESOURCES, TOKENS
from tests.support.reference.nicodemus_choices import wild_sequences

pytestmark = pytest.mark.plain


def test_n1_both_card_tables_say_the_same() -> None:
    """N1.1, N1.2, N1.4: the reference has its own, the engine reads the card file."""
    assert tuple(COPIES) == KINDS
    for index, kind in enumerate(KINDS):
        machine = MACHINES[kind]
        assert machine.copies == CARDS.copies[index] == COPIES[kind] and machine.points == CARDS.points[index]
        assert machine.color == COLORS[CARDS.color[index]] and machine.symbol == SYMBOLS[CARDS.symbol[index]]
        assert [machine.cost.count(r) for r in RESOURCES] == CARDS.cost[index].tolist()
    assert [project.points for project in PROJECTS] == CARDS.project_points.tolist()
    assert [project.machines for project in PROJECTS] == CARDS.project_machines.tolist()


def steps(need: dict[str, int], amounts: dict[str, int], left: int, lo: int = 0) -> Iterator[tuple[str, ...]]:
    """The sequences that the step rule N21.2 allows."""
    if not left:
        yield ()
        return
    for r in range(lo, 3):
        low = {name: need[name] - (n == r) for n, name in enumerate(RESOURCES)}
        short = [max(0, low[name] - amounts[name]) for name in RESOURCES]
        if (
            low[RESOURCES[r]] >= 0
            and not any(short[:r])
            and sum(low[name] for name in RESOURCES[r:]) >= left - 1
            and sum(short[r:]) <= left - 1
        ):
            for rest in steps(low, amounts, left - 1, r):
                yield (RESOURCES[r], *rest)


def test_n21_3_payments() -> None:
    cases = payments = 0
    workshops = [item for n in range(4) for item in combinations_with_replacement(("wild", *TOKENS), n)]
    for workshop, cost in product(workshops, sorted({machine.cost for machine in MACHINES.values()})):
        need = {r: max(0, cost.count(r) - workshop.count(r)) for r in RESOURCES}
        wild = workshop.count("wild")
        number = min(wild, sum(need.values()))
        for amounts in product(range(5), repeat=3):
            owned = dict(zip(RESOURCES, amounts, strict=True))
            found = wild_sequences(need, owned, number)
            payable = sum(max(0, need[r] - owned[r]) for r in RESOURCES) <= wild  # N6.6
            assert bool(found) == payable
            if payable:
                cases += 1
                payments += len(found)
                assert sorted(steps(need, owned, number)) == sorted(found)
    assert (cases, payments) == (68_630, 80_772)
