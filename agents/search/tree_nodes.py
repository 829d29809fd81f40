"""The nodes of search trees, whatever grows them: a template, of which `trees` makes a copy for each game.

`trees[i]` is a record with the number of nodes `used`, `nodes[i]` its nodes, of which node 0 is the root. A node knows
its first `child`, the `next` child of its parent, the `action` that it stands for, its `visits`, and the sum of the
outcomes (`value`) by seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bdgame_env.engine.jit import entry_point, kernel

from .codes import NO_NODE

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Floats, Ints, Rows, Rows2

    from .playouts import Own
    from .trees import Node


@kernel
def child_of(nodes: Rows[Node], node: int, action: int) -> int:
    """The child that stands for an action, or NO_NODE."""
    child = nodes[node].child
    while child != NO_NODE and nodes[child].action != action:
        child = nodes[child].next
    return child


@kernel
def back_up(nodes: Rows[Node], path: Ints, depth: int, values: Floats, players: int) -> None:
    """Add an outcome to every node of a path."""
    for step in range(depth + 1):
        node = nodes[path[step]]
        node.visits += 1
        for seat in range(players):
            node.value[seat] += values[seat]


@entry_point
def init_roots(trees: Rows[Own], nodes: Rows2[Node], lo: int, hi: int) -> None:
    """Start new trees of nothing but a root; the generators in their OWN records are kept."""
    for i in range(lo, hi):
        init_root_of(trees[i], nodes[i])


@kernel
def init_root_of(tree: Own, nodes: Rows[Node]) -> None:
    """Start one tree."""
    tree.used = 1
    nodes[0].value[:] = 0.0
    nodes[0].visits = 0
    nodes[0].child = NO_NODE
    nodes[0].next = NO_NODE
    nodes[0].action = NO_NODE


@entry_point
def keep(trees: Rows[Own], nodes: Rows2[Node], action: int, spare: Rows[Node]) -> int:
    """Make the child of an action the root of the one tree `trees[0]`, and move its subtree to the front.

    `spare` (as many nodes as the tree may have) is work space. The order of children is kept. Returns the visits of the
    new root. If there is no such child, returns 0 and leaves a tree of nothing but a root.
    """
    old = nodes[0]
    child = child_of(old, 0, action)
    if child == NO_NODE:
        init_root_of(trees[0], old)
        return 0
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
    return old[0].visits
