"""Decks without end (B6): a deck for every number, the same on every machine.

Each deck keeps the counts of the rules (B1-B4) and is drawn so that it is worth playing:

- Multiplication grows with complexity. Of Yellow, a converter makes at most 1.5 times its value; a splitter or joiner
  fed with Yellow up to 3 times; two special parts together at least 1.3 times as much as one.
- At least two of the parts fed with Yellow are engines: they multiply by 2.5 to 3, the second by at least 0.85 of what
  the first does.
- Prices follow what a part gains, give or take one; packers cost 4 or more, hoppers 3 or more.
- Points of orders follow the value of their cubes, with a scale of 0.95 to 1.25 of the first deck's. Together they are
  enough for one of four players to win.

Numbers are drawn by SplitMix64 from a counter that begins with the deck's number. A draw that `best_machines` does not
find to multiply as it should is followed by another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import gcd
from typing import Any

import numpy as np
import numpy.typing as npt

from .cards import (
    BASIC,
    COLORS,
    DOWN,
    HOPPER,
    JOINER,
    MID,
    NUM_BASIC,
    NUM_ORDERS,
    NUM_SPECIAL,
    PACKER,
    SPLITTER,
    STRAIGHT,
    UP,
    VALUE,
    YELLOW,
    Deck,
    spelled_recipe,
)
from .machines import best_machines
from .state import MAX_SEATS, WINNING_POINTS

_64_BITS = (1 << 64) - 1
_MOST_KEPT = 4096  # decks
_CHECKED_AT_ONCE = 64  # decks
_CONVERTERS, _SPLITTERS, _ENGINES, _LESSER_ENGINES = range(6, 10), range(5, 9), range(2, 5), range(1, 4)
_ENGINE = 2.5  # the least that an engine multiplies Yellow by
_SECOND_ENGINE, _TWO_PARTS, _MOST = 0.85, 1.3, 9.0
_LEAST_COST = {HOPPER: 3, PACKER: 4}
_LEAST_PAID = MAX_SEATS * (WINNING_POINTS - 1)  # points: fewer, and the orders may run out before anybody wins (B47)
_SCALES = range(95, 126)  # of the points, in hundredths

Cubes = tuple[int, int, int]
_ONES: tuple[Cubes, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@dataclass(frozen=True)
class Recipe:
    """A special part: its shape, and the cubes of each port, up, mid, down."""

    shape: int
    takes: tuple[Cubes, Cubes, Cubes]
    gives: tuple[Cubes, Cubes, Cubes]
    name: str
    worth: float  # value given for the value taken
    gain: int  # value given less value taken, in one working
    of_yellow: bool  # takes Yellow only


class _Draws:
    """SplitMix64 in Python's numbers."""

    def __init__(self, number: int) -> None:
        self._counter = number * 0x9E3779B97F4A7C15 & _64_BITS
        self._counter = self._next()

    def _next(self) -> int:
        self._counter = (self._counter + 0x9E3779B97F4A7C15) & _64_BITS
        z = self._counter
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _64_BITS
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _64_BITS
        return z ^ z >> 31

    def of(self, choices: Sequence[Any]) -> Any:
        """One of them, each as likely as any other."""
        return choices[(self._next() >> 32) * len(choices) >> 32]

    def others(self, choices: Sequence[Recipe], count: int, drawn: dict[str, Recipe]) -> None:
        """Add so many that are not drawn yet."""
        wanted = len(drawn) + count
        while len(drawn) < wanted:
            recipe = self.of(choices)
            drawn[recipe.name] = recipe


_decks: dict[int, Deck] = {}


def make_decks(numbers: Iterable[int]) -> tuple[Deck, ...]:
    """The decks of these numbers, 0 and up. They are kept for the next time that they are asked for."""
    numbers = tuple(numbers)
    missing = [number for number in numbers if number not in _decks]
    made: dict[int, Deck] = {}
    for start in range(0, len(missing), _CHECKED_AT_ONCE):
        made |= _made(missing[start : start + _CHECKED_AT_ONCE])
    found = tuple(made[number] if number in made else _decks[number] for number in numbers)
    if len(_decks) + len(made) > _MOST_KEPT:
        _decks.clear()
    _decks.update(made)
    return found


