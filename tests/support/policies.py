"""Policies made without training, for tests."""

from __future__ import annotations

import numpy as np

from agents.networks import Policy, plan_inputs
from bdgame_env.core.game import MAX_SEATS, Box, Game


def plain_policy(game: Game, box: Box, scale: float = 0.0, advisers: int = 0, trust: float = 0.0) -> Policy:
    """A network of one layer with random weights of a size; with 0 every action is as likely and every value is 0.

    It trusts its first adviser, if it has any, by `trust`.
    """
    rng = np.random.default_rng(0)
    inputs, width = plan_inputs(game, [box.players]), 8
    shapes = {
        **{f"{trunk}.first": (width, inputs.width) for trunk in ("policy", "value")},
        "logits": (box.num_actions, width),
        "expected": (MAX_SEATS, width),
    }
    if advisers:
        shapes["gates"] = (advisers, width)
    weights = {}
    for name, (out, into) in shapes.items():
        weights[f"{name}.weight"] = (scale * rng.normal(size=(out, into))).astype(np.float32)
        weights[f"{name}.bias"] = np.zeros(out, np.float32)
    if advisers:
        weights["policy.advised.weight"] = np.zeros((width, 2 * advisers), np.float32)
        weights["gates.bias"][0] = trust
    meta = {
        "game": game.id,
        "observation_size": game.obs.itemsize,
        "num_actions": box.num_actions,
        "players": [box.players],
        "layers": 0,
    }
    return Policy(inputs, None, weights, meta)
