"""Repairing a machine of the bric-a-brac (N6) and paying for it (N21)."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from ...engine.arrays import Ints
from ...engine.jit import kernel
from . import actions as act
from .bric_a_brac import count_of, symbols_of, take_away
from .cards import CHARCOALIUM, COST, MOST_OF_A_COST, NUM_RESOURCES, POINTS, WILD_SYMBOL
from .sets import weigh
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


def _lacking() -> npt.NDArray[np.int8]:
    """N6.3, N6.4: by means (see `means_of`) and kind + 1: 1 + the resources that a repair lacks; 0 for no machine."""
    rows = []
    for wild, *have in product(range(MOST_OF_A_COST + 1), repeat=1 + NUM_RESOURCES):
        missing = np.maximum(COST - np.array(have), 0).sum(1)
        rows.append([0, *(1 + np.maximum(missing - wild, 0))])
    return np.array(rows, np.int8)


LACKING = _lacking()
LACKING.setflags(write=False)


@kernel
def means_of(me: Seat, symbols: int) -> int:
    """What a seat can put towards the cost of a repair, as a row of `LACKING`: wild symbols, then by resource.

    The symbol of a resource is worth as much as a token of it (N6.3); of each four are enough.
    """
    means = min(MOST_OF_A_COST, count_of(symbols, WILD_SYMBOL))
    for resource in range(NUM_RESOURCES):
        have = int(me.tokens[resource + 1]) + count_of(symbols, resource + 1)
        means = (MOST_OF_A_COST + 1) * means + min(MOST_OF_A_COST, have)
    return means


@kernel
def paid_from(s: State, me: Seat, symbols: int) -> int:
    """N6.5: the first space of which a seat can pay the fee; for each one before it, it lacks one more charcoalium."""
    return int(s.machines) - 1 - count_of(symbols, CHARCOALIUM) - int(me.tokens[CHARCOALIUM])


@kernel
def legal_repairs(s: State, mask: Ints) -> bool:
    """N6.1, N6.6: allow the repairs that can be paid for; returns whether there is any.

    Reductions (N6.2) come from the workshop, which does not include the machine to be repaired.
    """
    me = mover(s)
    symbols = symbols_of(me.workshop)
    means, first = means_of(me, symbols), paid_from(s, me, symbols)
    found = False
    for space in range(act.NUM_SPACES):
        payable = space >= first and LACKING[means, int(s.kinds[space]) + 1] == 1
        mask[act.REPAIR + space] = payable
        found |= payable
    return found


@kernel
def begin_repair(s: State, space: int) -> None:
    """N21.1: need, fee, and the number of wild reductions, all of which must be spent (N6.4)."""
    me = mover(s)
    symbols = symbols_of(me.workshop)
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
    weigh(s, me)
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
