"""A network's weights: a table of rows, dense layers, and heads for policy and values, in one flat vector."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS

from .row_plan import Plan

Floats = npt.NDArray[np.float32]

HEADS = 3 * MAX_SEATS  # utilities, points and rank rewards, for each seat from the observer on
UTILITY, POINTS, RANK = 0, MAX_SEATS, 2 * MAX_SEATS  # where each begins


class Network(NamedTuple):
    """The weights of a network, float32, as views of one vector. H is the width, L the number of dense layers.

    Attributes:
        first: (rows, H), a row for each row of the plan.
        cards: (card rows, H), which an action about a card adds to its own row.
        first_bias: (H,). dense: (L, H, H), inputs first. dense_bias: (L, H).
        actions: (actions, H), a row for each action. action_bias: (actions,).
        heads: (HEADS, H). head_bias: (HEADS,).
    """

    first: Floats
    cards: Floats
    first_bias: Floats
    dense: Floats
    dense_bias: Floats
    actions: Floats
    action_bias: Floats
    heads: Floats
    head_bias: Floats

    @property
    def width(self) -> int:
        """H, the width of every layer."""
        return int(self.first.shape[1])

    @property
    def layers(self) -> int:
        """L, the number of dense layers."""
        return int(self.dense.shape[0])


def shapes(plan: Plan, width: int, layers: int) -> list[tuple[int, ...]]:
    """The shape of each part of a network for a plan."""
    actions = len(plan.places)
    return [
        (plan.rows, width),
        (plan.cards, width),
        (width,),
        (layers, width, width),
        (layers, width),
        (actions, width),
        (actions,),
        (HEADS, width),
        (HEADS,),
    ]


def size_of(plan: Plan, width: int, layers: int) -> int:
    """The number of weights."""
    return sum(map(math.prod, shapes(plan, width, layers)))


def view(vector: Floats, plan: Plan, width: int, layers: int) -> Network:
    """The parts of a flat vector (float32, `size_of`), which they share."""
    parts, start = [], 0
    for shape in shapes(plan, width, layers):
        stop = start + math.prod(shape)
        parts.append(vector[start:stop].reshape(shape))
        start = stop
    return Network(*parts)


def fresh(plan: Plan, width: int, layers: int, seed: int) -> Floats:
    """The vector of a new network.

    Some hundred rows are switched on at once, so rows begin small; dense layers as He et al. (2015); policy and values
    begin near 0, so that the first policy is nearly uniform.
    """
    rng = np.random.default_rng(seed)
    vector = np.zeros(size_of(plan, width, layers), np.float32)
    network = view(vector, plan, width, layers)
    for part, spread in (
        (network.first, 0.03),
        (network.dense, math.sqrt(2 / width)),
        (network.actions, 0.01),
        (network.cards, 0.01),
        (network.heads, 0.01),
    ):
        part[...] = rng.standard_normal(part.shape, np.float32) * np.float32(spread)
    return vector


def widened(network: Network, plan: Plan, width: int, seed: int) -> Floats:
    """The vector of a network of this width, at least as wide, that computes the same.

    The new units begin as those of a fresh network, and what follows them does not listen to them yet (as in Net2Net:
    Chen, Goodfellow and Shlens 2016).
    """
    vector = fresh(plan, width, network.layers, seed)
    wide, old = view(vector, plan, width, network.layers), network.width
    wide.first[:, :old], wide.first_bias[:old] = network.first, network.first_bias
    wide.first[~network.first.any(axis=1)] = 0.0  # rows that training never met
    wide.dense[:, :old, :old], wide.dense[:, old:, :old] = network.dense, 0.0
    wide.dense_bias[:, :old] = network.dense_bias
    for part, narrow in ((wide.actions, network.actions), (wide.cards, network.cards), (wide.heads, network.heads)):
        part[:, :old], part[:, old:] = narrow, 0.0
    wide.action_bias[:], wide.head_bias[:] = network.action_bias, network.head_bias
    return vector