def _made(numbers: Sequence[int]) -> dict[int, Deck]:
    draws = {number: _Draws(number) for number in numbers}
    found: dict[int, Deck] = {}
    while draws:
        decks = [_drawn(number, each) for number, each in draws.items()]
        for number, deck, sound in zip(list(draws), decks, keeps_principles(decks), strict=True):
            if sound:
                found[number] = deck
                del draws[number]
    return found


def keeps_principles(decks: Sequence[Deck]) -> list[bool]:
    """Whether multiplication from Yellow grows with complexity in each deck, and two engines are of like worth."""
    return [bool(sound) for sound in np.all(list(principles(decks).values()), axis=0)]


def principles(decks: Sequence[Deck]) -> dict[str, npt.NDArray[np.bool_]]:
    """The principles in words, and which decks keep to them, bool (decks,)."""
    takes, gives = (np.stack([getattr(d, name)[NUM_BASIC:].sum(axis=1) for d in decks]) for name in ("takes", "gives"))
    branching = np.stack([d.shapes[NUM_BASIC:] != STRAIGHT for d in decks])
    of_yellow = ~takes[..., YELLOW + 1 :].any(axis=-1)
    value = np.array(VALUE)
    worth = (gives @ value) / (takes @ value)
    engines = np.sort(np.where(of_yellow & branching, worth, 0), axis=-1)
    converter = np.where(of_yellow & ~branching, worth, 0).max(axis=-1)
    machines, _ = best_machines(takes, gives, 2, [YELLOW])
    two_parts = machines[:, 1, 0]
    best, second = engines[:, -1], engines[:, -2]
    paid = np.array([deck.points.sum(dtype=np.int64) for deck in decks])
    return {
        "a converter multiplies Yellow by 1.5 at most": converter <= 1.5,
        f"a splitter or joiner multiplies Yellow by {_ENGINE} or more": best >= _ENGINE,
        f"a second one does so by at least {_SECOND_ENGINE} of that": second >= _SECOND_ENGINE * best,
        f"two parts multiply Yellow by {_TWO_PARTS} times as much as one": two_parts >= _TWO_PARTS * best,
        f"two parts multiply Yellow by {_MOST:g} at most": two_parts <= _MOST,
        "no order pays so well that cubes need no machine": ~_overpaid(decks).any(axis=-1),
        f"orders pay so much that one of {MAX_SEATS} players reaches {WINNING_POINTS}": paid > _LEAST_PAID,
    }


def _overpaid(decks: Sequence[Deck]) -> npt.NDArray[np.bool_]:
    """Which orders give more points than any of their needs in a deck that is drawn, bool (decks, orders)."""
    usual = np.array([[usual_points(needs) for needs in deck.needs.tolist()] for deck in decks])
    return np.array([deck.points for deck in decks], np.int64) * 100 > usual * _SCALES[-1] / 100 + 75


def _drawn(number: int, draws: _Draws) -> Deck:
    """A deck, not checked."""
    parts = _parts(draws)
    cost = [_LEAST_COST.get(kind, 1) + draws.of((0, 0, 1)) for kind in range(NUM_BASIC)]
    cost[PACKER] += draws.of((0, 1))
    cost += [_price(recipe, draws) for recipe in parts]
    basic = np.zeros((NUM_BASIC, 3, 3), np.int8)
    needs = _needs(draws)
    scale = draws.of(_SCALES)
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "shapes": np.array([*range(NUM_BASIC), *(recipe.shape for recipe in parts)], np.int8),
        "cost": np.array(cost, np.int16),
        "takes": np.concatenate([basic, np.array([recipe.takes for recipe in parts], np.int8)]),
        "gives": np.concatenate([basic, np.array([recipe.gives for recipe in parts], np.int8)]),
        "needs": np.array(needs, np.int8),
        "points": np.array([_points(each, scale, draws) for each in needs], np.int8),
    }
    for array in arrays.values():
        array.setflags(write=False)
    orders = tuple(f"o{order:02}" for order in range(1, NUM_ORDERS + 1))
    return Deck((*BASIC, *(recipe.name for recipe in parts)), orders, **arrays, path=f"random:{number}")


