"""Bdgame: which machine to build next, where, and how to get there: taking apart, buying, building.

The best machine is found anew at every decision. What is paid for, taken apart or in place already costs nothing more,
so a machine once begun stays the best one, unless the row or the game has changed.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats, Ints, Ints2
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame import actions as act
from bdgame_env.games.bdgame import state as st
from bdgame_env.games.bdgame.cards import (
    HOPPER,
    INLETS,
    JOINER,
    NUM_BASIC,
    NUM_KINDS,
    OUTLETS,
    PACKER,
    SPLITTER,
    STRAIGHT,
)
from bdgame_env.games.bdgame.market import storage_value
from bdgame_env.games.bdgame.state import (
    COLUMNS,
    CUBE_LIMIT,
    HOPPERS,
    QUEUE,
    ROW,
    ROWS,
    WINNING_POINTS,
    Config,
    Seat,
    State,
    Workshop,
)
from bdgame_env.games.bdgame.turn import cubes_held
from bdgame_env.games.bdgame.workshop import (
    empty_workshop,
    finished,
    open_ports,
    places_in_column,
    put_card,
    removable,
)

from .machines import (
    AFTER,
    BEFORE,
    FORK,
    LOWER,
    MAX_DEVICES,
    MERGE,
    MOST_SPECIALS,
    PARTS,
    UPPER,
    Economy,
    Rates,
    find_prices,
    find_rates,
    lanes_work,
    points_a_turn,
    set_row,
)
from .plan import cubes_of, generosity_of
from .routing import Run, copy_workshop, demand_of, passes_through, run_loaded

MAX_CARDS = 12
SHAPES = 3  # of special parts: converters, splitters, joiners
SKETCHES = 6  # machines that are laid out, the most promising ones


class Judgment(Struct):
    """What points, cubes and actions are worth to the engineer."""

    orders_a_turn: float = unsaved(np.float64)  # beyond which cubes are worth nothing
    yellow: float = unsaved(np.float64)  # that a seat collects in a turn
    stock: float = unsaved(np.float64)  # fraction of the cubes of other colors in storage, and one more, that counts
    without_passing: float = unsaved(np.float64)  # factor for a seat that cannot pass cubes through
    chance: float = unsaved(np.float64)  # fraction of its points that a machine is expected to make
    pace: float = unsaved(np.float64)  # points a turn of the leader, to estimate the turns left
    start: float = unsaved(np.float64)  # turns before a machine works
    action: float = unsaved(np.float64)  # points that an action is worth
    credit: float = unsaved(np.float64)  # points that a credit is worth
    least_turns: float = unsaved(np.float64)  # that a machine is expected to work
    fuel: float = unsaved(np.float64)  # fraction of what a Device makes of a cube that counts as the cube's worth
    demand: float = unsaved(np.float64)  # fraction of the points of orders that come within reach
    closed: float = unsaved(np.float64)  # fraction of its points that a machine loses if it makes no order possible


@kernel
def set_judgment(judgment: Judgment, scale: float) -> None:
    """The engineer's; `scale` as in `plan.set_weights`."""
    judgment.orders_a_turn = 6.0
    judgment.yellow = 5.0
    judgment.stock = 0.1
    judgment.without_passing = 0.8
    judgment.chance = 0.8
    judgment.pace = 4.5 * scale
    judgment.start = 1.0
    judgment.action = 0.6 * scale
    judgment.credit = 0.33 * scale
    judgment.least_turns = 1.9
    judgment.fuel = 0.4
    judgment.demand = 0.47
    judgment.closed = 0.25


