"""A network's weights: a table of rows, dense layers, and heads for policy and values, in one flat vector."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.game import MAX_SEATS

from .row_plan import Plan
from .sums import add_up

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


def rows_in(vector: Floats, plan: Plan, width: int) -> Floats:
    """The rows and card rows of a network's vector, one after another, as they are numbered in `Plan.sums`."""
    return vector[: (plan.rows + plan.cards) * width].reshape(-1, width)


Work = Callable[[int, int, int], None]  # with the number of the thread, and a range of groups of sums


def work_out(
    vector: Floats,
    plan: Plan,
    width: int,
    layers: int,
    run: Callable[[Work, int], object] | None = None,
    needed: npt.NDArray[np.int8] | None = None,
) -> None:
    """Work out what follows from other weights in the vector of a network: sums (`Plan.sums`), and rows that are 0.

    `run(work, groups)` shares the groups of sums among threads; None does it in this one. `needed`: int8, by row and
    card row, 0 for sums to leave out; None for all.
    """
    if len(plan.sums):
        table, groups = rows_in(vector, plan, width), len(plan.sum_groups) - 1
        marks = np.ones(len(table), np.int8) if needed is None else needed

        def work(_: int, lo: int, hi: int) -> None:
            add_up(table, marks, plan, lo, hi)

        work(0, 0, groups) if run is None else run(work, groups)
        network = view(vector, plan, width, layers)
        network.actions[plan.nameless], network.action_bias[plan.nameless] = 0.0, 0.0


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
    work_out(vector, plan, width, layers)
    return vector


def fitted(network: Network, plan: Plan, other: Plan) -> Floats:
    """The vector of a network of one plan for another plan, with the same digest: for other decks."""
    vector = np.zeros(size_of(other, network.width, network.layers), np.float32)
    fit = view(vector, other, network.width, network.layers)
    kept = {"first": plan.kept_rows, "cards": plan.kept_cards}
    for name, part, values in zip(Network._fields, fit, network, strict=True):
        part[: kept.get(name)] = values[: kept.get(name)]
    work_out(vector, other, network.width, network.layers)
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
    work_out(vector, plan, width, network.layers)
    return vector
