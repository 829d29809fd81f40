"""A bound that the slow Pixel Pusher computes holds. test_lockstep.py compares its play."""

from __future__ import annotations

import random

import pytest

from tests.support.reference.pixel_pusher import Reference
from tests.support.reference.pixel_pusher_cards import (
    ABILITIES,
    COLORS,
    MACHINES,
    OTHERS,
    PRIMARY,
)

pytestmark = pytest.mark.plain


def test_p44_3_nobody_gains_more_than_the_bound() -> None:
    """P44.3: by random activations from boards of all kinds, with supplies that never end.

    What was gained and has been paid back does not count: it is in the supply again.
    """
    chance = random.Random(3)
    for number in range(150):
        game = Reference.new(2, number, triple=("primary", "any")[number % 2])
        game.phase, me = "convert", game.seats[0]
        me.pixels = {color: chance.randrange(4) for color in COLORS}
        me.slots[0].type, me.slots[0].cards = "convert", sorted(chance.choices([*MACHINES], k=chance.randrange(7)))
        me.abilities = [name for name in ABILITIES if chance.randrange(2)]
        bound, before = me.most_gains(number % 2 == 1), dict(me.pixels)
        while True:
            game.bag, game.piles = dict.fromkeys(PRIMARY, 60), dict.fromkeys(OTHERS, 60)
            moves = [move for move in game.legal_moves() if move.startswith("activate")]
            if not moves:
                break
            game._carry_out(chance.choice(moves))
            assert all(me.pixels[color] - before[color] <= bound[color] for color in COLORS), f"number {number}"
