"""Bdgame, what a seat can make and score this turn: Devices as recipes, loads, orders in reach.

A plan says: collect so often, accept these orders, load the Devices so that each works so often, fulfil these orders.
`best_plan` tries all of them and values what is left over in cubes. Everything is public knowledge (B51).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record
from bdgame_env.games.bdgame.cards import JOINER, NUM_BASIC, PAUSE, SPLITTER
from bdgame_env.games.bdgame.devices import advance, start
from bdgame_env.games.bdgame.state import COLUMNS, CUBE_LIMIT, FLOW, HOPPERS, NONE, QUEUE, ROW, ROWS, WORKSHOP
from bdgame_env.games.bdgame.workshop import device_of_slot, finished

MAX_WORKINGS = 10
COLLECTED = 2  # Yellow that a Collect brings
YELLOW_TO_COME = 2 * COLLECTED
MAX_DEVICES = 4  # Devices with a special part that are looked at
ORDERS = QUEUE + ROW
SUBSETS = 1 << ORDERS

WEIGHTS = record(
    [
        ("cube", np.float64, 3),  # points that a cube in storage promises, by color
        ("decline", np.float64),  # each further cube of a color promises so much less
        ("least", np.float64),  # but at least this part
        ("prospect", np.float64),  # part of an order's gain that counts while its cubes are in storage
        ("action", np.float64),  # points that an action must bring, so that a plan does nothing in vain
        ("feed", np.float64, 3),  # cubes of a color that come in a turn without further Devices
        ("stock", np.float64),  # part of the cubes in storage that counts as coming in a turn
        ("points_a_turn", np.float64),  # of the leader, to tell how many turns are left
        ("turns_to_pay", np.float64),  # before a new Device has worked
        ("least_turns", np.float64),  # that a new Device is expected to work
        ("demand", np.float64),  # part of the points of orders that wait for a color
        ("credit", np.float64),  # points that a credit would bring otherwise
        ("project_action", np.float64),  # points that an action would bring otherwise
        ("chance", np.float64),  # part of what a Device could make that it will make
    ]
)


@kernel
def set_default_weights(weights: Any) -> None:
    """The weights found by a random search: each variant kept won over half of 420 paired games against the last."""
    weights.cube[0] = 0.33
    weights.cube[1] = 0.75
    weights.cube[2] = 1.5
    weights.decline = 0.19
    weights.least = 0.14
    weights.prospect = 0.5
    weights.action = 0.03
    weights.feed[0] = 5.0
    weights.feed[1] = 0.3
    weights.feed[2] = 0.2
    weights.stock = 0.17
    weights.points_a_turn = 4.5
    weights.turns_to_pay = 1.5
    weights.least_turns = 1.9
    weights.demand = 0.47
    weights.credit = 0.33
    weights.project_action = 0.6
    weights.chance = 0.47


PLAN = record(
    [
        ("weights", WEIGHTS),
        ("worth", np.float64, (3, CUBE_LIMIT + 1)),  # points that so many cubes of a color promise
        ("feed", np.float64, 3),  # cubes that come in a turn, by color
        ("value", np.float64),
        ("subset_points", np.float64, SUBSETS),
        ("subset", np.int64),  # bits: places in the queue, then slots of the row
        ("collects", np.int64),
        ("loads", np.int64),  # 1 if a Load action belongs to the plan
        ("num_sets", np.int64),
        ("num_devices", np.int64),
        ("pass_through", np.int64),  # hopper slot of a Device that passes cubes unchanged, or NONE
        ("subset_needs", np.int16, (SUBSETS, 3)),
        ("subset_accepts", np.int16, SUBSETS),
        ("sets", np.int16, SUBSETS),  # the sets of orders that can be had with the actions and places that are left
        ("order", np.int16, ORDERS),
        ("slots", np.int16, (MAX_DEVICES, 2)),  # hopper slots: of a joiner upper, lower; else slot, NONE
        ("recipe", np.int16, (MAX_DEVICES, 2, 3)),  # cubes for one working by hopper and color
        ("out", np.int16, (MAX_DEVICES, MAX_WORKINGS + 1, 3)),  # made by so many workings
        ("workings", np.int16, MAX_DEVICES),  # the plan's
        ("trial", np.int16, MAX_DEVICES),
        ("target", np.int16, (HOPPERS, 3)),  # cubes that the plan wants on each hopper
        ("workshop", WORKSHOP),
        ("flow", FLOW),
        ("bank", np.int8, 3),
        ("made", np.int8, 3),
    ]
)


@kernel
def cube_worth(plan: Any, storage: Any) -> Any:
    """Points that cubes promise, the most valuable 10 of them (B44)."""
    return three_cubes_worth(plan, int(storage[0]), int(storage[1]), int(storage[2]))


@kernel
def three_cubes_worth(plan: Any, yellow: Any, red: Any, blue: Any) -> Any:
    """As `cube_worth`, for numbers of cubes."""
    blue = min(blue, CUBE_LIMIT)
    red = min(red, CUBE_LIMIT - blue)
    yellow = min(yellow, CUBE_LIMIT - blue - red)
    return plan.worth[0, yellow] + plan.worth[1, red] + plan.worth[2, blue]


@kernel
def set_worths(plan: Any) -> None:
    """Each further cube of a color promises less than the one before. Writes plan.worth."""
    weights = plan.weights
    for color in range(3):
        plan.worth[color, 0] = 0.0
        for count in range(1, CUBE_LIMIT + 1):
            part = max(weights.least, 1.0 - weights.decline * (count - 1))
            plan.worth[color, count] = plan.worth[color, count - 1] + weights.cube[color] * part


@kernel
def make_ready(plan: Any) -> None:
    """Fill in weights and worths if the work space is fresh."""
    if plan.weights.cube[0] == 0.0:
        set_default_weights(plan.weights)
    if plan.worth[0, 1] == 0.0:
        set_worths(plan)


@kernel
def prospect(weights: Any, feed: Any, needs: Any, points: Any, yellow: Any, red: Any, blue: Any) -> Any:
    """What an order not fulfilled now promises above its cubes' worth, by the part of them that is there or comes."""
    wanted = 0.0
    there = 0.0
    for color in range(3):
        have = yellow if color == 0 else red if color == 1 else blue
        wanted += weights.cube[color] * needs[color]
        there += weights.cube[color] * min(float(needs[color]), have + 0.7 * feed[color])
    part = there / wanted
    return weights.prospect * max(0.0, points - wanted) * part**4


