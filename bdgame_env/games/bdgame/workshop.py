"""The workshop and its geometry (B12-B19): where a card may lie, what it connects to, what a Device is.

Junctions are bits: bit j of `workshop.outlets[b]` says that an outlet ends at junction j of boundary b, so that a few
shifts test all nine places of a column at once.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.bits import lowest, without_lowest
from ...engine.jit import kernel
from .cards import HOPPER, INLETS, OUTLETS
from .state import COLUMNS, HOPPERS, NONE, ROWS, Workshop

_ALL_ROWS = (1 << ROWS) - 1


@kernel
def empty_workshop(workshop: Workshop) -> None:
    """Make a workshop empty. Writes every field."""
    workshop.outlets[:] = 0
    workshop.inlets[:] = 0
    workshop.columns[:] = 0
    workshop.kinds[:] = NONE
    workshop.devices[:] = NONE
    workshop.complete[:] = 0
    workshop.held[:] = 0
    workshop.hopper_cell[:] = NONE
    workshop.loaded[:] = 0


@kernel
def touched(workshop: Workshop, x: int) -> int:
    """B15: bits of the junctions on the edges of the cards in column x, ends included; 0 outside the workshop."""
    if x < 0 or x >= COLUMNS:
        return 0
    cards = int(workshop.columns[x])
    return cards | cards << 1 | cards << 2


@kernel
def places_in_column(workshop: Workshop, shape: int, x: int, may_start: bool) -> int:
    """B12-B17: bits of the rows y where a card of this shape may be placed in column x.

    `may_start`: whether a hopper may start a new Device in column 0 (B17; not inside a Buy, B25).
    """
    inlets, outlets = int(INLETS[shape]), int(OUTLETS[shape])
    if (inlets and x == 0) or (outlets and x == COLUMNS - 1):  # B16
        return 0
    if not (_has_open_outlet(workshop, x) if inlets else (may_start and x == 0) or _has_open_inlet(workshop, x + 1)):
        return 0  # B17: nothing to connect to
    cards = int(workshop.columns[x])
    refused = cards | cards << 1 | cards >> 1  # B12: overlap
    before, after = int(workshop.outlets[x]), int(workshop.inlets[x])
    edge = touched(workshop, x - 1)
    from_left = 0
    for port in range(3):
        if inlets >> port & 1:
            refused |= after >> port  # B14: the junction has an inlet already
            refused |= (edge & ~before) >> port  # B15: its open inlet would touch a card
            from_left |= before >> port
        else:
            refused |= (before & ~after) >> port  # B15a: another card's open outlet would touch this card
    before, after = int(workshop.outlets[x + 1]), int(workshop.inlets[x + 1])
    edge = touched(workshop, x + 1)
    to_right = 0
    for port in range(3):
        if outlets >> port & 1:
            refused |= before >> port
            refused |= (edge & ~after) >> port
            to_right |= after >> port
        else:
            refused |= (after & ~before) >> port
    wanted = from_left
    if shape == HOPPER:
        wanted = _ALL_ROWS if x == 0 and may_start else to_right
    return wanted & ~refused & _ALL_ROWS


@kernel
def _has_open_outlet(workshop: Workshop, boundary: int) -> bool:
    """Whether an outlet that ends at this boundary has no inlet."""
    return int(workshop.outlets[boundary]) & ~int(workshop.inlets[boundary]) != 0


@kernel
def _has_open_inlet(workshop: Workshop, boundary: int) -> bool:
    """Whether an inlet that begins at this boundary has no outlet."""
    return int(workshop.inlets[boundary]) & ~int(workshop.outlets[boundary]) != 0


@kernel
def hopper_count(workshop: Workshop) -> int:
    """B19: the number of hoppers in play."""
    count = 0
    for slot in range(HOPPERS):
        if workshop.hopper_cell[slot] != NONE:
            count += 1
    return count


@kernel
def fits(workshop: Workshop, shape: int, may_start: bool) -> bool:
    """Whether a card of this shape can be placed anywhere (B12-B19)."""
    if shape == HOPPER and hopper_count(workshop) == HOPPERS:
        return False
    for x in range(COLUMNS):
        if places_in_column(workshop, shape, x, may_start):
            return True
    return False


@kernel
def put_card(workshop: Workshop, shapes: Ints, kind: int, x: int, y: int) -> None:
    """Put a card into play at (x, y), where it is legal. Writes the workshop; a hopper gets a slot (B19)."""
    shape = shapes[kind]
    workshop.kinds[x, y] = kind
    workshop.columns[x] = int(workshop.columns[x]) | 1 << y
    workshop.inlets[x] = int(workshop.inlets[x]) | int(INLETS[shape]) << y
    workshop.outlets[x + 1] = int(workshop.outlets[x + 1]) | int(OUTLETS[shape]) << y
    if shape == HOPPER:
        for slot in range(HOPPERS):
            if workshop.hopper_cell[slot] == NONE:
                workshop.hopper_cell[slot] = x * ROWS + y
                break
    find_devices(workshop, shapes)


@kernel
def take_card(workshop: Workshop, shapes: Ints, x: int, y: int) -> None:
    """B28: take the card at (x, y) out of play; the caller has taken the cubes off it."""
    shape = shapes[workshop.kinds[x, y]]
    workshop.kinds[x, y] = NONE
    workshop.columns[x] = int(workshop.columns[x]) & ~(1 << y)
    workshop.inlets[x] = int(workshop.inlets[x]) & ~(int(INLETS[shape]) << y)
    workshop.outlets[x + 1] = int(workshop.outlets[x + 1]) & ~(int(OUTLETS[shape]) << y)
    if shape == HOPPER:
        workshop.hopper_cell[slot_at(workshop, x, y)] = NONE
    find_devices(workshop, shapes)


@kernel
def slot_at(workshop: Workshop, x: int, y: int) -> int:
    """B19: the slot of the hopper at (x, y)."""
    for slot in range(HOPPERS):
        if workshop.hopper_cell[slot] == x * ROWS + y:
            return slot
    return NONE


@kernel
def removable(workshop: Workshop, shape: int, x: int, y: int) -> bool:
    """B28: whether none of the card's outlets is connected."""
    outlets = int(OUTLETS[shape]) << y
    return outlets & int(workshop.outlets[x + 1]) & int(workshop.inlets[x + 1]) == 0


