"""Playing a position on and judging it: what every search does. `forest` compiles it once per game.

`own` is a record with the search's own luck (`rng`) and room for `outcome` and `ranks`.
"""

# ruff: noqa: F821  the names of the rules are filled in for each game
# mypy: disable-error-code="name-defined,no-untyped-def,no-untyped-call"
from __future__ import annotations

import math

from bdgame_env.engine.learner import NO_OPINION
from bdgame_env.engine.rewards import PLACE

RANDOM = 0


def playout(s, box, own, settings, scratch, mask):
    """Play on by the playout policy for `settings.playout` decisions, and then until another seat is to move."""
    played = 0
    seat = s.seat
    while s.over == 0 and (played < settings.playout or s.seat == seat):
        seat = s.seat
        mask[:] = 0
        legal(s, box, mask)
        apply(s, box, advice(settings.player, s, box, mask, own, scratch))
        s.decisions += 1
        played += 1
    own.played += played


def finish_turn(s, box, own, policy, settings, scratch, mask):
    """Let the seat to decide finish its turn by a plan, or where that has no opinion by the playout policy."""
    seat = s.seat
    while s.over == 0 and s.seat == seat:
        mask[:] = 0
        legal(s, box, mask)
        action = advice(policy, s, box, mask, own, scratch)
        if action == NO_OPINION:
            action = advice(settings.player, s, box, mask, own, scratch)
        apply(s, box, action)
        s.decisions += 1


def advice(policy, s, box, mask, own, scratch):
    """The action of a compiled policy."""
    if policy == RANDOM:
        return random_legal(mask, own)
    return choose(policy, s, box, mask, own, scratch[0])


def judged(s, box, seat, settings, scratch):
    """How far a seat is, or before the end will get, in the unit of `progress`."""
    if s.over == 0 and settings.judge != 0:
        return float(evaluate(s, box, seat, scratch[0]))
    return float(progress(s, box, seat))


def outcome(s, box, settings, own, scratch):
    """Write `own.outcome`, the value of a position for every seat in -1..1.

    It is the squashed lead in progress, at the end of the game mixed with the reward of the final place.
    """
    players = int(box.players)
    values = own.outcome
    total = 0.0
    for seat in range(players):
        values[seat] = judged(s, box, seat, settings, scratch)
        total += values[seat]
    for seat in range(players):
        lead = values[seat] - (total - values[seat]) / (players - 1)
        values[seat] = math.tanh(settings.steepness * lead)
    if s.over != 0:
        places(s, box, own.ranks)
        for seat in range(players):
            place = place_reward(own.ranks, players, seat, PLACE)
            values[seat] = settings.margin * values[seat] + (1.0 - settings.margin) * place
