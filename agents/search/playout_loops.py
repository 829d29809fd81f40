"""Playing a position out and judging it: a template, of which `playouts` makes a copy for each game.

`own` is an OWN record of `playouts`: the search's generator, and room for `outcome` and `ranks`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bdgame_env.engine.codes import RANDOM
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.players import NO_OPINION
from bdgame_env.engine.rewards import RANK, rank_reward
from bdgame_env.engine.rng import any_legal, random_legal

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Ints, Rows
    from bdgame_env.engine.seam import players, rules
    from bdgame_env.engine.struct import GameState, Settings

    from .playouts import Own, PlayoutRecord


FARTHEST = 1e6  # leads beyond are all worth the same


@kernel
def playout(s: GameState, config: Settings, own: Own, settings: PlayoutRecord, scratch: Rows[Any], mask: Ints) -> None:
    """Play `settings.playout` decisions by the playout policy, and then until another seat is to decide."""
    played = 0
    seat = s.seat
    while s.over == 0 and (played < settings.playout or s.seat == seat):
        seat = s.seat
        mask[:] = 0
        rules.legal(s, config, mask)
        if not any_legal(mask):
            break
        rules.apply(s, config, advice(settings.player, s, config, mask, own, scratch))
        s.decisions += 1
        played += 1
    own.played += played


@kernel
def finish_turn(
    s: GameState, config: Settings, own: Own, policy: int, settings: PlayoutRecord, scratch: Rows[Any], mask: Ints
) -> None:
    """Let the seat to decide finish its turn by a plan, or by the playout policy where the plan has no opinion."""
    seat = s.seat
    while s.over == 0 and s.seat == seat:
        mask[:] = 0
        rules.legal(s, config, mask)
        if not any_legal(mask):
            break
        action = advice(policy, s, config, mask, own, scratch)
        if action == NO_OPINION:
            action = advice(settings.player, s, config, mask, own, scratch)
        rules.apply(s, config, action)
        s.decisions += 1


@kernel
def advice(policy: int, s: GameState, config: Settings, mask: Ints, own: Own, scratch: Rows[Any]) -> int:
    """The action of a compiled policy."""
    if policy == RANDOM:
        return random_legal(mask, own)
    return players.choose(policy, s, config, mask, own, scratch[0])


@kernel
def narrow(s: GameState, config: Settings, mask: Ints, settings: PlayoutRecord, scratch: Rows[Any]) -> None:
    """Leave all legal actions in `mask`: nothing tells which of them are worth a try."""


@kernel
def judged(s: GameState, config: Settings, seat: int, settings: PlayoutRecord, scratch: Rows[Any]) -> float:
    """How far a seat is, or is expected to get, in the unit of `progress`; at most `FARTHEST`, 0 if it is no number."""
    if s.over == 0 and settings.judge != 0:
        far = float(players.evaluate(s, config, seat, scratch[0]))
    else:
        far = float(rules.progress(s, config, seat))
    return 0.0 if math.isnan(far) else min(FARTHEST, max(-FARTHEST, far))


@kernel
def outcome(s: GameState, config: Settings, settings: PlayoutRecord, own: Own, scratch: Rows[Any]) -> None:
    """Write `own.outcome`, the value of a position for every seat, -1 to 1.

    It is the squashed lead in progress; at the end of the game it is mixed with the reward for the final rank.
    """
    seated = int(config.players)
    values = own.outcome
    total = 0.0
    for seat in range(seated):
        values[seat] = judged(s, config, seat, settings, scratch)
        total += values[seat]
    for seat in range(seated):
        lead = values[seat] - (total - values[seat]) / (seated - 1)
        values[seat] = math.tanh(settings.value_scale * lead)
    if s.over != 0:
        rules.ranks(s, config, own.ranks)
        for seat in range(seated):
            paid = rank_reward(own.ranks, seated, seat, RANK)
            values[seat] = settings.margin * values[seat] + (1.0 - settings.margin) * paid
