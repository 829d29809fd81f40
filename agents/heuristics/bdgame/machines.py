"""Bdgame: machines of up to three special parts, and what a seat makes in a turn with a set of Devices.

A machine is a line of parts from a hopper to a packer: a converter, a fork, a converter in each of its lanes, a merge
and another converter, each of which may be missing. Forks and merges are special or grey; two hoppers, one for each
lane, are a fork as well, and two packers a merge.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Floats, Floats2, Ints
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, unsaved
from bdgame_env.games.bdgame.cards import DOWN, MID, NUM_BASIC, NUM_ORDERS, UP
from bdgame_env.games.bdgame.state import CUBE_LIMIT, Config

BEFORE, FORK, UPPER, LOWER, MERGE, AFTER = range(6)  # the places of a machine's parts, in the order of the flow
PARTS = 6
MOST_SPECIALS = 3
MAX_DEVICES = 6  # of a seat, one for each hopper


class Rates(Struct):
    """Cubes by color that a machine takes and gives in one working of its first special part."""

    takes: Floats = unsaved(np.float64, 3)
    gives: Floats = unsaved(np.float64, 3)
    up: Floats = unsaved(np.float64, 3)  # in the lanes
    down: Floats = unsaved(np.float64, 3)


class Economy(Struct):
    """What cubes are worth, and what the Devices of a seat make of them."""

    price: Floats = unsaved(np.float64, 3)  # points of a cube, by color
    plenty: Floats = unsaved(np.float64, 3)  # cubes of a color in a turn beyond which more are worth nothing
    income: Floats = unsaved(np.float64, 3)  # cubes of a color in a turn without any Device
    flow: Floats = unsaved(np.float64, 3)  # cubes of a color in a turn with the Devices tried
    made: Floats = unsaved(np.float64, 3)  # those of them that come out of Devices
    num_devices: int = unsaved(np.int64)
    root: Ints = unsaved(np.int16, MAX_DEVICES)  # the Devices in play, by their lowest cell
    passes: Ints = unsaved(np.int16, MAX_DEVICES)  # 1 if it passes cubes through
    uses: Floats2 = unsaved(np.float64, (MAX_DEVICES + 1, 3))  # for each cube loaded, by color; 0 if it does not work
    adds: Floats2 = unsaved(np.float64, (MAX_DEVICES + 1, 3))  # made less used for each cube loaded


@kernel
def find_prices(config: Config, economy: Economy, orders_a_turn: float) -> None:
    """Write price and plenty: the points of a cube that explain those of the orders best, and what these need."""
    for color in range(3):
        economy.price[color] = 1.0
        needed = 0
        for order in range(NUM_ORDERS):
            needed += int(config.needs[order, color])
        economy.plenty[color] = max(0.5, orders_a_turn * needed / NUM_ORDERS)
    for _ in range(8):  # coordinate descent of the squared error
        for color in range(3):
            squares, product = 1e-9, 0.0
            for order in range(NUM_ORDERS):
                rest = float(config.points[order])
                for other in range(3):
                    if other != color:
                        rest -= economy.price[other] * int(config.needs[order, other])
                product += rest * int(config.needs[order, color])
                squares += int(config.needs[order, color]) ** 2
            economy.price[color] = max(0.05, product / squares)


@kernel
def points_a_turn(economy: Economy, without: int, extra: bool) -> float:
    """The points of the cubes that a seat makes in a turn with its Devices. Writes flow and made.

    `without`: bits of Devices left out. `extra`: whether the last row of uses and adds counts as one more.
    """
    economy.flow[:] = economy.income
    economy.made[:] = 0.0
    for _ in range(CUBE_LIMIT):  # load cube by cube where that adds most
        best, most = NONE, 1e-6
        for d in range(MAX_DEVICES + 1):
            if d == MAX_DEVICES:
                if not extra:
                    continue
            elif d >= economy.num_devices or without >> d & 1:
                continue
            gain, possible = 0.0, False
            for color in range(3):
                if economy.uses[d, color] > 0.0:
                    possible = economy.uses[d, color] <= economy.flow[color]
                    if not possible:
                        break
                scarcity = max(0.0, 1.0 - economy.flow[color] / economy.plenty[color])
                gain += economy.adds[d, color] * economy.price[color] * scarcity
            if possible and gain > most:
                best, most = d, gain
        if best == NONE:
            break
        for color in range(3):
            economy.flow[color] += economy.adds[best, color]
            economy.made[color] += economy.adds[best, color] + economy.uses[best, color]
    points = 0.0
    for color in range(3):
        flow = min(economy.flow[color], economy.plenty[color])
        points += economy.price[color] * flow * (1.0 - 0.5 * flow / economy.plenty[color])
    return points


@kernel
def set_row(economy: Economy, row: int, takes: Ints | Floats, gives: Ints | Floats) -> None:
    """Write uses and adds of a Device from the cubes by color that it takes and gives."""
    cubes = max(1e-9, float(takes[0]) + float(takes[1]) + float(takes[2]))
    for color in range(3):
        economy.uses[row, color] = takes[color] / cubes
        economy.adds[row, color] = (gives[color] - takes[color]) / cubes


@kernel
def find_rates(config: Config, parts: Ints, rates: Rates) -> bool:
    """Write what a machine takes and gives; False if no cubes come out, or a part gets none."""
    before, fork, merge, after = int(parts[BEFORE]), int(parts[FORK]), int(parts[MERGE]), int(parts[AFTER])
    gives = rates.gives
    gives[:] = 0.0
    if before != NONE:
        rates.takes[:] = config.takes[before, MID]
        gives[:] = config.gives[before, MID]
    if fork >= NUM_BASIC:
        if before == NONE:
            rates.takes[:] = config.takes[fork, MID]
            gives[:] = rates.takes
        workings = _workings(config, fork, MID, gives)
        if workings == 0.0:
            return False
        _scale(rates.up, config.gives[fork, UP], workings)
        _scale(rates.down, config.gives[fork, DOWN], workings)
        if not _convert(config, int(parts[UPPER]), rates.up) or not _convert(config, int(parts[LOWER]), rates.down):
            return False
        workings = 1.0
        if merge >= NUM_BASIC:
            workings = min(_workings(config, merge, UP, rates.up), _workings(config, merge, DOWN, rates.down))
            _scale(gives, config.gives[merge, MID], workings)
        else:
            for color in range(3):
                gives[color] = rates.up[color] + rates.down[color]
        if workings == 0.0:
            return False
    elif fork != NONE:
        rates.up[:] = config.takes[merge, UP]
        rates.down[:] = config.takes[merge, DOWN]
        if not _require(config, int(parts[UPPER]), rates.up) or not _require(config, int(parts[LOWER]), rates.down):
            return False
        workings = 1.0
        if before == NONE:
            for color in range(3):
                rates.takes[color] = rates.up[color] + rates.down[color]
        else:
            workings = 100.0
            for color in range(3):
                needed = rates.up[color] + rates.down[color]
                if needed > 0.0:
                    workings = min(workings, gives[color] / needed)
            if workings == 0.0:
                return False
        _scale(gives, config.gives[merge, MID], workings)
    if after != NONE and before == NONE and fork == NONE:
        rates.takes[:] = config.takes[after, MID]
        gives[:] = rates.takes
    return _convert(config, after, gives)


@kernel
def lanes_work(config: Config, parts: Ints) -> bool:
    """Whether the converters in the lanes after a special splitter get cubes that they take."""
    for place, port in ((UPPER, UP), (LOWER, DOWN)):
        if parts[FORK] >= NUM_BASIC and parts[place] != NONE:
            for color in range(3):
                if config.takes[parts[place], MID, color] and not config.gives[parts[FORK], port, color]:
                    return False
    return True


@kernel
def _scale(to: Floats, cubes: Ints, factor: float) -> None:
    for color in range(3):
        to[color] = factor * int(cubes[color])


@kernel
def _workings(config: Config, kind: int, port: int, cubes: Floats) -> float:
    """How often a part works with these cubes at an inlet."""
    workings = 100.0
    for color in range(3):
        takes = int(config.takes[kind, port, color])
        if takes:
            workings = min(workings, cubes[color] / takes)
    return workings


@kernel
def _convert(config: Config, kind: int, cubes: Floats) -> bool:
    """Send cubes through a converter, if there is one; False if it makes nothing of them."""
    if kind != NONE:
        _scale(cubes, config.gives[kind, MID], _workings(config, kind, MID, cubes))
    return cubes[0] + cubes[1] + cubes[2] > 0.0


@kernel
def _require(config: Config, kind: int, cubes: Floats) -> bool:
    """Turn the cubes required of a converter, if there is one, into those it takes; False if it does not give them."""
    if kind == NONE:
        return True
    workings = 0.0
    for color in range(3):
        if cubes[color] > 0.0:
            if config.gives[kind, MID, color] == 0:
                return False
            workings = max(workings, cubes[color] / int(config.gives[kind, MID, color]))
    _scale(cubes, config.takes[kind, MID], workings)
    return True
