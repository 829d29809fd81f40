"""Policies made without training, for tests."""

from __future__ import annotations

import numpy as np

from bdgame_env.agents.networks import Policy, plan_card_inputs, plan_inputs
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig


def plain_policy(
    game: Game, config: GameConfig, scale: float = 0.0, advisers: int = 0, prior_weight: float = 0.0
) -> Policy:
    """A network of one layer with random weights of this size; with 0, all actions are equally likely and values are 0.

    Its first adviser, if it has any, gets the weight `prior_weight`.
    """
    rng = np.random.default_rng(0)
    inputs, width = plan_inputs(game, [config.players]), 8
    shapes = {
        **{f"{trunk}.first": (width, inputs.width) for trunk in ("policy", "value")},
        "logits": (config.num_actions, width),
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
        weights["gates.bias"][0] = prior_weight
    meta = {
        "game": game.id,
        "observation_size": game.obs.itemsize,
        "num_actions": config.num_actions,
        "players": [config.players],
        "layers": 0,
    }
    return Policy(inputs, None, weights, meta)


def structured_policy(game: Game, config: GameConfig) -> Policy:
    """A network that reads cards, with a layer in each trunk, small random weights and no advisers."""
    rng = np.random.default_rng(1)
    inputs, cards = plan_inputs(game, [config.players], cards_apart=True), plan_card_inputs(game, [config.players])
    seats, columns, rows = cards.grid.shape
    shapes: dict[str, tuple[int, ...]] = {"logits.weight": (config.num_actions, 5), "expected.weight": (MAX_SEATS, 5)}
    for trunk in ("policy", "value"):
        shapes[f"{trunk}.first.weight"] = (6, inputs.width)
        shapes[f"{trunk}.layers.0.weight"] = (5, 6)
        shapes[f"{trunk}.embedding.weight"] = (cards.kinds + 1, 3)
        shapes[f"{trunk}.cards.weight"] = (6, 3 * (len(cards.faces) + len(cards.counts)) + 4 * seats)
        if seats:
            shapes[f"{trunk}.cells.weight"] = (2, 9 * (3 + len(cards.layer_scale)))
            shapes[f"{trunk}.workshop.weight"] = (4, 2 * columns * rows)
    weights = {name: (0.1 * rng.normal(size=shape)).astype(np.float32) for name, shape in shapes.items()}
    for name, shape in shapes.items():
        if "embedding" not in name and "cards" not in name:
            weights[name.replace("weight", "bias")] = np.zeros(shape[0], np.float32)
    meta = {
        "game": game.id,
        "observation_size": game.obs.itemsize,
        "num_actions": config.num_actions,
        "players": [config.players],
        "layers": 1,
    }
    return Policy(inputs, cards, weights, meta)
