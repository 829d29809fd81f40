"""The children of nodes: a template, of which `guides` makes a copy for each game.

`nodes` are those of one tree, of which node 0 is the root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bdgame_env.engine.jit import lean_kernel

from .codes import LEFT_OUT, NO_NODE

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Ints, Rows

    from .search_records import Node, Tree


@lean_kernel
def child_of(nodes: Rows[Node], node: int, action: int) -> int:
    """The child that stands for an action, or NO_NODE."""
    child = nodes[node].child
    while child != NO_NODE and nodes[child].action != action:
        child = nodes[child].next
    return child


@lean_kernel
def add_children(tree: Tree, nodes: Rows[Node], node: int, mask: Ints, count: int) -> int:
    """Give a node a child for each of the `count` legal actions that has none, unless the tree lacks room for them.

    Returns how many were added: they are the first of the node's children.
    """
    known = 0
    child = nodes[node].child
    while child != NO_NODE:
        known += int(mask[nodes[child].action] != 0)
        child = nodes[child].next
    missing = count - known
    if missing == 0 or tree.used + missing > nodes.shape[0]:
        return 0
    for action in range(mask.shape[0]):
        if mask[action] != 0 and (known == 0 or child_of(nodes, node, action) == NO_NODE):
            new = nodes[tree.used]
            init_node(new)
            new.action = action
            new.next = nodes[node].child
            nodes[node].child = tree.used
            tree.used += 1
    return missing


@lean_kernel
def init_node(node: Node) -> None:
    """Make a node of no visits."""
    node.key = 0
    node.value[:] = 0.0
    node.guess[:] = 0.0
    node.visits = 0
    node.child = NO_NODE
    node.next = NO_NODE
    node.prior = 0.0
    node.gumbel = 0.0
    node.available = 0
    node.action = NO_NODE
    node.policy = 0
    node.alive = LEFT_OUT
