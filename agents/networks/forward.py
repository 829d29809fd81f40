"""What a network computes, compiled: for one observation at a time, on legal actions only."""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.jit import entry_point, fast_kernel, kernel

from .row_plan import MOST_ROWS_PER_ENTRY, NO_ROW


@kernel
def rows_on(observation: Any, plan: Any, rows: Any) -> Any:
    """Write the rows that an observation (int8, (size,)) switches on to `rows` (int32), and return their number."""
    n = 0
    full = rows.shape[0] - MOST_ROWS_PER_ENTRY
    for k in range(plan.entries.shape[0]):
        value = int(observation[plan.entries[k]])
        if value <= 0:
            continue
        if n > full:
            break
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


@kernel
def card_row(observation: Any, plan: Any, action: Any) -> Any:
    """The card row of an action, or NO_ROW."""
    place = plan.places[action]
    if place == NO_ROW:
        return NO_ROW
    value = min(max(int(observation[place]), 0), int(plan.card_most[action]))
    return int(plan.card_rows[action]) + value


@fast_kernel
def run_body(network: Any, rows: Any, count: Any, layers: Any) -> None:
    """Compute the hidden layers from the rows that are on: `layers` (L + 1, H), each after its ReLU."""
    width = network.first.shape[1]
    h = layers[0]
    for j in range(width):
        h[j] = network.first_bias[j]
    for k in range(count):
        r = rows[k]
        for j in range(width):
            h[j] += network.first[r, j]
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


@kernel
def greatest(logits: Any, count: Any) -> Any:
    """The first place of the greatest of `count` logits."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    return best


@kernel
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
