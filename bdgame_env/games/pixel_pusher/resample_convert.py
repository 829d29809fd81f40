"""Replaces what others have done in a secret Convert and Store by random decisions (P60).

In a secret phase seats cannot affect each other (P44): what one seat has done tells nothing about another, and who has
a choice follows from the boards at the start of the phase. So there is nothing to condition on. Each seat that comes
before the observer in Collect order chooses uniformly among its legal actions at each of its decisions.

The observer does not know whose decision it is, unless it is its own. The sample takes the first decision possible:
the first of the phase if the observer has not been asked yet, the first after its own if it is done.
"""

from __future__ import annotations

from ...engine.bits import size_of
from ...engine.jit import kernel
from ...engine.rng import below
from .cards import COLLECT, NUM_COLORS, NUM_RECIPES
from .converting import activate, more_usable_recipes, must_give, usable_recipes
from .legal_and_apply import carry_out_forced
from .pixels import colors_held, give
from .resample_bits import any_bit, nth_bit
from .rounds import next_to_convert
from .state import CONVERTING, MOST_DECISIONS, Config, Seat, State


@kernel
def resample_conversions(s: State, config: Config, seat: int) -> None:
    """P60, P67: resample the boards of others and, if it is not the seat's own decision, whose decision it is."""
    players, leader = int(config.players), int(s.leaders[COLLECT])
    deciding, done = s.seat == seat, s.seat != seat and s.seats[seat].asked > 0
    for other in range(players):
        if other != seat or not (deciding or done):
            _begin_again(s.seats[other])
    _settle_supply(s, players)
    if deciding or done:
        for turn in range((seat - leader) % players):
            _convert_at_random(s, config, s.seats[(leader + turn) % players])
    if deciding:
        return
    if done:
        s.seat = seat
        next_to_convert(s, config)
    else:
        s.seat = leader
        s.phase = CONVERTING
    carry_out_forced(s, config)


@kernel
def _begin_again(me: Seat) -> None:
    """P60: reset a player to the start of the phase."""
    me.points = me.shown_points
    me.pixels[:] = me.shown_pixels
    me.used[:] = 0
    me.used_abilities[:] = 0
    me.asked = 0


@kernel
def _settle_supply(s: State, players: int) -> None:
    """P51: set the supply from the boards: in this phase, pixels move only between the two."""
    for color in range(NUM_COLORS):
        left = int(s.shown_supply[color])
        for other in range(players):
            left += int(s.seats[other].shown_pixels[color]) - int(s.seats[other].pixels[color])
        s.supply[color] = left


@kernel
def _convert_at_random(s: State, config: Config, me: Seat) -> None:
    """P39-P43: take a uniformly random legal action at each decision."""
    for _ in range(MOST_DECISIONS[config.players]):
        recipes, more = usable_recipes(s, me), more_usable_recipes(s, config, me)
        first, all_recipes = size_of(recipes), size_of(recipes) + size_of(more)
        if all_recipes == 0:
            break
        me.asked += 1
        chosen = below(s, all_recipes + 1)
        if chosen == all_recipes:
            break
        if chosen < first:
            activate(s, me, nth_bit(recipes, chosen))
        else:
            activate(s, me, NUM_RECIPES + nth_bit(more, chosen - first))
    while must_give(me):
        colors = 0
        for color in range(NUM_COLORS):
            colors |= int(me.pixels[color] > 0) << color
        if colors_held(me) > 1:
            me.asked += 1
        give(s, me, any_bit(s, colors))
