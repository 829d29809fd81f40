"""Policies made without training, for tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import size_of
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.game import Game, GameConfig


def plain_policy(
    game: Game, config: GameConfig, scale: float = 0.0, *, width: int = 8, layers: int = 1, seed: int = 0
) -> Policy:
    """A network with random weights of this size; with 0, all actions are equally likely and all values are 0."""
    plan = plan_network(game, config)
    weights = np.random.default_rng(seed).standard_normal(size_of(plan, width, layers), np.float32)
    options = {name: value for name, value in config.options.items() if name != "players"}
    meta = {"game": game.id, "players": [config.players], "options": options}
    return Policy(plan, np.float32(scale) * weights, width, layers, meta)


def to_eight_bits(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What policy files keep with `half`: half precision, then eight significant bits, halves away from zero.

    Numbers below 2**-14 have fewer, as half precision has: multiples of 2**-21.
    """
    size = np.abs(values.astype(np.float16).astype(np.float64))
    unit = 2.0 ** np.maximum(np.frexp(size)[1] - 8, -21)
    return np.copysign(np.floor(size / unit + 0.5) * unit, values).astype(np.float32)
