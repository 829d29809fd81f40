"""Losses and their gradients by hand, compiled: the policy's (PPO or imitation), the entropy's and the heads'.

Where a search has improved the policy, the cross-entropy with the improved one is added (Danihelka et al. 2022).
PPO: Schulman et al. 2017, arXiv 1707.06347.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bdgame_env.agents.networks.accumulator import WHOLE
from bdgame_env.agents.networks.forward import (
    add_rows,
    add_weighted,
    raw_heads,
    raw_logit,
    run_upper,
    subtract_rows,
    units_on,
)
from bdgame_env.agents.networks.network import Network
from bdgame_env.agents.networks.row_plan import NO_ROW
from bdgame_env.engine.arrays import Floats, Floats2, Ints
from bdgame_env.engine.game import MAX_SEATS
from bdgame_env.engine.jit import entry_point, fast_kernel

from .codes import NO_ADVICE, OPEN
from .row_gradients import add_to_rows, end_of, room_to_sort
from .samples import Window
from .stage import Stages

POLICY_LOSS, VALUE_LOSS, ENTROPY, AGREEMENT, CLIPPED, DIVERGENCE, SEARCH_LOSS, ADVICE_LOSS = 0, 1, 2, 3, 4, 5, 6, 7
SAMPLES, LOSSES = 8, 9
_AT_ONCE = 512  # samples, unless a segment is longer
_BLOCK = 32  # samples whose dense layers are learned together

# Sums of the first layer by seat, the layers of a block's samples, deltas, logits, probabilities, what the heads say,
# units that are on, and the dense layers with outputs first.
Room = tuple[Floats2, Any, Floats2, Floats, Floats, Floats, Ints, Any]


class Task(NamedTuple):
    """What is learned from, by one thread, and where its gradients are added.

    Attributes:
        window: the samples.
        network: that learns. grads: of the same shape.
        touched: int8, marks rows and then card rows whose gradients are no longer 0.
        stage: see `stage`.
        losses: float64 (LOSSES,), sums, and SAMPLES, the number of samples.
    """

    window: Window
    network: Network
    grads: Network
    touched: Ints
    stage: Stages
    losses: npt.NDArray[np.float64]


@entry_point
def add_gradients(task: Task, begins: Any, lo: int, hi: int) -> None:
    """Add the gradients of the segments that begin at `begins[lo:hi]`, and their losses. OPEN samples do not count."""
    network, window = task.network, task.window
    layers, width = network.dense.shape[0], network.first.shape[1]
    most = _AT_ONCE
    for k in range(lo, hi):
        most = max(most, end_of(window, begins[k]) - begins[k])
    dense: Any = np.empty((layers, width, width), np.float32)
    for layer in range(layers):
        for i in range(width):
            for j in range(width):
                dense[layer, j, i] = network.dense[layer, i, j]
    room: Any = (
        np.empty((MAX_SEATS, width), np.float32),
        np.empty((_BLOCK, layers + 1, width), np.float32),
        np.empty((most, width), np.float32),
        np.empty(max(width, _BLOCK, network.actions.shape[0]), np.float32),
        np.empty(network.actions.shape[0], np.float32),
        np.empty(network.heads.shape[0], np.float32),
        np.empty(max(width, _BLOCK) + 1, np.int32),
        dense,
    )
    sorting: Any = room_to_sort(window, network.first.shape[0], most)
    start = lo
    while start < hi:
        stop, samples = start, 0
        while stop < hi and samples + end_of(window, begins[stop]) - begins[stop] <= most:
            samples += end_of(window, begins[stop]) - begins[stop]
            stop += 1
        add_some(task, begins[start:stop], room)
        add_to_rows(window, begins[start:stop], room[2], task.grads, task.touched, sorting)
        start = stop


@fast_kernel
def add_some(task: Task, begins: Ints, room: Room) -> None:
    """Add the gradients of some segments, but for those of the first layer's rows.

    These follow from the gradients of their sums, which are written to `deltas`. A processor's cache holds the rows or
    their gradients, hardly both.
    """
    sums, hidden, deltas, logits, probs, said, units, dense = room
    window = task.window
    n = 0
    for k in range(begins.shape[0]):
        for at in range(begins[k], end_of(window, begins[k])):
            if window.next[at] != OPEN:
                own = sums[window.seats[at]]
                follow(task.network, window, at, own)
                add_gradient(task, at, own, hidden[n % _BLOCK], deltas[n], logits, probs, said, units)
                n += 1
                if n % _BLOCK == 0:
                    add_layers(task, hidden, deltas[n - _BLOCK : n], dense, logits, units)
    add_layers(task, hidden, deltas[n // _BLOCK * _BLOCK : n], dense, logits, units)


@fast_kernel
def follow(network: Network, window: Window, at: int, sums: Floats) -> None:
    """Turn the sums of the first layer for a seat's last sample into those for this one."""
    added, removed = window.rows_on[at], window.rows_off[at]
    if removed == WHOLE:
        for j in range(sums.shape[0]):
            sums[j] = network.first_bias[j]
    add_rows(sums, network.first, window.rows[at], added)
    if removed > 0:
        subtract_rows(sums, network.first, window.rows[at][added:], removed)


