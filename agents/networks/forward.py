"""What a network computes, compiled: for one observation at a time, on legal actions only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.arrays import Floats, Floats2, Ints
from bdgame_env.engine.jit import entry_point, fast_kernel, lean_kernel

from .row_plan import (
    ALONE,
    BANDS,
    CLASS,
    MOST,
    MOST_ROWS_PER_ENTRY,
    NO_ROW,
    PLACED,
    REST,
    SHARED,
    SHIFT,
    VALUES,
    WIDE,
)

if TYPE_CHECKING:
    from .network import Network
    from .row_plan import Plan

Array = npt.NDArray[Any]
Weights = npt.NDArray[np.float32]
MOST_SAID = cast(float, np.float32(1e20))  # squares and sums of such numbers fit in double precision
ZERO = cast(float, np.float32(0.0))  # in single precision


@lean_kernel
def room_for(network: Network, plan: Plan) -> int:
    """The size of the work space `room` of `rows_on` and `run_body`: an int32 for each entry or unit, and one more."""
    entries, width = plan.lookup.shape[0], network.first.shape[1]
    return int(max(entries, width)) + 1


@lean_kernel
def rows_on(observation: Ints, plan: Plan, rows: Ints, room: Ints) -> int:
    """Write the rows that an observation (int8, (size,)) switches on to `rows` (int32), and return their number.

    `room`: work space, see `room_for`. What lies in `rows` behind those that are on may be changed too: each row is
    written, and then counted or not, since a processor cannot foresee which entries switch on which.
    """
    n = 0
    full = rows.shape[0] - MOST_ROWS_PER_ENTRY
    deck = deck_of(observation, plan)
    for k in range(positive_entries(observation, room)):
        if n > full:
            break
        n = list_rows(plan, deck, room[k], int(observation[room[k]]), rows, n)
    return n


@lean_kernel
def deck_of(observation: Ints, plan: Plan) -> int:
    """Which of the plan's decks a game is played with, by the entries that tell them apart."""
    if plan.keys.shape[0] == 1:
        return 0
    key = 0
    for k in range(plan.probes.shape[0]):
        key = key * 128 + int(observation[plan.probes[k]])
    low, high = 0, int(plan.keys.shape[0]) - 1
    while low < high:
        middle = (low + high) // 2
        if plan.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low


@lean_kernel
def list_rows(plan: Plan, deck: int, k: int, value: int, rows: Ints, n: int) -> int:
    """Write the rows that entry `k` switches on to `rows`, from place `n` on; returns the place behind them."""
    if value <= 0:
        return n
    entry = plan.lookup[k]
    value = min(value, int(entry[MOST]))
    shift = deck * int(entry[SHIFT])
    rows[n] = entry[VALUES] + shift + value - 1
    n += int(value <= entry[ALONE])
    rows[n] = entry[BANDS] + value // 4
    n += int(entry[BANDS] != NO_ROW)
    rows[n] = entry[SHARED] + shift + value - 1
    n += int(entry[SHARED] != NO_ROW)
    rows[n] = entry[PLACED] + plan.classes[deck, entry[CLASS] + value]
    n += int(entry[PLACED] != NO_ROW)
    rows[n] = entry[WIDE] + value // 16
    n += int(entry[WIDE] != NO_ROW)
    rows[n] = entry[REST] + value % 4
    return n + int(entry[REST] != NO_ROW)


