"""Playing a position out by a network and judging it by its values: a template, in place of `playout_loops`.

`network_playouts` makes a copy for each game.

`own` is an OWN record of `playouts`. `scratch` holds the scratch record of the compiled players, (1,), the network, its
plan, and work space: rows that are on, layers, heads, an observation (1,), the same memory as int8 (size,), and
`room` of the network.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION

from .codes import LOWEST, NETWORK, NOTHING_LEGAL

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Floats, Floats2, Ints, Rows
    from bdgame_env.engine.seam import players, rules
    from bdgame_env.engine.struct import GameState, Settings

    from ..networks import forward
    from ..networks.network import Network
    from ..networks.row_plan import Plan
    from . import final_loops as final
    from .planner import PlanRecord
    from .playouts import Own

    Scratch = tuple[Rows[Any], Network, Plan, Ints, Floats2, Floats, Rows[Any], Ints, Ints]


@kernel
def playout(s: GameState, config: Settings, own: Own, settings: PlanRecord, scratch: Scratch, mask: Ints) -> None:
    """Play `settings.playout` decisions that leave a choice, and then until another seat is to decide."""
    played = 0
    seat = s.seat
    while s.over == 0 and (played < settings.playout or s.seat == seat):
        seat = s.seat
        chose = play_on(s, config, own, settings.player, settings, scratch, mask)
        if chose == NOTHING_LEGAL:
            break
        played += chose
    own.played += played


@kernel
def finish_turn(
    s: GameState, config: Settings, own: Own, policy: int, settings: PlanRecord, scratch: Scratch, mask: Ints
) -> None:
    """Let the seat to decide finish its turn by a plan, or by the playout policy where the plan has no opinion."""
    seat = s.seat
    while s.over == 0 and s.seat == seat:
        if play_on(s, config, own, policy, settings, scratch, mask) == NOTHING_LEGAL:
            break


@kernel
def play_on(
    s: GameState, config: Settings, own: Own, policy: int, settings: PlanRecord, scratch: Scratch, mask: Ints
) -> int:
    """Play one decision; returns 1 if there was a choice, 0 if not, or NOTHING_LEGAL in a record that is no game."""
    mask[:] = 0
    rules.legal(s, config, mask)
    count, action = 0, NO_OPINION
    for one in range(mask.shape[0]):
        if mask[one] != 0:
            count += 1
            action = one
    if count == 0:
        return NOTHING_LEGAL
    if count > 1:
        action = advice(policy, s, config, mask, own, scratch)
        if action == NO_OPINION:
            action = advice(settings.player, s, config, mask, own, scratch)
    rules.apply(s, config, action)
    s.decisions += 1
    return int(count > 1)


@kernel
def advice(policy: int, s: GameState, config: Settings, mask: Ints, own: Own, scratch: Scratch) -> int:
    """The action of a compiled policy, or the one that the network likes best."""
    if policy != NETWORK:
        return players.choose(policy, s, config, mask, own, scratch[0][0])
    _, network, plan, _, _, _, _, seen, _ = scratch
    h = look(s, config, scratch)
    best, highest = NO_OPINION, 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            logit = forward.logit_of(network, h, action, forward.card_row(seen, plan, action))
            if best == NO_OPINION or logit > highest:
                best, highest = action, logit
    return best


@kernel
def look(s: GameState, config: Settings, scratch: Scratch) -> Floats:
    """Run the network on what the seat to decide sees; its last hidden layer."""
    _, network, plan, rows, layers, _, obs, seen, room = scratch
    rules.observe(s, config, int(s.seat), obs[0])
    forward.run_body(network, rows, forward.rows_on(seen, plan, rows, room), layers, room)
    return layers[network.dense.shape[0]]


@kernel
def narrow(s: GameState, config: Settings, mask: Ints, settings: PlanRecord, scratch: Scratch) -> None:
    """Leave in `mask` the `settings.considered` actions that the network likes best, if it likes them at all."""
    _, network, plan, _, _, _, _, seen, _ = scratch
    h = look(s, config, scratch)
    logits = np.empty(mask.shape[0], np.float32)
    highest = LOWEST
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            logits[action] = forward.logit_of(network, h, action, forward.card_row(seen, plan, action))
            highest = max(highest, logits[action])
    left = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0 and logits[action] - highest < math.log(settings.least_prior):
            mask[action] = 0
        left += int(mask[action] != 0)
    while left > settings.considered:
        worst = NO_OPINION
        for action in range(mask.shape[0]):
            if mask[action] != 0 and (worst == NO_OPINION or logits[action] < logits[worst]):
                worst = action
        mask[worst] = 0
        left -= 1


@kernel
def outcome(s: GameState, config: Settings, settings: PlanRecord, own: Own, scratch: Scratch) -> None:
    """Write `own.outcome`, the value of a position for every seat, -1 to 1: what the network expects, or at the end of
    the game the utility by which networks learn.
    """
    if s.over != 0:
        final.final_outcome(s, config, settings, own)
        return
    _, network, _, _, _, heads, _, _, _ = scratch
    forward.run_heads(network, look(s, config, scratch), heads)
    seated = int(config.players)
    for k in range(seated):
        own.outcome[(int(s.seat) + k) % seated] = min(1.0, max(-1.0, heads[k]))