# Parts


def _parts(draws: _Draws) -> list[Recipe]:
    """The special parts: converters, splitters, joiners, each in order of what they take."""
    known = recipes()
    drawn: dict[str, Recipe] = {}
    engines = draws.of(_ENGINES)
    draws.others(known["engines"], engines, drawn)
    draws.others(known["lesser engines"], draws.of(_LESSER_ENGINES), drawn)
    count = draws.of(_SPLITTERS)
    splitters = sum(recipe.shape == SPLITTER for recipe in drawn.values())
    draws.others(known["splitters"], max(0, count - splitters), drawn)
    converters = draws.of(_CONVERTERS)
    draws.others(known["converters of Yellow"], draws.of((2, 3)), drawn)
    already = sum(recipe.shape == STRAIGHT for recipe in drawn.values())
    draws.others(known["converters"], min(converters - already, NUM_SPECIAL - len(drawn)), drawn)
    draws.others(known["joiners"], NUM_SPECIAL - len(drawn), drawn)
    order = (STRAIGHT, SPLITTER, JOINER)
    return sorted(drawn.values(), key=lambda recipe: (order.index(recipe.shape), recipe.takes[::-1], recipe.name))


def _price(recipe: Recipe, draws: _Draws) -> int:
    """1 to 9: the usual price, give or take one."""
    return min(9, max(1, int(usual_price(recipe) + draws.of((-1, 0, 0, 1)) + 0.5)))


def usual_price(recipe: Recipe) -> float:
    """What the part multiplies by, and more for what is fed with Yellow, which everybody has."""
    steep = {STRAIGHT: 5, SPLITTER: 2.5, JOINER: 1.5}[recipe.shape]
    return 1 + steep * (recipe.worth - 1) + recipe.of_yellow * (recipe.shape != STRAIGHT)


@cache
def recipes() -> dict[str, tuple[Recipe, ...]]:
    """The recipes that decks are drawn from, by what they are for."""
    every = [*_converters(), *_splitters(), *_joiners()]
    branching = [recipe for recipe in every if recipe.shape != STRAIGHT]
    engines = [recipe for recipe in branching if recipe.of_yellow and _ENGINE <= recipe.worth <= 3]
    lesser = [recipe for recipe in branching if recipe.of_yellow and 1.5 <= recipe.worth < _ENGINE]
    others = [recipe for recipe in branching if not recipe.of_yellow and 1.5 <= recipe.worth <= 2.75]
    converters = [recipe for recipe in every if recipe.shape == STRAIGHT and 1 <= recipe.worth <= 1.5]
    found = {
        "engines": engines,
        "lesser engines": lesser,
        "splitters": [recipe for recipe in others if recipe.shape == SPLITTER],
        "joiners": [recipe for recipe in others if recipe.shape == JOINER],
        "converters of Yellow": [recipe for recipe in converters if recipe.of_yellow],
        "converters": [recipe for recipe in converters if not recipe.of_yellow],
    }
    return {name: tuple(recipes) for name, recipes in found.items()}


def _recipe(shape: int, takes: dict[int, Cubes], gives: dict[int, Cubes]) -> Recipe:
    none = (0, 0, 0)
    sides = [tuple(side.get(port, none) for port in range(3)) for side in (takes, gives)]
    taken, given = (sum(n * value for cubes in side for n, value in zip(cubes, VALUE, strict=True)) for side in sides)
    of_yellow = not any(any(cubes[YELLOW + 1 :]) for cubes in takes.values())
    name = spelled_recipe(shape, *sides)
    return Recipe(shape, sides[0], sides[1], name, given / taken, given - taken, of_yellow)  # type: ignore[arg-type]


