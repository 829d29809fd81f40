"""Losses and their gradients by hand, compiled: the policy's (PPO or imitation), the entropy's and the heads'.

Where a search has improved the policy, the cross-entropy with the improved one is added (Danihelka et al. 2022).
PPO: Schulman et al. 2017, arXiv 1707.06347.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.agents.networks.forward import raw_heads, raw_logit, run_body, units_on
from bdgame_env.agents.networks.row_plan import NO_ROW
from bdgame_env.engine.jit import entry_point, fast_kernel

POLICY_LOSS, VALUE_LOSS, ENTROPY, AGREEMENT, CLIPPED, DIVERGENCE, SEARCH_LOSS, LOSSES = 0, 1, 2, 3, 4, 5, 6, 7
_AT_ONCE = 1024  # samples


@fast_kernel
def add_times(target: Any, factor: Any, values: Any) -> None:
    """Add the factor times the values; a loop that writes one array is one that LLVM turns into vector code."""
    for j in range(target.shape[0]):
        target[j] += factor * values[j]


@fast_kernel
def product(one: Any, other: Any) -> Any:
    """The inner product."""
    total = np.float32(0.0)
    for j in range(one.shape[0]):
        total += one[j] * other[j]
    return total


@fast_kernel
def add_gradient(
    window: Any, at: Any, network: Any, grads: Any, touched: Any, settings: Any, work: Any, delta: Any, losses: Any
) -> None:
    """Add the gradient of one sample's loss to `grads`, and the parts of its loss to `losses` (LOSSES,).

    That of the rows of the first layer, which is the same for all that are on, is written to `delta`, float32 (H,).
    `touched`: int8, marks rows and then card rows whose gradients are no longer 0. `settings`: a record, see `updates`.
    `work`: room for the layers and their gradients, float32 (L + 1, H) each, for logits, for the heads, and
    int32 (H + 1,) for the units that are on.
    """
    layers = network.dense.shape[0]
    width = network.first.shape[1]
    zero = np.float32(0.0)
    one = np.float32(1.0)
    hidden, back, probs, said, units = work
    run_body(network, window.rows[at], window.rows_on[at], hidden, units)
    h = hidden[layers]
    d = back[layers]
    for j in range(width):
        d[j] = zero

    legals = window.legals[at]
    highest = np.float32(-1e30)
    for k in range(legals):
        probs[k] = raw_logit(network, h, window.legal[at, k], window.cards[at, k])
        highest = max(highest, probs[k])
    total = zero
    for k in range(legals):
        total += np.exp(probs[k] - highest)
    log_total = np.log(total) + highest
    entropy = zero
    for k in range(legals):
        log_prob = probs[k] - log_total
        entropy -= np.exp(log_prob) * log_prob
    chosen = window.chosen[at]
    log_chosen = probs[chosen] - log_total
    if settings.imitation != 0:
        slope = -one
        losses[POLICY_LOSS] -= log_chosen
    else:
        ratio = np.exp(min(log_chosen - window.log_prob[at], np.float32(20.0)))
        advantage = window.advantage[at]
        kept = ratio * advantage
        clipped = min(max(ratio, one - settings.clip_range), one + settings.clip_range) * advantage
        slope = -kept
        if clipped < kept:
            slope = zero
            losses[CLIPPED] += 1.0
        losses[POLICY_LOSS] -= min(kept, clipped)
        losses[DIVERGENCE] += (ratio - one) - (log_chosen - window.log_prob[at])
    best = True
    for k in range(legals):
        if probs[k] > probs[chosen]:
            best = False
    losses[AGREEMENT] += 1.0 if best else 0.0
    losses[ENTROPY] += entropy
    searched = settings.search_weight if window.searched[at] != 0 else zero
    for k in range(legals):
        log_prob = probs[k] - log_total
        p = np.exp(log_prob)
        g = -slope * p + settings.entropy * p * (log_prob + entropy)
        if k == chosen:
            g += slope
        if searched > zero:
            g += searched * (p - window.improved[at, k])
            losses[SEARCH_LOSS] -= searched * window.improved[at, k] * log_prob
        action = window.legal[at, k]
        card = window.cards[at, k]
        grads.action_bias[action] += g
        add_times(grads.actions[action], g, h)
        add_times(d, g, network.actions[action])
        if card != NO_ROW:
            touched[network.first.shape[0] + card] = 1
            add_times(grads.cards[card], g, h)
            add_times(d, g, network.cards[card])

    raw_heads(network, h, said)
    for k in range(network.heads.shape[0]):
        weight = settings.value_weight if k == 0 else settings.other_weight
        error = said[k] - window.targets[at, k]
        losses[VALUE_LOSS] += 0.5 * weight * error * error
        g = weight * error
        grads.head_bias[k] += g
        add_times(grads.heads[k], g, h)
        add_times(d, g, network.heads[k])

    for layer in range(layers - 1, -1, -1):
        above = hidden[layer + 1]
        below = hidden[layer]
        d_above = back[layer + 1]
        d_below = back[layer]
        for j in range(width):
            if above[j] <= zero:
                d_above[j] = zero
        add_times(grads.dense_bias[layer], one, d_above)
        for j in range(width):
            d_below[j] = zero
        for k in range(units_on(below, units)):
            i = units[k]
            add_times(grads.dense[layer, i], below[i], d_above)
            d_below[i] = product(network.dense[layer, i], d_above)
    d = back[0]
    for j in range(width):
        delta[j] = d[j] if hidden[0, j] > zero else zero


@fast_kernel
def add_to_rows(rows: Any, count: Any, delta: Any, grads: Any, touched: Any) -> None:
    """Add the gradient of the first layer's rows that are on, and of its bias."""
    one = np.float32(1.0)
    add_times(grads.first_bias, one, delta)
    for k in range(count):
        row = rows[k]
        touched[row] = 1
        add_times(grads.first[row], one, delta)


@fast_kernel
def add_some(
    window: Any, chosen: Any, network: Any, grads: Any, touched: Any, settings: Any, work: Any, deltas: Any, losses: Any
) -> None:
    """Add the gradients of some samples: first those of all but the first layer's rows, then these.

    `deltas`: float32 (as many as samples, H). A processor's cache holds the rows or their gradients, hardly both.
    """
    for k in range(chosen.shape[0]):
        add_gradient(window, chosen[k], network, grads, touched, settings, work, deltas[k], losses)
    for k in range(chosen.shape[0]):
        at = chosen[k]
        add_to_rows(window.rows[at], window.rows_on[at], deltas[k], grads, touched)


@entry_point
def add_gradients(
    window: Any, chosen: Any, network: Any, grads: Any, touched: Any, settings: Any, losses: Any, lo: Any, hi: Any
) -> None:
    """Add the gradients of the samples `chosen[lo:hi]` to `grads`, a network of the same shape, and their losses."""
    layers = network.dense.shape[0] + 1
    width = network.first.shape[1]
    work = (
        np.empty((layers, width), np.float32),
        np.empty((layers, width), np.float32),
        np.empty(network.actions.shape[0], np.float32),
        np.empty(network.heads.shape[0], np.float32),
        np.empty(width + 1, np.int32),
    )
    deltas = np.empty((_AT_ONCE, width), np.float32)
    for start in range(lo, hi, _AT_ONCE):
        some = chosen[start : min(hi, start + _AT_ONCE)]
        add_some(window, some, network, grads, touched, settings[0], work, deltas, losses)
