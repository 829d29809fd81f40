"""The kernels on which searches by a network are built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import Game
from bdgame_env.engine.loop_builder import built_once, instantiate, rules_of
from bdgame_env.engine.players import CompiledPlayers

from ..networks import Policy, forward
from . import final_loops, network_playout_loops
from .playouts import PLAYOUT_KERNELS

_FORWARD = ("room_for", "rows_on", "card_row", "run_body", "run_heads", "logit_of")


@built_once
def network_rules(game: Game) -> dict[str, Callable[..., Any]]:
    """What templates call to run a network, and the value of a finished game."""
    final = instantiate(final_loops, game, rules_of(game))
    return {name: getattr(forward, name) for name in _FORWARD} | {"final_outcome": final.final_outcome}


@built_once
def network_playout_rules(game: Game, players: CompiledPlayers | None) -> dict[str, Any]:
    """Like `playouts.playout_rules`, with a network that plays on and judges positions."""
    rules = rules_of(game, players)
    playouts = instantiate(network_playout_loops, game, {**rules, **network_rules(game)})
    return {**rules, **{name: getattr(playouts, name) for name in PLAYOUT_KERNELS}}


def network_space(game: Game, policy: Policy, scratch: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Work space of one thread, see `network_playout_loops`."""
    network = policy.network
    seen = np.zeros(game.obs.itemsize, np.int8)
    rows = np.zeros(policy.plan.sizes[2], np.int32)
    layers = np.zeros((network.layers + 1, network.width), np.float32)
    heads = np.zeros(len(network.heads), np.float32)
    room = np.zeros(max(game.obs.itemsize, network.width) + 1, np.int32)
    return scratch, network, policy.plan, rows, layers, heads, seen.view(game.obs), seen, room