class Site(Struct):
    """The best machine, its cards and places, and what is still to be done."""

    judgment: Judgment = part(Judgment)
    economy: Economy = part(Economy)
    rates: Rates = part(Rates)
    run: Run = part(Run)
    turns: float = unsaved(np.float64)  # left for a machine to work
    now: float = unsaved(np.float64)  # points to be expected with the Devices in play
    value: float = unsaved(np.float64)  # points that the machine adds; nothing is to be built if 0
    price: int = unsaved(np.int64)  # of the cards to be bought
    actions: int = unsaved(np.int64)  # still needed
    row: int = unsaved(np.int64)  # y of its line
    without: int = unsaved(np.int64)  # bits of the Devices to be taken apart
    removes: int = unsaved(np.int64)  # cards to be removed
    num_cards: int = unsaved(np.int64)
    parts: Ints = unsaved(np.int16, PARTS)
    cards: Ints = unsaved(np.int16, MAX_CARDS)
    xs: Ints = unsaved(np.int16, MAX_CARDS)
    ys: Ints = unsaved(np.int16, MAX_CARDS)
    need: Ints = unsaved(np.int16, NUM_KINDS)  # cards to be bought, by kind
    there: Ints = unsaved(np.int16, NUM_KINDS)  # special cards within reach, by kind
    kinds: Ints2 = unsaved(np.int16, (SHAPES, NUM_KINDS))  # the same, listed by shape
    count: Ints = unsaved(np.int16, SHAPES)
    load: Ints2 = unsaved(np.int16, (HOPPERS, 3))
    takes: Ints = unsaved(np.int16, 3)
    sketch: Ints2 = unsaved(np.int16, (SKETCHES, PARTS))
    bound: Floats = unsaved(np.float64, SKETCHES)  # what each sketch would add at best
    workshop: Workshop = part(Workshop)


@kernel
def choose_machine(s: State, config: Config, site: Site) -> bool:
    """Find the machine that adds most to what the mover's Devices make, after `survey`; False if none pays."""
    me = s.seats[s.seat]
    judgment, economy = site.judgment, site.economy
    most = 0
    for seat in range(config.players):
        most = max(most, int(s.seats[seat].points))
    site.turns = max(judgment.least_turns, (WINNING_POINTS - most) / judgment.pace - judgment.start)
    site.value = 0.0
    find_prices(config, economy, judgment.orders_a_turn)
    for color in range(3):
        economy.income[color] = judgment.stock * (1.0 + cubes_of(me, color))
    economy.income[0] = judgment.yellow
    site.now = _points_with(s, config, me, site, 0, False, False)
    site.bound[:] = 0.0
    _sketch_all(s, config, me, site)
    best, best_row, best_without = NONE, 0, 0
    for number in range(SKETCHES):
        if site.bound[number] <= site.value:
            break
        site.parts[:] = site.sketch[number]
        passes = is_passing(site.parts)
        if not passes:
            _lay_out(config, site)
        for without in range(1 << economy.num_devices):
            gain = _points_with(s, config, me, site, without, not passes, passes) - site.now
            for row in range(ROWS if gain > site.value else 0):
                if draw_up(site, row) and price_up(s, config, me, site, without):
                    delay = max(0, int(site.actions) - int(s.actions_left) + 2) // 3
                    costs = judgment.credit * max(0, int(site.price) - int(s.credit)) + judgment.action * site.actions
                    value = gain * (site.turns - delay) / site.turns - costs
                    if value > site.value:
                        site.value = value
                        best, best_row, best_without = number, row, without
    if best == NONE:
        return False
    site.parts[:] = site.sketch[best]
    draw_up(site, best_row)
    return price_up(s, config, me, site, best_without)


@kernel
def is_passing(parts: Ints) -> bool:
    """Whether a machine has no special part and passes cubes through."""
    return parts[BEFORE] == NONE and parts[FORK] == NONE and parts[AFTER] == NONE


