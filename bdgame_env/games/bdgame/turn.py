"""The course of a turn (B20, B52): activating, fulfilling, storing, discarding, the next seat (B31-B48)."""

from __future__ import annotations

from typing import Any

from ...engine.jit import kernel
from .actions import ACTIVATE_HOPPER, DISCARD_CUBE, DISCARD_LOADED, FULFIL_ORDER
from .building import can_build, can_load, has_card_in_play
from .cards import NUM_ORDERS
from .devices import advance, answer_hold, answer_split, clear_flow, clear_log, release_unused_holds, start
from .ending import next_seat
from .market import can_buy_on, close_buy, mover
from .state import (
    ACT,
    ACTIVATE,
    ASK_SPLIT,
    BUILD,
    BUY,
    CUBE_LIMIT,
    DISCARD,
    DISMANTLE,
    FULFIL,
    HOLD,
    HOPPERS,
    LOAD,
    NONE,
    OPEN_BUY,
    OPEN_COLLECT,
    OPEN_NOTHING,
    QUEUE,
    SPLIT,
    WINNING_POINTS,
)
from .workshop import device_of_slot, finished


@kernel
def end(s: Any) -> None:
    """B52: `end` closes whatever is open; in the action phase it gives up the actions left (B21)."""
    if s.phase == ACT:
        s.actions_left = 0
    elif s.phase == ACTIVATE:
        s.phase = FULFIL
    elif s.phase == FULFIL:
        store(s)
    else:
        close_action(s)


@kernel
def close_action(s: Any) -> None:
    """Close the open action; the action phase goes on."""
    if s.opened == OPEN_BUY:
        close_buy(s)
    s.opened = OPEN_NOTHING
    s.phase = ACT


@kernel
def settle(s: Any, config: Any) -> None:
    """B52: close actions and skip phases that offer nothing but `end`, until there is something to decide."""
    while not something_to_decide(s, config):
        _move_on(s, config)


@kernel
def something_to_decide(s: Any, config: Any) -> Any:
    """B52: whether the phase offers more than `end` or always asks; True when the game is over."""
    if s.phase == BUY:
        return can_buy_on(s, config)
    if s.phase == BUILD:
        return can_build(s, config)
    if s.phase == DISMANTLE:
        return has_card_in_play(mover(s).workshop)
    if s.phase == LOAD:
        return can_load(s)
    if s.phase == DISCARD:
        return cubes_held(mover(s)) > CUBE_LIMIT
    if s.phase == ACT:
        return s.actions_left > 0
    if s.phase == ACTIVATE:
        return can_activate(s, config)
    if s.phase == FULFIL:
        return can_fulfil(s, config)
    return True


@kernel
def _move_on(s: Any, config: Any) -> None:
    """Leave a phase in which nothing can be decided."""
    if s.phase == ACT:
        s.phase = ACTIVATE
    elif s.phase == ACTIVATE:
        s.phase = FULFIL
    elif s.phase == FULFIL:
        store(s)
    elif s.phase == DISCARD and s.opened != OPEN_COLLECT:
        end_turn(s, config)
    else:
        close_action(s)


@kernel
def cubes_held(seat: Any) -> Any:
    """B44: cubes in storage and on hoppers; those held on pause cards do not count (B38)."""
    count = 0
    for color in range(3):
        count += int(seat.storage[color])
        for hopper in range(HOPPERS):
            count += int(seat.workshop.loaded[hopper, color])
    return count


@kernel
def is_loaded(workshop: Any, slot: Any) -> Any:
    """Whether the hopper slot holds a cube."""
    return workshop.loaded[slot, 0] > 0 or workshop.loaded[slot, 1] > 0 or workshop.loaded[slot, 2] > 0


@kernel
def may_activate(workshop: Any, config: Any, slot: Any) -> Any:
    """B31: whether this is the lowest slot with a loaded hopper of a finished Device."""
    if not is_loaded(workshop, slot):
        return False
    device = device_of_slot(workshop, slot)
    for lower in range(slot):
        if is_loaded(workshop, lower) and device_of_slot(workshop, lower) == device:
            return False
    return finished(workshop, config.shapes, device)


@kernel
def can_activate(s: Any, config: Any) -> Any:
    """Whether any Device can be activated."""
    workshop = mover(s).workshop
    for slot in range(HOPPERS):
        if may_activate(workshop, config, slot):
            return True
    return False


