"""Playing positions on: a template, of which `guides` makes copies for each game and each kind of `guide`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bdgame_env.engine.jit import lean_kernel
from bdgame_env.engine.players import NO_OPINION
from bdgame_env.engine.rng import any_legal

if TYPE_CHECKING:
    from bdgame_env.engine.arrays import Ints
    from bdgame_env.engine.seam import rules
    from bdgame_env.engine.struct import GameState, Settings

    from .guides import guide
    from .search_records import Own


@lean_kernel
def play(s: GameState, config: Settings, action: int) -> None:
    """Play an action."""
    rules.apply(s, config, action)
    s.decisions += 1


@lean_kernel
def list_legal(s: GameState, config: Settings, mask: Ints) -> int:
    """Write the mask; returns the number of legal actions."""
    mask[:] = 0
    rules.legal(s, config, mask)
    count = 0
    for action in range(mask.shape[0]):
        count += int(mask[action] != 0)
    return count


@lean_kernel
def play_forced(s: GameState, config: Settings, mask: Ints) -> int:
    """Play on while there is no choice; writes the mask and returns the number of legal actions, 0 at the end.

    0 as well for a record that is no game, in which nothing is legal.
    """
    while s.over == 0:
        count = list_legal(s, config, mask)
        if count != 1:
            return count
        for action in range(mask.shape[0]):
            if mask[action] != 0:
                play(s, config, action)
                break
    return 0


@lean_kernel
def playout(s: GameState, config: Settings, own: Own, settings: Any, space: Any, mask: Ints) -> None:
    """Play `settings.playout` decisions by the playout policy, and then until another seat is to decide."""
    played = 0
    seat = s.seat
    while s.over == 0 and (played < settings.playout or s.seat == seat):
        seat = s.seat
        mask[:] = 0
        rules.legal(s, config, mask)
        if not any_legal(mask):
            break
        action = guide.advice(settings.player, s, config, mask, own, space)
        played += guide.choices(mask)
        play(s, config, action)
    own.played += played


@lean_kernel
def finish_turn(s: GameState, config: Settings, own: Own, policy: int, settings: Any, space: Any, mask: Ints) -> None:
    """Let the seat to decide finish its turn by a plan, or by the playout policy where the plan has no opinion."""
    seat = s.seat
    while s.over == 0 and s.seat == seat:
        mask[:] = 0
        rules.legal(s, config, mask)
        if not any_legal(mask):
            break
        action = guide.advice(policy, s, config, mask, own, space)
        if action == NO_OPINION:
            action = guide.advice(settings.player, s, config, mask, own, space)
        play(s, config, action)
