"""Payments in Gizmos (G8, G10, D4): which marbles pay for a card, and with which converters, found by trying all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from tests.support.reference.gizmos_cards import COLORS, CONVERTERS, Step

Pool = tuple[int, ...]  # energy by color; marbles are energy of their own color before anything is converted


def fits(pool: Pool, color: str, least: int, most: int) -> bool:
    """G8.2, G8.5: is this an amount that may be paid, all of it of the right color?"""
    amount = sum(pool)
    if color != "any" and pool[COLORS.index(color)] != amount:
        return False
    return least <= amount <= most


def conversions(pool: Pool, step: Step) -> Iterator[Pool]:
    """G10.3: what the energy can be after one use of a converter, or of one half of it."""
    source, result = step
    for taken, has in enumerate(pool):
        if not has or source not in (COLORS[taken], "any"):
            continue
        if result.startswith("2 "):
            doubled = list(pool)
            doubled[taken] += 1
            yield tuple(doubled)
        else:
            for given in range(len(COLORS)):
                if given != taken:  # G10.7
                    changed = list(pool)
                    changed[taken] -= 1
                    changed[given] += 1
                    yield tuple(changed)


def hopeless(pool: Pool, steps: tuple[Step, ...], color: str, least: int, most: int) -> bool:
    """Conversions never lessen energy, a doubling adds one, and each energy of a wrong color must change its color."""
    changes = sum(result == "any" for _, result in steps)
    doublings = len(steps) - changes
    wrong = 0 if color == "any" else sum(pool) - pool[COLORS.index(color)]
    return sum(pool) > most or sum(pool) + doublings < least or wrong > changes


@lru_cache(maxsize=200_000)
def reaches(pool: Pool, steps: tuple[Step, ...], color: str, least: int, most: int) -> bool:
    """G10.1, G10.4, G10.5: can these steps, each once or not at all and in any order, make this energy fit?"""
    if fits(pool, color, least, most):
        return True
    if hopeless(pool, steps, color, least, most):
        return False
    for number, step in enumerate(steps):
        if step in steps[:number]:
            continue  # the same as one already tried
        others = steps[:number] + steps[number + 1 :]
        if any(reaches(changed, others, color, least, most) for changed in conversions(pool, step)):
            return True
    return False


def steps_of(types: Iterable[str]) -> tuple[Step, ...]:
    """All halves of converter cards, given by their types."""
    return tuple(sorted(step for name in types for step in CONVERTERS[name][0].steps))


def payments(ring: Pool, types: Iterable[str], color: str, least: int, most: int) -> Iterator[Pool]:
    """D4.2: every choice of marbles of the ring that pays with these converters."""
    steps = steps_of(types)
    for marbles in product(*(range(min(has, most) + 1) for has in ring)):
        if sum(marbles) <= most and reaches(marbles, steps, color, least, most):
            yield marbles


@lru_cache(maxsize=20_000)
def _payments_list(ring: Pool, types: tuple[str, ...], color: str, least: int, most: int) -> tuple[Pool, ...]:
    return tuple(payments(ring, types, color, least, most))


def payable(ring: Pool, types: Iterable[str], color: str, least: int, most: int) -> bool:
    """G8: is there a payment at all?"""
    return any(True for _ in payments(ring, types, color, least, most))


def amounts(ring: Pool, types: Iterable[str], color: str, least: int, most: int, chosen: list[int]) -> list[int]:
    """D4.3: the numbers of marbles of the next color with which some payment goes on from those chosen."""
    everything = _payments_list(ring, tuple(sorted(types)), color, least, most)
    here = len(chosen)
    return sorted({marbles[here] for marbles in everything if list(marbles[:here]) == chosen})


def smallest_sets(marbles: Pool, types: Iterable[str], color: str, least: int, most: int) -> list[Counter[str]]:
    """D4.6: the multisets of converter types with which these marbles pay, and no smaller part of which would do."""
    owned = Counter(types)
    choices = [
        Counter({name: number for name, number in zip(owned, numbers, strict=True) if number})
        for numbers in product(*(range(owned[name] + 1) for name in owned))
    ]
    choices.sort(key=lambda choice: choice.total())
    found: list[Counter[str]] = []
    for choice in choices:
        if any(smaller <= choice for smaller in found):
            continue
        if reaches(marbles, steps_of(choice.elements()), color, least, most):
            found.append(choice)
    return found
