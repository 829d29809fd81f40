"""Bdgame: what to load for a number of workings, and which way cubes go at a grey splitter.

Demand runs through a Device from right to left, as cubes run from left to right: the last special parts ask for what
they take, and a part before them works as often as that needs.
"""

from __future__ import annotations

import numpy as np

from bdgame_env.engine.arrays import Ints, Ints2, Ints3
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import NONE, Struct, part, unsaved
from bdgame_env.games.bdgame.cards import (
    DOWN,
    HOPPER,
    INLETS,
    JOINER,
    MID,
    NUM_BASIC,
    OUTLETS,
    PACKER,
    PAUSE,
    SPLITTER,
    UP,
)
from bdgame_env.games.bdgame.devices import HOLD_NONE, advance, answer_hold, answer_split, least_up, most_up, start
from bdgame_env.games.bdgame.state import (
    ASK_HOLD,
    ASK_NOTHING,
    BOUNDARIES,
    COLUMNS,
    FRESH,
    JUNCTIONS,
    ROWS,
    Config,
    Flow,
    Workshop,
)
from bdgame_env.games.bdgame.workshop import card_with_port, slot_at


class Run(Struct):
    """Space to run a Device in."""

    demand: Ints3 = unsaved(np.int16, (BOUNDARIES, JUNCTIONS, 3))  # cubes wanted at a junction of a boundary, by color
    workshop: Workshop = part(Workshop)
    flow: Flow = part(Flow)
    bank: Ints = unsaved(np.int8, 3)
    made: Ints = unsaved(np.int8, 3)


@kernel
def passes_through(workshop: Workshop, device: int) -> bool:
    """Whether a Device neither changes cubes nor asks."""
    for x in range(COLUMNS):
        for y in range(ROWS):
            if workshop.devices[x, y] == device:
                kind = workshop.kinds[x, y]
                if kind == SPLITTER or kind == PAUSE or kind >= NUM_BASIC:  # noqa: SIM109  numba compares faster
                    return False
    return True


@kernel
def demand_of(workshop: Workshop, config: Config, device: int, workings: int, demand: Ints3, load: Ints2) -> int:
    """Write the cubes to load by hopper slot and color for this many workings of the Device's last special parts.

    Writes `demand` and the slots of the Device in `load`; returns the number of cubes.
    """
    demand[:] = 0
    cubes = 0
    for x in range(COLUMNS - 1, -1, -1):
        for y in range(ROWS):
            if workshop.devices[x, y] != device:
                continue
            kind = int(workshop.kinds[x, y])
            if kind >= NUM_BASIC:
                _demand_of_special(config, kind, x, y, workings, demand)
                continue
            for color in range(3):
                wanted = int(demand[x + 1, y + UP, color]) + int(demand[x + 1, y + DOWN, color])
                if int(OUTLETS[kind]) >> MID & 1:
                    wanted = int(demand[x + 1, y + MID, color])
                if kind == HOPPER:
                    load[slot_at(workshop, x, y), color] = wanted
                    cubes += wanted
                elif wanted and kind == JOINER:
                    port = UP if _supplies(workshop, config, x, y + UP, color) else DOWN
                    demand[x, y + port, color] += wanted
                elif kind != PACKER:
                    demand[x, y + MID, color] += wanted
    return cubes


