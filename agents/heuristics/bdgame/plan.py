"""Bdgame: what a seat can make and score this turn, from Devices as recipes, loads and orders within reach.

A plan says how often to collect, which orders to accept, how often each Device is to work, and which orders to fulfil.
`best_plan` tries all combinations and also values the cubes left over. All of this is public knowledge (B51).
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats, Floats2, Ints, Ints2, Ints3, Rows
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame.cards import NUM_BASIC, NUM_ORDERS, VALUE
from bdgame_env.games.bdgame.market import orders_in_queue, row_has_card
from bdgame_env.games.bdgame.state import CUBE_LIMIT, HOPPERS, QUEUE, ROW, Config, Seat, State, Workshop
from bdgame_env.games.bdgame.turn import cubes_held
from bdgame_env.games.bdgame.workshop import device_of_slot, finished

from .routing import Run, demand_of, passes_through, run_loaded

CLASSIC_POINTS, CLASSIC_WORTH = 127, 230  # of all orders of the classic deck: points, and value of what they need
MAX_WORKINGS = 10
COLLECTED = 2  # Yellow that a Collect brings
YELLOW_TO_COME = 2 * COLLECTED
MAX_DEVICES = 4  # Devices with a special part that are considered
ORDERS = QUEUE + ROW
SUBSETS = 1 << ORDERS
TOO_MANY = 100  # cubes, for a number of workings that is not possible


class Weights(Struct):
    """What cubes, orders and Devices are worth to the players."""

    generosity: float = unsaved(np.float64)  # of the deck, which all that is in points is scaled by
    cube: Floats = unsaved(np.float64, 3)  # expected points of a cube in storage, by color
    decline: float = unsaved(np.float64)  # the factor lost with each further cube of a color
    least: float = unsaved(np.float64)  # the least factor
    prospect: float = unsaved(np.float64)  # fraction of an order's gain that counts while its cubes are in storage
    action: float = unsaved(np.float64)  # points that an action must bring, to rule out useless ones
    feed: Floats = unsaved(np.float64, 3)  # income of cubes a turn without further Devices, by color
    stock: float = unsaved(np.float64)  # fraction of the cubes in storage that counts as income
    points_a_turn: float = unsaved(np.float64)  # the leader's, to estimate the turns left
    turns_to_pay: float = unsaved(np.float64)  # turns before a new Device works
    least_turns: float = unsaved(np.float64)  # least number of turns that a new Device is expected to work
    unwanted: float = unsaved(np.float64)  # factor of a color that no order of a full queue needs, with full storage
    demand: float = unsaved(np.float64)  # fraction of the points of orders that wait for a color
    credit: float = unsaved(np.float64)  # opportunity cost of a credit, in points
    project_action: float = unsaved(np.float64)  # opportunity cost of an action, in points
    chance: float = unsaved(np.float64)  # fraction of its potential that a Device is expected to make


@kernel
def generosity_of(config: Config) -> float:
    """The points that the orders of a deck give for what they need, as a fraction of those of the classic deck."""
    points, worth = 0, 0
    for order in range(NUM_ORDERS):
        points += int(config.points[order])
        for color in range(3):
            worth += VALUE[color] * int(config.needs[order, color])
    return (points * CLASSIC_WORTH) / (worth * CLASSIC_POINTS)


@kernel
def set_weights(weights: Weights, config: Config) -> None:
    """Weights from a random search on the classic deck, scaled to another one.

    Each variant kept won more than half of 420 paired games against the one before.
    """
    scale = generosity_of(config)
    weights.generosity = scale
    weights.cube[0] = 0.33 * scale
    weights.cube[1] = 0.75 * scale
    weights.cube[2] = 1.5 * scale
    weights.decline = 0.19
    weights.least = 0.14
    weights.prospect = 0.5
    weights.unwanted = 0.2
    weights.action = 0.03 * scale
    weights.feed[0] = 5.0
    weights.feed[1] = 0.3
    weights.feed[2] = 0.2
    weights.stock = 0.17
    weights.points_a_turn = 4.5 * scale
    weights.turns_to_pay = 1.5
    weights.least_turns = 1.9
    weights.demand = 0.47
    weights.credit = 0.33 * scale
    weights.project_action = 0.6 * scale
    weights.chance = 0.47


class Recipe(Struct):
    """What a Device needs and makes, by number of workings."""

    load: Ints3 = unsaved(np.int16, (MAX_WORKINGS + 1, HOPPERS, 3))  # cubes to load, by hopper slot and color
    takes: Ints2 = unsaved(np.int16, (MAX_WORKINGS + 1, 3))  # their sums, or TOO_MANY
    gives: Ints2 = unsaved(np.int16, (MAX_WORKINGS + 1, 3))


class Plan(Struct):
    """The best plan found, what it is made of, and space to find it in."""

    weights: Weights = part(Weights)
    worth: Floats2 = unsaved(np.float64, (3, CUBE_LIMIT + 1))  # expected points of this many cubes, by color
    to_come: int = unsaved(np.int64)  # Yellow that fills what room the plan leaves
    narrowed: int = unsaved(np.int64)  # 1 if worth is that of a full queue
    feed: Floats = unsaved(np.float64, 3)  # income of cubes a turn, by color
    wanted: Ints = unsaved(np.int16, 3)  # cubes to keep for accepted orders, by color
    value: float = unsaved(np.float64)
    subset_points: Floats = unsaved(np.float64, SUBSETS)
    subset: int = unsaved(np.int64)  # bits: places in the queue, then slots of the row
    collects: int = unsaved(np.int64)
    loads: int = unsaved(np.int64)  # 1 if a Load action belongs to the plan
    num_sets: int = unsaved(np.int64)
    num_devices: int = unsaved(np.int64)
    pass_through: int = unsaved(np.int64)  # hopper slot of a Device that passes cubes unchanged, or NONE
    # Cubes by color: in storage with some Collects, then what the loads being tried leave there and make of them,
    # and what is left of both after the orders being tried.
    there: Ints = unsaved(np.int64, 3)
    left: Ints = unsaved(np.int64, 3)
    gained: Ints = unsaved(np.int64, 3)
    after: Ints = unsaved(np.int64, 3)
    subset_needs: Ints2 = unsaved(np.int16, (SUBSETS, 3))
    subset_accepts: Ints = unsaved(np.int16, SUBSETS)
    sets: Ints = unsaved(np.int16, SUBSETS)  # the sets of orders possible with the actions and queue places left
    order: Ints = unsaved(np.int16, ORDERS)
    recipes: Rows[Recipe] = part(Recipe, MAX_DEVICES)
    workings: Ints = unsaved(np.int16, MAX_DEVICES)  # the plan's
    trial: Ints = unsaved(np.int16, MAX_DEVICES)
    target: Ints2 = unsaved(np.int16, (HOPPERS, 3))  # cubes that the plan wants on each hopper
    run: Run = part(Run)


@kernel
def cube_worth(plan: Plan, cubes: Ints) -> float:
    """The expected points of cubes and of the Yellow to come; only the 10 most valuable count (B44)."""
    blue = min(int(cubes[2]), CUBE_LIMIT)
    red = min(int(cubes[1]), CUBE_LIMIT - blue)
    yellow = min(int(cubes[0]) + int(plan.to_come), CUBE_LIMIT - blue - red)
    return plan.worth[0, yellow] + plan.worth[1, red] + plan.worth[2, blue]


@kernel
def set_worths(plan: Plan) -> None:
    """Write plan.worth: each further cube of a color is worth less than the one before."""
    weights = plan.weights
    for color in range(3):
        plan.worth[color, 0] = 0.0
        for count in range(1, CUBE_LIMIT + 1):
            part = max(weights.least, 1.0 - weights.decline * (count - 1))
            plan.worth[color, count] = plan.worth[color, count - 1] + weights.cube[color] * part


@kernel
def set_worths_in(plan: Plan, s: State, me: Seat, config: Config) -> None:
    """Write plan.worth for a seat: if it accepts no more orders and its storage is full, cubes that its orders do not
    need are in the way of those that they do.
    """
    full = accepts_no_more(s, me) and cubes_held(me) >= CUBE_LIMIT - 1
    if full:
        _set_worths_of_full(plan, me, config)
    elif plan.narrowed:
        set_worths(plan)
    plan.narrowed = int(full)


@kernel
def _set_worths_of_full(plan: Plan, me: Seat, config: Config) -> None:
    """Write plan.worth for a seat whose accepted orders are all that it can use cubes for."""
    weights = plan.weights
    choose_wanted(plan, me, config)
    for color in range(3):
        plan.worth[color, 0] = 0.0
        for count in range(1, CUBE_LIMIT + 1):
            part = 1.0 if count <= plan.wanted[color] else weights.least * weights.unwanted
            plan.worth[color, count] = plan.worth[color, count - 1] + weights.cube[color] * part


@kernel
def accepts_no_more(s: State, me: Seat) -> bool:
    """Whether a seat's queue is full, or no order lies in the row."""
    return orders_in_queue(me.queue) == QUEUE or not row_has_card(s.orders_row)


