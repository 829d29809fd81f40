"""Repairing a machine of the bric-a-brac (N6) and paying for it (N21)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .bric_a_brac import count_of, symbols_of, take_away
from .cards import CHARCOALIUM, COST, NUM_RESOURCES, POINTS, WILD_SYMBOL
from .state import NONE, PROJECTS, WILD, WINNING_POINTS, Seat, State
from .tokens import give_back, mover


@kernel
def fee_of(s: State, space: int, symbols: int) -> int:
    """N6.5: one charcoalium for each machine after it, less one for each charcoalium symbol in the workshop."""
    return max(0, int(s.machines) - 1 - space - count_of(symbols, CHARCOALIUM))


@kernel
def need_of(kind: int, resource: int, symbols: int) -> int:
    """N6.3: the printed cost less one for each machine of the workshop with the symbol."""
    return max(0, int(COST[kind, resource]) - count_of(symbols, resource + 1))


@kernel
def legal_repairs(s: State, mask: Ints) -> bool:
    """N6.1, N6.6: allow the repairs that can be paid for; returns whether there is any.

    Reductions (N6.2) come from the workshop, which does not include the machine to be repaired.
    """
    me = mover(s)
    symbols = symbols_of(me.workshop, me.machines)
    wild = count_of(symbols, WILD_SYMBOL)
    found = False
    for space in range(s.machines):
        missing = 0
        for resource in range(NUM_RESOURCES):
            missing += max(0, need_of(s.kinds[space], resource, symbols) - int(me.tokens[resource + 1]))
        if missing <= wild and fee_of(s, space, symbols) <= me.tokens[CHARCOALIUM]:
            mask[act.REPAIR + space] = 1
            found = True
    return found


@kernel
def begin_repair(s: State, space: int) -> None:
    """N21.1: need, fee, and the number of wild reductions, all of which must be spent (N6.4)."""
    me = mover(s)
    symbols = symbols_of(me.workshop, me.machines)
    total = 0
    for resource in range(NUM_RESOURCES):
        need = need_of(s.kinds[space], resource, symbols)
        s.need[resource] = need
        total += need
    s.space = space
    s.fee = fee_of(s, space, symbols)  # N21.4: nothing to choose
    s.left = min(count_of(symbols, WILD_SYMBOL), total)
    if s.left > 0:
        s.phase = WILD
    else:
        pay(s)


@kernel
def wild_choices(s: State) -> int:
    """N21.2, N20.4: resources that a wild reduction may be spent on: ascending, and the rest stays payable (N21.3)."""
    me = mover(s)
    choices, from_here, missing_from_here = 0, 0, 0
    least = max(0, int(s.previous))
    for resource in range(NUM_RESOURCES - 1, least - 1, -1):
        need, stock = int(s.need[resource]), int(me.tokens[resource + 1])
        if need > 0:
            missing = missing_from_here + max(0, need - 1 - stock)
            if from_here + need >= s.left and missing <= s.left - 1 and _covered_below(s, resource):
                choices |= 1 << resource
        from_here += need
        missing_from_here += max(0, need - stock)
    return choices


@kernel
def _covered_below(s: State, resource: int) -> bool:
    """N21.2 (a): whether the need of all resources before `resource` can be paid from stock."""
    me = mover(s)
    for before in range(resource):
        if s.need[before] > me.tokens[before + 1]:
            return False
    return True


@kernel
def spend_wild(s: State, resource: int) -> None:
    """N6.4: reduce the need by one."""
    s.need[resource] -= 1
    s.previous = resource
    s.left -= 1
    if s.left == 0:
        pay(s)


@kernel
def pay(s: State) -> None:
    """N6.7-N6.11: pay resources to the reserve and the fee onto the machines after this one, then repair it."""
    me = mover(s)
    space, kind = int(s.space), int(s.kinds[s.space])
    for resource in range(NUM_RESOURCES):
        give_back(s, me, resource + 1, s.need[resource])
        s.need[resource] = 0
    me.tokens[CHARCOALIUM] -= s.fee
    for step in range(s.fee):  # N6.8: a reduced fee spares the machines farthest to the right
        s.coal[space + 1 + step] += 1
    me.tokens[CHARCOALIUM] += s.coal[space]  # N6.9
    me.workshop[me.machines] = kind
    me.machines += 1
    take_away(s, space)
    score(s, me, POINTS[kind])  # N6.10
    s.space, s.fee, s.previous = NONE, 0, NONE
    s.phase = PROJECTS  # N6.12


@kernel
def score(s: State, seat: Seat, points: int) -> None:
    """N15.1, N1.6: add points, which count at once and without limit; reaching 20 triggers the end."""
    seat.points += points
    if seat.points >= WINNING_POINTS:
        s.ending = 1
