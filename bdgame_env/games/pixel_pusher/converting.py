"""Convert and Store: turning pixels into others and keeping five (P38-P44, P60)."""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import (
    COLLECT,
    CONVERTER_OF,
    END_RECIPE,
    FIRST_RECIPE,
    GAIN,
    GAIN_PACKED,
    NUM_ABILITIES,
    NUM_ALL_RECIPES,
    NUM_COLORS,
    NUM_CONVERTERS,
    NUM_RECIPES,
    PAY,
    PAY_PACKED,
    PRISM,
    RECIPE_POINTS,
    RECOLOR,
    TRIPLE,
)
from .pixels import colors_held, covers, held, packed
from .shortage import may_run_short
from .state import CONVERTING, NONE, STORAGE, STORING, Config, Seat, State

_PRISM_CARD = NUM_ABILITIES - 1  # the three before it recolor (P25)


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
            me.shown_pixels[:] = me.pixels
        s.shown_supply[:] = s.supply
    s.phase = CONVERTING
    s.seat = s.leaders[COLLECT]


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
    if converter == PRISM:
        return int(me.abilities[_PRISM_CARD]) - int(me.used_abilities[_PRISM_CARD])
    if converter == RECOLOR:
        unused = 0
        for ability in range(_PRISM_CARD):
            unused += int(me.abilities[ability]) - int(me.used_abilities[ability])
        return unused
    return int(me.converters[converter]) - int(me.used[converter])


@kernel
def usable_recipes(s: State, me: Seat) -> int:
    """P40-P42: bit k for each recipe that the player can use now, of those that every game has."""
    return usable_with(me, packed(me.pixels), packed(s.supply), NONE)


@kernel
def usable_with(me: Seat, pixels: int, supply: int, used: int) -> int:
    """The same with other pixels and supply (packed), after one more use of the converter `used` (NONE: of none).

    The player must have what it pays, and the supply what it gives once the payment is in the supply.
    """
    found = 0
    if pixels == 0:
        return 0
    for converter in range(NUM_CONVERTERS):
        if ready(me, converter) > (converter == used):
            for recipe in range(FIRST_RECIPE[converter], END_RECIPE[converter]):
                pay = int(PAY_PACKED[recipe])
                if covers(pixels, pay) and covers(supply + pay, int(GAIN_PACKED[recipe])):
                    found |= 1 << recipe
    return found


@kernel
def more_usable_recipes(s: State, config: Config, me: Seat) -> int:
    """P41.6: the same for the recipes that only `triple="any"` has: bit k for recipe NUM_RECIPES + k."""
    return more_usable_with(config, me, packed(me.pixels), packed(s.supply), NONE)


@kernel
def more_usable_with(config: Config, me: Seat, pixels: int, supply: int, used: int) -> int:
    """P41.6: as `usable_with`."""
    found = 0
    if config.any_triple == 0 or ready(me, TRIPLE) <= (used == TRIPLE):
        return 0
    for recipe in range(NUM_RECIPES, NUM_ALL_RECIPES):
        pay = int(PAY_PACKED[recipe])
        if covers(pixels, pay) and covers(supply + pay, int(GAIN_PACKED[recipe])):
            found |= 1 << (recipe - NUM_RECIPES)
    return found


@kernel
def can_convert(s: State, config: Config, me: Seat) -> bool:
    """P39: whether there is a recipe that the player can use."""
    return usable_recipes(s, me) != 0 or more_usable_recipes(s, config, me) != 0


@kernel
def activate(s: State, me: Seat, recipe: int) -> None:
    """P39, P40: pay, gain and score; pixels gained can pay for the next recipe (P53)."""
    for color in range(NUM_COLORS):
        change = int(GAIN[recipe, color]) - int(PAY[recipe, color])
        me.pixels[color] += change
        s.supply[color] -= change
    me.points += RECIPE_POINTS[recipe]
    _use_converter_of(me, recipe)


@kernel
def _use_converter_of(me: Seat, recipe: int) -> None:
    """P40: use up one converter with the recipe for this round; it never matters which."""
    converter = int(CONVERTER_OF[recipe])
    if converter < RECOLOR:
        me.used[converter] += 1
        return
    ability = _PRISM_CARD
    if converter == RECOLOR:
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
