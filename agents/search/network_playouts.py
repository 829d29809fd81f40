"""The kernels on which searches by a network are built."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game
from bdgame_env.engine.loop_builder import built_once, instantiate, seams_of
from bdgame_env.engine.players import CompiledPlayers

from ..networks import Policy, forward
from . import final_loops, network_playout_loops


@built_once
def network_seams(game: Game) -> dict[str, Any]:
    """The modules that templates call to run a network, and for the value of a finished game."""
    return {"forward": forward, "final": instantiate(final_loops, game, {"rules": game.rules})}


@built_once
def network_playout_seams(game: Game, players: CompiledPlayers | None) -> dict[str, Any]:
    """Like `playouts.playout_seams`, with a network that plays on and judges positions."""
    seams = seams_of(game, players)
    return {**seams, "playouts": instantiate(network_playout_loops, game, {**seams, **network_seams(game)})}


def network_space(game: Game, policy: Policy, scratch: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Work space of one thread, see `network_playout_loops`."""
    network = policy.network
    seen = np.zeros(game.obs.itemsize, np.int8)
    rows = np.zeros(policy.plan.sizes[2], np.int32)
    layers = np.zeros((network.layers + 1, network.width), np.float32)
    heads = np.zeros(len(network.heads), np.float32)
    room = np.zeros(max(game.obs.itemsize, network.width) + 1, np.int32)
    return scratch, network, policy.plan, rows, layers, heads, seen.view(game.obs), seen, room