@kernel
def card_with_port(workshop: Workshop, shapes: Ints, ports: Ints, x: int, j: int) -> int:
    """The cell x * 9 + y of the card in column x with a port at junction j; `ports` is INLETS or OUTLETS."""
    for port in range(3):
        y = j - port
        if 0 <= y < ROWS and workshop.kinds[x, y] != NONE:
            if int(ports[shapes[workshop.kinds[x, y]]]) >> port & 1:
                return x * ROWS + y
    return NONE


@kernel
def _root(workshop: Workshop, cell: int) -> int:
    """The root of this cell's Device: the end of its chain of ever lower cells."""
    lower = int(workshop.devices[cell // ROWS, cell % ROWS])
    while 0 <= lower < cell:
        cell = lower
        lower = int(workshop.devices[cell // ROWS, cell % ROWS])
    return cell


@kernel
def _join(workshop: Workshop, one: int, other: int) -> None:
    """Join the Devices of two cells."""
    one, other = _root(workshop, one), _root(workshop, other)
    low, high = min(one, other), max(one, other)
    workshop.devices[high // ROWS, high % ROWS] = low


@kernel
def find_devices(workshop: Workshop, shapes: Ints) -> None:
    """B18: name every card's Device by its lowest cell x * 9 + y. Writes `workshop.devices` and `complete`."""
    unfinished = False
    for x in range(COLUMNS):
        for y in range(ROWS):
            workshop.devices[x, y] = NONE
            workshop.complete[x, y] = 0
    for x in range(COLUMNS):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            workshop.devices[x, y] = x * ROWS + y
            workshop.complete[x, y] = 1
            left = without_lowest(left)
    for b in range(1, COLUMNS):
        joined = int(workshop.outlets[b]) & int(workshop.inlets[b])
        while joined != 0:
            j = lowest(joined)
            one = card_with_port(workshop, shapes, OUTLETS, b - 1, j)
            _join(workshop, one, card_with_port(workshop, shapes, INLETS, b, j))
            joined = without_lowest(joined)
    for x in range(COLUMNS):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            device = _root(workshop, x * ROWS + y)
            workshop.devices[x, y] = device
            if open_ports(workshop, shapes[workshop.kinds[x, y]], x, y):
                unfinished = True
                workshop.complete[device // ROWS, device % ROWS] = 0
            left = without_lowest(left)
    for x in range(COLUMNS * unfinished):
        left = int(workshop.columns[x])
        while left != 0:
            y = lowest(left)
            device = int(workshop.devices[x, y])  # its lowest cell comes first
            workshop.complete[x, y] = workshop.complete[device // ROWS, device % ROWS]
            left = without_lowest(left)


@kernel
def open_ports(workshop: Workshop, shape: int, x: int, y: int) -> bool:
    """B18: whether the card of this shape at (x, y) has an unconnected port."""
    inlets = int(INLETS[shape]) << y
    outlets = int(OUTLETS[shape]) << y
    return inlets & ~int(workshop.outlets[x]) != 0 or outlets & ~int(workshop.inlets[x + 1]) != 0


@kernel
def finished(workshop: Workshop, shapes: Ints, device: int) -> bool:
    """B18: whether no card of the Device has an unconnected port."""
    for x in range(COLUMNS):
        y = 0
        while y < ROWS and int(workshop.columns[x]) >> y:
            if workshop.devices[x, y] == device and int(workshop.columns[x]) >> y & 1:
                if open_ports(workshop, shapes[workshop.kinds[x, y]], x, y):
                    return False
            y += 1
    return True


@kernel
def device_of_slot(workshop: Workshop, slot: int) -> int:
    """The Device of the hopper in a slot that is in use."""
    cell = int(workshop.hopper_cell[slot])
    return int(workshop.devices[cell // ROWS, cell % ROWS])


@kernel
def largest_device(workshop: Workshop) -> int:
    """B46: the number of cards in the largest Device."""
    largest = 0
    for device in range(COLUMNS * ROWS):
        size = 0
        if workshop.devices[device // ROWS, device % ROWS] != device:
            continue
        for x in range(COLUMNS):
            for y in range(ROWS):
                if workshop.devices[x, y] == device:
                    size += 1
        largest = max(largest, size)
    return largest
