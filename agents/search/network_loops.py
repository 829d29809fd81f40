"""A network as guide of a search: a template that other templates call as `guide`.

`own` is an OWN record of `search_records`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.players import NO_OPINION
from bdgame_env.engine.rewards import RANK, rank_reward, utility

from .codes import LOWEST, NETWORK

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Floats, Ints
    from bdgame_env.engine.seam import players, rules
    from bdgame_env.engine.struct import GameState, Settings

    from ..networks import accumulator, forward
    from .planner import PlanSettings
    from .search_records import NetworkSpace, Own


@lean_kernel
def look(s: GameState, config: Settings, space: NetworkSpace) -> None:
    """Run the network on what the seat to decide sees."""
    rules.observe(s, config, int(s.seat), space.obs[0])
    think(space)


@lean_kernel
def think(space: NetworkSpace) -> None:
    """Run the network's hidden layers on what lies in `space.obs`."""
    accumulator.update(space.first, space.network, space.row_plan, space.seen, space.words, space.room)
    forward.run_upper(space.network, space.first.sums, space.layers, space.room)


@lean_kernel
def begin(space: NetworkSpace) -> None:
    """Forget what was seen in other positions, on which rounding would depend."""
    accumulator.forget(space.first)


@lean_kernel
def logit(action: int, space: NetworkSpace) -> float:
    """What the network thinks of an action."""
    h = space.layers[space.network.dense.shape[0]]
    return forward.logit_of(space.network, h, action, forward.card_row(space.seen, space.row_plan, action))


@lean_kernel
def likeliest(mask: Ints, space: NetworkSpace) -> int:
    """The legal action that the network likes best."""
    best, highest = NO_OPINION, 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            said = logit(action, space)
            if best == NO_OPINION or said > highest:
                best, highest = action, said
    return best


@lean_kernel
def expect(s: GameState, config: Settings, space: NetworkSpace, out: Floats) -> None:
    """Write what the network, which has looked at a position, expects for every seat, -1 to 1."""
    forward.run_heads(space.network, space.layers[space.network.dense.shape[0]], space.heads)
    seated = int(config.players)
    for k in range(seated):
        out[(int(s.seat) + k) % seated] = min(1.0, max(-1.0, space.heads[k]))


@lean_kernel
def choices(mask: Ints) -> int:
    """How many decisions of a playout this one is: 1, or 0 if one action is legal."""
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action] != 0)
    return int(count > 1)


@lean_kernel
def advice(policy: int, s: GameState, config: Settings, mask: Ints, own: Own, space: NetworkSpace) -> int:
    """The action of a compiled policy, or the one that the network likes best; it is not asked where one is legal."""
    if policy != NETWORK:
        return players.choose(policy, s, config, mask, own, space.scratch[0])
    if choices(mask) == 0:
        return likeliest(mask, space)
    look(s, config, space)
    return likeliest(mask, space)


@lean_kernel
def narrow(s: GameState, config: Settings, mask: Ints, settings: PlanSettings, space: NetworkSpace) -> None:
    """Leave in `mask` the `settings.considered` actions that the network likes best, if it likes them at all."""
    look(s, config, space)
    logits, highest, left = space.logits, LOWEST, 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            logits[action] = logit(action, space)
            highest = max(highest, logits[action])
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


@lean_kernel
def outcome(s: GameState, config: Settings, settings: Any, own: Own, space: NetworkSpace) -> None:
    """Write `own.outcome`, the value of a position for every seat, -1 to 1: what the network expects, or at the end of
    the game the utility by which networks learn.
    """
    if s.over == 0:
        look(s, config, space)
        expect(s, config, space, own.outcome)
        return
    seated = int(config.players)
    rules.ranks(s, config, own.ranks)
    for seat in range(seated):
        own.points[seat] = rules.points(s, config, seat)
    for seat in range(seated):
        value = utility(rank_reward(own.ranks, seated, seat, RANK), own.points, seated, seat, settings.margin)
        if s.truncated != 0:
            value -= settings.truncation
        own.outcome[seat] = min(1.0, max(-1.0, value))
