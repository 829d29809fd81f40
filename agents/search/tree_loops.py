"""The loops of a tree search: a template, of which `forest` makes a copy for each game with that game's rules.

Information-set Monte-Carlo tree search with one tree for the seat that decides (SO-ISMCTS: Cowling, Powley and
Whitehouse 2012): every simulation determinizes the position, descends the tree by actions that are legal in this
determinization, plays on by a playout policy and backs the outcome up along its path. A node stands for a sequence of
actions after the root, whatever chance decided in between, so there are no chance nodes.

Row i of `games` is the position to decide in, `trees[i]` its tree, `nodes[i]` the tree's nodes (node 0 is the root).
`scratch` (of the compiled players), `trials` (a state, shape (1,)), `masks` (1, actions) and `path` (int32, one entry
per node of the longest path) are work space of one thread.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.jit import entry_point, kernel
from bdgame_env.engine.players import NO_OPINION
from bdgame_env.engine.rng import below, nth

from .codes import NO_NODE, NOBODY, PARANOID, PUCT, SEEN

if TYPE_CHECKING:
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Floats2, Ints, Ints2, Rows, Rows2
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from . import tree_nodes
    from .forest import TreeNode, TreeRecord
    from .playouts import Own, playouts


UNVISITED = 1e9


@entry_point
def grow(
    games: Rows[GameState],
    configs: Rows[Settings],
    trees: Rows[Own],
    nodes: Rows2[TreeNode],
    settings: Rows[TreeRecord],
    plans: Ints,
    counts: Ints,
    scratch: Any,
    trials: Rows[GameState],
    masks: Ints2,
    path: Ints,
    lo: int,
    hi: int,
) -> None:
    """Run `counts[i]` simulations from each root lo..hi-1; `plans` int16 (k,) are policies that propose actions."""
    for i in range(lo, hi):
        for _ in range(counts[i]):
            if settings[0].stop != 0:
                return
            depth = descend(games[i], configs[0], trees[i], nodes[i], settings[0], plans, scratch, trials, masks, path)
            if depth > 0 and trials[0].seat == games[i].seat:
                policy = int(nodes[i, path[depth]].policy)
                playouts.finish_turn(trials[0], configs[0], trees[i], policy, settings[0], scratch, masks[0])
            playouts.playout(trials[0], configs[0], trees[i], settings[0], scratch, masks[0])
            playouts.outcome(trials[0], configs[0], settings[0], trees[i], scratch)
            tree_nodes.back_up(nodes[i], path, depth, trees[i].outcome, int(configs[0].players))


@kernel
def descend(
    root: GameState,
    config: Settings,
    tree: Own,
    nodes: Rows[TreeNode],
    settings: TreeRecord,
    plans: Ints,
    scratch: Any,
    trials: Rows[GameState],
    masks: Ints2,
    path: Ints,
) -> int:
    """Descend from the root to a leaf, left in `trials[0]`; returns the path's last index.

    The k-th visits of all actions of the root get the same determinization, so that actions are compared on equal
    terms.
    """
    trials[0] = root
    s = trials[0]
    mask = masks[0]
    node, depth = 0, 0
    path[0] = 0
    while s.over == 0 and depth + 1 < path.shape[0]:
        if depth > 0 and nodes[node].visits == 0:
            break
        if depth == 0 and nodes[0].child == NO_NODE:  # advisers and plans must not see what is hidden
            loops.determinize(s, config, nth(tree.deals, np.uint64(0)), int(root.seat))
        mask[:] = 0
        rules.legal(s, config, mask)
        own_turn = s.seat == root.seat
        if not open_node(s, config, tree, nodes, node, settings, plans, own_turn, scratch, mask):
            break
        node = select_child(nodes, node, mask, int(s.seat), int(root.seat), settings, tree)
        if depth == 0:
            loops.determinize(s, config, nth(tree.deals, np.uint64(nodes[node].visits)), int(root.seat))
        rules.apply(s, config, int(nodes[node].action))
        s.decisions += 1
        depth += 1
        path[depth] = node
    return depth


@kernel
def open_node(
    s: GameState,
    config: Settings,
    tree: Own,
    nodes: Rows[TreeNode],
    node: int,
    settings: TreeRecord,
    plans: Ints,
    own_turn: bool,
    scratch: Any,
    mask: Ints,
) -> bool:
    """Add children so that there is one for every legal action, and mark these actions SEEN.

    Priors of new children: the adviser's action gets `settings.prior_weight`. In the decider's own turn half of the
    rest is divided equally among the actions that plans propose. What is left is divided equally among all actions. A
    child remembers the plan that proposed it. Returns whether the node has a child to go to, False if the tree is full.
    """
    child = nodes[node].child
    found = 0
    while child != NO_NODE:
        action = nodes[child].action
        if mask[action] != 0:
            mask[action] = SEEN
            found += 1
        child = nodes[child].next
    count = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            count += 1
    if found < count:
        if tree.used + count - found > nodes.shape[0]:
            return found > 0
        advised = NOBODY
        if found == 0 and count > 1 and settings.adviser != NOBODY:
            for action in range(mask.shape[0]):
                if mask[action] != 0:
                    mask[action] = 1
            advised = playouts.advice(settings.adviser, s, config, mask, tree, scratch)
        rest = 1.0 if advised == NOBODY else 1.0 - settings.prior_weight
        for action in range(mask.shape[0]):
            if mask[action] == 1:
                mask[action] = SEEN
                prior = rest / count
                if action == advised:
                    prior += settings.prior_weight
                add_child(tree, nodes, node, action, prior, settings.player)
        if found == 0 and count > 1 and own_turn:
            add_proposals(s, config, tree, nodes, node, settings, plans, advised, 0.5 * rest, scratch, mask)
    return count > 0


@kernel
def add_proposals(
    s: GameState,
    config: Settings,
    tree: Own,
    nodes: Rows[TreeNode],
    node: int,
    settings: TreeRecord,
    plans: Ints,
    advised: int,
    share: float,
    scratch: Any,
    mask: Ints,
) -> None:
    """Raise the priors of proposed actions by `share` in all, at the expense of the equal parts."""
    for action in range(mask.shape[0]):
        mask[action] = 1 if mask[action] != 0 else 0
    proposals = 0
    for k in range(plans.shape[0]):
        action = playouts.advice(plans[k], s, config, mask, tree, scratch)
        if action != NO_OPINION and action != advised:
            child = tree_nodes.child_of(nodes, node, action)
            if nodes[child].policy == settings.player:
                nodes[child].policy = plans[k]
                proposals += 1
    child = nodes[node].child
    while child != NO_NODE:
        if mask[nodes[child].action] != 0:  # children from other determinizations may not be legal now
            mask[nodes[child].action] = SEEN
            if proposals > 0:
                equal_part = nodes[child].prior - (settings.prior_weight if nodes[child].action == advised else 0.0)
                nodes[child].prior -= 0.5 * equal_part
                if nodes[child].policy != settings.player:
                    nodes[child].prior += share / proposals
        child = nodes[child].next


@kernel
def add_child(tree: Own, nodes: Rows[TreeNode], node: int, action: int, prior: float, policy: int) -> None:
    """Add a child of `node` for an action."""
    new = tree.used
    tree.used += 1
    nodes[new].value[:] = 0.0
    nodes[new].visits = 0
    nodes[new].available = 0
    nodes[new].child = NO_NODE
    nodes[new].action = action
    nodes[new].policy = policy
    nodes[new].prior = prior
    nodes[new].next = nodes[node].child
    nodes[node].child = new


@kernel
def select_child(
    nodes: Rows[TreeNode], node: int, mask: Ints, mover: int, decider: int, settings: TreeRecord, tree: Own
) -> int:
    """The most promising child with a SEEN action: by UCT (Kocsis and Szepesvari 2006) with availability counts in
    place of the parent's visits, or by PUCT (Rosin 2011, as in Silver et al. 2017). Ties are broken
    at random.

    Each seat maximises its own value; in a paranoid search the others minimise the decider's.
    """
    seat, sign = mover, 1.0
    if settings.others == PARANOID and mover != decider:
        seat, sign = decider, -1.0
    visits = nodes[node].visits
    parent = sign * nodes[node].value[seat] / visits if visits > 0 else 0.0
    root_of_visits = math.sqrt(visits + 1.0)
    best, best_score, ties = NO_NODE, 0.0, 0
    child = nodes[node].child
    while child != NO_NODE:
        one = nodes[child]
        if mask[one.action] == SEEN:
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
                if below(tree, ties) == 0:
                    best = child
        child = one.next
    return best


@entry_point
def report(
    trees: Rows[Own],
    nodes: Rows2[TreeNode],
    seats: Ints,
    visits: Ints2,
    values: Floats2,
    priors: Floats2,
    lo: int,
    hi: int,
) -> None:
    """Write the statistics of each root's actions.

    Arrays of shape (n, actions): visits int32, mean values float32 for the seat `seats[i]`, priors float32; 0 for
    actions without a child.
    """
    for i in range(lo, hi):
        visits[i, :] = 0
        values[i, :] = 0.0
        priors[i, :] = 0.0
        child = nodes[i, 0].child
        while child != NO_NODE:
            one = nodes[i, child]
            visits[i, one.action] = one.visits
            priors[i, one.action] = one.prior
            if one.visits > 0:
                values[i, one.action] = one.value[seats[i]] / one.visits
            child = one.next


@entry_point
def look_ahead(
    games: Rows[GameState], configs: Rows[Settings], actions: Ints, obs: Rows[Any], lo: int, hi: int
) -> None:
    """Carry out `actions[i]` in the copies `games[i]` and write what the same seat sees then.

    `obs` are observation records (n,). `over` is set to 1 if the game
    ended or another seat is to decide.
    """
    for i in range(lo, hi):
        seat = games[i].seat
        rules.apply(games[i], configs[0], actions[i])
        if games[i].seat != seat:
            games[i].over = 1
        rules.observe(games[i], configs[0], seat, obs[i])
