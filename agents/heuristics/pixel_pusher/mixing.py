"""Pixel Pusher: which recipes make the pixels that a line asks for, and what is left after them.

`view.have` holds the pixels, `view.need` those that may not be paid. To make a pixel, the cheapest recipe is used; if
there is none, one that lacks a single pixel which another recipe can make.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.games.pixel_pusher import actions as act
from bdgame_env.games.pixel_pusher.cards import (
    CONVERTER_OF,
    FIRST_RECIPE,
    GAIN,
    LINES,
    NEED,
    NUM_COLORS,
    NUM_CONVERTERS,
    NUM_PRIMARIES,
    NUM_RECIPES,
    PAY,
    RECIPE_POINTS,
)
from bdgame_env.games.pixel_pusher.converting import ready
from bdgame_env.games.pixel_pusher.state import NONE, PLACES, STORAGE, Seat, State

from .worth import View, most_valuable, points_of

_MOST_MAKERS = 8
_FIRST_SALE = 10  # converters: sellC, sellM, sellY
_PRICE, _TO_BE_SOLD = 2.0, 0.9
assert all(RECIPE_POINTS[FIRST_RECIPE[_FIRST_SALE + k]] == _PRICE for k in range(3))
_ORDER = (6, 3, 4, 5, 0, 1, 2)  # white first, while the pixels it takes are still free


def _makers() -> np.ndarray[Any, Any]:
    """The recipes that gain each color, then NONE."""
    makers = np.full((NUM_COLORS, _MOST_MAKERS), NONE, np.int8)
    for color in range(NUM_COLORS):
        found = np.flatnonzero(GAIN[:NUM_RECIPES, color])
        makers[color, : len(found)] = found
    return makers


MAKERS = _makers()
ORDER = np.array(_ORDER, np.int8)
SPLITS = np.array([GAIN[first].sum() > PAY[first].sum() for first in FIRST_RECIPE])
SIZE = NEED.sum(axis=2, dtype=np.int8)  # pixels that each line of each image asks for


@kernel
def set_out(view: View, s: State, me: Seat, mask: Ints) -> None:
    """Write the seat's pixels and converters, and the colors that its legal actions show to have run short (P60)."""
    view.missing = 0
    restore_pixels(view, me)
    for recipe in range(NUM_RECIPES):
        if view.ready[CONVERTER_OF[recipe]] > 0 and mask[act.ACTIVATE + recipe] == 0 and _affordable(view, recipe):
            for color in range(NUM_COLORS):
                if GAIN[recipe, color] > 0:
                    view.missing |= 1 << color


@kernel
def restore_pixels(view: View, me: Seat) -> None:
    """Reset the pixels to those that the seat has now; none is needed."""
    for color in range(NUM_COLORS):
        view.have[color] = me.pixels[color]
        view.need[color] = 0
    for converter in range(NUM_CONVERTERS):
        view.ready[converter] = ready(me, converter)
    view.first = NONE


@kernel
def _affordable(view: View, recipe: int) -> bool:
    """Whether the pixels that are not needed pay for a recipe."""
    for color in range(NUM_COLORS):
        pay = int(PAY[recipe, color])
        if pay > 0 and view.have[color] - view.need[color] < pay:
            return False
    return True


@kernel
def _usable(view: View, recipe: int) -> bool:
    """Whether a converter for the recipe is left, and the supply has what it gains."""
    if view.ready[CONVERTER_OF[recipe]] == 0:
        return False
    for color in range(NUM_COLORS):
        if GAIN[recipe, color] > 0 and view.missing >> color & 1:
            return False
    return True


@kernel
def _cost(view: View, recipe: int) -> float:
    """The value of what a recipe pays, less what it gains."""
    cost = -float(RECIPE_POINTS[recipe])
    for color in range(NUM_COLORS):
        cost += view.value[color] * (float(PAY[recipe, color]) - float(GAIN[recipe, color]))
    return cost


@kernel
def _use(view: View, recipe: int) -> None:
    for color in range(NUM_COLORS):
        view.have[color] += int(GAIN[recipe, color]) - int(PAY[recipe, color])
    view.ready[CONVERTER_OF[recipe]] -= 1
    if view.first == NONE:
        view.first = recipe


@kernel
def _take_back(view: View, recipe: int) -> None:
    for color in range(NUM_COLORS):
        view.have[color] -= int(GAIN[recipe, color]) - int(PAY[recipe, color])
    view.ready[CONVERTER_OF[recipe]] += 1


