"""Leaves that playouts by compiled players judge: a template that `tree_loops` calls as `leaves`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.players import NO_OPINION

from .codes import NOBODY

if TYPE_CHECKING:
    from . import playout_loops as playouts
    from . import tree_nodes
    from .guides import guide
    from .search_records import Search


@lean_kernel
def enter(search: Search, node: int, legals: int) -> bool:
    """Give a node children for its legal actions, unless it is new: that is judged first.

    Priors of new children: the adviser's action gets `settings.prior_weight`. In the decider's own turn half of the
    rest is divided equally among the actions that plans propose. What is left is divided equally among all actions. A
    child remembers the plan that proposed it. Returns whether the node was not new.
    """
    tree, nodes, settings, space, s = search.tree, search.nodes, search.settings, search.space, search.trials[0]
    if node != 0 and nodes[node].visits == 0:
        return False
    added = tree_nodes.add_children(tree, nodes, node, search.mask, legals)
    if added == 0:
        return True
    advised = NOBODY
    if added == legals and settings.adviser != NOBODY:
        advised = guide.advice(settings.adviser, s, search.config, search.mask, tree, space)
    rest = 1.0 if advised == NOBODY else 1.0 - settings.prior_weight
    child = nodes[node].child
    for _ in range(added):
        one = nodes[child]
        one.prior = rest / legals + (settings.prior_weight if one.action == advised else 0.0)
        one.policy = settings.player
        child = one.next
    if added == legals and s.seat == search.root.seat:
        add_proposals(search, node, legals, advised, 0.5 * rest)
    return True


@lean_kernel
def add_proposals(search: Search, node: int, legals: int, advised: int, share: float) -> None:
    """Divide `share` among the proposed actions, at the expense of the equal parts of all."""
    tree, nodes, space, player = search.tree, search.nodes, search.space, search.settings.player
    proposals = 0
    for k in range(space.plans.shape[0]):
        action = guide.advice(space.plans[k], search.trials[0], search.config, search.mask, tree, space)
        if action != NO_OPINION and action != advised:
            child = tree_nodes.child_of(nodes, node, action)
            if nodes[child].policy == player:
                nodes[child].policy = space.plans[k]
                proposals += 1
    child = nodes[node].child
    for _ in range(legals if proposals > 0 else 0):
        one = nodes[child]
        one.prior += (share / proposals if one.policy != player else 0.0) - share / legals
        child = one.next


@lean_kernel
def judge(search: Search, node: int, entered: bool) -> None:
    """Finish the decider's turn by the plan that led here, play on by the playout policy, and judge the end."""
    s, config, settings = search.trials[0], search.config, search.settings
    tree, space, mask = search.tree, search.space, search.mask
    if s.seat == search.root.seat:
        playouts.finish_turn(s, config, tree, int(search.nodes[node].policy), settings, space, mask)
    playouts.playout(s, config, tree, settings, space, mask)
    guide.outcome(s, config, settings, tree, space)
