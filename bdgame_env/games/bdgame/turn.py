"""The course of a turn (B20, B52): activating, fulfilling, storing, discarding, the next seat (B31-B48)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import state as st
from .actions import ACTIVATE_HOPPER, DISCARD_CUBE, DISCARD_LOADED, FULFIL_ORDER
from .building import can_build, can_load, has_card_in_play
from .devices import advance, answer_hold, answer_split, clear_flow, clear_log, release_unused_holds, start
from .ending import next_seat
from .market import can_buy_on, close_buy, mover
from .workshop import device_of_slot


@kernel
def end(s: st.State) -> None:
    """B52: `end` closes whatever is open; in the action phase it gives up the actions left (B21)."""
    if s.phase == st.ACT:
        s.actions_left = 0
    elif s.phase == st.ACTIVATE:
        s.phase = st.FULFIL
    elif s.phase == st.FULFIL:
        store(s)
    else:
        close_action(s)


@kernel
def close_action(s: st.State) -> None:
    """Close the open action; the action phase goes on."""
    if s.opened == st.OPEN_BUY:
        close_buy(s)
    s.opened = st.OPEN_NOTHING
    s.phase = st.ACT


@kernel
def settle(s: st.State, config: st.Config) -> None:
    """B52: close actions and skip phases that offer nothing but `end`, until there is something to decide."""
    while not something_to_decide(s, config):
        _move_on(s, config)


@kernel
def something_to_decide(s: st.State, config: st.Config) -> bool:
    """B52: whether the phase offers more than `end` or always asks; True when the game is over."""
    if s.phase == st.BUY:
        return can_buy_on(s, config)
    if s.phase == st.BUILD:
        return can_build(s, config)
    if s.phase == st.DISMANTLE:
        return has_card_in_play(mover(s).workshop)
    if s.phase == st.LOAD:
        return can_load(s)
    if s.phase == st.DISCARD:
        return cubes_held(mover(s)) > st.CUBE_LIMIT
    if s.phase == st.ACT:
        return s.actions_left > 0
    if s.phase == st.ACTIVATE:
        return can_activate(s, config)
    if s.phase == st.FULFIL:
        return can_fulfil(s, config)
    return True


@kernel
def _move_on(s: st.State, config: st.Config) -> None:
    """Leave a phase in which nothing can be decided."""
    if s.phase == st.ACT:
        s.phase = st.ACTIVATE
    elif s.phase == st.ACTIVATE:
        s.phase = st.FULFIL
    elif s.phase == st.FULFIL:
        store(s)
    elif s.phase == st.DISCARD and s.opened != st.OPEN_COLLECT:
        end_turn(s, config)
    else:
        close_action(s)


@kernel
def cubes_held(seat: st.Seat) -> int:
    """B44: cubes in storage and on hoppers; those held on pause cards do not count (B38)."""
    count = 0
    for color in range(3):
        count += int(seat.storage[color])
        for hopper in range(st.HOPPERS):
            count += int(seat.workshop.loaded[hopper, color])
    return count


@kernel
def is_loaded(workshop: st.Workshop, slot: int) -> bool:
    """Whether the hopper slot holds a cube."""
    return workshop.loaded[slot, 0] > 0 or workshop.loaded[slot, 1] > 0 or workshop.loaded[slot, 2] > 0


@kernel
def may_activate(workshop: st.Workshop, config: st.Config, slot: int) -> bool:
    """B31: whether this is the lowest slot with a loaded hopper of a finished Device."""
    if not is_loaded(workshop, slot):
        return False
    device = device_of_slot(workshop, slot)
    for lower in range(slot):
        if is_loaded(workshop, lower) and device_of_slot(workshop, lower) == device:
            return False
    return workshop.complete[device // st.ROWS, device % st.ROWS] != 0


@kernel
def can_activate(s: st.State, config: st.Config) -> bool:
    """Whether any Device can be activated."""
    workshop = mover(s).workshop
    for slot in range(st.HOPPERS):
        if may_activate(workshop, config, slot):
            return True
    return False


@kernel
def legal_activations(s: st.State, config: st.Config, mask: Ints) -> None:
    """B31."""
    workshop = mover(s).workshop
    for slot in range(st.HOPPERS):
        if may_activate(workshop, config, slot):
            mask[ACTIVATE_HOPPER + slot] = 1


@kernel
def activate(s: st.State, config: st.Config, slot: int) -> None:
    """B31, B32: the Device of this hopper runs, up to its first question."""
    workshop = mover(s).workshop
    start(workshop, s.flow, device_of_slot(workshop, slot))
    _run(s, config)


@kernel
def split(s: st.State, config: st.Config, number: int) -> None:
    """B35: cubes of the color asked for go up; the Device runs on."""
    answer_split(s.flow, number)
    _run(s, config)


@kernel
def hold(s: st.State, config: st.Config, color: int) -> None:
    """B37: a cube (3: none) stays on the pause card; the Device runs on."""
    answer_hold(mover(s).workshop, s.flow, color)
    _run(s, config)


@kernel
def _run(s: st.State, config: st.Config) -> None:
    """B53: run the active Device until it asks or is done."""
    if s.flow.ask == st.ASK_SPLIT or advance(mover(s).workshop, s.flow, s.bank, s.made, config):
        s.phase = st.SPLIT if s.flow.ask == st.ASK_SPLIT else st.HOLD
        clear_log(s.flow)  # only planning needs it; it is not part of the position
    else:
        clear_flow(s.flow)
        s.phase = st.ACTIVATE


@kernel
def covered(s: st.State, config: st.Config, order: int) -> bool:
    """B40: whether the pool of made cubes covers an order."""
    for color in range(3):
        if config.needs[order, color] > s.made[color]:
            return False
    return True


@kernel
def can_fulfil(s: st.State, config: st.Config) -> bool:
    """Whether any accepted order can be fulfilled."""
    queue = mover(s).queue
    for place in range(st.QUEUE):
        if queue[place] != st.NONE and covered(s, config, queue[place]):
            return True
    return False


@kernel
def legal_fulfilments(s: st.State, config: st.Config, mask: Ints) -> None:
    """B40."""
    queue = mover(s).queue
    for place in range(st.QUEUE):
        if queue[place] != st.NONE and covered(s, config, queue[place]):
            mask[FULFIL_ORDER + place] = 1


@kernel
def fulfil(s: st.State, config: st.Config, place: int) -> None:
    """B40, B42, B45: the cubes go to the bank, the points are scored, later orders move up."""
    me = mover(s)
    order = int(me.queue[place])
    for color in range(3):
        s.made[color] -= config.needs[order, color]
        s.bank[color] += config.needs[order, color]
    me.points += config.points[order]
    for behind in range(place, st.QUEUE - 1):
        me.queue[behind] = me.queue[behind + 1]
    me.queue[st.QUEUE - 1] = st.NONE
    me.fulfilled[me.num_fulfilled] = order
    me.num_fulfilled += 1
    if me.points >= st.WINNING_POINTS:
        s.last_round = 1


@kernel
def store(s: st.State) -> None:
    """B41, B43, B44: cubes left in the pool go to storage; the phase for discarding above the limit follows."""
    me = mover(s)
    for color in range(3):
        me.storage[color] += s.made[color]
        s.made[color] = 0
    s.phase = st.DISCARD


@kernel
def legal_discards(s: st.State, mask: Ints) -> None:
    """B44: `discard` any cube in storage or on a hopper."""
    me = mover(s)
    for color in range(3):
        if me.storage[color] > 0:
            mask[DISCARD_CUBE + color] = 1
        for hopper in range(st.HOPPERS):
            if me.workshop.loaded[hopper, color] > 0:
                mask[DISCARD_LOADED + color * st.HOPPERS + hopper] = 1


@kernel
def discard(s: st.State, color: int) -> None:
    """B44: a cube from storage goes to the bank."""
    mover(s).storage[color] -= 1
    s.bank[color] += 1


@kernel
def discard_loaded(s: st.State, hopper: int, color: int) -> None:
    """B44: a cube from a hopper goes to the bank."""
    mover(s).workshop.loaded[hopper, color] -= 1
    s.bank[color] += 1


@kernel
def end_turn(s: st.State, config: st.Config) -> None:
    """B38, B11: cubes held since an earlier turn go to the bank, and the next seat's turn begins."""
    release_unused_holds(mover(s).workshop, s.bank)
    next_seat(s, config)
