"""What a player's pixels are good for (P65.1): the best lines that they fill, at once or after the next decision.

All of it follows from what the player sees. It is worked out here since players work it out too, and since networks
learn it slowly from pixels and images alone.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np

from ...engine.arrays import Ints
from ...engine.bits import lowest, without_lowest
from ...engine.jit import kernel
from .cards import (
    BITS,
    CELLS,
    COLORS,
    CONVERTER_OF,
    GAIN_PACKED,
    LINE_POINTS,
    LINES,
    NEED_PACKED,
    NUM_COLORS,
    NUM_RECIPES,
    PAY_PACKED,
    RECIPE_POINTS,
    TRIPLE,
)
from .converting import OF_CONVERTER, ready, ready_more, ready_recipes, usable, usable_more
from .lines import best_line, most_points
from .pixels import count, lacking, packed
from .state import Config, Seat, State

PAIRS = tuple(one + other for one, other in combinations_with_replacement(COLORS, 2))  # RR, RG, ... WW

# Any two colors are told by the sum of their marks (a Golomb ruler), which one multiplication finds.
_MARKS = (0, 1, 4, 10, 18, 23, 25)
_ALL_MARKS = sum(mark << BITS * (NUM_COLORS - 1 - color) for color, mark in enumerate(_MARKS))
_PAIR_OF = np.zeros(2 * max(_MARKS) + 1, np.int8)
for _number, _pair in enumerate(PAIRS):
    _PAIR_OF[sum(_MARKS[COLORS.index(color)] for color in _pair)] = _number
_PAIR_OF.setflags(write=False)


@kernel
def look_at_lines(s: State, config: Config, pixels: int, one_short: Ints, two_short: Ints) -> int:
    """Return the most points of a line that these pixels (packed) fill, or 0.

    Likewise written: of a line for which one pixel is lacking, by its color, and for which two are, by PAIRS.
    """
    one, two, three = 0, 0, 0  # the lines that lack at least so many pixels of the colors so far
    for color in range(NUM_COLORS):
        have = count(pixels, color, CELLS)
        first, second = int(s.asking[color, have]), int(s.asking[color, have + 1])
        three |= two & first | one & second | int(s.asking[color, have + 2])
        two |= one & first | second
        one |= first
    for color in range(NUM_COLORS):
        short = int(s.open) & ~two & int(s.asking[color, count(pixels, color, CELLS)])
        one_short[color] = most_points(s, short)
    two_short[:] = 0
    left = int(s.open) & two & ~three
    while left != 0:
        line = lowest(left)
        image = int(s.images[line // LINES])
        marks = lacking(pixels, int(NEED_PACKED[image, line % LINES])) * _ALL_MARKS >> BITS * (NUM_COLORS - 1)
        pair = _PAIR_OF[marks & (1 << BITS) - 1]
        two_short[pair] = max(int(two_short[pair]), int(LINE_POINTS[config.printing, image, line % LINES]))
        left = without_lowest(left)
    return most_points(s, int(s.open) & ~one)


@kernel
def look_beyond_recipes(s: State, config: Config, me: Seat, after_one: Ints, after_two: Ints) -> None:
    """P40: write for each recipe that can be used now 1 + what it scores + the best line then; else 0.

    `after_two`: the same, less that 1, if one more recipe can be used then. Both have shape (NUM_ALL_RECIPES,).
    """
    pixels, supply = packed(me.pixels), packed(s.supply)
    recipes, more = ready_recipes(me), ready_more(config, me)
    left = usable(recipes, pixels, supply)
    while left != 0:
        _look_beyond(s, me, recipes, more, pixels, supply, lowest(left), after_one, after_two)
        left = without_lowest(left)
    left = usable_more(more, pixels, supply) if more != 0 else 0
    while left != 0:
        _look_beyond(s, me, recipes, more, pixels, supply, NUM_RECIPES + lowest(left), after_one, after_two)
        left = without_lowest(left)


@kernel
def _look_beyond(
    s: State,
    me: Seat,
    recipes: int,
    more: int,
    pixels: int,
    supply: int,
    recipe: int,
    after_one: Ints,
    after_two: Ints,
) -> None:
    """Write both entries of one recipe; `recipes` and `more` are ready now, `pixels` and `supply` packed."""
    converter, points, change = int(CONVERTER_OF[recipe]), int(RECIPE_POINTS[recipe]), _change(recipe)
    if ready(me, converter) == 1:  # then it is used up
        recipes &= ~int(OF_CONVERTER[converter])
        more = 0 if converter == TRIPLE else more
    best = best_line(s, pixels + change)
    after_one[recipe] = 1 + points + best
    after_two[recipe] = points + max(best, _best_recipe(s, recipes, more, pixels + change, supply - change))


@kernel
def _best_recipe(s: State, recipes: int, more: int, pixels: int, supply: int) -> int:
    """The most that one of these recipes scores, with the best line then; or 0."""
    best = 0
    left = usable(recipes, pixels, supply)
    while left != 0:
        best = max(best, _scored(s, lowest(left), pixels))
        left = without_lowest(left)
    left = usable_more(more, pixels, supply) if more != 0 else 0
    while left != 0:
        best = max(best, _scored(s, NUM_RECIPES + lowest(left), pixels))
        left = without_lowest(left)
    return best


@kernel
def _scored(s: State, recipe: int, pixels: int) -> int:
    """What a recipe scores, with the best line then."""
    return int(RECIPE_POINTS[recipe]) + best_line(s, pixels + _change(recipe))


@kernel
def _change(recipe: int) -> int:
    """What a recipe adds to the pixels, packed."""
    return int(GAIN_PACKED[recipe]) - int(PAY_PACKED[recipe])


@kernel
def look_beyond_gifts(s: State, me: Seat, after_giving: Ints) -> None:
    """P43, P57: write for each color that can be given the best line then; else 0."""
    pixels = packed(me.pixels)
    for color in range(NUM_COLORS):
        if me.pixels[color] > 0:
            after_giving[color] = best_line(s, pixels - (1 << BITS * color))