@kernel
def cubes_of(me: Seat, color: int) -> int:
    """The cubes of a color in storage and on hoppers: a plan must not change while it is being loaded."""
    cubes = int(me.storage[color])
    for slot in range(HOPPERS):
        cubes += int(me.workshop.loaded[slot, color])
    return cubes


@kernel
def choose_wanted(plan: Plan, me: Seat, config: Config) -> None:
    """Write plan.wanted: the cubes of accepted orders that storage has room for, what lacks least first."""
    plan.wanted[:] = 0
    done, total = 0, 0
    while True:
        best, least, size = NONE, 1000, 0
        for place in range(QUEUE):
            if me.queue[place] != NONE and not done >> place & 1:
                lacking, needed = 0, 0
                for color in range(3):
                    needs = int(config.needs[me.queue[place], color])
                    needed += needs
                    lacking += max(0, needs + int(plan.wanted[color]) - cubes_of(me, color))
                if lacking < least:
                    best, least, size = place, lacking, needed
        if best == NONE or total + size > CUBE_LIMIT:
            return
        plan.wanted[:] += config.needs[me.queue[best]]
        done |= 1 << best
        total += size


@kernel
def most_needed(orders: Ints, config: Config, color: int) -> int:
    """The most cubes of a color that one of these orders needs."""
    most = 0
    for place in range(orders.shape[0]):
        if orders[place] != NONE:
            most = max(most, int(config.needs[orders[place], color]))
    return most


