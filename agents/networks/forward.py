"""What a network computes, compiled: for one observation at a time, on legal actions only."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bdgame_env.engine.jit import entry_point, fast_kernel, lean_kernel

from .network import Floats, Network
from .row_plan import ALONE, BANDS, MOST, MOST_ROWS_PER_ENTRY, NO_ROW, REST, SHARED, VALUES, WIDE, Numbers, Plan

Observation = npt.NDArray[np.int8]  # (size,)

MOST_SAID = np.float32(1e20)  # squares and sums of such numbers fit in double precision


@lean_kernel
def room_for(network: Network, plan: Plan) -> int:
    """The size of the work space `room` of `rows_on` and `run_body`: an int32 for each entry or unit, and one more."""
    return int(max(plan.lookup.shape[0], network.first.shape[1])) + 1


@lean_kernel
def rows_on(observation: Observation, plan: Plan, rows: Numbers, room: Numbers) -> int:
    """Write the rows that an observation (int8, (size,)) switches on to `rows` (int32), and return their number.

    `room`: work space, see `room_for`. What lies in `rows` behind those that are on may be changed too: each row is
    written, and then counted or not, since a processor cannot foresee which entries switch on which.
    """
    n = 0
    full = rows.shape[0] - MOST_ROWS_PER_ENTRY
    for k in range(positive_entries(observation, room)):
        if n > full:
            break
        entry = plan.lookup[room[k]]
        value = min(int(observation[room[k]]), int(entry[MOST]))
        rows[n] = entry[VALUES] + value - 1
        n += int(value <= entry[ALONE])
        rows[n] = entry[BANDS] + value // 4
        n += int(entry[BANDS] != NO_ROW)
        rows[n] = entry[SHARED] + value - 1
        n += int(entry[SHARED] != NO_ROW)
        rows[n] = entry[WIDE] + value // 16
        n += int(entry[WIDE] != NO_ROW)
        rows[n] = entry[REST] + value % 4
        n += int(entry[REST] != NO_ROW)
    return n


@lean_kernel
def positive_entries(observation: Observation, entries: Numbers) -> int:
    """Write the entries above 0 to `entries` (int32, (size + 1,)), and return their number.

    Most entries are 0, so they are looked at eight at a time.
    """
    n = 0
    size = observation.shape[0]
    words = observation[: size // 8 * 8].view(np.int64)
    for k in range(words.shape[0]):
        if words[k] != 0:
            for entry in range(8 * k, 8 * k + 8):
                entries[n] = entry
                n += int(observation[entry] > 0)
    for entry in range(size // 8 * 8, size):
        entries[n] = entry
        n += int(observation[entry] > 0)
    return n


@lean_kernel
def card_row(observation: Observation, plan: Plan, action: int) -> int:
    """The card row of an action, or NO_ROW."""
    place = plan.places[action]
    if place == NO_ROW:
        return NO_ROW
    value = min(max(int(observation[place]), 0), int(plan.card_most[action]))
    return int(plan.card_rows[action]) + value


@fast_kernel
def add_rows(target: Floats, table: Floats, rows: Numbers, count: int) -> None:
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
def run_body(network: Network, rows: Numbers, count: int, layers: Floats, room: Numbers) -> None:
    """Compute the hidden layers from the rows that are on: `layers` (L + 1, H), each after its ReLU.

    `room`: work space, see `room_for`.
    """
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
        add_weighted(above, network.dense[layer], below, room, units_on(below, room))
        for j in range(width):
            above[j] = max(above[j], np.float32(0.0))


@fast_kernel
def units_on(layer: Floats, units: Numbers) -> int:
    """List the units of a layer that are not 0 in `units` (int32, (H + 1,)), and return their number; no branches.

    What is no number counts as on, so that a network that has diverged shows it.
    """
    n = 0
    for j in range(layer.shape[0]):
        units[n] = j
        n += int(layer[j] != np.float32(0.0))
    return n


@fast_kernel
def add_weighted(target: Floats, table: Floats, weights: Floats, units: Numbers, count: int) -> None:
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
def finite(number: np.float32) -> np.float32:
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
    return np.float32(0.0)


@lean_kernel
def logit_of(network: Network, h: Floats, action: int, card: int) -> np.float32:
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
def raw_logit(network: Network, h: Floats, action: int, card: int) -> np.float32:
    """The logit of an action as it is learned: its own row and its card's, times the last hidden layer."""
    total = np.float32(0.0)
    width = h.shape[0]
    if card == NO_ROW:
        for j in range(width):
            total += network.actions[action, j] * h[j]
    else:
        for j in range(width):
            total += (network.actions[action, j] + network.cards[card, j]) * h[j]
    return np.float32(total + network.action_bias[action])


@fast_kernel
def raw_heads(network: Network, h: Floats, out: Floats) -> None:
    """Write what the heads say, as it is learned, to `out` (HEADS,)."""
    for k in range(network.heads.shape[0]):
        total = np.float32(0.0)
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
    total = np.float32(0.0)
    for k in range(count):
        logits[k] = np.exp(logits[k] - highest)
        total += logits[k]
    for k in range(count):
        logits[k] /= total


@entry_point
def run_batch(
    network: Network,
    plan: Plan,
    observations: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
    logits: Floats,
    heads: Floats,
    lo: int,
    hi: int,
) -> None:
    """Write logits (n, actions), -inf for illegal actions, and heads (n, HEADS) of the observations lo..hi-1."""
    rows, room = np.empty(plan.sizes[2], np.int32), np.empty(room_for(network, plan), np.int32)
    layers = np.empty((network.dense.shape[0] + 1, network.first.shape[1]), np.float32)
    h = layers[network.dense.shape[0]]
    for i in range(lo, hi):
        run_body(network, rows, rows_on(observations[i], plan, rows, room), layers, room)
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                logits[i, action] = logit_of(network, h, action, card_row(observations[i], plan, action))
            else:
                logits[i, action] = -np.inf
        run_heads(network, h, heads[i])