@fast_kernel
def add_gradient(
    task: Task,
    at: int,
    sums: Floats,
    hidden: Floats2,
    d: Floats,
    logits: Floats,
    probs: Floats,
    said: Floats,
    units: Ints,
) -> None:
    """Add the gradient of one sample's loss by what follows the last layer, and the parts of its loss.

    `sums`: of the first layer. `hidden`: float32 (L + 1, H), becomes the layers, and `d` the gradient of the last.
    """
    _, network, _, _, _, losses = task
    losses[SAMPLES] += 1.0
    run_upper(network, sums, hidden, units)
    h = hidden[network.dense.shape[0]]
    for j in range(d.shape[0]):
        d[j] = np.float32(0.0)
    add_policy(task, at, h, d, logits, probs)
    add_heads(task, at, h, d, said)


@fast_kernel
def add_policy(task: Task, at: int, h: Floats, d: Floats, logits: Floats, probs: Floats) -> None:
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
        probs[k] = np.exp(logits[k] - highest)
        total += probs[k]
    chosen = window.chosen[at]
    losses[AGREEMENT] += 1.0 if logits[chosen] >= highest else 0.0
    log_total = np.log(total) + highest
    entropy = zero
    for k in range(legals):
        probs[k] /= total
        logits[k] -= log_total
        entropy -= probs[k] * logits[k]
    losses[ENTROPY] += entropy
    slope = policy_slope(task, at, logits[chosen])
    advised = window.advised[at] if stage.adviser > 0 else NO_ADVICE
    searched = stage.search_weight if window.searched[at] != 0 else zero
    for k in range(legals):
        log_prob, p = logits[k], probs[k]
        g = -slope * p + stage.entropy * p * (log_prob + entropy)
        if k == chosen:
            g += slope
        if advised >= 0:
            g += stage.advice * p
            if k == advised:
                g -= stage.advice
                losses[ADVICE_LOSS] -= log_prob
        if searched > zero:
            g += searched * (p - window.improved[at, k])
            losses[SEARCH_LOSS] -= searched * window.improved[at, k] * log_prob
        action = window.legal[at, k]
        card = window.cards[at, k]
        grads.action_bias[action] += g
        add_times(grads.actions[action], g, h)
        if card == NO_ROW:
            add_times(d, g, network.actions[action])
        else:
            touched[network.first.shape[0] + card] = 1
            add_times(grads.cards[card], g, h)
            add_both(d, g, network.actions[action], network.cards[card])


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
def add_layers(task: Task, hidden: Any, deltas: Floats2, dense: Any, room: Floats, units: Ints) -> None:
    """Add the gradients of the dense layers of a block of samples; what is read is then in the cache.

    `hidden`: float32 (n, L + 1, H). `deltas`: (n, H), the gradient of the last layer; becomes that of the first one's
    sums. `dense`: (L, H, H), the weights, outputs first.
    """
    _, network, grads, _, _, _ = task
    zero = np.float32(0.0)
    width = network.first.shape[1]
    count = deltas.shape[0]
    for layer in range(network.dense.shape[0] - 1, -1, -1):
        for n in range(count):
            d, above = deltas[n], hidden[n, layer + 1]
            for j in range(width):
                if above[j] <= zero:
                    d[j] = zero
            add_times(grads.dense_bias[layer], np.float32(1.0), d)
        for i in range(width):
            on = 0
            for n in range(count):
                room[n] = hidden[n, layer, i]
                units[on] = n
                on += int(room[n] != zero)
            add_weighted(grads.dense[layer, i], deltas, room, units, on)
        for n in range(count):
            d, below = deltas[n], room[:width]
            for j in range(width):
                below[j] = zero
            add_weighted(below, dense[layer], d, units, units_on(d, units))
            for j in range(width):
                d[j] = below[j]
    for n in range(count):
        d, first = deltas[n], hidden[n, 0]
        for j in range(width):
            d[j] = d[j] if first[j] > zero else zero


@fast_kernel
def add_both(target: Floats, factor: np.float32, one: Floats, other: Floats) -> None:
    """Add the factor times the sum of two arrays."""
    for j in range(target.shape[0]):
        target[j] += factor * (one[j] + other[j])


@fast_kernel
def add_times(target: Any, factor: Any, values: Any) -> None:
    """Add the factor times the values; a loop that writes one array is one that LLVM turns into vector code."""
    for j in range(target.shape[0]):
        target[j] += factor * values[j]
