"""Setting up a game (B7-B11), and resampling what is hidden (B51)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import shuffle
from ...engine.struct import Settings
from .cards import CUBES_OF_A_COLOR, HOPPER, NUM_BASIC, NUM_ORDERS, PACKER, SPECIAL_COPIES
from .market import fill_orders_row, fill_parts_row
from .state import ACT, ACTIONS_PER_TURN, PARTS_DECK, Config, State
from .workshop import put_card


@kernel
def reset(s: State, config: Config) -> None:
    """B7-B11: shuffle and deal; seat 0 begins round 1. `s` is empty on entry, except for `rng`."""
    for order in range(NUM_ORDERS):
        s.orders_deck[order] = order
    s.orders_left = NUM_ORDERS
    s.orders_in_deck[:] = 1
    for card in range(PARTS_DECK):
        s.parts_deck[card] = NUM_BASIC + card // SPECIAL_COPIES
    s.parts_left = PARTS_DECK
    s.parts_in_deck[NUM_BASIC:] = SPECIAL_COPIES
    shuffle(s, s.orders_deck, NUM_ORDERS)
    shuffle(s, s.parts_deck, PARTS_DECK)
    fill_orders_row(s)
    fill_parts_row(s)
    for kind in range(NUM_BASIC):
        s.piles[kind] = config.players + 1
    for color in range(3):
        s.bank[color] = CUBES_OF_A_COLOR - config.players
    for seat in range(config.players):
        me = s.seats[seat]
        me.storage[:] = 1  # B9
        put_card(me.workshop, config.shapes, HOPPER, 0, 2)  # B5, B10
        put_card(me.workshop, config.shapes, PACKER, 1, 2)
        put_card(me.workshop, config.shapes, HOPPER, 0, 6)
        put_card(me.workshop, config.shapes, PACKER, 1, 6)
    s.round_number = 1
    s.phase = ACT
    s.actions_left = ACTIONS_PER_TURN


@kernel
def resample(s: State, config: Settings, seat: int) -> None:
    """B51: shuffle the order deck, and the special deck above the cards that went under it in sight of all.

    Their order is the only hidden information, and hidden from every seat. Each deck is sorted first, so that the new
    order depends on `rng` and on public information, not on the hidden order.
    """
    orders, parts = int(s.orders_left), int(s.parts_left) - int(s.known)
    sort(s.orders_deck, orders)
    sort(s.parts_deck, parts)
    shuffle(s, s.orders_deck, orders)
    shuffle(s, s.parts_deck, parts)


@kernel
def sort(row: Ints, count: int) -> None:
    """Sort the first `count` entries of a one-dimensional array in ascending order."""
    for end in range(1, count):
        card = row[end]
        place = end
        while place > 0 and row[place - 1] > card:
            row[place] = row[place - 1]
            place -= 1
        row[place] = card