@kernel
def workings_fed(feed: Any, config: Any, kind: Any) -> Any:
    """How often a part works in a turn, at most with 9 cubes, if so many cubes of each color come."""
    cubes = 0
    workings = 10.0
    for color in range(3):
        takes = (
            int(config.takes[kind, 0, color]) + int(config.takes[kind, 1, color]) + int(config.takes[kind, 2, color])
        )
        cubes += takes
        if takes:
            workings = min(workings, feed[color] / takes)
    return min(workings, 9.0 / cubes)


@kernel
def find_feed(weights: Any, me: Any, config: Any, feed: Any) -> None:
    """Cubes that come in a turn: what a seat collects, and what the parts in play make of it. Writes `feed`."""
    for color in range(3):
        feed[color] = weights.feed[color] + weights.stock * int(me.storage[color])
    for x in range(me.workshop.kinds.shape[0]):
        for y in range(me.workshop.kinds.shape[1]):
            kind = int(me.workshop.kinds[x, y])
            if kind >= NUM_BASIC:
                workings = workings_fed(feed, config, kind)
                for color in range(3):
                    for port in range(3):
                        feed[color] += 0.7 * workings * int(config.gives[kind, port, color])


@kernel
def find_recipes(me: Any, bank: Any, config: Any, plan: Any, cubes: Any, actions: Any) -> None:
    """List the mover's finished Devices: one that passes cubes through, and those with one special part.

    Writes num_devices, pass_through, slots, recipe and out; what a Device makes is asked of the resolver, for as many
    workings as `cubes` and what Collects bring suffice for.
    """
    workshop = me.workshop
    plan.num_devices = 0
    plan.pass_through = NONE
    for slot in range(HOPPERS):
        if workshop.hopper_cell[slot] == NONE:
            continue
        device = device_of_slot(workshop, slot)
        if not finished(workshop, config.shapes, device):
            continue
        special = special_part(workshop, device)
        if special == NONE:
            plan.pass_through = slot
        elif special >= 0 and plan.num_devices < MAX_DEVICES:
            kind = int(workshop.kinds[special // ROWS, special % ROWS])
            _add_recipe(workshop, bank, config, plan, slot, device, kind, cubes, actions)


@kernel
def special_part(workshop: Any, device: Any) -> Any:
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
def _add_recipe(
    workshop: Any, bank: Any, config: Any, plan: Any, slot: Any, device: Any, kind: Any, cubes: Any, actions: Any
) -> None:
    """Add one Device, unless another hopper of it has been met before."""
    d = plan.num_devices
    lower = NONE
    for other in range(HOPPERS):
        if other != slot and workshop.hopper_cell[other] != NONE and device_of_slot(workshop, other) == device:
            if other < slot or lower != NONE:
                return
            lower = other
    if (config.shapes[kind] == JOINER) != (lower != NONE):
        return
    upper = slot
    if lower != NONE and workshop.hopper_cell[lower] % ROWS < workshop.hopper_cell[slot] % ROWS:
        upper, lower = lower, slot
    plan.slots[d, 0] = upper
    plan.slots[d, 1] = lower
    for color in range(3):
        if lower == NONE:
            plan.recipe[d, 0, color] = config.takes[kind, 1, color]
            plan.recipe[d, 1, color] = 0
        else:
            plan.recipe[d, 0, color] = config.takes[kind, 0, color]
            plan.recipe[d, 1, color] = config.takes[kind, 2, color]
    plan.num_devices = d + 1
    for workings in range(MAX_WORKINGS + 1):
        for color in range(3):
            there = int(cubes[color]) + (COLLECTED * actions if color == 0 else 0)
            if workings * (int(plan.recipe[d, 0, color]) + int(plan.recipe[d, 1, color])) > there:
                return
        _resolve(workshop, bank, config, plan, d, device, workings)


@kernel
def _resolve(workshop: Any, bank: Any, config: Any, plan: Any, d: Any, device: Any, workings: Any) -> None:
    """What the Device makes if loaded for so many workings (B33, B36). Writes plan.out."""
    plan.out[d, workings, :] = 0
    total = 0
    for hopper in range(2):
        for color in range(3):
            total += workings * int(plan.recipe[d, hopper, color])
    if workings == 0 or total > CUBE_LIMIT:
        return
    copy_workshop(plan.workshop, workshop)
    plan.workshop.loaded[:] = 0
    for hopper in range(2):
        if plan.slots[d, hopper] != NONE:
            for color in range(3):
                plan.workshop.loaded[plan.slots[d, hopper], color] = workings * plan.recipe[d, hopper, color]
    plan.bank[:] = bank
    plan.made[:] = 0
    start(plan.workshop, plan.flow, device)
    advance(plan.workshop, plan.flow, plan.bank, plan.made, config)
    for color in range(3):
        plan.out[d, workings, color] = plan.made[color]


@kernel
def copy_workshop(to: Any, workshop: Any) -> None:
    """Copy every field."""
    to.outlets[:] = workshop.outlets
    to.inlets[:] = workshop.inlets
    to.columns[:] = workshop.columns
    to.kinds[:] = workshop.kinds
    to.devices[:] = workshop.devices
    to.held[:] = workshop.held
    to.hopper_cell[:] = workshop.hopper_cell
    to.loaded[:] = workshop.loaded


@kernel
def copy_flow(to: Any, flow: Any) -> None:
    """Copy every field that decides how the flow goes on."""
    to.cubes[:] = flow.cubes
    to.arrived[:] = flow.arrived
    to.up[:] = flow.up
    to.running = flow.running
    to.x = flow.x
    to.y = flow.y
    to.color = flow.color
    to.ask = flow.ask


@kernel
def list_orders(s: Any, config: Any, me: Any, plan: Any, queued: Any, actions: Any) -> None:
    """The sets of orders from queue and row: what they need, what they pay, how many must be accepted first.

    Those that take too many actions or places in the queue are left out.
    """
    for place in range(QUEUE):
        plan.order[place] = me.queue[place]
    for slot in range(ROW):
        plan.order[QUEUE + slot] = s.orders_row[slot]
    plan.subset_needs[0, :] = 0
    plan.subset_points[0] = 0.0
    plan.subset_accepts[0] = 0
    plan.sets[0] = 0
    plan.num_sets = 1
    most = min(actions, QUEUE - queued)
    for subset in range(1, SUBSETS):
        top = 0
        while subset >> (top + 1):
            top += 1
        rest = subset ^ (1 << top)
        order = int(plan.order[top])
        if order == NONE or plan.subset_points[rest] < 0.0:
            plan.subset_points[subset] = -1.0
            continue
        plan.subset_points[subset] = plan.subset_points[rest] + config.points[order]
        plan.subset_accepts[subset] = plan.subset_accepts[rest] + (1 if top >= QUEUE else 0)
        for color in range(3):
            plan.subset_needs[subset, color] = plan.subset_needs[rest, color] + config.needs[order, color]
        if plan.subset_accepts[subset] <= most:
            plan.sets[plan.num_sets] = subset
            plan.num_sets += 1


@kernel
def best_plan(config: Any, plan: Any, storage: Any, actions: Any, yellow_in_bank: Any) -> None:
    """The best use of `actions` with these cubes; `find_recipes` and `list_orders` have been called.

    `storage` counts the cubes on hoppers too. Writes value, subset, collects, loads and workings.
    """
    plan.value = -1.0
    for collects in range(actions + 1):
        gained = min(COLLECTED * collects, int(yellow_in_bank))
        have = int(storage[0]) + gained
        if collects and have + int(storage[1]) + int(storage[2]) > CUBE_LIMIT:
            break
        _consider(config, plan, have, int(storage[1]), int(storage[2]), actions, collects)


@kernel
def _consider(config: Any, plan: Any, yellow: Any, red: Any, blue: Any, actions: Any, collects: Any) -> None:
    """All loads of the Devices with these cubes in storage, the one without any first."""
    plan.trial[:] = 0
    _value_sets(config, plan, yellow, red, blue, 0, 0, 0, actions, collects)
    if actions - collects < 1:
        return
    devices = int(plan.num_devices)
    while True:
        d = 0
        while d < devices:  # count up: the next combination of workings
            plan.trial[d] += 1
            if plan.trial[d] <= MAX_WORKINGS and _enough(plan, yellow, red, blue):
                break
            plan.trial[d] = 0
            d += 1
        if d == devices:
            return
        made_y, made_r, made_b = 0, 0, 0
        left_y, left_r, left_b = yellow, red, blue
        for e in range(devices):
            workings = int(plan.trial[e])
            made_y += int(plan.out[e, workings, 0])
            made_r += int(plan.out[e, workings, 1])
            made_b += int(plan.out[e, workings, 2])
            left_y -= workings * (int(plan.recipe[e, 0, 0]) + int(plan.recipe[e, 1, 0]))
            left_r -= workings * (int(plan.recipe[e, 0, 1]) + int(plan.recipe[e, 1, 1]))
            left_b -= workings * (int(plan.recipe[e, 0, 2]) + int(plan.recipe[e, 1, 2]))
        _value_sets(config, plan, left_y, left_r, left_b, made_y, made_r, made_b, actions, collects)


@kernel
def _enough(plan: Any, yellow: Any, red: Any, blue: Any) -> Any:
    """Whether the cubes suffice for the workings on trial."""
    for color in range(3):
        left = yellow if color == 0 else red if color == 1 else blue
        for d in range(plan.num_devices):
            left -= int(plan.trial[d]) * (int(plan.recipe[d, 0, color]) + int(plan.recipe[d, 1, color]))
        if left < 0:
            return False
    return True


@kernel
def _value_sets(
    config: Any,
    plan: Any,
    left_y: Any,
    left_r: Any,
    left_b: Any,
    made_y: Any,
    made_r: Any,
    made_b: Any,
    actions: Any,
    collects: Any,
) -> None:
    """Value every set of orders that made and stored cubes can fulfil, or that could be accepted for later."""
    running = made_y + made_r + made_b > 0
    for number in range(plan.num_sets):
        subset = int(plan.sets[number])
        points = plan.subset_points[subset]
        accepts = int(plan.subset_accepts[subset])
        spent = collects + accepts
        if spent > actions:
            continue
        direct_y = max(0, int(plan.subset_needs[subset, 0]) - made_y)
        direct_r = max(0, int(plan.subset_needs[subset, 1]) - made_r)
        direct_b = max(0, int(plan.subset_needs[subset, 2]) - made_b)
        direct = direct_y + direct_r + direct_b > 0
        loads = 1 if running or direct else 0
        possible = direct_y <= left_y and direct_r <= left_r and direct_b <= left_b
        possible = possible and (not direct or plan.pass_through != NONE) and spent + loads <= actions
        if possible:
            after_y = left_y + made_y - int(plan.subset_needs[subset, 0])
            after_r = left_r + made_r - int(plan.subset_needs[subset, 1])
            after_b = left_b + made_b - int(plan.subset_needs[subset, 2])
            _offer_plan(
                config, plan, points, subset, 0, after_y, after_r, after_b, actions, collects, spent + loads, loads
            )
        elif accepts == 1 and subset >> QUEUE << QUEUE == subset and not running:
            # For later, only an order that lacks nothing but Yellow: nothing accepted can be given back (B42).
            near = direct_y <= left_y + YELLOW_TO_COME and direct_r <= left_r and direct_b <= left_b
            if near and plan.pass_through != NONE:
                _offer_plan(config, plan, 0.0, 0, subset, left_y, left_r, left_b, actions, collects, spent, 0)


@kernel
def _offer_plan(
    config: Any,
    plan: Any,
    points: Any,
    subset: Any,
    accepted: Any,
    after_y: Any,
    after_r: Any,
    after_b: Any,
    actions: Any,
    collects: Any,
    spent: Any,
    loads: Any,
) -> None:
    """Keep the plan if it is the best so far."""
    weights = plan.weights
    value = points - weights.action * spent + three_cubes_worth(plan, after_y, after_r, after_b)
    if value + 12.0 <= plan.value:
        return
    for place in range(ORDERS):
        order = int(plan.order[place])
        if order != NONE and not subset >> place & 1 and (place < QUEUE or accepted >> place & 1):
            value += prospect(weights, plan.feed, config.needs[order], config.points[order], after_y, after_r, after_b)
    if value > plan.value:
        plan.value = value
        plan.subset = subset | accepted
        plan.collects = collects
        plan.loads = loads
        plan.workings[:] = plan.trial


@kernel
def set_targets(plan: Any) -> None:
    """The cubes that the best plan wants on each hopper. Writes plan.target."""
    plan.target[:] = 0
    if plan.loads == 0:
        return
    made = plan.flow.purged  # work space of three numbers
    made[:] = 0
    for d in range(plan.num_devices):
        workings = int(plan.workings[d])
        for hopper in range(2):
            slot = int(plan.slots[d, hopper])
            if slot != NONE:
                for color in range(3):
                    plan.target[slot, color] += workings * int(plan.recipe[d, hopper, color])
        for color in range(3):
            made[color] += plan.out[d, workings, color]
    if plan.pass_through != NONE:
        for color in range(3):
            missing = int(plan.subset_needs[plan.subset, color]) - int(made[color])
            if missing > 0:
                plan.target[plan.pass_through, color] += missing
