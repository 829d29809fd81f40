"""Losses and their gradients by hand, compiled: the policy's (PPO or imitation), the entropy's and the heads'.

Where a search has improved the policy, the cross-entropy with the improved one is added (Danihelka et al. 2022).
PPO: Schulman et al. 2017, arXiv 1707.06347.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.forward import raw_heads, raw_logit, run_body, units_on
from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.row_plan import NO_ROW
from bdgame_env.engine.arrays import Floats, Floats2, Ints
from bdgame_env.engine.jit import entry_point, fast_kernel

from .samples import Window
from .stage import Stages

POLICY_LOSS, VALUE_LOSS, ENTROPY, AGREEMENT, CLIPPED, DIVERGENCE, SEARCH_LOSS, LOSSES = 0, 1, 2, 3, 4, 5, 6, 7
_AT_ONCE = 1024  # samples

Room = tuple[Floats2, Floats2, Floats, Floats, Ints]


class Task(NamedTuple):
    """What is learned from, by one thread, and where its gradients are added.

    Attributes:
        window: the samples.
        network: that learns. grads: of the same shape.
        touched: int8, marks rows and then card rows whose gradients are no longer 0.
        stage: see `stage`.
        losses: float64 (LOSSES,), sums.
    """

    window: Window
    network: Network
    grads: Network
    touched: Ints
    stage: Stages
    losses: npt.NDArray[np.float64]


@entry_point
def add_gradients(task: Task, chosen: Any, lo: int, hi: int) -> None:
    """Add the gradients of the samples `chosen[lo:hi]`, and their losses."""
    layers = task.network.dense.shape[0] + 1
    width = task.network.first.shape[1]
    room: Any = (
        np.empty((layers, width), np.float32),
        np.empty((layers, width), np.float32),
        np.empty(task.network.actions.shape[0], np.float32),
        np.empty(task.network.heads.shape[0], np.float32),
        np.empty(width + 1, np.int32),
    )
    deltas: Any = np.empty((_AT_ONCE, width), np.float32)
    for start in range(lo, hi, _AT_ONCE):
        add_some(task, chosen[start : min(hi, start + _AT_ONCE)], room, deltas)


@fast_kernel
def add_some(task: Task, chosen: Ints, room: Room, deltas: Floats2) -> None:
    """Add the gradients of some samples: first those of all but the first layer's rows, then these.

    `deltas`: float32 (as many as samples, H). A processor's cache holds the rows or their gradients, hardly both.
    """
    window, _, grads, touched, _, _ = task
    for k in range(chosen.shape[0]):
        add_gradient(task, chosen[k], room, deltas[k])
    for k in range(chosen.shape[0]):
        at = chosen[k]
        add_to_rows(window.rows[at], window.rows_on[at], deltas[k], grads, touched)


@fast_kernel
def add_gradient(task: Task, at: int, room: Room, delta: Floats) -> None:
    """Add the gradient of one sample's loss, and the parts of its loss.

    That of the rows of the first layer, which is the same for all that are on, is written to `delta`, float32 (H,).
    `room`: for the layers and their gradients, float32 (L + 1, H) each, for logits, for the heads, and int32 (H + 1,)
    for the units that are on.
    """
    window, network, grads, _, _, _ = task
    layers = network.dense.shape[0]
    hidden, back, logits, said, units = room
    run_body(network, window.rows[at], window.rows_on[at], hidden, units)
    for j in range(network.first.shape[1]):
        back[layers, j] = np.float32(0.0)
    add_policy(task, at, hidden[layers], back[layers], logits)
    add_heads(task, at, hidden[layers], back[layers], said)
    add_layers(network, grads, hidden, back, units, delta)


@fast_kernel
def add_policy(task: Task, at: int, h: Floats, d: Floats, logits: Floats) -> None:
    """The loss of the policy, its entropy and its distance from what a search found; `d`: the gradient of `h`."""
    window, network, grads, touched, stages, losses = task
    stage = stages[0]
    zero = np.float32(0.0)
    legals = window.legals[at]
    highest: Any = np.float32(-1e30)
    for k in range(legals):
        logits[k] = raw_logit(network, h, window.legal[at, k], window.cards[at, k])
        highest = max(highest, logits[k])
    total = zero
    for k in range(legals):
        total += np.exp(logits[k] - highest)
    log_total = np.log(total) + highest
    entropy = zero
    for k in range(legals):
        log_prob = logits[k] - log_total
        entropy -= np.exp(log_prob) * log_prob
    chosen = window.chosen[at]
    best = True
    for k in range(legals):
        if logits[k] > logits[chosen]:
            best = False
    losses[AGREEMENT] += 1.0 if best else 0.0
    losses[ENTROPY] += entropy
    slope = policy_slope(task, at, logits[chosen] - log_total)
    searched = stage.search_weight if window.searched[at] != 0 else zero
    for k in range(legals):
        log_prob = logits[k] - log_total
        p = np.exp(log_prob)
        g = -slope * p + stage.entropy * p * (log_prob + entropy)
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


@fast_kernel
def policy_slope(task: Task, at: int, log_chosen: np.float32) -> np.float32:
    """The derivative of the loss of imitation or of PPO by the log-probability of the chosen action."""
    window, _, _, _, stages, losses = task
    stage = stages[0]
    one = np.float32(1.0)
    if stage.imitation != 0:
        losses[POLICY_LOSS] -= log_chosen
        return -one
    ratio = np.exp(min(log_chosen - window.log_prob[at], np.float32(20.0)))
    advantage = window.advantage[at]
    kept = ratio * advantage
    clipped = min(max(ratio, one - stage.clip_range), one + stage.clip_range) * advantage
    losses[POLICY_LOSS] -= min(kept, clipped)
    losses[DIVERGENCE] += (ratio - one) - (log_chosen - window.log_prob[at])
    if clipped < kept:
        losses[CLIPPED] += 1.0
        return np.float32(0.0)
    return np.float32(-kept)


@fast_kernel
def add_heads(task: Task, at: int, h: Floats, d: Floats, said: Floats) -> None:
    """The loss of the heads: weighted squared errors."""
    window, network, grads, _, stages, losses = task
    stage = stages[0]
    raw_heads(network, h, said)
    for k in range(network.heads.shape[0]):
        weight = stage.value_weight if k == 0 else stage.other_weight
        error = said[k] - window.targets[at, k]
        losses[VALUE_LOSS] += 0.5 * weight * error * error
        g = weight * error
        grads.head_bias[k] += g
        add_times(grads.heads[k], g, h)
        add_times(d, g, network.heads[k])


@fast_kernel
def add_layers(network: Network, grads: Network, hidden: Floats2, back: Floats2, units: Ints, delta: Floats) -> None:
    """From the gradient of the last layer, `back[L]`, down to that of the first one, `delta`."""
    zero = np.float32(0.0)
    one = np.float32(1.0)
    width = network.first.shape[1]
    for layer in range(network.dense.shape[0] - 1, -1, -1):
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
def add_to_rows(rows: Ints, count: int, delta: Floats, grads: Network, touched: Ints) -> None:
    """Add the gradient of the first layer's rows that are on, and of its bias."""
    one = np.float32(1.0)
    add_times(grads.first_bias, one, delta)
    for k in range(count):
        row = rows[k]
        touched[row] = 1
        add_times(grads.first[row], one, delta)


@fast_kernel
def add_times(target: Any, factor: Any, values: Any) -> None:
    """Add the factor times the values; a loop that writes one array is one that LLVM turns into vector code."""
    for j in range(target.shape[0]):
        target[j] += factor * values[j]


@fast_kernel
def product(one: Floats, other: Floats) -> np.float32:
    """The inner product."""
    total = np.float32(0.0)
    for j in range(one.shape[0]):
        total += one[j] * other[j]
    return total
