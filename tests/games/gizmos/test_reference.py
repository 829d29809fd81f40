"""The cards of the slow Gizmos, and how it searches for payments. test_lockstep.py compares its play."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from itertools import combinations, permutations
from typing import Any

import pytest

from bdgame_env.games.gizmos.cards import CARD_FILE
from tests.support.reference.gizmos import TYPES
from tests.support.reference.gizmos_cards import CARDS, COLORS, CONVERTERS, Card
from tests.support.reference.gizmos_payment import conversions, fits, reaches, smallest_sets, steps_of

pytestmark = pytest.mark.plain


def as_in_the_card_file(card: Card) -> dict[str, Any]:
    """A card of the reference in the words of the card file."""
    line: dict[str, Any] = {} if card.level == 0 else {"color": card.color, "cost": card.cost, "points": card.points}
    if card.kind == "convert":
        return line | {"converts": card.type_name}
    if card.kind != "upgrade":
        when = {"any": "", "archive": "from archive"}.get(card.when, card.when)
        return line | {"when": f"{card.kind} {when}".strip(), "gives": card.effect}
    name, *words = card.effect.split()
    if name == "limits":
        grown = zip(("ring", "archive", "research"), words, strict=True)
        return line | {"upgrade": ", ".join(f"{what} +{more}" for what, more in grown if more != "0")}
    return line | {"upgrade": " ".join([{"forbid": "no"}.get(name, name), *words])}


def test_the_cards_are_those_of_the_card_file() -> None:
    """C1: two transcriptions of the same cards; test_cards.py checks C2-C7 on one of them."""
    levels = tomllib.loads(CARD_FILE.read_text("utf-8"))
    lines = {int(number): line for level in levels.values() for number, line in level.items()}
    assert {card.number: as_in_the_card_file(card) for card in CARDS} == lines
    assert [len(cards) for cards in levels.values()] == [
        sum(card.level == level for card in CARDS) for level in range(4)
    ]


def test_d2_3_converter_types() -> None:
    """D2.3: their names in order, and how many cards have each."""
    names = [f"{color}-any" for color in COLORS] + [f"2{color}-any" for color in COLORS]
    names += [f"{color}-2{color}" for color in COLORS]
    names += ["any-any", "red-2red+black-2black", "blue-2blue+yellow-2yellow"]
    assert names == TYPES and set(CONVERTERS) == set(names)
    assert [len(CONVERTERS[name]) for name in names] == [2] * 4 + [1] * 4 + [2] * 4 + [2, 1, 1]


def random_demand(rng: random.Random) -> tuple[tuple[int, ...], str, int, int]:
    """A few marbles and what is to be paid with them: marbles, color, least, most."""
    vector = [0, 0, 0, 0]
    for _ in range(rng.randint(1, 3)):
        vector[rng.randrange(4)] += 1
    most = sum(vector) + rng.choice((0, 0, 1, 1, 2))
    return tuple(vector), rng.choice((*COLORS, "any")), max(0, most - rng.choice((0, 0, 0, 1))), most


def by_all_orders(vector: tuple[int, ...], cards: list[str], color: str, least: int, most: int) -> bool:
    """Can the marbles pay, by trying every order of all halves, each used or not?"""
    for order in permutations(steps_of(cards)):
        pools = {vector}
        for step in order:
            pools |= {changed for one in pools for changed in conversions(one, step)}
        if any(fits(one, color, least, most) for one in pools):
            return True
    return False


def test_d4_4_search_agrees_with_all_orders() -> None:
    rng = random.Random(7)
    seen = Counter[bool]()
    for _ in range(400):
        cards = rng.choices(list(CONVERTERS), k=rng.randint(1, 4))
        while len(steps_of(cards)) > 4:
            cards.pop()
        vector, color, least, most = random_demand(rng)
        answer = by_all_orders(vector, cards, color, least, most)
        assert reaches(vector, steps_of(cards), color, least, most) == answer
        seen[answer] += 1
    assert min(seen[True], seen[False]) > 50


def test_d4_6_smallest_sets_by_definition() -> None:
    rng = random.Random(8)
    several = 0
    for _ in range(300):
        owned = sorted(rng.choices(list(CONVERTERS), k=rng.randint(1, 6)))
        vector, color, least, most = random_demand(rng)
        parts = {part for size in range(len(owned) + 1) for part in combinations(owned, size)}
        paying = {part for part in parts if reaches(vector, steps_of(part), color, least, most)}
        smallest = {
            part for part in paying if not any(other != part and Counter(other) <= Counter(part) for other in paying)
        }
        found = smallest_sets(vector, owned, color, least, most)
        assert sorted(sorted(choice.elements()) for choice in found) == sorted(map(list, smallest))
        several += len(found) > 1
    assert several > 20
