"""The records of searches, and what their kernels hand on to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bdgame_env.engine.arrays import Floats, Floats2, Ints, Rows
from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.struct import GameState, Settings, Struct, plain

from ..networks.accumulator import Accumulator
from ..networks.network import Network
from ..networks.row_plan import Plan


class Own(Struct):
    """One position's share of a search.

    Attributes:
        deals: the stream of the seeds for determinizations.
        rng: the search's generator.
        played: decisions in all playouts.
        outcome: of the present simulation, by seat. points, ranks: at its end.
    """

    deals: int = plain(np.uint64)
    rng: int = plain(np.uint64)
    played: int = plain(np.int64)
    outcome: Floats = plain(np.float32, MAX_SEATS)
    points: Floats = plain(np.float32, MAX_SEATS)
    ranks: Ints = plain(np.int8, MAX_SEATS)


class Tree(Own):
    """A search tree.

    Attributes:
        used: number of nodes.
        low, high: the range of all outcomes.
        budget, stages: simulations of a sequential halving, and its stages.
        alive, rounds: actions that the present stage compares, and how many more times it tries all of them.
        tried: the child of the root that was tried last in the present round, or NO_NODE.
    """

    low: float = plain(np.float32)
    high: float = plain(np.float32)
    used: int = plain(np.int32)
    budget: int = plain(np.int32)
    stages: int = plain(np.int32)
    alive: int = plain(np.int32)
    rounds: int = plain(np.int32)
    tried: int = plain(np.int32)


class Arm(Struct):
    """An action to compare, and a policy for the rest of the turn.

    Attributes:
        total: sum of outcomes.
        gain: sum of the differences from the default arm. squares: of their squares.
        deals: determinizations tried.
        alive: 1 until it is dropped.
    """

    total: float = plain(np.float64)
    gain: float = plain(np.float64)
    squares: float = plain(np.float64)
    deals: int = plain(np.int32)
    action: int = plain(np.int32)
    policy: int = plain(np.int16)
    alive: int = plain(np.int16)


class Node(Struct):
    """A node of a search tree.

    Attributes:
        key: a hash of the observation that its children's logits belong to.
        value: sum of outcomes by seat.
        guess: the network's values by seat.
        visits: how many outcomes there were.
        child: the first one, or NO_NODE. next: the next child of the same parent, or NO_NODE.
        prior: of its action: a probability, or the network's logit divided by the temperature.
        gumbel: noise.
        available: visits of its parent in which its action was legal.
        action: that it stands for.
        policy: the plan that proposed its action, or the playout policy.
        alive: whether the root still compares it.
    """

    key: int = plain(np.uint64)
    value: Floats = plain(np.float32, MAX_SEATS)
    guess: Floats = plain(np.float32, MAX_SEATS)
    visits: int = plain(np.int32)
    child: int = plain(np.int32)
    next: int = plain(np.int32)
    prior: float = plain(np.float32)
    gumbel: float = plain(np.float32)
    available: int = plain(np.int32)
    action: int = plain(np.int16)
    policy: int = plain(np.int16)
    alive: int = plain(np.int16)


class PlayerSpace(NamedTuple):
    """What compiled players need to guide a search.

    Attributes:
        scratch: their work space, shape (1,).
        plans: int16 (k,), policies that propose actions.
    """

    scratch: Rows[Any]
    plans: Ints


class NetworkSpace(NamedTuple):
    """What a network needs to guide a search, and what compiled players need beside it.

    Attributes:
        scratch, plans: see `PlayerSpace`.
        network, row_plan: the network, and which rows an observation switches on.
        first: the first layer's sums.
        layers, heads: float32, what the network says.
        logits: float32 (actions,).
        obs: an observation (1,). seen, words: the same memory as int8 and as uint64, filled up with zeros.
        last: uint64, the words that were hashed last. key: uint64 (1,), their hash.
        room: int32, see `forward.room_for`.
    """

    scratch: Rows[Any]
    plans: Ints
    network: Network
    row_plan: Plan
    first: Accumulator
    layers: Floats2
    heads: Floats
    logits: Floats
    obs: Rows[Any]
    seen: Ints
    words: Ints
    last: Ints
    key: Ints
    room: Ints


class Search(NamedTuple):
    """The search of one position.

    Attributes:
        root: the position to decide in.
        config, settings: of the game, and of the search.
        tree, nodes: what it has found so far.
        space: of those who guide it, a `PlayerSpace` or a `NetworkSpace`.
        trials: the state of the present simulation, shape (1,). mask: int8 (actions,), what is legal there.
        choices: int8 (actions,), what is legal at the root.
        path: int32, the nodes from the root to the present one.
        scores: float32 (actions,), work space.
    """

    root: GameState
    config: Settings
    settings: Any
    tree: Tree
    nodes: Rows[Node]
    space: Any
    trials: Rows[GameState]
    mask: Ints
    choices: Ints
    path: Ints
    scores: Floats


class Comparison(NamedTuple):
    """The comparison of plans in one position.

    Attributes:
        own: its share of the search. arms: what it compares.
        root, config, settings, space, trials, mask: see `Search`.
    """

    root: GameState
    config: Settings
    settings: Any
    own: Own
    arms: Rows[Arm]
    space: Any
    trials: Rows[GameState]
    mask: Ints