@kernel
def survey(s: State, config: Config, site: Site) -> None:
    """Write the mover's Devices to the economy, and which special parts are within reach."""
    me, economy = s.seats[s.seat], site.economy
    workshop = me.workshop
    set_judgment(site.judgment, generosity_of(config))
    economy.num_devices = 0
    economy.uses[:] = 0.0
    economy.adds[:] = 0.0
    site.there[:] = 0
    for kind in range(NUM_BASIC, NUM_KINDS):
        site.there[kind] = int(me.hand[kind]) + int(s.bought[kind])
    for slot in range(ROW):
        if s.parts_row[slot] != NONE:
            site.there[s.parts_row[slot]] += 1
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = int(workshop.kinds[x, y])
            if kind >= NUM_BASIC:
                site.there[kind] += 1
            if workshop.devices[x, y] == x * ROWS + y and economy.num_devices < MAX_DEVICES:
                row = int(economy.num_devices)
                economy.root[row] = x * ROWS + y
                economy.passes[row] = 0
                if finished(workshop, config.shapes, x * ROWS + y):
                    if passes_through(workshop, x * ROWS + y):
                        economy.passes[row] = 1
                    else:
                        _survey_device(workshop, config, x * ROWS + y, site, row)
                economy.num_devices = row + 1


@kernel
def _survey_device(workshop: Workshop, config: Config, device: int, site: Site, row: int) -> None:
    """Write what a finished Device takes and gives at full load to a row of the economy."""
    site.load[:] = 0
    full = 0
    for workings in range(1, CUBE_LIMIT + 1):
        cubes = demand_of(workshop, config, device, workings, site.run.demand, site.load)
        if cubes == 0 or cubes > CUBE_LIMIT:
            break
        full = workings
    if full == 0:
        return
    demand_of(workshop, config, device, full, site.run.demand, site.load)
    for color in range(3):
        site.takes[color] = 0
        for slot in range(HOPPERS):
            site.takes[color] += site.load[slot, color]
    site.run.bank[:] = 100
    run_loaded(workshop, site.run.bank, config, device, site.load, site.run)
    set_row(site.economy, row, site.takes, site.run.made)