def _times(count: int, color: int) -> Cubes:
    one = _ONES[color]
    return (count * one[0], count * one[1], count * one[2])


def _plus(one: Cubes, other: Cubes) -> Cubes:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


_COLORS = range(len(COLORS))
_ONE_COLOR = [_times(count, color) for color in _COLORS for count in range(1, 7)]
_TWO_COLORS = [
    _plus(_times(m, one), _times(n, other))
    for one in _COLORS
    for other in range(one + 1, len(COLORS))
    for m in range(1, 4)
    for n in range(1, 4)
]


def _converters() -> list[Recipe]:
    """Of up to 4 cubes of a color, up to 6 of another color or more of the same."""
    return [
        _recipe(STRAIGHT, {MID: _times(count, color)}, {MID: cubes})
        for color in _COLORS
        for count in range(1, 5)
        for cubes in _ONE_COLOR
        if gcd(count, sum(cubes)) == 1 and (sum(cubes) > count or not cubes[color])
    ]


def _splitters() -> list[Recipe]:
    """Of up to 4 cubes of a color, up to 4 of one color above and up to 4 of another below."""
    return [
        _recipe(SPLITTER, {MID: _times(count, color)}, {UP: _times(m, above), DOWN: _times(n, below)})
        for color in _COLORS
        for count in range(1, 5)
        for above in _COLORS
        for below in _COLORS
        for m in range(1, 5)
        for n in range(1, 5)
        if above != below
    ]


def _joiners() -> list[Recipe]:
    """Of one or two cubes of a color on each side, up to 6 of a color or up to 3 of two colors each."""
    sides = [_times(count, color) for color in _COLORS for count in (1, 2)]
    return [
        _recipe(JOINER, {UP: above, DOWN: below}, {MID: cubes})
        for above, below in combinations_with_replacement(sides, 2)
        for cubes in _ONE_COLOR + _TWO_COLORS
    ]


# Orders


def _needs(draws: _Draws) -> list[Cubes]:
    """Different orders, by how many colors they ask for: of one color, of two, of all three."""
    counts = [
        *((_times, (YELLOW,), range(2, 9), draws.of((5, 6))), (_times, (1,), range(2, 6), draws.of((3, 4)))),
        (_times, (2,), range(1, 5), draws.of((2, 3, 4))),
    ]
    found: dict[Cubes, None] = {}
    for _, (color,), amounts, wanted in counts:
        _collect(found, wanted, lambda color=color, amounts=amounts: _times(draws.of(amounts), color))
    all_three = draws.of((3, 4, 5, 6))
    _collect(found, NUM_ORDERS - all_three - len(found), lambda: _two(draws))
    _collect(found, all_three, lambda: (draws.of((1, 1, 2, 3)), draws.of((1, 1, 2)), draws.of((1, 1, 2))))
    return sorted(found, key=lambda cubes: (sum(n > 0 for n in cubes), [n > 0 for n in cubes][::-1], cubes))


def _two(draws: _Draws) -> Cubes:
    one, other = draws.of(((0, 1), (0, 1), (0, 2), (0, 2), (1, 2)))
    most = (4, 3, 2)
    return _plus(_times(draws.of(range(1, most[one] + 1)), one), _times(draws.of(range(1, most[other] + 1)), other))


def _collect(found: dict[Cubes, None], count: int, make: Any) -> None:
    wanted = len(found) + count
    while len(found) < wanted:
        found[make()] = None


def _points(needs: Cubes, scale: int, draws: _Draws) -> int:
    """The usual points by the deck's scale, give or take a quarter."""
    hundredths: int = usual_points(needs) * scale // 100 + draws.of((-25, 0, 0, 25))
    return max(1, (hundredths + 50) // 100)


def usual_points(needs: Sequence[int]) -> int:
    """In hundredths: 0.54 of the value, and a little more for several colors."""
    value = sum(n * each for n, each in zip(needs, VALUE, strict=True))
    return 54 * value + 25 * (sum(n > 0 for n in needs) - 1)
