"""What is legal, phase by phase (B52), and what a decision does. Each chapter of the rules has its own file:

workshop.py B12-B19, market.py B22-B27 and B49, building.py B28-B30, devices.py B31-B39, turn.py B20 and B31-B44,
ending.py B45-B48, trading.py B50, setup.py B7-B11 and B51.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.struct import Settings
from . import actions as act
from . import state as st
from .building import legal_loads, legal_places, legal_removes, legal_selects, load, place, remove, select
from .devices import least_up, most_up
from .market import (
    accept,
    buy_basic,
    buy_slot,
    clear_row,
    collect,
    legal_in_shop,
    mover,
    open_action,
    orders_in_queue,
    pay,
    row_has_card,
    sell,
)
from .trading import legal_in_offer, legal_in_respond, legal_offers, offer, respond, want
from .turn import (
    activate,
    discard,
    discard_loaded,
    end,
    fulfil,
    hold,
    legal_activations,
    legal_discards,
    legal_fulfilments,
    settle,
    split,
)


@kernel
def legal(s: st.State, config: st.Config, mask: Ints) -> None:
    """B52: set mask[a] = 1 for every legal action of the seat to decide."""
    phase = int(s.phase)
    if phase == st.ACT:
        legal_in_act(s, config, mask)
    elif phase == st.PLACE:
        legal_places(s, config, mask)
    elif phase == st.BUY:
        legal_in_shop(s, config, mask)
        legal_selects(s, config, mask)
        mask[act.END] = s.purchases > 0
    elif phase == st.BUILD:
        legal_selects(s, config, mask)
        mask[act.END] = 1
    elif phase == st.DISMANTLE:
        legal_removes(s, config, mask)
        mask[act.END] = 1
    elif phase == st.LOAD:
        legal_loads(s, mask)
        mask[act.END] = 1
    elif phase == st.DISCARD:
        legal_discards(s, mask)
    elif phase == st.ACTIVATE:
        legal_activations(s, config, mask)
        mask[act.END] = 1
    elif phase == st.SPLIT:
        for number in range(least_up(s.flow), most_up(s.flow) + 1):
            mask[act.SPLIT_UP + number] = 1
    elif phase == st.HOLD:
        for color in range(3):
            mask[act.HOLD_COLOR + color] = s.flow.arrived[color] > 0
        mask[act.HOLD_NONE] = 1
    elif phase == st.FULFIL:
        legal_fulfilments(s, config, mask)
        mask[act.END] = 1
    elif phase == st.OFFER:
        legal_in_offer(s, config, mask)
    elif phase == st.RESPOND:
        legal_in_respond(config, mask)


@kernel
def legal_in_act(s: st.State, config: st.Config, mask: Ints) -> None:
    """B52, act: nothing is open and an action is left."""
    mask[act.END] = 1
    mask[act.COLLECT] = s.bank[0] > 0
    mask[act.CLEAR] = row_has_card(s.parts_row)
    if orders_in_queue(mover(s).queue) < st.QUEUE:
        for slot in range(st.ROW):
            mask[act.ACCEPT + slot] = s.orders_row[slot] != st.NONE
    legal_in_shop(s, config, mask)
    legal_selects(s, config, mask)
    legal_removes(s, config, mask)
    legal_loads(s, mask)
    if config.trading:
        legal_offers(s, config, mask)


@kernel
def apply(s: st.State, config: st.Config, action: int) -> None:
    """Carry out a legal action and its automatic consequences, up to the next decision."""
    a = int(action)
    if a >= config.trade_at:
        a += act.OFFER_CARD - int(config.trade_at)  # now an id in the complete table
    family = int(act.FAMILY[a])
    choice = a - family
    if family == act.END:
        end(s)
    elif family == act.COLLECT:
        open_action(s, st.OPEN_COLLECT, st.DISCARD)
        collect(s)
    elif family == act.CLEAR:
        s.actions_left -= 1
        clear_row(s)
    elif family == act.ACCEPT:
        s.actions_left -= 1
        accept(s, choice)
    elif family == act.PAY:
        pay(s, choice)
    elif family == act.BUY_SLOT:
        buy_slot(s, config, choice)
    elif family == act.BUY_KIND:
        buy_basic(s, config, choice)
    elif family == act.SELECT:
        select(s, choice)
    elif family == act.PLACE_AT:
        place(s, config, choice)
    elif family == act.REMOVE:
        remove(s, config, choice)
    elif family == act.LOAD_CUBE:
        load(s, choice % st.HOPPERS, choice // st.HOPPERS)
    elif family == act.ACTIVATE_HOPPER:
        activate(s, config, choice)
    elif family == act.SPLIT_UP:
        split(s, config, choice)
    elif family == act.HOLD_COLOR:
        hold(s, config, choice)
    elif family == act.FULFIL_ORDER:
        fulfil(s, config, choice)
    elif family == act.DISCARD_CUBE:
        discard(s, choice)
    elif family == act.DISCARD_LOADED:
        discard_loaded(s, choice % st.HOPPERS, choice // st.HOPPERS)
    elif family == act.SELL:
        sell(s, choice)
    elif family == act.OFFER_CARD:
        offer(s, choice)
    elif family == act.OFFER_SEAT:
        s.offer_to = choice
    elif family == act.OFFER_WANT:
        want(s, choice)
    else:  # AGREE and REFUSE
        respond(s, family == act.AGREE)
    settle(s, config)


@kernel
def progress(s: st.State, config: Settings, seat: int) -> float:
    """Points as a fraction of the winning points (B45)."""
    return int(s.seats[seat].points) / st.WINNING_POINTS


@kernel
def points(s: st.State, config: Settings, seat: int) -> int:
    """The points of a seat."""
    return int(s.seats[seat].points)
