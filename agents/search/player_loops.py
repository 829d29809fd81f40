"""Compiled players as guides of a search: a template that other templates call as `guide`.

`own` is an OWN record of `search_records`: the search's generator, and room for `outcome` and `ranks`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.rewards import RANK, rank_reward
from bdgame_env.engine.rng import random_legal

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Ints
    from bdgame_env.engine.seam import players, rules
    from bdgame_env.engine.struct import GameState, Settings

    from .playouts import PlayoutSettings
    from .search_records import Own, PlayerSpace


FARTHEST = 1e6  # leads beyond are all worth the same


@lean_kernel
def begin(space: PlayerSpace) -> None:
    """Nothing to forget."""


@lean_kernel
def choices(mask: Ints) -> int:
    """How many decisions of a playout this one is: 1, also if one action is legal."""
    return 1


@lean_kernel
def advice(policy: int, s: GameState, config: Settings, mask: Ints, own: Own, space: PlayerSpace) -> int:
    """The action of a compiled policy."""
    if policy == RANDOM:
        return random_legal(mask, own)
    return players.choose(policy, s, config, mask, own, space.scratch[0])


@lean_kernel
def narrow(s: GameState, config: Settings, mask: Ints, settings: PlayoutSettings, space: PlayerSpace) -> None:
    """Leave all legal actions in `mask`: nothing tells which of them are worth a try."""


@lean_kernel
def judged(s: GameState, config: Settings, seat: int, settings: PlayoutSettings, space: PlayerSpace) -> float:
    """How far a seat is, or is expected to get, in the unit of `progress`; at most `FARTHEST`, 0 if it is no number."""
    if s.over == 0 and settings.judge != 0:
        far = float(players.evaluate(s, config, seat, space.scratch[0]))
    else:
        far = float(rules.progress(s, config, seat))
    return 0.0 if math.isnan(far) else min(FARTHEST, max(-FARTHEST, far))


@lean_kernel
def outcome(s: GameState, config: Settings, settings: PlayoutSettings, own: Own, space: PlayerSpace) -> None:
    """Write `own.outcome`, the value of a position for every seat, -1 to 1.

    It is the squashed lead in progress; at the end of the game it is mixed with the reward for the final rank.
    """
    seated = int(config.players)
    values = own.outcome
    total = 0.0
    for seat in range(seated):
        values[seat] = judged(s, config, seat, settings, space)
        total += values[seat]
    for seat in range(seated):
        lead = values[seat] - (total - values[seat]) / (seated - 1)
        values[seat] = math.tanh(settings.value_scale * lead)
    if s.over != 0:
        rules.ranks(s, config, own.ranks)
        for seat in range(seated):
            paid = rank_reward(own.ranks, seated, seat, RANK)
            values[seat] = settings.margin * values[seat] + (1.0 - settings.margin) * paid
