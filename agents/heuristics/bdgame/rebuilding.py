"""Bdgame: taking a Device apart to build a better one of its hoppers and packers, which run out (B26).

Only when there is nothing else to do: without it, a seat whose Devices make no cube of the colors in demand waits for
the round limit with a full storage.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame.cards import NUM_BASIC, PACKER, PAUSE, SPLITTER
from bdgame_env.games.bdgame.market import orders_in_queue
from bdgame_env.games.bdgame.state import COLUMNS, CUBE_LIMIT, QUEUE, ROW, ROWS, Config, Seat, State, Workshop
from bdgame_env.games.bdgame.turn import cubes_held
from bdgame_env.games.bdgame.workshop import finished, removable, take_card

from .plan import Weights, find_feed
from .projects import Project, choose_project
from .routing import copy_workshop


class Rebuilt(Struct):
    """A seat after taking a Device apart."""

    seat: Seat = part(Seat)
    feed: Floats = unsaved(np.float64, 3)


@kernel
def card_to_remove(weights: Weights, s: State, config: Config, project: Project, rebuilt: Rebuilt) -> int:
    """The first card to remove from the Device that is best rebuilt with another special part, as a cell, or NONE.

    It takes a Dismantle, and what is left of the turn for the project that the next decisions then choose too.
    """
    me = s.seats[s.seat]
    best, best_value = NONE, 0.0
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = int(me.workshop.kinds[x, y])
            if kind < NUM_BASIC or special_part(me.workshop, me.workshop.devices[x, y]) != x * ROWS + y:
                continue
            _copy_seat(rebuilt.seat, me)
            first = _take_apart(rebuilt.seat, config, x, y)
            if first == NONE:
                continue
            find_feed(weights, rebuilt.seat, config, rebuilt.feed)
            choose_project(weights, rebuilt.feed, s, config, rebuilt.seat, project, int(s.actions_left) - 1, NONE)
            if project.kind != NONE and project.kind != kind and project.value > best_value:
                best, best_value = first, project.value
    project.kind = NONE
    return best


@kernel
def special_part(workshop: Workshop, device: int) -> int:
    """The cell of a Device's only special part, NONE if it has none, -2 if it has several or a card that asks."""
    found = NONE
    for x in range(COLUMNS):
        for y in range(ROWS):
            if workshop.devices[x, y] == device:
                kind = workshop.kinds[x, y]
                if kind == SPLITTER or kind == PAUSE:  # noqa: SIM109  numba compares faster than it searches tuples
                    return -2
                if kind >= NUM_BASIC:
                    if found != NONE:
                        return -2
                    found = x * ROWS + y
    return found


@kernel
def next_card_to_remove(workshop: Workshop, config: Config) -> int:
    """In a Dismantle: the next card of a Device that is being taken apart, as a cell, or NONE when it is."""
    for x in range(COLUMNS):
        for y in range(ROWS):
            device = workshop.devices[x, y]
            if workshop.kinds[x, y] >= NUM_BASIC and not finished(workshop, config.shapes, device):
                packer = _packer_behind(workshop, x, device)
                if packer != NONE:
                    return packer
                if removable(workshop, config.shapes[workshop.kinds[x, y]], x, y):
                    return x * ROWS + y
    return NONE


@kernel
def _take_apart(seat: Seat, config: Config, x: int, y: int) -> int:
    """Take the special part at (x, y) and the packers behind it to hand; the first of these cells, or NONE."""
    workshop = seat.workshop
    device = workshop.devices[x, y]
    first = _packer_behind(workshop, x, device)
    packer = first
    while packer != NONE:
        seat.hand[PACKER] += 1
        take_card(workshop, config.shapes, packer // ROWS, packer % ROWS)
        packer = _packer_behind(workshop, x, workshop.devices[x, y])
    kind = int(workshop.kinds[x, y])
    if first == NONE or not removable(workshop, config.shapes[kind], x, y):
        return NONE
    seat.hand[kind] += 1
    take_card(workshop, config.shapes, x, y)
    return first


@kernel
def _packer_behind(workshop: Workshop, x: int, device: int) -> int:
    """The cell of a Device's first packer in the column after x, or NONE."""
    if x + 1 < COLUMNS:
        for y in range(ROWS):
            if workshop.kinds[x + 1, y] == PACKER and workshop.devices[x + 1, y] == device:
                return (x + 1) * ROWS + y
    return NONE


@kernel
def _copy_seat(to: Seat, seat: Seat) -> None:
    """Copy every field."""
    copy_workshop(to.workshop, seat.workshop)
    to.points = seat.points
    to.storage[:] = seat.storage
    to.queue[:] = seat.queue
    to.fulfilled[:] = seat.fulfilled
    to.num_fulfilled = seat.num_fulfilled
    to.hand[:] = seat.hand


@kernel
def order_out_of_the_way(s: State, config: Config, feed: Floats) -> int:
    """The Accept that makes room for another order, or NONE.

    If storage is full and every order of the row needs a color that the seat neither has nor makes, it takes the
    cheapest of them, as long as a place of its queue stays free (B42).
    """
    me = s.seats[s.seat]
    if cubes_held(me) < CUBE_LIMIT - 1 or orders_in_queue(me.queue) > QUEUE - 2:
        return NONE
    best, least = NONE, 1000
    for slot in range(ROW):
        order = int(s.orders_row[slot])
        if order == NONE:
            continue
        out_of_reach = False
        for color in range(3):
            out_of_reach |= feed[color] < 1.0 and me.storage[color] < config.needs[order, color]
        if not out_of_reach:
            return NONE
        if config.points[order] < least:
            best, least = act.ACCEPT + slot, int(config.points[order])
    return best
