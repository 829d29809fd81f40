"""The first layer of a network from one observation to the next: only the rows that change are added and taken away.

The observations of a search differ in few entries, so that is less work than adding up all rows: the accumulator of
NNUE (Nasu 2018). So do those of a seat in a game. Rounding differs from that of `forward.run_body`, so the sums are
computed anew every `FRESH_AFTER` observations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bdgame_env.engine.arrays import Floats, Floats2, Ints, Ints2
from bdgame_env.engine.jit import kernel, lean_kernel

from . import forward
from .network import Network
from .row_plan import MOST_ROWS_PER_ENTRY, Plan

FRESH_AFTER = 48
_UPDATES, _ROWS, _DECK, ADDED, REMOVED, _FACTS = 0, 1, 2, 3, 4, 5  # in `Accumulator.left`
WHOLE = -1  # in place of a number of rows that were taken away
_zeros: Any = np.zeros  # to checkers, kernels take arrays of other types


class Accumulator(NamedTuple):
    """The sums of a first layer, and the observation that they are of.

    Attributes:
        seen: int8, that observation, filled up with zeros to whole words. words: the same memory as uint64.
        sums: float32 (H,), bias and rows.
        added, removed: int32 (capacity,), work space.
        left: int32 (_FACTS,), updates before the sums are computed anew, how many rows are on, `forward.deck_of`; then
            how many rows the last update added and took away, or WHOLE if it computed the sums anew.
    """

    seen: Ints
    words: Ints
    sums: Floats
    added: Ints
    removed: Ints
    left: Ints


class Accumulators(NamedTuple):
    """Several accumulators, as of the seats of a game: arrays of `Accumulator` with one more dimension, which comes
    first; they share `added` and `removed`.
    """

    seen: Ints2
    words: Ints2
    sums: Floats2
    added: Ints
    removed: Ints
    left: Ints2


def accumulator(network: Network, plan: Plan) -> Accumulator:
    """An accumulator for one thread."""
    words = _zeros(-(-len(plan.lookup) // 8), np.uint64)
    added, removed = _zeros((2, plan.capacity), np.int32)
    return Accumulator(
        words.view(np.int8), words, _zeros(network.width, np.float32), added, removed, _zeros(_FACTS, np.int32)
    )


@kernel
def accumulators(network: Network, plan: Plan, count: int) -> Accumulators:
    """Several accumulators."""
    words = _zeros((count, (plan.lookup.shape[0] + 7) // 8), np.uint64)
    return Accumulators(
        words.view(np.int8),
        words,
        _zeros((count, network.first.shape[1]), np.float32),
        _zeros(plan.sizes[2], np.int32),
        _zeros(plan.sizes[2], np.int32),
        _zeros((count, _FACTS), np.int32),
    )


@lean_kernel
def forget_all(many: Accumulators) -> None:
    """Do with each as `forget` does."""
    for which in range(many.left.shape[0]):
        many.left[which, _UPDATES] = 0


@lean_kernel
def update_one(
    many: Accumulators, which: int, network: Network, plan: Plan, seen: Ints, words: Ints, room: Ints
) -> None:
    """Do with one of them as `update` does."""
    seen_last, words_last, sums, left = many.seen[which], many.words[which], many.sums[which], many.left[which]
    of = Accumulator(seen_last, words_last, sums, many.added, many.removed, left)
    update(of, network, plan, seen, words, room)


@lean_kernel
def forget(of: Accumulator) -> None:
    """Let the next update compute the sums anew, so that they do not depend on what was seen before."""
    of.left[_UPDATES] = 0


@lean_kernel
def update(of: Accumulator, network: Network, plan: Plan, seen: Ints, words: Ints, room: Ints) -> None:
    """Make `of.sums` those of an observation: `seen` and `words` as in `Accumulator`; `room` see `forward.room_for`."""
    most = of.added.shape[0] - MOST_ROWS_PER_ENTRY  # with more, some rows of the observation would be left out
    deck = forward.deck_of(seen, plan)
    known = of.left[_UPDATES] > 0 and of.left[_ROWS] <= most and of.left[_DECK] == deck
    if not known or not change(of, network, plan, seen, words, most):
        count = forward.rows_on(seen, plan, of.added, room)
        of.left[_UPDATES], of.left[_ROWS], of.left[_DECK] = FRESH_AFTER, count, deck
        of.left[ADDED], of.left[REMOVED] = count, WHOLE
        for k in range(words.shape[0]):
            of.words[k] = words[k]
        for j in range(of.sums.shape[0]):
            of.sums[j] = network.first_bias[j]
        forward.add_rows(of.sums, network.first, of.added, count)
    of.left[_UPDATES] -= 1


@lean_kernel
def change(of: Accumulator, network: Network, plan: Plan, seen: Ints, words: Ints, most: int) -> bool:
    """Add and take away the rows that differ; returns False if there are so many that all had better be added anew."""
    added, removed, deck = 0, 0, int(of.left[_DECK])
    few = min(most, int(of.left[_ROWS]))
    for k in range(words.shape[0]):
        if words[k] != of.words[k]:
            of.words[k] ^= words[k]
            for entry in range(8 * k, 8 * k + 8):
                if of.seen[entry] != 0:  # the bits that differ
                    now = int(seen[entry])
                    removed = forward.list_rows(plan, deck, entry, now ^ int(of.seen[entry]), of.removed, removed)
                    added = forward.list_rows(plan, deck, entry, now, of.added, added)
                    if max(added, removed) > few or added + removed > most:
                        return False
            of.words[k] = words[k]
    if of.left[_ROWS] + added - removed > most:
        return False
    of.left[_ROWS] += added - removed
    of.left[ADDED], of.left[REMOVED] = added, removed
    forward.add_rows(of.sums, network.first, of.added, added)
    forward.subtract_rows(of.sums, network.first, of.removed, removed)
    return True
