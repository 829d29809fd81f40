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
from ...engine.memory import renew
from . import cards
from .converting import OF_CONVERTER, ready, ready_more, ready_recipes, usable, usable_more
from .lines import best_line, most_points
from .pixels import count, lacking, packed
from .seen import Lines
from .state import Config, Seat, State

PAIRS = tuple(one + other for one, other in combinations_with_replacement(cards.COLORS, 2))  # RR, RG, ... WW

# Any two colors are told by the sum of their marks (a Golomb ruler), which one multiplication finds.
_MARKS = (0, 1, 4, 10, 18, 23, 25)
_ALL_MARKS = sum(mark << cards.BITS * (cards.NUM_COLORS - 1 - color) for color, mark in enumerate(_MARKS))
_PAIR_OF = np.zeros(2 * max(_MARKS) + 1, np.int8)
for _number, _pair in enumerate(PAIRS):
    _PAIR_OF[sum(_MARKS[cards.COLORS.index(color)] for color in _pair)] = _number
_PAIR_OF.setflags(write=False)
_PIXELS = (1 << cards.BITS * cards.NUM_COLORS) - 1  # of a line's word


@kernel
def look_at_lines(s: State, config: Config, pixels: int, one_short: Ints, two_short: Ints) -> int:
    """Return the most points of a line that these pixels (packed) fill, or 0.

    Likewise written, over zeros: of a line for which one pixel is lacking, by its color, and for which two are, by
    PAIRS.
    """
    one, two, three = 0, 0, 0  # the lines that lack at least so many pixels of the colors so far
    for color in range(cards.NUM_COLORS):
        have = count(pixels, color, cards.CELLS)
        first, second = int(s.asking[color, have]), int(s.asking[color, have + 1])
        three |= two & first | one & second | int(s.asking[color, have + 2])
        two |= one & first | second
        one |= first
    left = int(s.open) & one & ~two
    while left != 0:
        word = _word_of(s, config, lowest(left))
        color = lowest(lacking(pixels, word & _PIXELS)) // cards.BITS
        one_short[color] = max(int(one_short[color]), word >> cards.BITS * cards.NUM_COLORS)
        left = without_lowest(left)
    left = int(s.open) & two & ~three
    while left != 0:
        word = _word_of(s, config, lowest(left))
        marks = lacking(pixels, word & _PIXELS) * _ALL_MARKS >> cards.BITS * (cards.NUM_COLORS - 1)
        pair = _PAIR_OF[marks & (1 << cards.BITS) - 1]
        two_short[pair] = max(int(two_short[pair]), word >> cards.BITS * cards.NUM_COLORS)
        left = without_lowest(left)
    return most_points(s, int(s.open) & ~one)


@kernel
def look_again(s: State, config: Config, pixels: int, lines: Lines) -> None:
    """`look_at_lines`, if pixels or lines are not those for which `lines` has what it found."""
    if renew(lines.images, s.images) or lines.pixels != pixels or lines.open != s.open:
        lines.pixels = pixels
        lines.open = s.open
        lines.one_short[:] = 0
        lines.two_short[:] = 0
        lines.best = look_at_lines(s, config, pixels, lines.one_short, lines.two_short)


@kernel
def _word_of(s: State, config: Config, line: int) -> int:
    """What a line, by its bit, asks for, packed, and above that its points."""
    return int(cards.LINE_WORDS[config.printing, cards.LINES * int(s.images[line // cards.LINES]) + line % cards.LINES])


@kernel
def look_beyond_recipes(s: State, config: Config, me: Seat, after_one: Ints, after_two: Ints) -> None:
    """P40: write for each recipe that can be used now 1 + what it scores + the best line then; else 0.

    `after_two`: the same, less that 1, if one more recipe can be used then. Both have shape (NUM_ALL_RECIPES,) and are
    zero before.
    """
    pixels, supply = packed(me.pixels), packed(s.supply)
    recipes, more = ready_recipes(me), ready_more(config, me)
    now = usable(recipes, pixels, supply)
    left = now
    while left != 0:
        _look_beyond(s, me, recipes, more, now, pixels, supply, lowest(left), after_one, after_two)
        left = without_lowest(left)
    left = usable_more(more, pixels, supply) if more != 0 else 0
    while left != 0:
        _look_beyond(s, me, recipes, more, now, pixels, supply, cards.NUM_RECIPES + lowest(left), after_one, after_two)
        left = without_lowest(left)


@kernel
def _look_beyond(
    s: State,
    me: Seat,
    recipes: int,
    more: int,
    now: int,
    pixels: int,
    supply: int,
    recipe: int,
    after_one: Ints,
    after_two: Ints,
) -> None:
    """Write both entries of one recipe, of which `after_two` may have a part already.

    `recipes` and `more` are ready, those of `now` can be used; `pixels` and `supply` are packed. Two recipes score the
    same in either order: where both orders are possible, the lower recipe writes for both.
    """
    converter, points, change = int(cards.CONVERTER_OF[recipe]), int(cards.RECIPE_POINTS[recipe]), _change(recipe)
    if ready(me, converter) == 1:  # then it is used up
        recipes &= ~int(OF_CONVERTER[converter])
        more = 0 if converter == cards.TRIPLE else more
    best = best_line(s, pixels + change)
    after_one[recipe] = 1 + points + best
    most = max(int(after_two[recipe]), points + best)
    left = usable(recipes, pixels + change, supply - change)
    while left != 0:
        other = lowest(left)
        left = without_lowest(left)
        both = now >> other & 1 and can_follow(recipe, pixels + _change(other), supply - _change(other))
        if both and other < recipe:
            continue
        scored = points + _scored(s, other, pixels + change)
        most = max(most, scored)
        if both:
            after_two[other] = max(int(after_two[other]), scored)
    left = usable_more(more, pixels + change, supply - change) if more != 0 else 0
    while left != 0:
        most = max(most, points + _scored(s, cards.NUM_RECIPES + lowest(left), pixels + change))
        left = without_lowest(left)
    after_two[recipe] = most


@kernel
def can_follow(recipe: int, pixels: int, supply: int) -> bool:
    """P39, P42: whether pixels and supply (both packed) allow a recipe of a converter that is ready."""
    return lacking(pixels, int(cards.PAY_PACKED[recipe])) | lacking(supply, int(cards.TAKEN_PACKED[recipe])) == 0


@kernel
def _scored(s: State, recipe: int, pixels: int) -> int:
    """What a recipe scores, with the best line then."""
    return int(cards.RECIPE_POINTS[recipe]) + best_line(s, pixels + _change(recipe))


@kernel
def _change(recipe: int) -> int:
    """What a recipe adds to the pixels, packed."""
    return int(cards.GAIN_PACKED[recipe]) - int(cards.PAY_PACKED[recipe])


@kernel
def look_beyond_gifts(s: State, me: Seat, after_giving: Ints) -> None:
    """P43, P57: write for each color that can be given the best line then; else 0."""
    pixels = packed(me.pixels)
    for color in range(cards.NUM_COLORS):
        if me.pixels[color] > 0:
            after_giving[color] = best_line(s, pixels - (1 << cards.BITS * color))
