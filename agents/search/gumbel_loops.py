"""The loops of a tree search by a network: a template, of which `network_forest` makes a copy for each game.

Gumbel AlphaZero (Danihelka et al. 2022) with the trees and determinizations of `tree_loops`. At the root the budget is
divided among the most promising actions by sequential halving (Karnin, Koren and Somekh 2013), and the k-th visits of
all of them get the same determinization. Below, the action is taken that brings visits closest to the improved policy:
the network's logits plus what the search found each action to be worth. Decisions without a choice are played and get
no node.

A node stands for a sequence of actions, whatever chance decided in between. Its children's logits are those of the
position it was last reached in: where that looks different to the seat that decides, the network is asked again.

Row i of `games` is the position to decide in, `trees[i]` its tree, `nodes[i]` the tree's nodes (node 0 is the root).
Work space of one thread, in `work`: a state (1,), an observation (1,), the same memory as int8 (size,) and as uint64
words, a mask (actions,), the path (int32, one entry per node of the longest path); in `space`: rows that are on,
layers, heads, a score for each action, and `room` of the network.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.jit import entry_point, kernel, lean_kernel
from bdgame_env.engine.rng import draw, mix, nth

from .codes import CONSIDERED, LEFT_OUT, LOWEST, NO_NODE

if TYPE_CHECKING:
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Floats, Floats2, Ints, Ints2, Rows, Rows2
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from ..networks import forward
    from ..networks.network import Network
    from ..networks.row_plan import Plan
    from . import final_loops as final
    from . import tree_nodes
    from .network_forest import GumbelRecord, NetworkNode, NetworkTree

    Work = tuple[Rows[GameState], Rows[Any], Ints, Ints, Ints, Ints]
    Space = tuple[Ints, Floats2, Floats, Floats, Ints]

MOST_SCORE = 5e8  # in single precision it is rounded by 16 at most, of which the exponential still is a number
NARROWEST = 1e-12  # a range of values in which they are told apart
LAST_UNIFORM = 1.0 - 2.0**-53  # the greatest number below 1


@entry_point
def grow(
    games: Rows[GameState],
    configs: Rows[Settings],
    trees: Rows[NetworkTree],
    nodes: Rows2[NetworkNode],
    settings: Rows[GumbelRecord],
    network: Network,
    plan: Plan,
    counts: Ints,
    work: Work,
    lo: int,
    hi: int,
) -> None:
    """Run `counts[i]` simulations from each root lo..hi-1."""
    space: Space = search_space(network, plan, work)
    for i in range(lo, hi):
        if counts[i] > 0:
            search(games[i], configs[0], trees[i], nodes[i], settings[0], network, plan, counts[i], work, space)


@kernel
def search_space(network: Network, plan: Plan, work: Work) -> Any:
    """Arrays for the network and for scores."""
    return (
        np.empty(plan.sizes[2], np.int32),
        np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32),
        np.empty(network.heads.shape[0], np.float32),
        np.empty(work[4].shape[0], np.float32),
        np.empty(forward.room_for(network, plan), np.int32),
    )


@lean_kernel
def search(
    root: GameState,
    config: Settings,
    tree: NetworkTree,
    nodes: Rows[NetworkNode],
    settings: GumbelRecord,
    network: Network,
    plan: Plan,
    count: int,
    work: Work,
    space: Space,
) -> None:
    """Run simulations from one root by sequential halving; the first one expands it if it is new."""
    trials, _, _, _, mask, path = work
    trials[0] = root
    loops.determinize(
        trials[0], config, nth(tree.deals, np.uint64(0)), int(root.seat)
    )  # the seat cannot tell them apart
    mask[:] = 0
    rules.legal(trials[0], config, mask)
    ask_network(trials[0], config, tree, nodes, 0, settings, network, plan, work, space)
    left = count
    if nodes[0].visits == 0:
        add_guess(nodes[0].guess, tree, int(config.players))
        path[0] = 0
        tree_nodes.back_up(nodes, path, 0, tree.outcome, int(config.players))
        left -= 1
    budget = left
    alive = consider(nodes, int(root.seat), settings, tree, left, mask, space)
    stages = 1
    while 1 << stages < alive:
        stages += 1
    while left > 0 and alive > 0:
        rounds = max(1, budget // (stages * alive))
        if alive <= 2:
            rounds = left
        for _ in range(rounds):
            child = nodes[0].child
            while child != NO_NODE and left > 0:
                if settings.stop != 0:
                    return
                if nodes[child].alive == CONSIDERED:
                    simulate(root, config, tree, nodes, child, settings, network, plan, work, space)
                    left -= 1
                child = nodes[child].next
            if left == 0:
                break
        alive = drop_worse_half(nodes, int(root.seat), settings, tree, alive)


@lean_kernel
def consider(
    nodes: Rows[NetworkNode],
    seat: int,
    settings: GumbelRecord,
    tree: NetworkTree,
    budget: int,
    mask: Ints,
    space: Space,
) -> int:
    """Mark the root's actions that the search compares, the best by logit, noise and value; returns their number."""
    legals = 0
    for action in range(mask.shape[0]):
        legals += int(mask[action] != 0)
    wanted = min(legals, settings.most_considered, max(2, budget // settings.least_visits))
    scale, guess = value_scale(nodes, 0, settings), mixed_value(nodes, 0, seat, mask, settings)
    scores = space[3]
    child = nodes[0].child
    while child != NO_NODE:
        one = nodes[child]
        one.alive = LEFT_OUT
        if mask[one.action] != 0:
            scores[one.action] = root_score(one, seat, guess, scale, settings, tree)
        child = one.next
    for found in range(wanted):
        best, best_score = NO_NODE, 0.0
        child = nodes[0].child
        while child != NO_NODE:
            one = nodes[child]
            if mask[one.action] != 0 and one.alive == LEFT_OUT and (best == NO_NODE or scores[one.action] > best_score):
                best, best_score = child, scores[one.action]
            child = one.next
        if best == NO_NODE:  # a full tree lacks some actions
            return found
        nodes[best].alive = CONSIDERED
    return wanted


@lean_kernel
def root_score(
    one: NetworkNode, seat: int, guess: float, scale: float, settings: GumbelRecord, tree: NetworkTree
) -> float:
    """By which the root compares its actions: noise, logit and value."""
    return bounded(one.gumbel + one.prior + scale * worth(one, seat, guess, settings, tree))


@lean_kernel
def bounded(score: float) -> float:
    """A score of at most `MOST_SCORE` in size."""
    return min(MOST_SCORE, max(-MOST_SCORE, score))


@lean_kernel
def drop_worse_half(nodes: Rows[NetworkNode], seat: int, settings: GumbelRecord, tree: NetworkTree, alive: int) -> int:
    """Go on with the better half of the actions, but at least with two; returns their number."""
    keep = max(2, (alive + 1) // 2)
    scale = value_scale(nodes, 0, settings)
    while alive > keep:
        worst, worst_score = NO_NODE, 0.0
        child = nodes[0].child
        while child != NO_NODE:
            one = nodes[child]
            if one.alive == CONSIDERED:
                score = root_score(one, seat, nodes[0].guess[seat], scale, settings, tree)
                if worst == NO_NODE or score < worst_score:
                    worst, worst_score = child, score
            child = one.next
        nodes[worst].alive = LEFT_OUT
        alive -= 1
    return alive


@lean_kernel
def simulate(
    root: GameState,
    config: Settings,
    tree: NetworkTree,
    nodes: Rows[NetworkNode],
    first: int,
    settings: GumbelRecord,
    network: Network,
    plan: Plan,
    work: Work,
    space: Space,
) -> None:
    """Descend once from the root through its child `first`, and back the value of the leaf up along the path."""
    trials, _, _, _, mask, path = work
    trials[0] = root
    s = trials[0]
    players = int(config.players)
    loops.determinize(s, config, nth(tree.deals, np.uint64(nodes[first].visits)), int(root.seat))
    node, depth = first, 1
    path[0] = 0
    path[1] = first
    play(s, config, int(nodes[first].action))
    while True:
        if play_forced(s, config, mask) == 0:
            finished(s, config, settings, tree)
            break
        leaf = nodes[node].child == NO_NODE
        fits = ask_network(s, config, tree, nodes, node, settings, network, plan, work, space)
        if leaf or not fits or depth + 1 >= path.shape[0]:
            if settings.rollout_turns == 0 or not leaf:
                add_guess(nodes[node].guess, tree, players)
            else:
                roll_out(s, config, tree, settings, network, plan, work, space)
            break
        node = choose_child(nodes, node, mask, int(s.seat), settings, tree, space)
        play(s, config, int(nodes[node].action))
        depth += 1
        path[depth] = node
    tree_nodes.back_up(nodes, path, depth, tree.outcome, players)


@lean_kernel
def play(s: GameState, config: Settings, action: int) -> None:
    """Play an action."""
    rules.apply(s, config, action)
    s.decisions += 1


@lean_kernel
def play_forced(s: GameState, config: Settings, mask: Ints) -> int:
    """Play on while there is no choice; writes the mask and returns the number of legal actions, 0 at the end.

    0 as well for a record that is no game, in which nothing is legal.
    """
    while s.over == 0:
        mask[:] = 0
        rules.legal(s, config, mask)
        count, only = 0, 0
        for action in range(mask.shape[0]):
            if mask[action] != 0:
                count += 1
                only = action
        if count != 1:
            return count
        play(s, config, only)
    return 0


@lean_kernel
def ask_network(
    s: GameState,
    config: Settings,
    tree: NetworkTree,
    nodes: Rows[NetworkNode],
    node: int,
    settings: GumbelRecord,
    network: Network,
    plan: Plan,
    work: Work,
    space: Space,
) -> bool:
    """Give the node a child with the network's logit for every legal action, and the network's values of the position.

    Nothing is done if the position looks as it did when the network was asked last. Returns False if the tree has no
    room for the children.
    """
    _, obs, seen, words, mask, _ = work
    rows, layers, heads, _, room = space
    seat = int(s.seat)
    rules.observe(s, config, seat, obs[0])
    key = hash_of(seat, words)
    one = nodes[node]
    if one.child != NO_NODE and one.key == key:
        return True
    forward.run_body(network, rows, forward.rows_on(seen, plan, rows, room), layers, room)
    h = layers[network.dense.shape[0]]
    forward.run_heads(network, h, heads)
    players = int(config.players)
    for k in range(players):
        one.guess[(seat + k) % players] = min(1.0, max(-1.0, heads[k]))
    known = 0
    child = one.child
    while child != NO_NODE:
        if mask[nodes[child].action] != 0:
            known += 1
        child = nodes[child].next
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action] != 0)
    if tree.used + count - known > nodes.shape[0]:
        return False
    one.key = key
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            child = tree_nodes.child_of(nodes, node, action) if known > 0 else NO_NODE
            if child == NO_NODE:
                child = add_child(tree, nodes, node, action)
                if node == 0 and settings.noise > 0.0:
                    nodes[child].gumbel = settings.noise * gumbel(tree)
            logit = forward.logit_of(network, h, action, forward.card_row(seen, plan, action))
            nodes[child].prior = logit / settings.temperature
    return True


@lean_kernel
def roll_out(
    s: GameState,
    config: Settings,
    tree: NetworkTree,
    settings: GumbelRecord,
    network: Network,
    plan: Plan,
    work: Work,
    space: Space,
) -> None:
    """Play on by the network's likeliest actions for `settings.rollout_turns` turns, the present one included.

    The network has just been asked about the position. Its values of the last position, or the utilities of a finished
    game, become the outcome of the simulation.
    """
    _, obs, seen, _, mask, _ = work
    rows, layers, heads, _, room = space
    players = int(config.players)
    h = layers[network.dense.shape[0]]
    turns = 0
    while True:
        best, highest = -1, 0.0
        for action in range(mask.shape[0]):
            if mask[action] != 0:
                logit = forward.logit_of(network, h, action, forward.card_row(seen, plan, action))
                if best < 0 or logit > highest:
                    best, highest = action, logit
        seat = int(s.seat)
        play(s, config, best)
        if play_forced(s, config, mask) == 0:
            finished(s, config, settings, tree)
            return
        rules.observe(s, config, int(s.seat), obs[0])
        forward.run_body(network, rows, forward.rows_on(seen, plan, rows, room), layers, room)
        turns += int(s.seat != seat)
        if turns >= settings.rollout_turns:
            break
    forward.run_heads(network, h, heads)
    for k in range(players):
        tree.outcome[(int(s.seat) + k) % players] = min(1.0, max(-1.0, heads[k]))
    widen_range(tree, players)


@lean_kernel
def hash_of(seat: int, words: Ints) -> int:
    """A hash of what a seat sees; words of zeros, most of them, are passed over."""
    key: int = np.uint64(seat)  # type: ignore[assignment]  # to checkers such numbers are `int`
    for k in range(words.shape[0]):
        if words[k] != 0:
            key = mix(key ^ nth(words[k], np.uint64(k)))
    return key


@lean_kernel
def add_child(tree: NetworkTree, nodes: Rows[NetworkNode], node: int, action: int) -> int:
    """Add a child of `node` for an action; returns it."""
    new = tree.used
    tree.used += 1
    one = nodes[new]
    one.value[:] = 0.0
    one.guess[:] = 0.0
    one.visits = 0
    one.child = NO_NODE
    one.action = action
    one.alive = LEFT_OUT
    one.gumbel = 0.0
    one.key = 0
    one.next = nodes[node].child
    nodes[node].child = new
    return new


@lean_kernel
def gumbel(tree: NetworkTree) -> float:
    """A number from the standard Gumbel distribution."""
    uniform = ((draw(tree) >> np.uint64(11)) + 0.5) / 9007199254740992.0
    return -math.log(-math.log(min(uniform, LAST_UNIFORM)))


@lean_kernel
def add_guess(guess: Floats, tree: NetworkTree, players: int) -> None:
    """Make the network's values of a position the outcome of a simulation."""
    for seat in range(players):
        tree.outcome[seat] = guess[seat]
    widen_range(tree, players)


@lean_kernel
def finished(s: GameState, config: Settings, settings: GumbelRecord, tree: NetworkTree) -> None:
    """Make the utilities of a finished game the outcome of a simulation."""
    final.final_outcome(s, config, settings, tree)
    widen_range(tree, int(config.players))


@lean_kernel
def widen_range(tree: NetworkTree, players: int) -> None:
    """Let the range of all outcomes take in that of the present simulation."""
    for seat in range(players):
        tree.low = min(tree.low, tree.outcome[seat])
        tree.high = max(tree.high, tree.outcome[seat])


@lean_kernel
def worth(one: NetworkNode, seat: int, guess: float, settings: GumbelRecord, tree: NetworkTree) -> float:
    """What an action is worth, 0 to 1 in the range of all values seen: its mean, drawn towards `guess` as if
    `settings.doubt` more visits had shown that.
    """
    value = (one.value[seat] + settings.doubt * guess) / max(1e-6, one.visits + settings.doubt)
    if one.visits == 0:
        value = guess
    if tree.high - tree.low < NARROWEST:
        return 0.5
    return (value - tree.low) / (tree.high - tree.low)


@lean_kernel
def value_scale(nodes: Rows[NetworkNode], node: int, settings: GumbelRecord) -> float:
    """How many nats of logit the range of values is worth: it grows with the visits of the most visited child."""
    most = 0
    child = nodes[node].child
    while child != NO_NODE:
        most = max(most, int(nodes[child].visits))
        child = nodes[child].next
    return settings.value_scale * (settings.visit_offset + most)


@lean_kernel
def mixed_value(nodes: Rows[NetworkNode], node: int, seat: int, mask: Ints, settings: GumbelRecord) -> float:
    """What actions without visits are worth: the network's value of the node and the mean of its visited actions,
    weighted by their priors and visits (Danihelka et al. 2022, appendix D).
    """
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
def improve(
    nodes: Rows[NetworkNode],
    node: int,
    mask: Ints,
    seat: int,
    settings: GumbelRecord,
    tree: NetworkTree,
    scores: Floats,
) -> int:
    """Write the improved policy of a node's legal actions to `scores`, by action; returns the visits of all."""
    scale, guess = value_scale(nodes, node, settings), mixed_value(nodes, node, seat, mask, settings)
    highest, visits = LOWEST, 0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] != 0:
            score = bounded(one.prior + scale * worth(one, seat, guess, settings, tree))
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
def choose_child(
    nodes: Rows[NetworkNode], node: int, mask: Ints, seat: int, settings: GumbelRecord, tree: NetworkTree, space: Space
) -> int:
    """The child whose share of the visits falls short of the improved policy most."""
    scores = space[3]
    visits = improve(nodes, node, mask, seat, settings, tree, scores)
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