@kernel
def make_ready(plan: Plan, config: Config) -> None:
    """Fill in weights and worths if the scratch space is fresh, or the game before had another deck."""
    if plan.weights.generosity != generosity_of(config):
        set_weights(plan.weights, config)
        set_worths(plan)


@kernel
def prospect(weights: Weights, feed: Floats, needs: Ints, points: int, cubes: Ints | Floats) -> float:
    """The value of an unfulfilled order beyond its cubes' worth, scaled by the fraction of them available or coming."""
    wanted = 0.0
    there = 0.0
    for color in range(3):
        wanted += weights.cube[color] * needs[color]
        there += weights.cube[color] * min(float(needs[color]), int(cubes[color]) + 0.7 * feed[color])
    part = there / wanted
    return weights.prospect * max(0.0, points - wanted) * part**4


@kernel
def workings_fed(feed: Floats, config: Config, kind: int) -> float:
    """How often a part works in a turn with this income of cubes by color, at most with 9 cubes."""
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
def find_feed(weights: Weights, me: Seat, config: Config, feed: Floats) -> None:
    """Write `feed`: the income of cubes a turn, from what a seat collects and what its parts make of that."""
    for color in range(3):
        feed[color] = weights.feed[color] + weights.stock * cubes_of(me, color)
    for x in range(me.workshop.kinds.shape[0]):
        for y in range(me.workshop.kinds.shape[1]):
            kind = int(me.workshop.kinds[x, y])
            if kind >= NUM_BASIC:
                workings = workings_fed(feed, config, kind)
                for color in range(3):
                    for port in range(3):
                        feed[color] += 0.7 * workings * int(config.gives[kind, port, color])


