"""The loops of a tree search: a template, of which `guides` makes copies for each game.

Information-set Monte-Carlo tree search with one tree for the seat that decides (SO-ISMCTS: Cowling, Powley and
Whitehouse 2012): every simulation determinizes the position, descends the tree by actions that are legal in this
determinization and backs the outcome up along its path. A node stands for a sequence of actions after the root,
whatever chance decided in between, so there are no chance nodes. Decisions without a choice are played and get no node.

Two things differ between searches. `leaves` gives nodes their children and judges new ones: by playouts
(`player_leaf_loops`) or by a network (`network_leaf_loops`). `rule` selects: by UCT or PUCT (`puct_loops`), or by
sequential halving at the root and an improved policy below (`gumbel_loops`).

Row i of `games` is the position to decide in, `trees[i]` its tree, `nodes[i]` the tree's nodes. `space` and `work` are
work space of one thread: see `Search`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.jit import entry_point, lean_kernel
from bdgame_env.engine.rng import nth

from .codes import NO_NODE
from .search_records import Search

if TYPE_CHECKING:
    from bdgame_env.engine import match_loops as loops
    from bdgame_env.engine.arrays import Floats, Floats2, Ints, Ints2, Rows, Rows2
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from . import playout_loops as playouts
    from . import tree_nodes
    from .guides import guide, leaves, rule
    from .search_records import Node, Tree

    Work = tuple[Rows[GameState], Ints, Ints, Ints, Floats]  # as the last fields of `Search`


@entry_point
def grow(
    games: Rows[GameState],
    configs: Rows[Settings],
    settings: Rows[Any],
    trees: Rows[Tree],
    nodes: Rows2[Node],
    counts: Ints,
    space: Any,
    work: Work,
    lo: int,
    hi: int,
) -> None:
    """Run `counts[i]` simulations from each root lo..hi-1."""
    trials, mask, choices, path, scores = work
    for i in range(lo, hi):
        search = Search(
            games[i], configs[0], settings[0], trees[i], nodes[i], space, trials, mask, choices, path, scores
        )
        if counts[i] > 0:
            run(search, counts[i])


@lean_kernel
def run(search: Search, count: int) -> None:
    """Run simulations from one root. A new one is given children first, which by a network is a simulation too."""
    root, config, settings, tree, _, space, trials, mask, choices, path, _ = search
    guide.begin(space)
    trials[0] = root
    loops.determinize(trials[0], config, nth(tree.deals, np.uint64(0)), int(root.seat))  # advisers must not see more
    left = count
    legals = playouts.list_legal(trials[0], config, mask)
    if not leaves.enter(search, 0, legals):
        leaves.judge(search, 0, True)
        path[0] = 0
        back_up(search, 0)
        left -= 1
    for action in range(mask.shape[0]):
        choices[action] = mask[action]
    rule.begin(search, left, legals)
    while left > 0 and settings.stop == 0:
        child = rule.next_of_root(search, left)
        if child == NO_NODE:
            return
        simulate(search, child)
        left -= 1


@lean_kernel
def simulate(search: Search, first: int) -> None:
    """Descend once from the root through its child `first`, and back the outcome up along the path.

    The k-th visits of all actions of the root get the same determinization, so that they are compared on equal terms.
    """
    root, config, settings, tree, nodes, space, trials, mask, _, path, _ = search
    trials[0] = root
    s = trials[0]
    loops.determinize(s, config, nth(tree.deals, np.uint64(nodes[first].visits)), int(root.seat))
    node, depth = first, 1
    path[0], path[1] = 0, first
    playouts.play(s, config, int(nodes[first].action))
    while True:
        legals = playouts.play_forced(s, config, mask)
        if legals == 0:
            guide.outcome(s, config, settings, tree, space)
            break
        entered = leaves.enter(search, node, legals)
        below = NO_NODE
        if entered and depth + 1 < path.shape[0]:
            below = rule.next_of(search, node)
        if below == NO_NODE:
            leaves.judge(search, node, entered)
            break
        node = below
        depth += 1
        path[depth] = node
        playouts.play(s, config, int(nodes[node].action))
    back_up(search, depth)


@lean_kernel
def back_up(search: Search, depth: int) -> None:
    """Add the outcome of a simulation to every node of its path."""
    tree, nodes, path, players = search.tree, search.nodes, search.path, int(search.config.players)
    for seat in range(players):
        tree.low = min(tree.low, tree.outcome[seat])
        tree.high = max(tree.high, tree.outcome[seat])
    for step in range(depth + 1):
        node = nodes[path[step]]
        node.visits += 1
        for seat in range(players):
            node.value[seat] += tree.outcome[seat]


@entry_point
def report(
    games: Rows[GameState],
    configs: Rows[Settings],
    settings: Rows[Any],
    trees: Rows[Tree],
    nodes: Rows2[Node],
    masks: Ints2,
    visits: Ints2,
    values: Floats2,
    priors: Floats2,
    policies: Floats2,
    chosen: Ints,
    space: Any,
    work: Work,
    lo: int,
    hi: int,
) -> None:
    """Write the statistics of each root's legal actions, shape (n, actions), and the action chosen, int32 (n,).

    `visits` int32; float32 are the mean `values` for the seat to decide, the `priors`, and the `policies` that the
    search recommends. All are 0 before.
    """
    trials, _, _, path, _ = work
    for i in range(lo, hi):
        seat, legals = games[i].seat, 0
        for action in range(masks.shape[1]):
            legals += int(masks[i, action] != 0)
        search = Search(
            games[i], configs[0], settings[0], trees[i], nodes[i], space, trials, masks[i], masks[i], path, policies[i]
        )
        best = rule.conclude(search, priors[i])
        child = nodes[i, 0].child
        while child != NO_NODE:
            one = nodes[i, child]
            if masks[i, one.action] != 0:
                visits[i, one.action] = one.visits
                if one.visits > 0:
                    values[i, one.action] = one.value[seat] / one.visits
            child = one.next
        if best != NO_NODE:
            chosen[i] = nodes[i, best].action
            continue
        for action in range(masks.shape[1] - 1, -1, -1):  # a full tree may lack all of them
            if masks[i, action] != 0:
                chosen[i], policies[i, action] = action, 1.0 / legals


@entry_point
def init_roots(trees: Rows[Tree], nodes: Rows2[Node], lo: int, hi: int) -> None:
    """Start new trees of nothing but a root; their generators are kept."""
    for i in range(lo, hi):
        init_root(trees[i], nodes[i])


@lean_kernel
def init_root(tree: Tree, nodes: Rows[Node]) -> None:
    """Start one tree."""
    tree.used, tree.low, tree.high = 1, 1.0, -1.0
    tree_nodes.init_node(nodes[0])


@entry_point
def keep(trees: Rows[Tree], nodes: Rows2[Node], action: int, spare: Rows[Node]) -> None:
    """Make the child of an action the root of the one tree `trees[0]`, and move its subtree to the front.

    `spare` (as many nodes as the tree may have) is work space. The order of children is kept. If there is no such
    child, a tree of nothing but a root is left.
    """
    old = nodes[0]
    child = tree_nodes.child_of(old, 0, action)
    if child == NO_NODE:
        init_root(trees[0], old)
        return
    spare[0] = old[child]
    spare[0].next = NO_NODE
    count = 1
    done = 0
    while done < count:  # breadth first: the children of node `done` go to the end
        below_it = spare[done].child
        last = NO_NODE
        while below_it != NO_NODE:
            spare[count] = old[below_it]
            if last == NO_NODE:
                spare[done].child = count
            else:
                spare[last].next = count
            last = count
            count += 1
            below_it = old[below_it].next
        if last != NO_NODE:
            spare[last].next = NO_NODE
        done += 1
    for k in range(count):
        old[k] = spare[k]
    trees[0].used = count


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
        playouts.play(games[i], configs[0], actions[i])
        playouts.play_forced(games[i], configs[0], mask)
        if games[i].seat != seat:
            games[i].over = 1
        rules.observe(games[i], configs[0], seat, obs[i])
