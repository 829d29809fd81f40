"""Leaves that a network judges: a template that `tree_loops` calls as `leaves`.

The logits of a node's children are those of the position it was last reached in: where that looks different to the seat
that decides, the network is asked again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.rng import mix, nth

from .codes import NO_NODE

if TYPE_CHECKING:
    from bdgame_env.engine.seam import rules

    from . import playout_loops as playouts
    from . import tree_nodes
    from .guides import network_guide as guide
    from .search_records import NetworkSpace, Search


@lean_kernel
def enter(search: Search, node: int, legals: int) -> bool:
    """Give a node children with the network's logits for its legal actions, and the network's values of the position.

    Nothing is done if the position looks as it did when the network was asked last. Returns whether it had children.
    """
    nodes, space, s, mask = search.nodes, search.space, search.trials[0], search.mask
    one = nodes[node]
    had = one.child != NO_NODE
    rules.observe(s, search.config, int(s.seat), space.obs[0])
    key = hash_of(int(s.seat), space)
    if had and one.key == key:
        return True
    one.key = key
    guide.think(space)
    guide.expect(s, search.config, space, one.guess)
    tree_nodes.add_children(search.tree, nodes, node, mask, legals)
    child = one.child
    while child != NO_NODE:
        action = nodes[child].action
        if mask[action] != 0:
            nodes[child].prior = guide.logit(action, space) / search.settings.temperature
        child = nodes[child].next
    return had


@lean_kernel
def judge(search: Search, node: int, entered: bool) -> None:
    """Take the network's values of a position; or, if it is new and `settings.rollout_turns` says so, play on.

    Then the network's likeliest actions are played for so many turns, the present one included.
    """
    s, config, settings = search.trials[0], search.config, search.settings
    tree, space, mask = search.tree, search.space, search.mask
    if entered or settings.rollout_turns == 0:
        for seat in range(config.players):
            tree.outcome[seat] = search.nodes[node].guess[seat]
        return
    turns = 0
    while True:
        seat = int(s.seat)
        playouts.play(s, config, guide.likeliest(mask, space))
        if playouts.play_forced(s, config, mask) == 0:
            break
        turns += int(s.seat != seat)
        if turns >= settings.rollout_turns:
            break
        guide.look(s, config, space)
    guide.outcome(s, config, settings, tree, space)


@lean_kernel
def hash_of(seat: int, space: NetworkSpace) -> int:
    """A hash of what a seat sees: of all words, so that it follows from the last one and the words that changed."""
    key, words, last = space.key[0], space.words, space.last
    for k in range(words.shape[0]):
        if words[k] != last[k]:
            place = np.uint64(k)
            key ^= nth(last[k], place) ^ nth(words[k], place)
            last[k] = words[k]
    space.key[0] = key
    return mix(key ^ np.uint64(seat))  # type: ignore[arg-type]  # to checkers such numbers are `int`