@kernel
def find_recipes(me: Seat, bank: Ints, config: Config, plan: Plan, cubes: Ints, actions: int) -> None:
    """List the mover's finished Devices: one that passes cubes through, and those with special parts.

    Writes num_devices, pass_through, load, takes and out: for every number of workings that `cubes` and Collects can
    pay for, what the resolver says.
    """
    workshop, devices = me.workshop, 0
    plan.pass_through = NONE
    for slot in range(HOPPERS):
        if workshop.hopper_cell[slot] == NONE:
            continue
        device = device_of_slot(workshop, slot)
        if not is_first_slot(workshop, slot) or not finished(workshop, config.shapes, device):
            continue
        if passes_through(workshop, device):
            plan.pass_through = slot
        elif devices < MAX_DEVICES:
            recipe = plan.recipes[devices]
            _try_workings(workshop, bank, config, recipe, plan.run, device, cubes, COLLECTED * actions)
            devices += 1
    plan.num_devices = devices


@kernel
def is_first_slot(workshop: Workshop, slot: int) -> bool:
    """Whether no lower slot has a hopper of the same Device."""
    for lower in range(slot):
        if workshop.hopper_cell[lower] != NONE:
            if device_of_slot(workshop, lower) == device_of_slot(workshop, slot):
                return False
    return True


@kernel
def _try_workings(
    workshop: Workshop, bank: Ints, config: Config, recipe: Recipe, run: Run, device: int, cubes: Ints, yellow: int
) -> None:
    """Write the recipe of a Device as far as there may be cubes for it: `cubes` and so many more Yellow (B33, B36)."""
    recipe.load[:] = 0
    recipe.takes[:] = TOO_MANY
    recipe.takes[0, :] = 0
    recipe.gives[0, :] = 0
    for workings in range(1, MAX_WORKINGS + 1):
        if demand_of(workshop, config, device, workings, run.demand, recipe.load[workings]) > CUBE_LIMIT:
            return
        for color in range(3):
            wanted = 0
            for slot in range(HOPPERS):
                wanted += int(recipe.load[workings, slot, color])
            if wanted > int(cubes[color]) + (yellow if color == 0 else 0):
                recipe.takes[workings, :] = TOO_MANY
                return
            recipe.takes[workings, color] = wanted
        run_loaded(workshop, bank, config, device, recipe.load[workings], run)
        recipe.gives[workings, :] = run.made