@kernel
def _make_directly(view: View, color: int) -> bool:
    """Use the cheapest recipe that gains a color; False if there is none."""
    best, lowest = NONE, 0.0
    for k in range(_MOST_MAKERS):
        recipe = int(MAKERS[color, k])
        if recipe == NONE:
            break
        if _usable(view, recipe) and _affordable(view, recipe):
            cost = _cost(view, recipe)
            if best == NONE or cost < lowest:
                best, lowest = recipe, cost
    if best == NONE:
        return False
    _use(view, best)
    return True


@kernel
def _make(view: View, color: int) -> bool:
    """Make a pixel of a color with one recipe, or with two of which the first makes what the second lacks."""
    if _make_directly(view, color):
        return True
    for k in range(_MOST_MAKERS):
        recipe = int(MAKERS[color, k])
        if recipe == NONE:
            return False
        if not _usable(view, recipe):
            continue
        lacking, number = NONE, 0
        for other in range(NUM_COLORS):
            short = int(PAY[recipe, other]) - max(0, int(view.have[other] - view.need[other]))
            if PAY[recipe, other] > 0 and short > 0:
                lacking = other
                number += short
        if number != 1:
            continue
        for other in range(NUM_COLORS):
            view.need[other] += int(PAY[recipe, other])
        view.ready[CONVERTER_OF[recipe]] -= 1
        made = _make_directly(view, lacking)
        view.ready[CONVERTER_OF[recipe]] += 1
        for other in range(NUM_COLORS):
            view.need[other] -= int(PAY[recipe, other])
        if made:
            _use(view, recipe)
            return True
    return False


@kernel
def set_apart(view: View, image: int, line: int) -> None:
    """Mark the pixels that a line asks for as needed."""
    for color in range(NUM_COLORS):
        view.need[color] = NEED[image, line, color]


@kernel
def reach_line(view: View, image: int, line: int) -> bool:
    """Mark the pixels that a line asks for as needed, and make those missing; False if that is impossible."""
    set_apart(view, image, line)
    for k in range(NUM_COLORS):
        color = int(ORDER[k])
        while view.have[color] < view.need[color]:
            if not _make(view, color):
                return False
    return True


@kernel
def worth_of_line(view: View, s: State, place: int, line: int) -> float:
    """The value of a line that can be filled: its points, the other pixels stored with it (P43), and sales."""
    image = int(s.images[place])
    return float(points_of(view, s, place, line)) + most_valuable(view, STORAGE - int(SIZE[image, line])) + sales(view)


@kernel
def best_line(view: View, s: State, me: Seat, convert: bool, without: int) -> int:
    """The line to fill next, as LINES * place + line, or NONE; `convert` is whether recipes can be used first.

    Lines whose bits are set in `without` are ignored.

    Afterwards `view` is as that line leaves it, with the first recipe to use.
    """
    restore_pixels(view, me)
    pixels, splits = 0, 0
    for color in range(NUM_COLORS):
        pixels += int(view.have[color])
    for converter in range(NUM_CONVERTERS):
        if SPLITS[converter]:
            splits += int(view.ready[converter])
    best, highest = NONE, most_valuable(view, STORAGE) + sales(view)
    for place in range(PLACES):
        for line in range(LINES):
            image = int(s.images[place])
            if without >> (LINES * place + line) & 1:
                continue
            if points_of(view, s, place, line) == 0 or SIZE[image, line] > pixels + splits:
                continue
            restore_pixels(view, me)
            if not convert:
                view.ready[:] = 0
            if reach_line(view, image, line):
                value = worth_of_line(view, s, place, line)
                if value > highest:
                    best, highest = LINES * place + line, value
    restore_pixels(view, me)
    if best != NONE:
        if not convert:
            view.ready[:] = 0
        reach_line(view, int(s.images[best // LINES]), best % LINES)
    return best


@kernel
def best_improvement(view: View, room: int) -> int:
    """The recipe that adds the most value to the pixels not needed, or NONE; `room` of them can be stored."""
    best, highest = NONE, most_valuable(view, room) + 0.01
    for recipe in range(NUM_RECIPES):
        if view.ready[CONVERTER_OF[recipe]] == 0 or not _affordable(view, recipe) or not _usable(view, recipe):
            continue
        _use(view, recipe)
        value = most_valuable(view, room) + float(RECIPE_POINTS[recipe]) + _TO_BE_SOLD * sales(view)
        _take_back(view, recipe)
        if value > highest:
            best, highest = recipe, value
    return best


@kernel
def sales(view: View) -> float:
    """How much more secondaries bring if they are sold instead of stored."""
    total = 0.0
    for color in range(NUM_PRIMARIES, NUM_COLORS - 1):
        spare = view.have[color] - view.need[color]
        seller = _FIRST_SALE + color - NUM_PRIMARIES
        if spare > 0 and view.ready[seller] > 0:
            total += min(spare, view.ready[seller]) * max(0.0, _PRICE - view.value[color])
    return total
