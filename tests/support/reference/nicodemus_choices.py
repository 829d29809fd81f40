"""Choices of Nicodemus found by trying everything: wild reductions, picks of resources, partners for a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

from tests.support.reference.nicodemus_cards import MACHINES, PROJECTS, RESOURCES, Tokens


def rising(number: int, previous: str | None) -> list[tuple[str, ...]]:
    """N20.4: all ways to name so many resources in rising order, none before the previous one."""
    allowed = RESOURCES if previous is None else RESOURCES[RESOURCES.index(previous) :]
    return list(combinations_with_replacement(allowed, number))


def reductions_needed(workshop: Sequence[str], kind: str) -> tuple[Tokens, int]:
    """N6.3, N6.4: what the workshop leaves to pay of each resource, and how many wild reductions there are."""
    symbols = [MACHINES[owned].symbol for owned in workshop]
    cost = MACHINES[kind].cost
    need = {r: max(0, cost.count(r) - symbols.count(r)) for r in RESOURCES}
    return need, symbols.count("wild")


def fee(workshop: Sequence[str], behind: int) -> int:
    """N6.5: the charcoalium to lay when so many machines stand after the repaired one."""
    return max(0, behind - sum(MACHINES[owned].symbol == "charcoalium" for owned in workshop))


def wild_sequences(need: Tokens, stock: Tokens, number: int, previous: str | None = None) -> list[tuple[str, ...]]:
    """N6.4, N20.4: the ways to spend exactly so many wild reductions after which the rest can be paid."""
    found = []
    for sequence in rising(number, previous):
        left = {r: need[r] - sequence.count(r) for r in RESOURCES}
        if all(0 <= left[r] <= stock[r] for r in RESOURCES):
            found.append(sequence)
    return found


def pick_sequences(available: Tokens, number: int, previous: str | None = None) -> list[tuple[str, ...]]:
    """N20.4: the ways to take exactly so many of the available resources."""
    return [
        sequence
        for sequence in rising(number, previous)
        if all(count <= available[r] for r, count in Counter(sequence).items())
    ]


def partner_sets(workshop: Sequence[str], project: int) -> list[tuple[int, ...]]:
    """N7.2, N7.4: the positions (from 1, oldest first) which with the newest machine make the project's set."""
    newest = len(workshop)
    return [
        partners
        for partners in combinations(range(1, newest), PROJECTS[project].machines - 1)
        if PROJECTS[project].fulfilled_by([workshop[position - 1] for position in (*partners, newest)])
    ]