@entry_point
def report(
    trees: Rows[NetworkTree],
    nodes: Rows2[NetworkNode],
    settings: Rows[GumbelRecord],
    masks: Ints2,
    seats: Ints,
    visits: Ints2,
    values: Floats2,
    priors: Floats2,
    policies: Floats2,
    chosen: Ints,
    lo: int,
    hi: int,
) -> None:
    """Write the statistics of each root's legal actions, shape (n, actions), and the action chosen, int32 (n,).

    `visits` int32; float32 are the mean `values` for the seat `seats[i]`, the network's `priors`, and the improved
    `policies`.
    """
    scores: Any = np.empty(masks.shape[1], np.float32)
    for i in range(lo, hi):
        seat = int(seats[i])
        improve(nodes[i], 0, masks[i], seat, settings[0], trees[i], scores)
        scale = value_scale(nodes[i], 0, settings[0])
        best, best_score, highest = first_legal(masks[i]), LOWEST, LOWEST
        child = nodes[i, 0].child
        while child != NO_NODE:
            one = nodes[i, child]
            if masks[i, one.action] != 0:
                visits[i, one.action] = one.visits
                policies[i, one.action] = scores[one.action]
                highest = max(highest, one.prior)
                if one.visits > 0:
                    values[i, one.action] = one.value[seat] / one.visits
                score = root_score(one, seat, nodes[i, 0].guess[seat], scale, settings[0], trees[i])
                if one.alive == CONSIDERED and score > best_score:
                    best, best_score = int(one.action), score
            child = one.next
        chosen[i] = best
        total = 0.0
        child = nodes[i, 0].child
        while child != NO_NODE:
            one = nodes[i, child]
            if masks[i, one.action] != 0:
                priors[i, one.action] = math.exp(one.prior - highest)
                total += priors[i, one.action]
            child = one.next
        if total > 0.0:
            priors[i] /= total


@lean_kernel
def first_legal(mask: Ints) -> int:
    """The first legal action, for a tree that has none of them."""
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            return action
    return 0


@entry_point
def look_ahead(
    games: Rows[GameState], configs: Rows[Settings], actions: Ints, obs: Rows[Any], mask: Ints, lo: int, hi: int
) -> None:
    """Carry out `actions[i]` in the copies `games[i]`, and what is forced after it; write what the same seat sees then.

    `obs` are observation records (n,), `mask` is work space. `over` is set to 1 if the game ended or another seat is to
    decide.
    """
    for i in range(lo, hi):
        seat = games[i].seat
        play(games[i], configs[0], actions[i])
        play_forced(games[i], configs[0], mask)
        if games[i].seat != seat:
            games[i].over = 1
        rules.observe(games[i], configs[0], seat, obs[i])