@kernel
def list_orders(s: State, config: Config, me: Seat, plan: Plan, queued: int, actions: int) -> None:
    """List the sets of orders from queue and row: their cubes, their points, how many must be accepted first.

    Sets that need too many actions or queue places are left out.
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
def best_plan(config: Config, plan: Plan, storage: Ints, actions: int, yellow_in_bank: int) -> None:
    """Find the best use of `actions` with these cubes, after `find_recipes` and `list_orders`.

    `storage` counts the cubes on hoppers too. Writes value, subset, collects, loads and workings.
    """
    plan.value = -1.0
    for collects in range(actions + 1):
        for color in range(3):
            plan.there[color] = storage[color]
        plan.there[0] += min(COLLECTED * collects, int(yellow_in_bank))
        if collects and plan.there[0] + plan.there[1] + plan.there[2] > CUBE_LIMIT:
            break
        _consider(config, plan, actions, collects)


@kernel
def _consider(config: Config, plan: Plan, actions: int, collects: int) -> None:
    """Try all loads of the Devices with the cubes of plan.there, beginning with none."""
    plan.trial[:] = 0
    _run_trial(plan)
    _value_sets(config, plan, actions, collects)
    if actions - collects < 1:
        return
    devices = int(plan.num_devices)
    while True:
        d = 0
        while d < devices:  # count up: the next combination of workings
            plan.trial[d] += 1
            if plan.trial[d] <= MAX_WORKINGS and _run_trial(plan):
                break
            plan.trial[d] = 0
            d += 1
        if d == devices:
            return
        _value_sets(config, plan, actions, collects)


@kernel
def _run_trial(plan: Plan) -> bool:
    """Write what the workings being tried leave and gain; False if there are too few cubes for them."""
    for color in range(3):
        left, gained = int(plan.there[color]), 0
        for d in range(plan.num_devices):
            left -= int(plan.recipes[d].takes[plan.trial[d], color])
            gained += int(plan.recipes[d].gives[plan.trial[d], color])
        if left < 0:
            return False
        plan.left[color] = left
        plan.gained[color] = gained
    return True


@kernel
def _value_sets(config: Config, plan: Plan, actions: int, collects: int) -> None:
    """Value every set of orders that made and stored cubes can fulfil, or that could be accepted for later."""
    running = plan.gained[0] + plan.gained[1] + plan.gained[2] > 0
    for number in range(plan.num_sets):
        subset = int(plan.sets[number])
        accepts = int(plan.subset_accepts[subset])
        spent = collects + accepts
        if spent > actions:
            continue
        direct, possible, near = False, True, True
        for color in range(3):
            lacking = max(0, int(plan.subset_needs[subset, color]) - int(plan.gained[color]))
            missing = lacking - int(plan.left[color])
            direct = direct or lacking > 0
            possible = possible and missing <= 0
            near = near and missing <= (YELLOW_TO_COME if color == 0 else 0)
        loads = 1 if running or direct else 0
        possible = possible and (not direct or plan.pass_through != NONE) and spent + loads <= actions
        if possible:
            for color in range(3):
                plan.after[color] = plan.left[color] + plan.gained[color] - plan.subset_needs[subset, color]
            _offer_plan(config, plan, subset, 0, collects, spent + loads, loads)
        elif accepts == 1 and subset >> QUEUE << QUEUE == subset and not running:
            # For later, accept only an order that lacks nothing but Yellow: an accepted order cannot be returned (B42).
            if near and plan.pass_through != NONE:
                plan.after[:] = plan.left
                _offer_plan(config, plan, 0, subset, collects, spent, 0)


@kernel
def _offer_plan(config: Config, plan: Plan, subset: int, accepted: int, collects: int, spent: int, loads: int) -> None:
    """Keep the plan if it is the best so far: orders to be fulfilled or accepted, with plan.after left."""
    weights = plan.weights
    value = plan.subset_points[subset] - weights.action * spent + cube_worth(plan, plan.after)
    if value + 12.0 <= plan.value:
        return
    for place in range(ORDERS):
        order = int(plan.order[place])
        if order != NONE and not subset >> place & 1 and (place < QUEUE or accepted >> place & 1):
            value += prospect(weights, plan.feed, config.needs[order], config.points[order], plan.after)
    if value > plan.value:
        plan.value = value
        plan.subset = subset | accepted
        plan.collects = collects
        plan.loads = loads
        plan.workings[:] = plan.trial


@kernel
def set_targets(plan: Plan) -> None:
    """Write plan.target: the cubes that the best plan wants on each hopper."""
    plan.target[:] = 0
    if plan.loads == 0:
        return
    for d in range(plan.num_devices):
        for slot in range(HOPPERS):
            for color in range(3):
                plan.target[slot, color] += plan.recipes[d].load[plan.workings[d], slot, color]
    if plan.pass_through != NONE:
        for color in range(3):
            missing = int(plan.subset_needs[plan.subset, color])
            for d in range(plan.num_devices):
                missing -= int(plan.recipes[d].gives[plan.workings[d], color])
            if missing > 0:
                plan.target[plan.pass_through, color] += missing
