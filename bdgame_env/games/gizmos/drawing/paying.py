"""What a payment of Gizmos may come to, in words (G8, G10, D4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from ....render.wording import listed_words
from ..cards import COLOR, COLORS, CONVERTER, COST, NUM_COLORS
from ..payment import one_of_type, pays

Marbles = tuple[int, ...]  # by color


def marbles_words(marbles: Sequence[int], first: int = 0) -> str:
    """Marbles such as "1 blue and 2 yellow"; empty for none. They begin with the color of this number."""
    return listed_words([f"{n} {color}" for n, color in zip(marbles, COLORS[first:], strict=True) if n] or [""])


def converters(position: Mapping[str, Any]) -> int:
    """The converters that the seat to decide has not used in this turn, by type, packed."""
    built = position["seats"][position["seat"]]["built"]
    unused = [card for card in built if CONVERTER[card] >= 0 and card not in position["used"]]
    return sum(one_of_type(int(CONVERTER[card])) for card in unused)


def payments(position: Mapping[str, Any], card: int, least: int, paid: Sequence[int] = ()) -> list[Marbles]:
    """All marbles that may be paid for a card, from a least price on, beginning with those that are decided (D4.2)."""
    ring, types, target = position["seats"][position["seat"]]["ring"], converters(position), int(COLOR[card])
    left = [range(int(ring[color]) + 1) for color in COLORS[len(paid) :]]
    ways = ((*map(int, paid), *rest) for rest in product(*left))
    return [
        way
        for way in ways
        if pays(sum(n << 4 * color for color, n in enumerate(way)), target, types, least, int(COST[card]))
    ]


def paying(position: Mapping[str, Any], amount: int) -> str:
    """What is paid of the color that is asked for, and of the others if that follows from it (D4.7)."""
    payment = position["payment"]
    if payment is None or len(payment["paid"]) >= NUM_COLORS:
        return f"Pay {amount}"
    now = len(payment["paid"])
    ways = payments(position, payment["card"], payment["least"], [*payment["paid"], amount])
    if len(ways) == 1:
        return f"Pay {marbles_words(ways[0][now:], now) or 'nothing more'}"
    return f"Pay {amount or 'no'} {COLORS[now]}, then choose the rest"


def moves_that_pay(position: Mapping[str, Any], amounts: Sequence[int]) -> list[list[str]]:
    """For each color, the moves after which it may be paid, of the amounts that can be paid of the color asked for."""
    payment = position["payment"]
    if payment is None or len(payment["paid"]) >= NUM_COLORS:
        return [[] for _ in COLORS]
    paid = payment["paid"]
    ways = {f"pay {n}": payments(position, payment["card"], payment["least"], [*paid, n]) for n in amounts}
    return [
        [move for move, those in ways.items() if color >= len(paid) and any(way[color] for way in those)]
        for color in range(NUM_COLORS)
    ]