@kernel
def legal_activations(s: Any, config: Any, mask: Any) -> None:
    """B31."""
    workshop = mover(s).workshop
    for slot in range(HOPPERS):
        if may_activate(workshop, config, slot):
            mask[ACTIVATE_HOPPER + slot] = 1


@kernel
def activate(s: Any, config: Any, slot: Any) -> None:
    """B31, B32: the Device of this hopper runs, up to its first question."""
    workshop = mover(s).workshop
    start(workshop, s.flow, device_of_slot(workshop, slot))
    _run(s, config)


@kernel
def split(s: Any, config: Any, number: Any) -> None:
    """B35: cubes of the color asked for go up; the Device runs on."""
    answer_split(s.flow, number)
    _run(s, config)


@kernel
def hold(s: Any, config: Any, color: Any) -> None:
    """B37: a cube (3: none) stays on the pause card; the Device runs on."""
    answer_hold(mover(s).workshop, s.flow, color)
    _run(s, config)


@kernel
def _run(s: Any, config: Any) -> None:
    """B53: run the active Device until it asks or is done."""
    if s.flow.ask == ASK_SPLIT or advance(mover(s).workshop, s.flow, s.bank, s.made, config):
        s.phase = SPLIT if s.flow.ask == ASK_SPLIT else HOLD
        clear_log(s.flow)  # only planning needs it; it is not part of the position
    else:
        clear_flow(s.flow)
        s.phase = ACTIVATE


@kernel
def covered(s: Any, config: Any, order: Any) -> Any:
    """B40: whether the pool of made cubes covers an order."""
    for color in range(3):
        if config.needs[order, color] > s.made[color]:
            return False
    return True


@kernel
def can_fulfil(s: Any, config: Any) -> Any:
    """Whether any accepted order can be fulfilled."""
    queue = mover(s).queue
    for place in range(QUEUE):
        if queue[place] != NONE and covered(s, config, queue[place]):
            return True
    return False


@kernel
def legal_fulfilments(s: Any, config: Any, mask: Any) -> None:
    """B40."""
    queue = mover(s).queue
    for place in range(QUEUE):
        if queue[place] != NONE and covered(s, config, queue[place]):
            mask[FULFIL_ORDER + place] = 1


@kernel
def fulfil(s: Any, config: Any, place: Any) -> None:
    """B40, B42, B45: the cubes go to the bank, the points are scored, later orders move up."""
    me = mover(s)
    order = int(me.queue[place])
    for color in range(3):
        s.made[color] -= config.needs[order, color]
        s.bank[color] += config.needs[order, color]
    me.points += config.points[order]
    for behind in range(place, QUEUE - 1):
        me.queue[behind] = me.queue[behind + 1]
    me.queue[QUEUE - 1] = NONE
    s.fulfilled_by[order] = s.seat
    for other in range(NUM_ORDERS):
        if s.fulfilled_by[other] == s.seat:
            s.fulfilled_as[order] += 1
    if me.points >= WINNING_POINTS:
        s.last_round = 1


@kernel
def store(s: Any) -> None:
    """B41, B43, B44: cubes left in the pool go to storage; the phase for discarding above the limit follows."""
    me = mover(s)
    for color in range(3):
        me.storage[color] += s.made[color]
        s.made[color] = 0
    s.phase = DISCARD


@kernel
def legal_discards(s: Any, mask: Any) -> None:
    """B44: `discard` any cube in storage or on a hopper."""
    me = mover(s)
    for color in range(3):
        if me.storage[color] > 0:
            mask[DISCARD_CUBE + color] = 1
        for hopper in range(HOPPERS):
            if me.workshop.loaded[hopper, color] > 0:
                mask[DISCARD_LOADED + color * HOPPERS + hopper] = 1


@kernel
def discard(s: Any, color: Any) -> None:
    """B44: a cube from storage goes to the bank."""
    mover(s).storage[color] -= 1
    s.bank[color] += 1


@kernel
def discard_loaded(s: Any, hopper: Any, color: Any) -> None:
    """B44: a cube from a hopper goes to the bank."""
    mover(s).workshop.loaded[hopper, color] -= 1
    s.bank[color] += 1


@kernel
def end_turn(s: Any, config: Any) -> None:
    """B38, B11: cubes held since an earlier turn go to the bank, and the next seat's turn begins."""
    release_unused_holds(mover(s).workshop, s.bank)
    next_seat(s, config)
