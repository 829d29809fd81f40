"""The loops of a tree search with a network: a template, of which `network_forest` makes a copy for each game.

A simulation has four steps (AlphaZero: Silver et al. 2018, with the tree and determinizations of `tree_loops`).
`walk_games` descends every tree to a leaf and writes its observation; Python asks the network for the priors of all
leaves at once, and `expand_games` adds the children. `finish_games` plays from the leaf to the end of the turn and
writes the observation there; Python asks for the values, and `settle_games` backs them up. So a position within a turn
is judged by how the turn ends.

`leaves[i]` is the state at the leaf, `ends[i]` that where it is judged, `paths[i]` (int32) the nodes down to the leaf,
`depths[i]` the last index of the path, or -1 for a row without a simulation.
"""

# ruff: noqa: F821  the names of the rules are filled in for each game
# mypy: disable-error-code="name-defined,no-untyped-def,no-untyped-call"
from __future__ import annotations

import numpy as np

from bdgame_env.engine.jit import entry_point, kernel
from bdgame_env.engine.rng import nth

NO_NODE = -1
SEEN = 2  # in a mask: legal, and a child stands for it


@entry_point
def walk_games(games, configs, trees, nodes, settings, leaves, masks, obs, paths, depths, wanted, lo, hi):
    """Descend from each root with `wanted[i]` > 0 to a node without children; write leaf, path, mask and observation.

    The k-th visits of all actions of the root get the same determinization, as in `tree_loops.descend`.
    """
    for i in range(lo, hi):
        depths[i] = -1
        if wanted[i] > 0:
            depths[i] = walk(games[i], configs[0], trees[i], nodes[i], settings[0], leaves, i, masks[i], paths[i])
            observe(leaves[i], configs[0], leaves[i].seat, obs[i])


@kernel
def walk(root, config, tree, nodes, settings, leaves, i, mask, path):
    """Descend once; returns the last index of the path."""
    leaves[i] = root
    s = leaves[i]
    node, depth = 0, 0
    path[0] = 0
    if nodes[0].child == NO_NODE:
        determinize(s, config, nth(tree.deals, np.uint64(0)), int(root.seat))
    while True:
        mask[:] = 0
        if s.over != 0:
            return depth
        legal(s, config, mask)
        if nodes[node].child == NO_NODE or depth + 1 >= path.shape[0]:
            return depth
        if not complete(tree, nodes, node, settings, mask):
            return depth
        node = select_child(nodes, node, mask, int(s.seat), int(root.seat), settings, tree)
        if depth == 0:
            determinize(s, config, nth(tree.deals, np.uint64(nodes[node].visits)), int(root.seat))
        apply(s, config, int(nodes[node].action))
        s.decisions += 1
        depth += 1
        path[depth] = node


@kernel
def complete(tree, nodes, node, settings, mask):
    """Add children so that there is one for every legal action, and mark these actions SEEN.

    Actions that were not legal at the node's first visit get a small prior. Returns whether the node has a child to go
    to, False if the tree is full.
    """
    found = 0
    child = nodes[node].child
    while child != NO_NODE:
        if mask[nodes[child].action] != 0:
            mask[nodes[child].action] = SEEN
            found += 1
        child = nodes[child].next
    for action in range(mask.shape[0]):
        if mask[action] == 1:
            if tree.used < nodes.shape[0]:
                mask[action] = SEEN
                add_child(tree, nodes, node, action, settings.late, settings.player)
                found += 1
            else:
                mask[action] = 0
    return found > 0


@entry_point
def expand_games(leaves, trees, nodes, settings, masks, priors, paths, depths, lo, hi):
    """Add children for the legal actions of leaves without children, if there is room.

    `priors` float32 (n, actions) are the network's.
    """
    for i in range(lo, hi):
        if depths[i] >= 0 and leaves[i].over == 0:
            expand(trees[i], nodes[i], paths[i, depths[i]], settings[0], masks[i], priors[i])


@kernel
def expand(tree, nodes, node, settings, mask, priors):
    """Add the children of one leaf."""
    count = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            count += 1
    if nodes[node].child != NO_NODE or tree.used + count > nodes.shape[0]:
        return
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            add_child(tree, nodes, node, action, priors[action], settings.player)


@entry_point
def finish_games(games, configs, leaves, trees, settings, ends, obs, depths, scratch, playground, lo, hi):
    """Play on from the leaves to where they are judged, and write what the seat to decide sees there.

    If the root's seat is to decide there, it finishes its turn by the playout policy. Then all seats play
    `settings.playout` decisions and finish the turn. `playground` (a mask, shape (1, actions)) is work space.
    """
    for i in range(lo, hi):
        if depths[i] >= 0:
            ends[i] = leaves[i]
            s = ends[i]
            if s.over == 0 and s.seat == games[i].seat:
                finish_turn(s, configs[0], trees[i], int(settings[0].player), settings[0], scratch, playground[0])
            if settings[0].playout > 0:
                playout(s, configs[0], trees[i], settings[0], scratch, playground[0])
            observe(s, configs[0], s.seat, obs[i])


@entry_point
def settle_games(configs, trees, nodes, settings, ends, values, paths, depths, scratch, lo, hi):
    """Back the value of each end up along its path.

    `values` float32 (n, seats) are the network's expected final rewards, beginning with the seat to decide. A finished
    game counts with its outcome instead.
    """
    players = int(configs[0].players)
    for i in range(lo, hi):
        if depths[i] >= 0:
            s = ends[i]
            if s.over != 0:
                outcome(s, configs[0], settings[0], trees[i], scratch)
            else:
                for other in range(players):
                    trees[i].outcome[(int(s.seat) + other) % players] = values[i, other]
            back_up(nodes[i], paths[i], depths[i], trees[i].outcome, players)


@entry_point
def add_root_noise(nodes, noise, share, lo, hi):
    """Mix `noise`, float32 (n, actions), into the priors of the roots' actions with weight `share`."""
    for i in range(lo, hi):
        child = nodes[i, 0].child
        while child != NO_NODE:
            one = nodes[i, child]
            one.prior = (1.0 - share) * one.prior + share * noise[i, one.action]
            child = one.next
