"""What a network computes, compiled: for one observation at a time, on legal actions only."""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.jit import entry_point, fast_kernel, lean_kernel

from .row_plan import MOST_ROWS_PER_ENTRY, NO_ROW

_WORD = 8  # entries of an observation that are read at once


@lean_kernel
def rows_on(observation: Any, plan: Any, rows: Any) -> Any:
    """Write the rows that an observation (int8, (size,)) switches on to `rows` (int32), and return their number.

    Most entries are 0, so they are looked at eight at a time.
    """
    n = 0
    full = rows.shape[0] - MOST_ROWS_PER_ENTRY
    size = observation.shape[0]
    words = observation[: size // _WORD * _WORD].view(np.int64)
    for first in range(0, size, _WORD):
        if first + _WORD <= size and words[first // _WORD] == 0:
            continue
        for entry in range(first, min(size, first + _WORD)):
            value = int(observation[entry])
            k = int(plan.numbers[entry])
            if value <= 0 or k == NO_ROW:
                continue
            if n > full:
                return n
            value = min(value, int(plan.most[k]))
            if value <= plan.alone[k]:
                rows[n] = plan.values[k] + value - 1
                n += 1
            if plan.bands[k] != NO_ROW:
                rows[n] = plan.bands[k] + value // 4
                n += 1
            if plan.shared[k] != NO_ROW:
                rows[n] = plan.shared[k] + value - 1
                n += 1
            if plan.wide[k] != NO_ROW:
                rows[n] = plan.wide[k] + value // 16
                rows[n + 1] = plan.rest[k] + value % 4
                n += 2
    return n


@lean_kernel
def card_row(observation: Any, plan: Any, action: Any) -> Any:
    """The card row of an action, or NO_ROW."""
    place = plan.places[action]
    if place == NO_ROW:
        return NO_ROW
    value = min(max(int(observation[place]), 0), int(plan.card_most[action]))
    return int(plan.card_rows[action]) + value


@fast_kernel
def add_rows(target: Any, table: Any, rows: Any, count: Any) -> None:
    """Add `count` rows of a table to the target; eight at a time, so that the target is read and written less often."""
    whole = count // 8 * 8
    for k in range(0, whole, 8):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        e, f, g, h = rows[k + 4], rows[k + 5], rows[k + 6], rows[k + 7]
        for j in range(target.shape[0]):
            left = (table[a, j] + table[b, j]) + (table[c, j] + table[d, j])
            target[j] += left + ((table[e, j] + table[f, j]) + (table[g, j] + table[h, j]))
    for k in range(whole, count):
        row = rows[k]
        for j in range(target.shape[0]):
            target[j] += table[row, j]


@fast_kernel
def run_body(network: Any, rows: Any, count: Any, layers: Any) -> None:
    """Compute the hidden layers from the rows that are on: `layers` (L + 1, H), each after its ReLU."""
    width = network.first.shape[1]
    h = layers[0]
    for j in range(width):
        h[j] = network.first_bias[j]
    add_rows(h, network.first, rows, count)
    for j in range(width):
        h[j] = max(h[j], np.float32(0.0))
    for layer in range(network.dense.shape[0]):
        below = layers[layer]
        above = layers[layer + 1]
        for j in range(width):
            above[j] = network.dense_bias[layer, j]
        for i in range(width):
            x = below[i]
            if x != np.float32(0.0):
                for j in range(width):
                    above[j] += x * network.dense[layer, i, j]
        for j in range(width):
            above[j] = max(above[j], np.float32(0.0))


@fast_kernel
def logit_of(network: Any, h: Any, action: Any, card: Any) -> Any:
    """The logit of an action: its own row and its card's, times the last hidden layer."""
    total = np.float32(0.0)
    width = h.shape[0]
    if card == NO_ROW:
        for j in range(width):
            total += network.actions[action, j] * h[j]
    else:
        for j in range(width):
            total += (network.actions[action, j] + network.cards[card, j]) * h[j]
    return total + network.action_bias[action]


@fast_kernel
def run_heads(network: Any, h: Any, out: Any) -> None:
    """Write what the heads say: utilities, points and rank rewards of the seats, from the observer on (HEADS,)."""
    for k in range(network.heads.shape[0]):
        total = np.float32(0.0)
        for j in range(h.shape[0]):
            total += network.heads[k, j] * h[j]
        out[k] = total + network.head_bias[k]


@lean_kernel
def greatest(logits: Any, count: Any) -> Any:
    """The first place of the greatest of `count` logits."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    return best


@lean_kernel
def softmax(logits: Any, count: Any) -> None:
    """Turn `count` logits into probabilities."""
    highest = logits[greatest(logits, count)]
    total = np.float32(0.0)
    for k in range(count):
        logits[k] = np.exp(logits[k] - highest)
        total += logits[k]
    for k in range(count):
        logits[k] /= total


@entry_point
def run_batch(
    network: Any, plan: Any, observations: Any, masks: Any, logits: Any, heads: Any, lo: Any, hi: Any
) -> None:
    """Write logits (n, actions), -inf for illegal actions, and heads (n, HEADS) of the observations lo..hi-1."""
    rows = np.empty(plan.sizes[2], np.int32)
    layers = np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32)
    h = layers[network.dense.shape[0]]
    for i in range(lo, hi):
        run_body(network, rows, rows_on(observations[i], plan, rows), layers)
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                logits[i, action] = logit_of(network, h, action, card_row(observations[i], plan, action))
            else:
                logits[i, action] = -np.inf
        run_heads(network, h, heads[i])
