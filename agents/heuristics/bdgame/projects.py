"""Bdgame: which Device to add next. A project is a special part with its hoppers and packers, and their places.

A project begins with a Buy (or a Dismantle of a starting packer) and ends with a Build. It is chosen again at every
decision; a project already begun comes first, so the choice stays the same until it is done.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame.cards import HOPPER, JOINER, NUM_BASIC, NUM_KINDS, PACKER, SPLITTER
from bdgame_env.games.bdgame.market import storage_value
from bdgame_env.games.bdgame.state import QUEUE, ROW, WINNING_POINTS, Config, Seat, State, Workshop
from bdgame_env.games.bdgame.workshop import hopper_count, places_in_column, put_card, take_card

from .plan import Weights, workings_fed
from .routing import copy_workshop

LANES = np.array([4, 2, 0, 8])  # y of the hopper in column 0; lane 2 holds a starting Device, which makes room
MAX_CARDS = 5
_FAVORED = 50.0
_BEGUN = 100.0  # a project already begun comes first
MAX_PROJECTS = 3  # Devices with a special part; more do not pay


class Project(Struct):
    """A Device to be added, with what it still takes."""

    value: float = unsaved(np.float64)
    kind: int = unsaved(np.int64)  # the special part, or NONE: no project
    lane: int = unsaved(np.int64)
    num_cards: int = unsaved(np.int64)
    price: int = unsaved(np.int64)  # of the cards still to be bought
    actions: int = unsaved(np.int64)  # still needed
    clear_packer: int = unsaved(np.int64)  # 1 if the packer of lane 2 has to go first
    cards: Ints = unsaved(np.int16, MAX_CARDS)
    xs: Ints = unsaved(np.int16, MAX_CARDS)
    ys: Ints = unsaved(np.int16, MAX_CARDS)
    need: Ints = unsaved(np.int16, NUM_KINDS)  # cards still to be bought, by kind
    in_play: Ints = unsaved(np.int16, NUM_KINDS)  # cards in play, by kind
    workshop: Workshop = part(Workshop)


@kernel
def draw_up(project: Project, config: Config, kind: int, lane: int) -> bool:
    """Write the cards and places of a project; False if its part does not go into that lane."""
    shape = int(config.shapes[kind])
    y = int(LANES[lane])
    if shape == JOINER and y != 2:
        return False
    if shape == SPLITTER and (y == 0 or y == 8):
        return False
    part_y = y + 1 if shape == JOINER else y
    project.kind = kind
    project.lane = lane
    _card(project, 0, HOPPER, 0, y)
    _card(project, 1, kind, 1, part_y)
    project.num_cards = 2
    if shape == SPLITTER:
        _card(project, 2, PACKER, 2, y - 1)
        _card(project, 3, PACKER, 2, y + 1)
        project.num_cards = 4
    else:
        _card(project, 2, PACKER, 2, part_y)
        project.num_cards = 3
    if shape == JOINER:
        _card(project, 3, HOPPER, 0, y + 2)
        project.num_cards = 4
    return True


@kernel
def _card(project: Project, index: int, kind: int, x: int, y: int) -> None:
    project.cards[index] = kind
    project.xs[index] = x
    project.ys[index] = y


@kernel
def is_in_place(workshop: Workshop, project: Project, index: int) -> bool:
    """Whether a card of the project lies where it should."""
    return workshop.kinds[project.xs[index], project.ys[index]] == project.cards[index]


@kernel
def can_be_built(workshop: Workshop, config: Config, project: Project) -> bool:
    """Whether the missing cards can be placed in order, after removing the packer in the way (B12-B19)."""
    trial = project.workshop
    copy_workshop(trial, workshop)
    if project.clear_packer:
        take_card(trial, config.shapes, 1, 2)
    for index in range(project.num_cards):
        if not is_in_place(trial, project, index):
            kind = int(project.cards[index])
            shape = config.shapes[kind]
            x, y = int(project.xs[index]), int(project.ys[index])
            if shape == HOPPER and hopper_count(trial) >= 6:
                return False
            if not places_in_column(trial, shape, x, True) >> y & 1:
                return False
            put_card(trial, config.shapes, kind, x, y)
    return True


@kernel
def worth_of_part(weights: Weights, feed: Floats, config: Config, kind: int) -> float:
    """Points a turn that a Device with this part adds: the workings it can be fed for, times the gain of one."""
    gain = 0.0
    for port in range(3):
        for color in range(3):
            gain += weights.cube[color] * (int(config.gives[kind, port, color]) - int(config.takes[kind, port, color]))
    return gain * workings_fed(feed, config, kind)


@kernel
def demand_for_part(weights: Weights, feed: Floats, s: State, config: Config, me: Seat, kind: int) -> float:
    """Expected points of orders that need a color which the part gives and the seat has no income of yet."""
    promised = 0.0
    for color in range(3):
        gives = (
            int(config.gives[kind, 0, color]) + int(config.gives[kind, 1, color]) + int(config.gives[kind, 2, color])
        )
        if gives and feed[color] < 1.0 and workings_fed(feed, config, kind) >= 0.5:
            for place in range(QUEUE):
                if me.queue[place] != NONE and config.needs[me.queue[place], color]:
                    promised += weights.demand * config.points[me.queue[place]]
            for slot in range(ROW):
                if s.orders_row[slot] != NONE and config.needs[s.orders_row[slot], color]:
                    promised += 0.5 * weights.demand * config.points[s.orders_row[slot]]
    return promised


@kernel
def choose_project(
    weights: Weights, feed: Floats, s: State, config: Config, me: Seat, project: Project, actions: int, favored: int
) -> None:
    """Choose the best project that can be finished this turn with cards at hand or affordable; NONE if none pays.

    `actions`: actions left, including the open one. `favored`: the special part to prefer, or NONE.
    """
    best_value = 0.0
    best_kind, best_lane = NONE, 0
    most = 0
    for seat in range(config.players):
        most = max(most, int(s.seats[seat].points))
    turns = max(weights.least_turns, (WINNING_POINTS - most) / weights.points_a_turn - weights.turns_to_pay)
    specials = _count_in_play(me.workshop, project.in_play)
    for place in range(ROW + NUM_KINDS - NUM_BASIC):
        kind = int(s.parts_row[place]) if place < ROW else NUM_BASIC + place - ROW
        if kind == NONE or (place >= ROW and me.hand[kind] + s.bought[kind] + project.in_play[kind] == 0):
            continue
        for lane in range(len(LANES)):
            if not draw_up(project, config, kind, lane):
                continue
            begun = is_in_place(me.workshop, project, 1)
            if (not begun and specials >= MAX_PROJECTS) or not _price_up(s, config, me, project, actions):
                continue
            copies = int(project.in_play[kind]) - (1 if begun else 0)
            value = weights.chance * turns * worth_of_part(weights, feed, config, kind) / (1.0 + copies)
            value += demand_for_part(weights, feed, s, config, me, kind)
            value -= (
                weights.credit * max(0, int(project.price) - int(s.credit))
                + weights.project_action * int(project.actions)
                + 0.01 * lane
            )
            if kind == favored:
                value = max(value, 0.0) + _FAVORED
            if begun or s.bought[kind] > 0:
                value = max(value, 1.0) + _BEGUN  # finish a project that has been begun
            if value > best_value and can_be_built(me.workshop, config, project):
                best_value, best_kind, best_lane = value, kind, lane
    project.kind = NONE
    if best_kind != NONE:
        draw_up(project, config, best_kind, best_lane)
        _price_up(s, config, me, project, actions)
        # The plan to compare with has to pay price and actions already: do not count them twice.
        project.value = best_value if best_value < _BEGUN else best_value - _BEGUN
        project.value += weights.credit * max(0, int(project.price) - int(s.credit))
        project.value += weights.project_action * int(project.actions)


@kernel
def within_reach(s: State, me: Seat, kind: int) -> bool:
    """Whether a special part is on sale, in hand or in play, so that there can be a project with it."""
    return _in_row(s, kind) or me.hand[kind] + s.bought[kind] > 0 or (me.workshop.kinds == kind).any()


@kernel
def _count_in_play(workshop: Workshop, in_play: Ints) -> int:
    """Write how many cards of each kind are in play; returns the number of special parts."""
    in_play[:] = 0
    specials = 0
    for x in range(workshop.kinds.shape[0]):
        for y in range(workshop.kinds.shape[1]):
            kind = int(workshop.kinds[x, y])
            if kind != NONE:
                in_play[kind] += 1
                specials += int(kind >= NUM_BASIC)
    return specials


@kernel
def _price_up(s: State, config: Config, me: Seat, project: Project, actions: int) -> bool:
    """Write what is still needed (need, price, actions, clear_packer); False if the project cannot be finished."""
    workshop = me.workshop
    project.need[:] = 0
    project.clear_packer = 0
    missing = 0
    for index in range(project.num_cards):
        if not is_in_place(workshop, project, index):
            missing += 1
            project.need[project.cards[index]] += 1
    if missing == 0:
        return False
    if LANES[project.lane] == 2:
        packer = workshop.kinds[1, 2] == PACKER
        if not packer and workshop.kinds[1, 2] != NONE and workshop.kinds[1, 2] != project.kind:
            return False
        if packer:
            project.clear_packer = 1
            project.need[PACKER] -= 1
    buying = 0
    project.price = 0
    for index in range(project.num_cards):
        kind = int(project.cards[index])
        if index != _first_of_kind(project, index):
            continue
        project.need[kind] = max(0, int(project.need[kind]) - int(me.hand[kind]) - int(s.bought[kind]))
        if project.need[kind] > 0:
            if kind < NUM_BASIC and s.piles[kind] < project.need[kind]:
                return False
            if kind >= NUM_BASIC and not _in_row(s, kind):
                return False
            buying = 1
            project.price += int(project.need[kind]) * int(config.cost[kind])
    project.actions = buying + project.clear_packer + 1
    if project.actions > actions:
        return False
    return project.price <= storage_value(me.storage) + int(s.credit)


@kernel
def _first_of_kind(project: Project, index: int) -> int:
    """The index of the project's first card of the same kind."""
    for first in range(index):
        if project.cards[first] == project.cards[index]:
            return first
    return index


@kernel
def _in_row(s: State, kind: int) -> bool:
    """Whether a special kind is on sale."""
    for slot in range(ROW):
        if s.parts_row[slot] == kind:
            return True
    return False
