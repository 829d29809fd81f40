"""The Device resolver (B31-B39): cubes flow from hoppers to packers, column by column.

The rules use it move by move: `start` puts the loaded cubes into the flow, `advance` runs until a card asks something,
`answer_split` and `answer_hold` answer. `planning.py` runs the same functions over arrays of workshops.
All functions work on a WORKSHOP record, a FLOW record, `bank` and `made` (int8 (3,)), and the config record.
"""

from __future__ import annotations

from ...engine.arrays import Ints, Ints3
from ...engine.bits import lowest, without_lowest
from ...engine.jit import kernel
from .cards import DOWN, HOPPER, INLETS, MID, NUM_BASIC, OUTLETS, PACKER, PAUSE, SPLITTER, UP
from .state import ASK_HOLD, ASK_NOTHING, ASK_SPLIT, COLUMNS, FRESH, HOPPERS, NONE, ROWS, Config, Flow, Workshop
from .workshop import device_of_slot

HOLD_NONE = 3  # the answer to a pause card that holds no cube back (B37)


@kernel
def start(workshop: Workshop, flow: Flow, device: int) -> None:
    """B32: all cubes on all hoppers of the Device leave them at once. Writes `loaded` and the whole flow."""
    clear_flow(flow)
    flow.running = device
    for slot in range(HOPPERS):
        if workshop.hopper_cell[slot] != NONE and device_of_slot(workshop, slot) == device:
            cell = int(workshop.hopper_cell[slot])
            x, y = cell // ROWS, cell % ROWS
            for color in range(3):
                flow.cubes[x + 1, y + MID, color] = workshop.loaded[slot, color]
                workshop.loaded[slot, color] = 0


@kernel
def clear_flow(flow: Flow) -> None:
    """Clear the flow."""
    flow.cubes[:] = 0
    clear_log(flow)
    flow.arrived[:] = 0
    flow.up[:] = 0
    flow.running = 0
    flow.x = 0
    flow.y = 0
    flow.color = 0
    flow.ask = ASK_NOTHING


@kernel
def clear_log(flow: Flow) -> None:
    """Clear how often parts have worked and what was purged."""
    flow.workings[:] = 0
    flow.purged[:] = 0


@kernel
def advance(workshop: Workshop, flow: Flow, bank: Ints, made: Ints, config: Config) -> bool:
    """B32: process cards, columns from left to right, each from y = 0. True if one asks, False when all are done."""
    while flow.x < COLUMNS:
        x, y = int(flow.x), int(flow.y)
        if y >= ROWS or int(workshop.columns[x]) >> y == 0:
            flow.x = x + 1
            flow.y = 0
            continue
        if workshop.devices[x, y] == flow.running:
            _process(workshop, flow, bank, made, config)
            if flow.ask != ASK_NOTHING:
                return True
        flow.y = y + 1
    return False


@kernel
def _process(workshop: Workshop, flow: Flow, bank: Ints, made: Ints, config: Config) -> None:
    """Process the cubes at the inlets of the card at (flow.x, flow.y) (B33-B39)."""
    x, y = int(flow.x), int(flow.y)
    kind = int(workshop.kinds[x, y])
    shape = int(config.shapes[kind])
    if shape == HOPPER:
        return
    if kind >= NUM_BASIC:
        work_special(flow, bank, config, kind, x, y)
        return
    total = _gather(flow, INLETS[shape], x, y)
    if kind == PAUSE:
        _release(workshop, flow, x, y)
        if total:
            flow.ask = ASK_HOLD
    elif kind == SPLITTER:
        if total:
            flow.ask = ASK_SPLIT
            flow.color = NONE
            _ask_next_color(flow)
    elif kind == PACKER:  # B39
        for color in range(3):
            made[color] += flow.arrived[color]
            flow.arrived[color] = 0
    elif total:  # B34: straight, bends, joiner
        port = _outlet_of(shape)
        for color in range(3):
            flow.cubes[x + 1, y + port, color] += flow.arrived[color]
            flow.arrived[color] = 0


@kernel
def _outlet_of(shape: int) -> int:
    """The outlet port of a card with one outlet (B13)."""
    for port in range(3):
        if int(OUTLETS[shape]) >> port & 1:
            return port
    return MID


@kernel
def _gather(flow: Flow, inlets: int, x: int, y: int) -> int:
    """Take the cubes that wait at the inlets (bits by port) into `flow.arrived`; returns how many."""
    total = 0
    for port in range(3):
        if int(inlets) >> port & 1:
            for color in range(3):
                count = int(flow.cubes[x, y + port, color])
                flow.cubes[x, y + port, color] = 0
                flow.arrived[color] += count
                total += count
    return total


