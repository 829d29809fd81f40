"""Build: cards are installed or discarded (P26-P33, P57)."""

from __future__ import annotations

import numpy as np

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .cards import AMOUNT, COLLECT_TYPE, CONVERT_TYPE, CONVERTER, RANDOM_TYPE, SLOT_TYPES
from .hands import insert, take_out
from .pixels import draw_from_bag, give, held, mover
from .state import BUILDING, MOST_HAND, NONE, PAYING, SLOTS, Seat, State

COLLECT_END, CONVERT_END = range(2)
_ALL_SLOTS = (1 << SLOTS) - 1
_ANY = sum(1 << SLOTS * kind for kind in range(len(SLOT_TYPES)))
_TAKEN = np.array([_ANY, *(1 << SLOTS * kind for kind in range(len(SLOT_TYPES)))], np.int64)  # by type + 1, in slot 0
_TAKEN.setflags(write=False)


@kernel
def end_type(card: int, end: int) -> int:
    """P28: the slot type in which that end works."""
    return int(COLLECT_TYPE[card]) if end == COLLECT_END else CONVERT_TYPE


@kernel
def can_pay(me: Seat, card: int, end: int) -> bool:
    """P30: whether an end can be paid: one that takes two costs a pixel of its color, a random one any pixel."""
    if end == CONVERT_END:
        return True
    if COLLECT_TYPE[card] == RANDOM_TYPE:
        return held(me) > 0
    return bool(AMOUNT[card] == 1 or me.pixels[COLLECT_TYPE[card]] > 0)


@kernel
def slots_that_take(me: Seat) -> int:
    """P28: an empty slot takes any end; any other slot takes ends of its type, without limit.

    Six bits for each type, in their order: one for each slot that takes ends of this type.
    """
    found = 0
    for slot in range(SLOTS):
        found |= int(_TAKEN[int(me.slot_type[slot]) + 1]) << slot
    return found


@kernel
def places_for(me: Seat, card: int, takes: int) -> int:
    """P28, P30: where a card can be installed: a bit for each slot with its collect end, then with its convert end.

    `takes`: as `slots_that_take` says.
    """
    found = 0
    for end in range(2):
        places = (takes >> SLOTS * end_type(card, end) & _ALL_SLOTS) << SLOTS * end
        found |= places if can_pay(me, card, end) else 0
    return found


@kernel
def legal_in_build(s: State, mask: Ints) -> None:
    """P27, P58: each card can be discarded, or installed by any end that can be paid, in any slot that takes it."""
    me = mover(s)
    takes = slots_that_take(me)
    for place in range(me.drafted_size):
        mask[act.DISCARD + place] = 1
        places = places_for(me, int(me.drafted[place]), takes)
        for k in range(act.INSTALLS_OF_A_CARD):
            mask[act.INSTALL + act.INSTALLS_OF_A_CARD * place + k] = places >> k & 1


@kernel
def can_install(me: Seat, card: int) -> bool:
    """Whether some end of the card fits some slot (P28, P30)."""
    return places_for(me, card, slots_that_take(me)) != 0


@kernel
def has_choice_in_build(me: Seat) -> bool:
    """P55: whether there is a choice, which a single card that can only be discarded does not leave."""
    return me.drafted_size > 1 or can_install(me, int(me.drafted[0]))


@kernel
def install(s: State, place: int, end: int, slot: int) -> None:
    """P28-P30, P32: one end works in a slot for the rest of the game, the other has no effect. Then its cost is paid.

    The cost of a random end is a decision of its own (P57), in the phase PAYING.
    """
    me = mover(s)
    card = _play(me, place)
    put_in_slot(me, card, end, slot)
    if end == COLLECT_END:
        kind = int(COLLECT_TYPE[card])
        if kind == RANDOM_TYPE:
            s.phase = PAYING
        elif AMOUNT[card] == 2:
            give(s, me, kind)


@kernel
def _play(me: Seat, place: int) -> int:
    """P26, P27: take a card that is left to play, and note it as played."""
    card = take_out(me.drafted, me.drafted_size, place)
    me.drafted_size -= 1
    count = 0
    while count < MOST_HAND - 1 and me.played[count] != 0:
        count += 1
    insert(me.played, count, card)
    return card


@kernel
def put_in_slot(me: Seat, card: int, end: int, slot: int) -> None:
    """P28, P29: put a card into a slot; the first card sets the slot's type. Only the working end of a card counts."""
    begin = 0
    for before in range(slot):
        begin += int(me.slot_cards[before])
    place = begin + int(me.slot_cards[slot])
    count = place
    for after in range(slot + 1, SLOTS):
        count += int(me.slot_cards[after])
    for k in range(count, place, -1):
        me.installed[k] = me.installed[k - 1]
    while place > begin and me.installed[place - 1] > card:
        me.installed[place] = me.installed[place - 1]
        place -= 1
    me.installed[place] = card
    me.slot_cards[slot] += 1
    me.slot_type[slot] = end_type(card, end)
    if end == COLLECT_END:
        me.slot_amount[slot] += AMOUNT[card]
    else:
        me.converters[CONVERTER[card]] += 1


@kernel
def pay_for_random(s: State, color: int) -> None:
    """P30, P57: pay the pixel that a random end costs; then the same player continues Build."""
    give(s, mover(s), color)
    s.phase = BUILDING


@kernel
def discard(s: State, place: int) -> None:
    """P31, P33: discard a card face up for a pixel from the bag, or for nothing if the bag is empty."""
    me = mover(s)
    card = _play(me, place)
    s.discarded[card] += 1
    color = draw_from_bag(s)
    if color != NONE:
        me.pixels[color] += 1