@kernel
def _demand_of_special(config: Config, kind: int, x: int, y: int, workings: int, demand: Ints3) -> None:
    """Add what a special part takes to give what is wanted of it, or, if nothing is, for this many workings."""
    wanted = 0
    for port in range(3):
        for color in range(3):
            gives = int(config.gives[kind, port, color])
            if gives:
                wanted = max(wanted, (int(demand[x + 1, y + port, color]) + gives - 1) // gives)
    if wanted == 0:
        wanted = workings
    for port in range(3):
        for color in range(3):
            if config.takes[kind, port, color]:
                demand[x, y + port, color] += wanted * int(config.takes[kind, port, color])


@kernel
def _supplies(workshop: Workshop, config: Config, x: int, j: int, color: int) -> bool:
    """Whether cubes of a color can come to junction j of boundary x."""
    while True:
        cell = card_with_port(workshop, config.shapes, OUTLETS, x - 1, j)
        if cell == NONE:
            return False
        x = cell // ROWS
        y = cell % ROWS
        kind = int(workshop.kinds[x, y])
        if kind >= NUM_BASIC:
            return config.gives[kind, j - y, color] > 0
        if kind == HOPPER or kind == JOINER:  # noqa: SIM109  numba compares faster than it searches tuples
            return True
        j = y + MID


@kernel
def taken_at(workshop: Workshop, config: Config, x: int, j: int, color: int) -> int:
    """Cubes of a color that one working of the next special part beyond junction j of boundary x takes."""
    while True:
        cell = card_with_port(workshop, config.shapes, INLETS, x, j)
        if cell == NONE:
            return 0
        x = cell // ROWS
        y = cell % ROWS
        kind = int(workshop.kinds[x, y])
        if kind >= NUM_BASIC:
            return int(config.takes[kind, j - y, color])
        if kind == PACKER or kind == SPLITTER:  # noqa: SIM109  numba compares faster than it searches tuples
            return 0
        x += 1
        j = y
        while not int(OUTLETS[kind]) >> (j - y) & 1:
            j += 1


@kernel
def likely_split(workshop: Workshop, flow: Flow, config: Config) -> int:
    """B35: how many cubes of the color asked for should go up: in proportion to what the parts beyond take."""
    x, y, color = int(flow.x), int(flow.y), int(flow.color)
    up = taken_at(workshop, config, x + 1, y + UP, color)
    down = taken_at(workshop, config, x + 1, y + DOWN, color)
    number = int(flow.arrived[color]) * up // max(1, up + down)
    return min(max(number, least_up(flow)), most_up(flow))


@kernel
def run_on(workshop: Workshop, flow: Flow, bank: Ints, made: Ints, config: Config) -> None:
    """Run a Device to its end, with likely answers and nothing held."""
    while flow.ask != ASK_NOTHING or advance(workshop, flow, bank, made, config):
        if flow.ask == ASK_HOLD:
            answer_hold(workshop, flow, HOLD_NONE)
        else:
            answer_split(flow, likely_split(workshop, flow, config))


@kernel
def run_loaded(workshop: Workshop, bank: Ints, config: Config, device: int, load: Ints2, run: Run) -> None:
    """Write to run.made what a Device makes, in a later turn, of a load by hopper slot and color."""
    copy_workshop(run.workshop, workshop)
    for x in range(COLUMNS):
        for y in range(ROWS):
            if run.workshop.held[x, y] > FRESH:
                run.workshop.held[x, y] -= FRESH
    run.workshop.loaded[:] = load
    run.bank[:] = bank
    run.made[:] = 0
    start(run.workshop, run.flow, device)
    run_on(run.workshop, run.flow, run.bank, run.made, config)


@kernel
def copy_workshop(to: Workshop, workshop: Workshop) -> None:
    """Copy every field."""
    to.outlets[:] = workshop.outlets
    to.inlets[:] = workshop.inlets
    to.columns[:] = workshop.columns
    to.kinds[:] = workshop.kinds
    to.devices[:] = workshop.devices
    to.complete[:] = workshop.complete
    to.held[:] = workshop.held
    to.hopper_cell[:] = workshop.hopper_cell
    to.loaded[:] = workshop.loaded


@kernel
def copy_flow(to: Flow, flow: Flow) -> None:
    """Copy every field that affects the rest of the flow."""
    to.cubes[:] = flow.cubes
    to.arrived[:] = flow.arrived
    to.up[:] = flow.up
    to.running = flow.running
    to.x = flow.x
    to.y = flow.y
    to.color = flow.color
    to.ask = flow.ask
