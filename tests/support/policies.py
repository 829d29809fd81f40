"""Policies made without training, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks import Policy
from bdgame_env.agents.networks.network import size_of
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.engine.game import Game, GameConfig

HOSTILE: dict[str, Callable[[npt.NDArray[np.float32]], Any]] = {  # made of normally distributed weights
    "huge": lambda drawn: 1e20 * np.sign(drawn),
    "greatest": lambda drawn: 3e38 * np.sign(drawn),
    "large": lambda drawn: 1e6 * drawn,
    "tiny": lambda drawn: 1e-30 * drawn,
    "denormal": lambda drawn: 1e-45 * np.sign(drawn),
    "zero": np.zeros_like,
    "equal": lambda drawn: np.full_like(drawn, 1e15),
    "of all sizes": lambda drawn: np.sign(drawn) * 10.0 ** (np.abs(drawn) * 1e4 % 83 - 45),
    "infinite": lambda drawn: np.inf * np.sign(drawn),
    "no numbers": lambda drawn: np.full_like(drawn, np.nan),
    "some no numbers": lambda drawn: np.where(np.abs(drawn) < 0.01, np.nan, drawn),
}


def plain_policy(
    game: Game, config: GameConfig, scale: float = 0.0, *, width: int = 8, layers: int = 1, seed: int = 0
) -> Policy:
    """A network with random weights of this size; with 0, all actions are equally likely and all values are 0."""
    plan = plan_network(game, config)
    weights = np.random.default_rng(seed).standard_normal(size_of(plan, width, layers), np.float32)
    options = {name: value for name, value in config.options.items() if name != "players"}
    meta = {"game": game.id, "players": [config.players], "options": options}
    return Policy(plan, np.float32(scale) * weights, width, layers, meta)


def hostile_policy(game: Game, config: GameConfig, name: str) -> Policy:
    """A network of extreme weights, or of what is no number."""
    policy = plain_policy(game, config, scale=1.0)
    policy.weights[:] = HOSTILE[name](policy.weights.astype(np.float64))
    return policy


def to_eight_bits(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What policy files keep with `half`: multiples of 2**-11, in half precision, then eight significant bits, halves
    away from zero.
    """
    size = np.abs(np.ldexp(np.rint(np.ldexp(values, 11)), -11).astype(np.float16).astype(np.float64))
    unit = 2.0 ** (np.frexp(size)[1] - 8)
    return np.copysign(np.floor(size / unit + 0.5) * unit, values).astype(np.float32)
