"""What a player's pixels are good for (P65.1): the best lines that they fill, at once or after the next decision.

All of it follows from what the player sees. It is worked out here since players work it out too, and since networks
learn it slowly from pixels and images alone.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .cards import (
    BITS,
    COLORS,
    CONVERTER_OF,
    GAIN_PACKED,
    LINE_POINTS,
    LINES,
    NEED_PACKED,
    NUM_ALL_RECIPES,
    NUM_COLORS,
    NUM_RECIPES,
    PAY_PACKED,
    RECIPE_POINTS,
)
from .converting import more_usable_with, usable_with
from .pixels import lacking, packed, total
from .scoring import can_fill
from .state import NONE, PLACES, Config, Seat, State

PAIRS = tuple(one + other for one, other in combinations_with_replacement(COLORS, 2))  # RR, RG, ... WW
_ALMOST = 2  # pixels


@kernel
def best_line(s: State, config: Config, pixels: int) -> int:
    """P46: the most points of a line that these pixels (packed) fill, or 0."""
    best = 0
    for place in range(PLACES):
        image = int(s.images[place])
        for line in range(LINES):
            points = int(LINE_POINTS[config.printing, image, line])
            if points > best and can_fill(s, pixels, place, line):
                best = points
    return best


@kernel
def look_at_lines(s: State, config: Config, pixels: int, one_short: Ints, two_short: Ints) -> int:
    """Return the most points of a line that these pixels (packed) fill, or 0.

    Likewise written: of a line for which one pixel is lacking, by its color, and for which two are, by PAIRS.
    """
    one_short[:] = 0
    two_short[:] = 0
    best = 0
    for place in range(PLACES):
        image = int(s.images[place])
        for line in range(LINES):
            short = lacking(pixels, int(NEED_PACKED[image, line]))
            number = total(short)
            if number <= _ALMOST and s.filled[place, line] == 0:
                points = int(LINE_POINTS[config.printing, image, line])
                if number == 0:
                    best = max(best, points)
                else:
                    _note(short, number, points, one_short, two_short)
    return best


@kernel
def _note(short: int, number: int, points: int, one_short: Ints, two_short: Ints) -> None:
    """Enter a line that lacks one pixel or two."""
    low, high = NONE, NONE
    for color in range(NUM_COLORS):
        if short >> BITS * color & 3 != 0:
            high = color
            if low == NONE:
                low = color
    if number == 1:
        one_short[low] = max(int(one_short[low]), points)
    else:
        pair = _pair(low, high)
        two_short[pair] = max(int(two_short[pair]), points)


@kernel
def _pair(low: int, high: int) -> int:
    """The place of two colors in PAIRS."""
    return low * NUM_COLORS - low * (low + 1) // 2 + high


@kernel
def look_beyond_recipes(s: State, config: Config, me: Seat, after_one: Ints, after_two: Ints) -> None:
    """P40: write for each recipe that can be used now 1 + what it scores + the best line then; else 0.

    `after_two`: the same, less that 1, if one more recipe can be used then. Both have shape (NUM_ALL_RECIPES,).
    """
    pixels, supply = packed(me.pixels), packed(s.supply)
    usable = usable_with(me, pixels, supply, NONE)
    more = more_usable_with(config, me, pixels, supply, NONE)
    for recipe in range(_end(usable, more)):
        if _is_among(recipe, usable, more):
            points, change = int(RECIPE_POINTS[recipe]), _change(recipe)
            best = best_line(s, config, pixels + change)
            after_one[recipe] = 1 + points + best
            second = _best_recipe(s, config, me, int(CONVERTER_OF[recipe]), pixels + change, supply - change)
            after_two[recipe] = points + max(best, second)


@kernel
def _best_recipe(s: State, config: Config, me: Seat, used: int, pixels: int, supply: int) -> int:
    """The most that one recipe scores, with the best line then, after a use of the converter `used`; or 0."""
    usable = usable_with(me, pixels, supply, used)
    more = more_usable_with(config, me, pixels, supply, used)
    best = 0
    for recipe in range(_end(usable, more)):
        if _is_among(recipe, usable, more):
            best = max(best, int(RECIPE_POINTS[recipe]) + best_line(s, config, pixels + _change(recipe)))
    return best


@kernel
def _is_among(recipe: int, usable: int, more: int) -> bool:
    """Whether a recipe is among those that `usable_with` and `more_usable_with` have found."""
    if recipe < NUM_RECIPES:
        return usable >> recipe & 1 != 0
    return more >> (recipe - NUM_RECIPES) & 1 != 0


@kernel
def _end(usable: int, more: int) -> int:
    """One more than the last recipe that can be among them."""
    if more != 0:
        return NUM_ALL_RECIPES
    return NUM_RECIPES if usable != 0 else 0


@kernel
def _change(recipe: int) -> int:
    """What a recipe adds to the pixels, packed."""
    return int(GAIN_PACKED[recipe]) - int(PAY_PACKED[recipe])


@kernel
def look_beyond_gifts(s: State, config: Config, me: Seat, after_giving: Ints) -> None:
    """P43, P57: write for each color that can be given the best line then; else 0."""
    pixels = packed(me.pixels)
    for color in range(NUM_COLORS):
        if me.pixels[color] > 0:
            after_giving[color] = best_line(s, config, pixels - (1 << BITS * color))
