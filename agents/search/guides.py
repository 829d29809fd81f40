"""Who guides a search: compiled players, or a network. The kernels of searches, and their work space."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.loop_builder import built_once, instantiate, seams_of
from bdgame_env.engine.players import CompiledPlayers

from ..networks import Policy, accumulator, forward
from . import (
    gumbel_loops,
    network_leaf_loops,
    network_loops,
    player_leaf_loops,
    player_loops,
    playout_loops,
    puct_loops,
    tree_loops,
    tree_nodes,
)
from .search_records import NetworkSpace, Own, PlayerSpace

_array: Any = np.array  # to checkers, kernels take arrays of other types
_zeros: Any = np.zeros

if TYPE_CHECKING:
    guide = player_loops  # for templates, see `engine.seam`
    network_guide = network_loops
    leaves = player_leaf_loops
    rule = puct_loops


@built_once
def guide_seams(game: Game, players: CompiledPlayers | None, *, by_network: bool) -> dict[str, Any]:
    """The modules that templates call to play on and to judge positions."""
    seams = seams_of(game, players)
    if by_network:
        seams["guide"] = instantiate(network_loops, game, {**seams, "forward": forward, "accumulator": accumulator})
    else:
        seams["guide"] = instantiate(player_loops, game, seams)
    return {**seams, "playouts": instantiate(playout_loops, game, seams)}


@built_once
def tree_loops_of(game: Game, players: CompiledPlayers | None, *, by_network: bool) -> ModuleType:
    """The game's own copy of `tree_loops`: with playouts and PUCT, or with a network and Gumbel AlphaZero's rule."""
    seams = {**guide_seams(game, players, by_network=by_network), "tree_nodes": instantiate(tree_nodes, game, {})}
    leaves = instantiate(network_leaf_loops if by_network else player_leaf_loops, game, seams)
    rule = instantiate(gumbel_loops if by_network else puct_loops, game, {})
    return instantiate(tree_loops, game, {**seams, "leaves": leaves, "rule": rule})


def player_space(players: CompiledPlayers | None, plans: Sequence[int]) -> PlayerSpace:
    """What compiled players need to guide a search in one thread; `plans` are policies that propose actions."""
    return PlayerSpace(_zeros(1, players.scratch if players else Own.dtype), _array(plans, np.int16))


def network_space(game: Game, config: GameConfig, policy: Policy, players: CompiledPlayers | None) -> NetworkSpace:
    """What a network needs to guide a search in one thread; the players' plans propose actions."""
    network, size = policy.network, game.obs.itemsize
    words, last = _zeros((2, -(-size // 8)), np.uint64)
    seen = words.view(np.int8)
    return NetworkSpace(
        *player_space(players, players.plans if players else ()),
        network,
        policy.plan,
        first=accumulator.accumulator(network, policy.plan),
        layers=_zeros((network.layers + 1, network.width), np.float32),
        heads=_zeros(len(network.heads), np.float32),
        logits=_zeros(config.num_actions, np.float32),
        obs=seen[:size].view(game.obs),
        seen=seen,
        words=words,
        last=last,
        key=_zeros(1, np.uint64),
        room=_zeros(max(len(seen), network.width) + 1, np.int32),
    )
