"""Selection as in Gumbel AlphaZero (Danihelka et al. 2022): a template that `tree_loops` calls as `rule`.

At the root the budget is divided among the most promising actions by sequential halving (Karnin, Koren and Somekh
2013). Below, the action is taken that brings visits closest to the improved policy: the network's logits plus what the
search found each action to be worth.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.rng import draw

from .codes import CONSIDERED, LEFT_OUT, LOWEST, NO_NODE

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Floats, Ints

    from .search_records import Node, Search, Tree

MOST_SCORE = 5e8  # in single precision it is rounded by 16 at most, of which the exponential still is a number
NARROWEST = 1e-12  # a range of values in which they are told apart
LAST_UNIFORM = 1.0 - 2.0**-53  # the greatest number below 1


@lean_kernel
def begin(search: Search, budget: int, legals: int) -> None:
    """Choose the root's actions that the search compares, the best by logit, noise and value, and the first stage."""
    nodes, tree, settings, mask, scores = search.nodes, search.tree, search.settings, search.choices, search.scores
    wanted = min(legals, settings.most_considered, max(2, budget // settings.least_visits))
    seat = int(search.root.seat)
    scale, guess = value_scale(search, 0), mixed_value(search, 0, mask, seat)
    child = nodes[0].child
    while child != NO_NODE:
        one = nodes[child]
        one.alive = LEFT_OUT
        if settings.noise > 0.0 and one.gumbel == 0.0:
            one.gumbel = settings.noise * gumbel(tree)
        scores[one.action] = root_score(search, one, seat, guess, scale)
        child = one.next
    tree.alive = 0
    while tree.alive < wanted:
        best = NO_NODE
        child = nodes[0].child
        while child != NO_NODE:
            one = nodes[child]
            if mask[one.action] != 0 and one.alive == LEFT_OUT:
                if best == NO_NODE or scores[one.action] > scores[nodes[best].action]:
                    best = child
            child = one.next
        if best == NO_NODE:  # a full tree lacks some actions
            break
        nodes[best].alive = CONSIDERED
        tree.alive += 1
    tree.budget, tree.stages, tree.tried = budget, 1, NO_NODE
    while 1 << tree.stages < tree.alive:
        tree.stages += 1
    tree.rounds = rounds_of(tree, budget)


@lean_kernel
def rounds_of(tree: Tree, left: int) -> int:
    """How often a stage tries each of its actions; the last one, with two of them, takes all that is left."""
    return left if tree.alive <= 2 else max(1, tree.budget // (tree.stages * tree.alive))


@lean_kernel
def next_of_root(search: Search, left: int) -> int:
    """The child of the root to try: they take turns, and after each stage the worse half drops out."""
    nodes, tree = search.nodes, search.tree
    if tree.alive == 0:
        return NO_NODE
    while True:
        tree.tried = nodes[0].child if tree.tried == NO_NODE else nodes[tree.tried].next
        if tree.tried == NO_NODE:
            tree.rounds -= 1
            if tree.rounds == 0:
                drop_worse_half(search)
                tree.rounds = rounds_of(tree, left)
        elif nodes[tree.tried].alive == CONSIDERED:
            return int(tree.tried)


@lean_kernel
def drop_worse_half(search: Search) -> None:
    """Go on with the better half of the actions, but at least with two."""
    nodes, tree, seat = search.nodes, search.tree, int(search.root.seat)
    keep = max(2, (tree.alive + 1) // 2)
    scale = value_scale(search, 0)
    while tree.alive > keep:
        worst, worst_score = NO_NODE, 0.0
        child = nodes[0].child
        while child != NO_NODE:
            one = nodes[child]
            if one.alive == CONSIDERED:
                score = root_score(search, one, seat, nodes[0].guess[seat], scale)
                if worst == NO_NODE or score < worst_score:
                    worst, worst_score = child, score
            child = one.next
        nodes[worst].alive = LEFT_OUT
        tree.alive -= 1


@lean_kernel
def root_score(search: Search, one: Node, seat: int, guess: float, scale: float) -> float:
    """By which the root compares its actions: noise, logit and value."""
    return bounded(one.gumbel + one.prior + scale * worth(search, one, seat, guess))


@lean_kernel
def bounded(score: float) -> float:
    """A score of at most `MOST_SCORE` in size."""
    return min(MOST_SCORE, max(-MOST_SCORE, score))


@lean_kernel
def gumbel(tree: Tree) -> float:
    """A number from the standard Gumbel distribution."""
    uniform = ((draw(tree) >> np.uint64(11)) + 0.5) / 9007199254740992.0
    return -math.log(-math.log(min(uniform, LAST_UNIFORM)))


@lean_kernel
def worth(search: Search, one: Node, seat: int, guess: float) -> float:
    """What an action is worth, 0 to 1 in the range of all values seen: its mean, drawn towards `guess` as if
    `settings.doubt` more visits had shown that.
    """
    value: float = (one.value[seat] + search.settings.doubt * guess) / max(1e-6, one.visits + search.settings.doubt)
    if one.visits == 0:
        value = guess
    if search.tree.high - search.tree.low < NARROWEST:
        return 0.5
    return (value - search.tree.low) / (search.tree.high - search.tree.low)


@lean_kernel
def value_scale(search: Search, node: int) -> float:
    """How many nats of logit the range of values is worth: it grows with the visits of the most visited child."""
    nodes, most = search.nodes, 0
    child = nodes[node].child
    while child != NO_NODE:
        most = max(most, int(nodes[child].visits))
        child = nodes[child].next
    scale: float = search.settings.value_scale * (search.settings.visit_offset + most)
    return scale


@lean_kernel
def mixed_value(search: Search, node: int, mask: Ints, seat: int) -> float:
    """What actions without visits are worth: the network's value of the node and the mean of its visited actions,
    weighted by their priors and visits (Danihelka et al. 2022, appendix D).
    """
    nodes = search.nodes
    highest = LOWEST
    child = nodes[node].child
    while child != NO_NODE:
        if mask[nodes[child].action] != 0:
            highest = max(highest, nodes[child].prior)
        child = nodes[child].next
    visits, weight, total = 0, 0.0, 0.0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0 and one.visits > 0:
            p = math.exp(one.prior - highest)
            visits += one.visits
            weight += p
            total += p * one.value[seat] / one.visits
        child = one.next
    guess = float(nodes[node].guess[seat])
    if visits == 0 or weight <= 0.0:
        return guess
    return (guess + visits * total / weight) / (1.0 + visits)


@lean_kernel
def improve(search: Search, node: int, mask: Ints, seat: int) -> int:
    """Write the improved policy of a node's legal actions to `search.scores`; returns the visits of all."""
    nodes, scores = search.nodes, search.scores
    scale, guess = value_scale(search, node), mixed_value(search, node, mask, seat)
    highest, visits = LOWEST, 0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            score = bounded(one.prior + scale * worth(search, one, seat, guess))
            scores[one.action] = score
            highest = max(highest, score)
            visits += one.visits
        child = one.next
    total = 0.0
    child = nodes[node].child
    while child != NO_NODE:
        action = nodes[child].action
        if mask[action] != 0:
            scores[action] = math.exp(scores[action] - highest)
            total += scores[action]
        child = nodes[child].next
    child = nodes[node].child
    while child != NO_NODE:
        action = nodes[child].action
        if mask[action] != 0:
            scores[action] /= total
        child = nodes[child].next
    return visits


@lean_kernel
def next_of(search: Search, node: int) -> int:
    """The legal child whose share of the visits falls short of the improved policy most, or NO_NODE."""
    nodes, mask, scores = search.nodes, search.mask, search.scores
    visits = improve(search, node, mask, int(search.trials[0].seat))
    best, best_lack = NO_NODE, 0.0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            lack = scores[one.action] - one.visits / (1.0 + visits)
            if best == NO_NODE or lack > best_lack:
                best, best_lack = child, lack
        child = one.next
    return best


@lean_kernel
def conclude(search: Search, priors: Floats) -> int:
    """The best of the root's actions that the search compared to the end, as a child, or NO_NODE.

    Writes the improved policy to `search.scores`, and the network's to `priors`.
    """
    nodes, mask, seat = search.nodes, search.choices, int(search.root.seat)
    improve(search, 0, mask, seat)
    scale = value_scale(search, 0)
    best, best_score, highest = NO_NODE, LOWEST, LOWEST
    child = nodes[0].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            highest = max(highest, one.prior)
            score = root_score(search, one, seat, nodes[0].guess[seat], scale)
            if one.alive == CONSIDERED and score > best_score:
                best, best_score = child, score
        child = one.next
    total = 0.0
    child = nodes[0].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            priors[one.action] = math.exp(one.prior - highest)
            total += priors[one.action]
        child = one.next
    for action in range(mask.shape[0]):
        priors[action] /= max(total, 1e-30)
    return best
