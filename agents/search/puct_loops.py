"""Selection by upper confidence bounds: a template that `tree_loops` calls as `rule`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.rng import below

from .codes import NO_NODE, PUCT

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Floats, Ints

    from .search_records import Search

UNVISITED = 1e9


@lean_kernel
def begin(search: Search, budget: int, legals: int) -> None:
    """Nothing to prepare: whenever the search ends, it has found the best that it could."""


@lean_kernel
def next_of_root(search: Search, left: int) -> int:
    """The child of the root to try, or NO_NODE."""
    return select(search, 0, search.choices, int(search.root.seat))


@lean_kernel
def next_of(search: Search, node: int) -> int:
    """The child to go on to, or NO_NODE."""
    return select(search, node, search.mask, int(search.trials[0].seat))


@lean_kernel
def select(search: Search, node: int, mask: Ints, mover: int) -> int:
    """The most promising legal child: by UCT (Kocsis and Szepesvari 2006) with availability counts in place of the
    parent's visits, or by PUCT (Rosin 2011, as in Silver et al. 2017). Ties are broken at random.

    Each seat maximises its own value; in a paranoid search the others minimise the decider's.
    """
    nodes, settings = search.nodes, search.settings
    seat, sign = mover, 1.0
    if settings.paranoid != 0 and mover != search.root.seat:
        seat, sign = int(search.root.seat), -1.0
    visits = nodes[node].visits
    parent = sign * nodes[node].value[seat] / visits if visits > 0 else 0.0
    root_of_visits = math.sqrt(visits + 1.0)
    best, best_score, ties = NO_NODE, 0.0, 0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            one.available += 1
            value = sign * one.value[seat] / one.visits if one.visits > 0 else parent - settings.fpu_reduction
            if settings.formula == PUCT:
                score = value + settings.exploration * one.prior * root_of_visits / (1.0 + one.visits)
            elif one.visits == 0:
                score = UNVISITED + one.prior
            else:
                score = value + settings.exploration * math.sqrt(math.log(float(one.available)) / one.visits)
            if best == NO_NODE or score > best_score:
                best, best_score, ties = child, score, 1
            elif score == best_score:
                ties += 1
                if below(search.tree, ties) == 0:
                    best = child
        child = one.next
    return best


@lean_kernel
def conclude(search: Search, priors: Floats) -> int:
    """The most visited legal child of the root, the better one of two, or NO_NODE if none was visited.

    Writes the shares of the visits to `search.scores`, and the priors.
    """
    nodes, mask, seat = search.nodes, search.choices, int(search.root.seat)
    best, total = NO_NODE, 0
    child = nodes[0].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            priors[one.action] = one.prior
            search.scores[one.action] = one.visits
            total += one.visits
            if one.visits > 0 and (
                best == NO_NODE
                or one.visits > nodes[best].visits
                or (one.visits == nodes[best].visits and one.value[seat] >= nodes[best].value[seat])
            ):
                best = child
        child = one.next
    for action in range(mask.shape[0]):
        search.scores[action] /= max(1, total)
    return best
