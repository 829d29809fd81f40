"""The loop that asks all of a game's advisers, as a template: `advice` compiles it once per game."""

# ruff: noqa: F821  the game's kernels are filled in when the template is compiled
# mypy: disable-error-code="name-defined,no-untyped-def,no-untyped-call"
from __future__ import annotations

from bdgame_env.engine.jit import entry_point
from bdgame_env.engine.players import NO_OPINION


@entry_point
def advise_games(games, configs, advisers, masks, rng, scratch, advice, lo, hi):
    """Write to `advice[i, k]` (int16) the action of policy `advisers[k]` in `games[i]`, or NO_OPINION.

    `masks[i]` holds the legal actions. If only one is legal, it is advised without asking.
    """
    for i in range(lo, hi):
        count, only = 0, NO_OPINION
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                count += 1
                only = action
        for k in range(advisers.shape[0]):
            if count > 1:
                advice[i, k] = choose(advisers[k], games[i], configs[0], masks[i], rng[i], scratch[0])
            else:
                advice[i, k] = only