@kernel
def _lay_out(config: Config, site: Site) -> None:
    """Build the machine of site.parts in an empty workshop and survey it there, as it would be if it were in play."""
    trial = site.workshop
    empty_workshop(trial)
    draw_up(site, ROWS // 2)
    for number in range(site.num_cards):
        put_card(trial, config.shapes, site.cards[number], site.xs[number], site.ys[number])
    site.economy.uses[MAX_DEVICES, :] = 0.0
    site.economy.adds[MAX_DEVICES, :] = 0.0
    _survey_device(trial, config, int(trial.devices[site.xs[0], site.ys[0]]), site, MAX_DEVICES)


@kernel
def _points_with(s: State, config: Config, me: Seat, site: Site, without: int, extra: bool, passes: bool) -> float:
    """Points to be expected without some Devices, and with a machine more that works or passes cubes through."""
    economy, judgment = site.economy, site.judgment
    for row in range(economy.num_devices):
        passes = passes or (economy.passes[row] == 1 and not without >> row & 1)
    points = points_a_turn(economy, without, extra) * site.turns * judgment.chance
    reach, seen = 0.0, 0.0
    for place in range(QUEUE + ROW):
        order = int(me.queue[place]) if place < QUEUE else int(s.orders_row[place - QUEUE])
        if order != NONE:
            worth = (1.0 if place < QUEUE else 0.5) * int(config.points[order])
            seen += worth
            reach += worth if _within_reach(config, me, economy, order, passes) else 0.0
    if seen > 0.0:
        points *= 1.0 - judgment.closed * (1.0 - reach / seen)
    points += judgment.demand * reach
    return points if passes else points * judgment.without_passing


@kernel
def _within_reach(config: Config, me: Seat, economy: Economy, order: int, passes: bool) -> bool:
    """Whether a seat makes cubes of all colors that an order needs, or has or gets them and can pass them through."""
    for color in range(3):
        if config.needs[order, color] and economy.made[color] < 1.0:
            enough = config.needs[order, color] <= cubes_of(me, color) or economy.flow[color] >= 1.0
            if not passes or not enough:
                return False
    return True


@kernel
def _sketch_all(s: State, config: Config, me: Seat, site: Site) -> None:
    """Keep the most promising machines of parts within reach; the loops begin below 0 with no part and grey ones."""
    parts = site.parts
    site.count[:] = 0
    for kind in range(NUM_BASIC, NUM_KINDS):
        if site.there[kind]:
            shape = 0 if config.shapes[kind] == STRAIGHT else 1 if config.shapes[kind] == SPLITTER else 2
            site.kinds[shape, site.count[shape]] = kind
            site.count[shape] += 1
    converters, splitters = int(site.count[0]), int(site.count[1])
    parts[:] = NONE
    parts[MERGE] = PACKER
    _sketch(s, config, me, site)
    for before in range(-1, converters):
        parts[:] = NONE
        parts[BEFORE] = site.kinds[0, before] if before >= 0 else NONE
        parts[MERGE] = PACKER
        for after in range(converters):
            parts[AFTER] = site.kinds[0, after]
            _sketch(s, config, me, site)
        for fork in range(-2 if before < 0 else -1, splitters):
            parts[FORK] = site.kinds[1, fork] if fork >= 0 else SPLITTER if fork == -1 else HOPPER
            for upper in range(-1, converters):
                parts[UPPER] = site.kinds[0, upper] if upper >= 0 else NONE
                for lower in range(-1, converters):
                    parts[LOWER] = site.kinds[0, lower] if lower >= 0 else NONE
                    specials = int(before >= 0) + int(fork >= 0) + int(upper >= 0) + int(lower >= 0)
                    if specials <= MOST_SPECIALS and lanes_work(config, parts):
                        _sketch_merges(s, config, me, site, specials)


@kernel
def _sketch_merges(s: State, config: Config, me: Seat, site: Site, specials: int) -> None:
    """Sketch all merges and converters after a fork and its lanes."""
    parts = site.parts
    for merge in range(-2 if parts[FORK] >= NUM_BASIC else 0, site.count[2]):
        parts[MERGE] = site.kinds[2, merge] if merge >= 0 else JOINER if merge == -1 else PACKER
        for after in range(-1, 0 if merge == -2 else site.count[0]):
            parts[AFTER] = site.kinds[0, after] if after >= 0 else NONE
            if specials + int(merge >= 0) + int(after >= 0) <= MOST_SPECIALS:
                _sketch(s, config, me, site)


@kernel
def _sketch(s: State, config: Config, me: Seat, site: Site) -> None:
    """Keep the machine of site.parts if it is among the most promising ones."""
    parts = site.parts
    for place in range(PARTS):
        kind = int(parts[place])
        if kind >= NUM_BASIC:
            copies = 1
            for other in range(place):
                copies += int(parts[other] == kind)
            if copies > site.there[kind]:
                return
    passes = is_passing(parts)
    if not passes:
        if not find_rates(config, parts, site.rates):
            return
        set_row(site.economy, MAX_DEVICES, site.rates.takes, site.rates.gives)
    value = _points_with(s, config, me, site, 0, not passes, passes) - site.now
    last = SKETCHES - 1
    if value <= site.bound[last]:
        return
    while last > 0 and value > site.bound[last - 1]:
        site.bound[last] = site.bound[last - 1]
        site.sketch[last] = site.sketch[last - 1]
        last -= 1
    site.bound[last] = value
    site.sketch[last] = parts


@kernel
def draw_up(site: Site, row: int) -> bool:
    """Write the cards of the machine of site.parts and their places, its line at y = `row`; False if it has no room."""
    parts = site.parts
    fork, upper, lower, merge = int(parts[FORK]), int(parts[UPPER]), int(parts[LOWER]), int(parts[MERGE])
    site.row = row
    site.num_cards = 0
    if fork != NONE and (row == 0 or row == ROWS - 1):
        return False
    x = 0
    if fork == HOPPER:
        _add(site, HOPPER, x, row - 1)
        _add(site, HOPPER, x, row + 1)
    else:
        _add(site, HOPPER, x, row)
    for place in (BEFORE, FORK):
        if parts[place] != NONE and parts[place] != HOPPER:
            x += 1
            _add(site, int(parts[place]), x, row)
    if fork != NONE:
        ends = merge == PACKER
        if ends or upper != NONE or lower != NONE:
            x += 1
            grey = PACKER if ends else STRAIGHT
            _add(site, grey if upper == NONE else upper, x, row - 1)
            _add(site, grey if lower == NONE else lower, x, row + 1)
        if ends:
            if upper != NONE:
                _add(site, PACKER, x + 1, row - 1)
            if lower != NONE:
                _add(site, PACKER, x + 1, row + 1)
            return x + 1 < COLUMNS
        x += 1
        _add(site, merge, x, row)
    if parts[AFTER] != NONE:
        x += 1
        _add(site, int(parts[AFTER]), x, row)
    _add(site, PACKER, x + 1, row)
    return x + 1 < COLUMNS


@kernel
def _add(site: Site, kind: int, x: int, y: int) -> None:
    number = int(site.num_cards)
    site.cards[number] = kind
    site.xs[number] = x
    site.ys[number] = y
    site.num_cards = number + 1


@kernel
def is_laid(workshop: Workshop, site: Site, number: int) -> bool:
    """Whether a card of the machine lies where it should."""
    return workshop.kinds[site.xs[number], site.ys[number]] == site.cards[number]


@kernel
def belongs(site: Site, kind: int, x: int, y: int) -> bool:
    """Whether the machine has a card of this kind at (x, y)."""
    for number in range(site.num_cards):
        if site.xs[number] == x and site.ys[number] == y:
            return site.cards[number] == kind
    return False


@kernel
def price_up(s: State, config: Config, me: Seat, site: Site, without: int) -> bool:
    """Write what the machine drawn up still takes if Devices are taken apart for it; False if it cannot be built."""
    workshop, need, trial = me.workshop, site.need, site.workshop
    site.without = without
    site.removes = 0
    copy_workshop(trial, workshop)
    need[:] = 0
    for x in range(COLUMNS - 1, -1, -1):
        for y in range(ROWS):
            if is_to_go(trial, config, site, x, y):
                kind = int(trial.kinds[x, y])
                need[kind] -= 1
                site.removes += 1
                _lift(trial, config, kind, x, y)
    hoppers = 0
    for y in range(ROWS):
        hoppers += int(trial.kinds[0, y] == HOPPER)
    missing = 0
    for number in range(site.num_cards):
        if is_laid(trial, site, number):
            continue
        kind, x, y = int(site.cards[number]), int(site.xs[number]), int(site.ys[number])
        hoppers += int(kind == HOPPER)
        if not places_in_column(trial, int(config.shapes[kind]), x, True) >> y & 1 or hoppers > HOPPERS:
            return False
        _lay(trial, config, kind, x, y)
        need[kind] += 1
        missing += 1
    if missing == 0:
        return False
    site.price = 0
    for number in range(site.num_cards):
        kind = int(site.cards[number])
        if open_ports(trial, int(config.shapes[kind]), int(site.xs[number]), int(site.ys[number])):
            return False
    for kind in range(NUM_KINDS):
        need[kind] = max(0, int(need[kind]) - int(me.hand[kind]) - int(s.bought[kind]))
        if need[kind]:
            on_sale = int(s.piles[kind]) if kind < NUM_BASIC else 0
            for slot in range(ROW):
                on_sale += int(s.parts_row[slot] == kind)
            if need[kind] > on_sale:
                return False
            site.price += int(need[kind]) * int(config.cost[kind])
    due = int(site.price) - int(s.credit) - storage_value(me.storage)
    if due > max(0, CUBE_LIMIT - cubes_held(me)):
        return False
    site.actions = (
        int(site.price > 0 and s.opened != st.OPEN_BUY)
        + int(site.removes > 0 and s.opened != st.OPEN_DISMANTLE)
        + int(s.opened != st.OPEN_BUILD)
        + max(0, due + 1) // 2
    )
    return True


@kernel
def is_to_go(workshop: Workshop, config: Config, site: Site, x: int, y: int) -> bool:
    """Whether a card of a Device that is taken apart can be removed and is not in place."""
    kind = int(workshop.kinds[x, y])
    if kind == NONE or belongs(site, kind, x, y) or not removable(workshop, int(config.shapes[kind]), x, y):
        return False
    economy = site.economy
    for row in range(economy.num_devices):
        if economy.root[row] == workshop.devices[x, y]:
            return bool(site.without >> row & 1)
    return False


@kernel
def _lift(workshop: Workshop, config: Config, kind: int, x: int, y: int) -> None:
    """Take a card out of play, as `take_card`, but leave the Devices as they are."""
    shape = int(config.shapes[kind])
    workshop.kinds[x, y] = NONE
    workshop.columns[x] = int(workshop.columns[x]) & ~(1 << y)
    workshop.inlets[x] = int(workshop.inlets[x]) & ~(int(INLETS[shape]) << y)
    workshop.outlets[x + 1] = int(workshop.outlets[x + 1]) & ~(int(OUTLETS[shape]) << y)


@kernel
def _lay(workshop: Workshop, config: Config, kind: int, x: int, y: int) -> None:
    """Put a card into play, as `put_card`, but leave the Devices as they are."""
    shape = int(config.shapes[kind])
    workshop.kinds[x, y] = kind
    workshop.columns[x] = int(workshop.columns[x]) | 1 << y
    workshop.inlets[x] = int(workshop.inlets[x]) | int(INLETS[shape]) << y
    workshop.outlets[x + 1] = int(workshop.outlets[x + 1]) | int(OUTLETS[shape]) << y


@kernel
def card_to_lift(workshop: Workshop, config: Config, site: Site) -> int:
    """The next card to remove, as a cell, or NONE."""
    for x in range(COLUMNS - 1, -1, -1):
        for y in range(ROWS):
            if is_to_go(workshop, config, site, x, y):
                return x * ROWS + y
    return NONE


@kernel
def card_to_lay(s: State, mask: Ints, site: Site) -> int:
    """The action that selects the first card of the machine that is not in place, or NONE if that cannot be."""
    workshop = s.seats[s.seat].workshop
    for number in range(site.num_cards):
        if not is_laid(workshop, site, number):
            action = act.SELECT + int(site.cards[number])
            return action if mask[action] else NONE
    return NONE


@kernel
def place_of_selected(s: State, mask: Ints, site: Site) -> int:
    """The action that lays the selected card where the machine wants it, or NONE."""
    workshop = s.seats[s.seat].workshop
    for number in range(site.num_cards):
        cell = int(site.xs[number]) * ROWS + int(site.ys[number])
        if site.cards[number] == s.selected and not is_laid(workshop, site, number) and mask[act.PLACE_AT + cell]:
            return act.PLACE_AT + cell
    return NONE


@kernel
def card_to_buy(s: State, mask: Ints, site: Site) -> int:
    """The action that buys a card of the machine that the credit covers, or NONE."""
    for slot in range(ROW):
        kind = int(s.parts_row[slot])
        if kind != NONE and site.need[kind] > 0 and mask[act.BUY_SLOT + slot]:
            return act.BUY_SLOT + slot
    for kind in range(NUM_BASIC):
        if site.need[kind] > 0 and mask[act.BUY_KIND + kind]:
            return act.BUY_KIND + kind
    return NONE