@kernel
def work_special(flow: Flow, bank: Ints, config: Config, kind: int, x: int, y: int) -> None:
    """B33, B36: a special part works as often as cubes and bank allow; everything that arrived goes to the bank first.

    Writes bank, workings, purged and the cubes at its outlets.
    """
    workings = workings_possible(flow.cubes, config, kind, x, y)
    for port in range(3):
        if int(INLETS[config.shapes[kind]]) >> port & 1:
            for color in range(3):
                bank[color] += flow.cubes[x, y + port, color]
    for color in range(3):
        gives = 0
        for port in range(3):
            gives += int(config.gives[kind, port, color])
        if gives:
            workings = min(workings, int(bank[color]) // gives)
    for port in range(3):
        for color in range(3):
            if int(INLETS[config.shapes[kind]]) >> port & 1:
                flow.purged[color] += int(flow.cubes[x, y + port, color]) - workings * int(
                    config.takes[kind, port, color]
                )
                flow.cubes[x, y + port, color] = 0
            gives = int(config.gives[kind, port, color])
            if gives:
                bank[color] -= workings * gives
                flow.cubes[x + 1, y + port, color] += workings * gives
    flow.workings[x, y] = workings


@kernel
def workings_possible(cubes: Ints3, config: Config, kind: int, x: int, y: int) -> int:
    """B33: the least floor(arrived / required) over the inputs of the card."""
    workings = 127
    for port in range(3):
        for color in range(3):
            takes = int(config.takes[kind, port, color])
            if takes:
                workings = min(workings, int(cubes[x, y + port, color]) // takes)
    return workings


@kernel
def _release(workshop: Workshop, flow: Flow, x: int, y: int) -> None:
    """B37: a cube held from an earlier turn leaves the pause card with this flow."""
    held = int(workshop.held[x, y])
    if held:
        flow.cubes[x + 1, y + MID, held - 1] += 1
        workshop.held[x, y] = 0


@kernel
def answer_hold(workshop: Workshop, flow: Flow, color: int) -> None:
    """B37: hold one cube of a color back (or HOLD_NONE) and pass the others on, which settles the card."""
    x, y = int(flow.x), int(flow.y)
    if color < 3:
        flow.arrived[color] -= 1
        workshop.held[x, y] = color + 1 + FRESH
    for each in range(3):
        flow.cubes[x + 1, y + MID, each] += flow.arrived[each]
        flow.arrived[each] = 0
    flow.ask = ASK_NOTHING
    flow.y = y + 1


@kernel
def least_up(flow: Flow) -> int:
    """B35, B53: the fewest cubes of the color asked for that may go up."""
    total, gone_up, later = _split_sums(flow)
    own = int(flow.arrived[flow.color])
    if total == 1 or gone_up + later >= 1:
        return 0
    return min(1, own)


@kernel
def most_up(flow: Flow) -> int:
    """B35, B53: the most cubes of the color asked for that may go up."""
    total, gone_up, _ = _split_sums(flow)
    own = int(flow.arrived[flow.color])
    if total == 1:
        return own
    return min(own, total - 1 - gone_up)


@kernel
def _split_sums(flow: Flow) -> tuple[int, int, int]:
    """Counts: all that arrived; what goes up of the earlier colors; what arrived of the colors still to be asked."""
    total, gone_up, later = 0, 0, 0
    for color in range(3):
        total += int(flow.arrived[color])
        gone_up += int(flow.up[color])
        if color > flow.color:
            later += int(flow.arrived[color])
    return total, gone_up, later


@kernel
def _ask_next_color(flow: Flow) -> None:
    """B53: go on to the next color with more than one legal answer; if there is none, the cubes leave."""
    for color in range(int(flow.color) + 1, 3):
        flow.color = color
        if flow.arrived[color]:
            least = least_up(flow)
            if least != most_up(flow):
                return
            flow.up[color] = least
    x, y = int(flow.x), int(flow.y)
    for color in range(3):
        up = int(flow.up[color])
        flow.cubes[x + 1, y + UP, color] += up
        flow.cubes[x + 1, y + DOWN, color] += int(flow.arrived[color]) - up
        flow.arrived[color] = 0
        flow.up[color] = 0
    flow.color = 0
    flow.ask = ASK_NOTHING


@kernel
def answer_split(flow: Flow, number: int) -> None:
    """B35: send this many cubes of the color asked for up; then ask for the next color, or settle the card."""
    y = int(flow.y)
    flow.up[flow.color] = number
    _ask_next_color(flow)
    if flow.ask == ASK_NOTHING:
        flow.y = y + 1


@kernel
def answer(workshop: Workshop, flow: Flow, number: int) -> None:
    """B53: answer a splitter with the number that goes up, a pause card with a color or HOLD_NONE."""
    if flow.ask == ASK_SPLIT:
        answer_split(flow, number)
    else:
        answer_hold(workshop, flow, number)


@kernel
def is_legal_answer(flow: Flow, number: int) -> bool:
    """B53: whether this number is a legal answer to the question."""
    if flow.ask == ASK_SPLIT:
        return least_up(flow) <= number <= most_up(flow)
    return number == HOLD_NONE or (0 <= number < 3 and flow.arrived[number] > 0)


@kernel
def default_answer(flow: Flow) -> int:
    """The answer that planning uses where none is given: as many up as allowed, nothing held."""
    if flow.ask == ASK_SPLIT:
        return most_up(flow)
    return HOLD_NONE


@kernel
def next_answer(flow: Flow, number: int) -> int:
    """The smallest legal answer above this number, or NONE."""
    if flow.ask == ASK_SPLIT:
        least = max(number + 1, least_up(flow))
        return least if least <= most_up(flow) else NONE
    for following in range(number + 1, HOLD_NONE + 1):
        if is_legal_answer(flow, following):
            return following
    return NONE


@kernel
def release_unused_holds(workshop: Workshop, bank: Ints) -> None:
    """B38: at the end of the turn, cubes held since an earlier turn go to the bank; those held in this turn stay."""
    for x in range(COLUMNS):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            held = int(workshop.held[x, y])
            if held > FRESH:
                workshop.held[x, y] = held - FRESH
            elif held:
                bank[held - 1] += 1
                workshop.held[x, y] = 0
            left = without_lowest(left)