@lean_kernel
def positive_entries(observation: Ints, found: Ints) -> int:
    """Write the entries above 0 to `found` (int32, (size + 1,)), and return their number.

    Most entries are 0, so they are looked at eight at a time.
    """
    n = 0
    size = observation.shape[0]
    words = observation[: size // 8 * 8].view(np.int64)
    for k in range(words.shape[0]):
        if words[k] != 0:
            for entry in range(8 * k, 8 * k + 8):
                found[n] = entry
                n += int(observation[entry] > 0)
    for entry in range(size // 8 * 8, size):
        found[n] = entry
        n += int(observation[entry] > 0)
    return n


@lean_kernel
def card_row(observation: Ints, plan: Plan, action: int) -> int:
    """The card row of an action, or NO_ROW."""
    place = plan.places[action]
    if place == NO_ROW:
        return NO_ROW
    value = min(max(int(observation[place]), 0), int(plan.card_most[action]))
    shift = int(plan.card_shift[action])
    if shift > 0:
        shift *= deck_of(observation, plan)
    return int(plan.card_rows[action]) + shift + value


@fast_kernel
def add_rows(target: Floats, table: Weights, rows: Ints, count: int) -> None:
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
def subtract_rows(target: Floats, table: Weights, rows: Ints, count: int) -> None:
    """Take `count` rows of a table away from the target; four at a time, see `add_rows`."""
    whole = count // 4 * 4
    for k in range(0, whole, 4):
        a, b, c, d = rows[k], rows[k + 1], rows[k + 2], rows[k + 3]
        for j in range(target.shape[0]):
            target[j] -= (table[a, j] + table[b, j]) + (table[c, j] + table[d, j])
    for k in range(whole, count):
        row = rows[k]
        for j in range(target.shape[0]):
            target[j] -= table[row, j]


@fast_kernel
def run_body(network: Network, rows: Ints, count: int, layers: Floats2, room: Ints) -> None:
    """Compute the hidden layers from the rows that are on: `layers` (L + 1, H), each after its ReLU.

    `room`: work space, see `room_for`.
    """
    width = network.first.shape[1]
    h = layers[0]
    for j in range(width):
        h[j] = network.first_bias[j]
    add_rows(h, network.first, rows, count)
    run_upper(network, h, layers, room)


@fast_kernel
def run_upper(network: Network, sums: Floats, layers: Floats2, room: Ints) -> None:
    """Compute the hidden layers as `run_body` does, from the sums of the first one."""
    width = network.first.shape[1]
    for j in range(width):
        layers[0, j] = max(sums[j], ZERO)
    for layer in range(network.dense.shape[0]):
        below = layers[layer]
        above = layers[layer + 1]
        for j in range(width):
            above[j] = network.dense_bias[layer, j]
        add_weighted(above, network.dense[layer], below, room, units_on(below, room))
        for j in range(width):
            above[j] = max(above[j], ZERO)


@fast_kernel
def units_on(layer: Floats, units: Ints) -> int:
    """List the units of a layer that are not 0 in `units` (int32, (H + 1,)), and return their number; no branches.

    What is no number counts as on, so that a network that has diverged shows it.
    """
    n = 0
    for j in range(layer.shape[0]):
        units[n] = j
        n += int(layer[j] != ZERO)
    return n


@fast_kernel
def add_weighted(target: Floats, table: Weights, weights: Floats, units: Ints, count: int) -> None:
    """Add `count` rows of a table, those of the units listed, times their weights; four at a time, as in `add_rows`."""
    whole = count // 4 * 4
    for k in range(0, whole, 4):
        a, b, c, d = units[k], units[k + 1], units[k + 2], units[k + 3]
        w, x, y, z = weights[a], weights[b], weights[c], weights[d]
        for j in range(target.shape[0]):
            target[j] += (w * table[a, j] + x * table[b, j]) + (y * table[c, j] + z * table[d, j])
    for k in range(whole, count):
        unit = units[k]
        for j in range(target.shape[0]):
            target[j] += weights[unit] * table[unit, j]


@lean_kernel
def finite(number: float) -> float:
    """A number that a network says, at most `MOST_SAID` in size; 0 if it is none.

    Sums of finite weights may overflow. All who choose by what a network says rely on this: comparisons with what is no
    number are never true, and would leave them without a choice.
    """
    if abs(number) <= MOST_SAID:
        return number
    if number > MOST_SAID:
        return MOST_SAID
    if number < -MOST_SAID:
        return -MOST_SAID
    return ZERO


@lean_kernel
def logit_of(network: Network, h: Floats, action: int, card: int) -> float:
    """The logit of an action, a finite number."""
    return finite(raw_logit(network, h, action, card))


@lean_kernel
def run_heads(network: Network, h: Floats, out: Floats) -> None:
    """Write what the heads say, finite numbers: utilities, points and rank rewards of the seats, from the observer on
    (HEADS,).
    """
    raw_heads(network, h, out)
    for k in range(out.shape[0]):
        out[k] = finite(out[k])


@fast_kernel
def raw_logit(network: Network, h: Floats, action: int, card: int) -> float:
    """The logit of an action as it is learned: its own row and its card's, times the last hidden layer."""
    total: float = ZERO
    width = h.shape[0]
    if card == NO_ROW:
        for j in range(width):
            total += network.actions[action, j] * h[j]
    else:
        for j in range(width):
            total += (network.actions[action, j] + network.cards[card, j]) * h[j]
    bias: float = network.action_bias[action]
    return total + bias


@fast_kernel
def raw_heads(network: Network, h: Floats, out: Floats) -> None:
    """Write what the heads say, as it is learned, to `out` (HEADS,)."""
    for k in range(network.heads.shape[0]):
        total = ZERO
        for j in range(h.shape[0]):
            total += network.heads[k, j] * h[j]
        out[k] = total + network.head_bias[k]


@lean_kernel
def greatest(logits: Floats, count: int) -> int:
    """The first place of the greatest of `count` logits."""
    best = 0
    for k in range(1, count):
        if logits[k] > logits[best]:
            best = k
    return best


@lean_kernel
def softmax(logits: Floats, count: int) -> None:
    """Turn `count` logits into probabilities."""
    highest = logits[greatest(logits, count)]
    total = ZERO
    for k in range(count):
        logits[k] = np.exp(logits[k] - highest)
        total += logits[k]
    for k in range(count):
        logits[k] /= total


@entry_point
def run_batch(
    network: Network, plan: Plan, observations: Array, masks: Array, logits: Array, heads: Array, lo: int, hi: int
) -> None:
    """Write logits (n, actions), -inf for illegal actions, and heads (n, HEADS) of the observations lo..hi-1."""
    rows: Any = np.empty(plan.sizes[2], np.int32)
    room: Any = np.empty(room_for(network, plan), np.int32)
    layers: Any = np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32)
    h = layers[network.dense.shape[0]]
    for i in range(lo, hi):
        run_body(network, rows, rows_on(observations[i], plan, rows, room), layers, room)
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                logits[i, action] = logit_of(network, h, action, card_row(observations[i], plan, action))
            else:
                logits[i, action] = -np.inf
        run_heads(network, h, heads[i])
