"""Convert and Store: turning pixels into others and keeping five (P38-P44, P60)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...engine.jit import kernel
from . import cards
from .pixels import colors_held, count, held, packed
from .shortage import may_run_short
from .state import CONVERTING, STORAGE, STORING, Config, Seat, State

_PRISM_CARD = cards.NUM_ABILITIES - 1  # the three before it recolor (P25)


@kernel
def begin_convert(s: State, config: Config) -> None:
    """P38, P60: begin the phase. Until the last seat is done, others see the boards as they are now.

    Seats are asked in Collect order. P44: if a color may run short, all see everything, and players take turns.
    """
    s.open_convert = may_run_short(s, config)
    if s.open_convert == 0:
        for seat in range(config.players):
            me = s.seats[seat]
            me.shown_points = me.points
            for color in range(cards.NUM_COLORS):
                me.shown_pixels[color] = me.pixels[color]
        for color in range(cards.NUM_COLORS):
            s.shown_supply[color] = s.supply[color]
    s.phase = CONVERTING
    s.seat = s.leaders[cards.COLLECT]


@kernel
def end_convert(s: State, config: Config) -> None:
    """P60: end the phase; all changes become visible at once."""
    for seat in range(config.players):
        s.seats[seat].shown_points = 0
        s.seats[seat].shown_pixels[:] = 0
        s.seats[seat].asked = 0
    s.shown_supply[:] = 0
    s.open_convert = 0


@kernel
def ready(me: Seat, converter: int) -> int:
    """P40: how many converters of a kind are still unused in this round; P25: ability cards are converters too."""
    if converter == cards.PRISM:
        return int(me.abilities[_PRISM_CARD]) - int(me.used_abilities[_PRISM_CARD])
    if converter == cards.RECOLOR:
        unused = 0
        for ability in range(_PRISM_CARD):
            unused += int(me.abilities[ability]) - int(me.used_abilities[ability])
        return unused
    return int(me.converters[converter]) - int(me.used[converter])


def _recipes(fits: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Sets of recipes as bits, from flags along the last axis: of those that every game has, and of the others."""
    powers = np.left_shift(1, np.arange(cards.NUM_RECIPES), dtype=np.int64)
    usual, more = np.split(fits.astype(np.int64), [cards.NUM_RECIPES], axis=-1)
    found = usual @ powers, more @ powers[: cards.NUM_ALL_RECIPES - cards.NUM_RECIPES]
    for table in found:
        table.setflags(write=False)
    return found


# As bits the recipes of each converter; by color and number (or more) of pixels those that so many are enough to pay
# for, or, in the supply, to gain from once the payment is there.
OF_CONVERTER, _ = _recipes(np.arange(cards.NUM_CONVERTERS)[:, None] == cards.CONVERTER_OF)
_MOST_PAID, _MOST_GAINED = int(cards.PAY.max()), int(cards.GAIN.max())
_PAYABLE, _PAYABLE_MORE = _recipes(cards.PAY.T[:, None] <= np.arange(_MOST_PAID + 1)[:, None])
_GAINABLE, _GAINABLE_MORE = _recipes((cards.GAIN - cards.PAY).T[:, None] <= np.arange(_MOST_GAINED + 1)[:, None])
_ALL_MORE = (1 << cards.NUM_ALL_RECIPES - cards.NUM_RECIPES) - 1


@kernel
def ready_recipes(me: Seat) -> int:
    """P40: bit k for each recipe of a converter that is still unused, of those that every game has."""
    found = 0
    for converter in range(cards.NUM_CONVERTERS):
        found |= int(OF_CONVERTER[converter]) * (ready(me, converter) > 0)
    return found


@kernel
def ready_more(config: Config, me: Seat) -> int:
    """P41.6: bit k for recipe NUM_RECIPES + k, likewise of those that only `triple="any"` has."""
    return _ALL_MORE if config.any_triple != 0 and ready(me, cards.TRIPLE) > 0 else 0


@kernel
def usable(recipes: int, pixels: int, supply: int) -> int:
    """P39, P42: those of `ready_recipes` that pixels and supply (both packed) allow.

    The player must have what it pays, and the supply what it gives once the payment is in the supply.
    """
    found = recipes
    for color in range(cards.NUM_COLORS):
        found &= int(_PAYABLE[color, count(pixels, color, _MOST_PAID)])
        found &= int(_GAINABLE[color, count(supply, color, _MOST_GAINED)])
    return found


@kernel
def usable_more(recipes: int, pixels: int, supply: int) -> int:
    """The same for those of `ready_more`."""
    found = recipes
    for color in range(cards.NUM_COLORS):
        found &= int(_PAYABLE_MORE[color, count(pixels, color, _MOST_PAID)])
        found &= int(_GAINABLE_MORE[color, count(supply, color, _MOST_GAINED)])
    return found


@kernel
def usable_recipes(s: State, me: Seat) -> int:
    """P40-P42: bit k for each recipe that the player can use now, of those that every game has."""
    return usable(ready_recipes(me), packed(me.pixels), packed(s.supply))


@kernel
def more_usable_recipes(s: State, config: Config, me: Seat) -> int:
    """P41.6: the same for the recipes that only `triple="any"` has: bit k for recipe NUM_RECIPES + k."""
    more = ready_more(config, me)
    return usable_more(more, packed(me.pixels), packed(s.supply)) if more != 0 else 0


@kernel
def can_convert(s: State, config: Config, me: Seat) -> bool:
    """P39: whether there is a recipe that the player can use."""
    return usable_recipes(s, me) != 0 or more_usable_recipes(s, config, me) != 0


@kernel
def activate(s: State, me: Seat, recipe: int) -> None:
    """P39, P40: pay, gain and score; pixels gained can pay for the next recipe (P53)."""
    for color in range(cards.NUM_COLORS):
        change = int(cards.GAIN[recipe, color]) - int(cards.PAY[recipe, color])
        me.pixels[color] += change
        s.supply[color] -= change
    me.points += cards.RECIPE_POINTS[recipe]
    _use_converter_of(me, recipe)


@kernel
def _use_converter_of(me: Seat, recipe: int) -> None:
    """P40: use up one converter with the recipe for this round; it never matters which."""
    converter = int(cards.CONVERTER_OF[recipe])
    if converter < cards.RECOLOR:
        me.used[converter] += 1
        return
    ability = _PRISM_CARD
    if converter == cards.RECOLOR:
        ability = 0
        last = me.abilities.shape[0] - 1
        while ability < last and (me.abilities[ability] == 0 or me.used_abilities[ability] != 0):
            ability += 1
    me.used_abilities[ability] = 1


@kernel
def must_give(me: Seat) -> bool:
    """P43: whether the player has more than five pixels and has to give some back."""
    return held(me) > STORAGE


@kernel
def finish(s: State, me: Seat) -> bool:
    """P39, P43: finish converting; returns True if there is nothing to give back."""
    s.phase = STORING
    return not must_give(me)


@kernel
def is_asked(s: State, config: Config, me: Seat) -> bool:
    """P55: whether a player who begins to convert has a choice: to use a recipe, or which pixels to give back.

    When giving back begins, a player with pixels of two colors has a choice.
    """
    return can_convert(s, config, me) or (must_give(me) and colors_held(me) > 1)
