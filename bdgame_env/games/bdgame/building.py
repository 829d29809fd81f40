"""Putting cards and cubes into play and taking them out: Build, Dismantle and Load (B25, B28-B30)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.bits import lowest, without_lowest
from ...engine.jit import kernel
from . import state as st
from .actions import LOAD_CUBE, PLACE_AT, REMOVE, SELECT
from .cards import HOPPER, NUM_KINDS
from .market import mover, open_action
from .workshop import fits, places_in_column, put_card, removable, slot_at, take_card


@kernel
def select(s: st.State, kind: int) -> None:
    """B30, B25: choose a card to put into play: from hand (which opens a Build) or, inside a Buy, one just bought."""
    if s.opened != st.OPEN_BUY:
        open_action(s, st.OPEN_BUILD, st.PLACE)
    s.phase = st.PLACE
    s.selected = kind


@kernel
def place(s: st.State, config: st.Config, cell: int) -> None:
    """B12-B19: the selected card comes into play."""
    me = mover(s)
    kind = int(s.selected)
    if s.opened == st.OPEN_BUY:
        s.bought[kind] -= 1
        s.phase = st.BUY
    else:
        me.hand[kind] -= 1
        s.phase = st.BUILD
    s.selected = st.NONE
    put_card(me.workshop, config.shapes, kind, cell // st.ROWS, cell % st.ROWS)


@kernel
def remove(s: st.State, config: st.Config, cell: int) -> None:
    """B28: a card in play goes to the hand, the cubes on it to the bank."""
    open_action(s, st.OPEN_DISMANTLE, st.DISMANTLE)
    me = mover(s)
    workshop = me.workshop
    x, y = cell // st.ROWS, cell % st.ROWS
    kind = int(workshop.kinds[x, y])
    held = int(workshop.held[x, y])
    if held:
        s.bank[held - 1] += 1
        workshop.held[x, y] = 0
    if kind == HOPPER:
        slot = slot_at(workshop, x, y)
        for color in range(3):
            s.bank[color] += workshop.loaded[slot, color]
            workshop.loaded[slot, color] = 0
    take_card(workshop, config.shapes, x, y)
    me.hand[kind] += 1


@kernel
def load(s: st.State, hopper: int, color: int) -> None:
    """B29: one cube from storage onto a hopper."""
    open_action(s, st.OPEN_LOAD, st.LOAD)
    me = mover(s)
    me.storage[color] -= 1
    me.workshop.loaded[hopper, color] += 1


@kernel
def legal_selects(s: st.State, config: st.Config, mask: Ints) -> None:
    """B52: `select` for each kind that can be placed: from hand or, inside a Buy, from the cards bought in it."""
    buying = s.opened == st.OPEN_BUY
    cards = s.bought if buying else mover(s).hand
    for kind in range(NUM_KINDS):
        if cards[kind] > 0 and fits(mover(s).workshop, config.shapes[kind], not buying):
            mask[SELECT + kind] = 1


@kernel
def can_build(s: st.State, config: st.Config) -> bool:
    """Whether a card from hand can be placed."""
    me = mover(s)
    for kind in range(NUM_KINDS):
        if me.hand[kind] > 0 and fits(me.workshop, config.shapes[kind], True):
            return True
    return False


@kernel
def legal_places(s: st.State, config: st.Config, mask: Ints) -> None:
    """B12-B19: the cells where the selected card may lie."""
    shape = config.shapes[s.selected]
    may_start = s.opened != st.OPEN_BUY
    for x in range(st.COLUMNS):
        rows = places_in_column(mover(s).workshop, shape, x, may_start)
        while rows != 0:
            mask[PLACE_AT + x * st.ROWS + lowest(rows)] = 1
            rows = without_lowest(rows)


@kernel
def legal_removes(s: st.State, config: st.Config, mask: Ints) -> None:
    """B28: the cards without a connected outlet."""
    workshop = mover(s).workshop
    for x in range(st.COLUMNS):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            mask[REMOVE + x * st.ROWS + y] = removable(workshop, config.shapes[workshop.kinds[x, y]], x, y)
            left = without_lowest(left)


@kernel
def has_card_in_play(workshop: st.Workshop) -> bool:
    """Whether any card is in play. If so, one can be removed: the rightmost cards have no connected outlet (B28)."""
    for x in range(st.COLUMNS):
        if workshop.columns[x] != 0:
            return True
    return False


@kernel
def legal_loads(s: st.State, mask: Ints) -> None:
    """B29: any cube in storage onto any hopper in play."""
    me = mover(s)
    for hopper in range(st.HOPPERS):
        if me.workshop.hopper_cell[hopper] != st.NONE:
            for color in range(3):
                if me.storage[color] > 0:
                    mask[LOAD_CUBE + color * st.HOPPERS + hopper] = 1


@kernel
def can_load(s: st.State) -> bool:
    """B29: whether there is a cube to load and a hopper to take it."""
    me = mover(s)
    hopper = False
    for slot in range(st.HOPPERS):
        hopper = hopper or me.workshop.hopper_cell[slot] != st.NONE
    return hopper and (me.storage[0] > 0 or me.storage[1] > 0 or me.storage[2] > 0)
