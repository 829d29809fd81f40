"""A redeal leaves no trace of what it deals anew (P67): equal luck gives equal deals of positions that look alike."""

from __future__ import annotations

import random

import pytest

from bdgame_env.core.jit import JIT_DISABLED
from tests.games.pixel_pusher.positions import Position, new_game, position


def dealt(t: Position, seat: int, seed: int) -> bytes:
    """The record of a redeal."""
    return t.table.clone(redeal=seat, seed=seed).get_state()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_p60_p67_what_is_dealt_anew_twice_is_dealt_as_once(players: int):
    """P60, P66, P67: in all phases of random games, for every seat, whether it decides or not."""
    phases = set()
    for seed in range(1 if JIT_DISABLED else 12):
        t, chance, number = new_game(players, seed), random.Random(seed), 0
        while not t.table.over:
            number += 1
            if number % (11 if JIT_DISABLED else 2) == 0:
                phases.add(t.phase)
                for seat in range(players):
                    other = Position(t.table.clone(redeal=seat, seed=number))
                    assert dealt(other, seat, 7) == dealt(t, seat, 7), f"seed {seed}, decision {number}, {t.snap}"
            t.play(chance.choice(t.table.legal_moves()))
    assert phases >= {"draft", "build"} | (set() if JIT_DISABLED else {"convert", "store", "score"})


def test_p59_p67_whatever_others_have_locked():
    """P59: a seat that chooses after others learns nothing from their choices, nor from a deal of them."""
    hands = {0: [1, 9, 17, "first_build"], 1: [2, 10, 18, "prism"]}
    worlds = [position("draft", hands=hands).play(f"draft {place}") for place in range(4)]
    assert len({t.table.observe(1).tobytes() for t in worlds}) == 1
    assert len({dealt(t, 1, 3) for t in worlds}) == 1


def test_p60_p67_whatever_others_have_converted():
    """P60: and the same in Convert and Store."""
    slots = {seat: {1: ("convert", [2 + 8 * seat])} for seat in (0, 1)}
    begun = position("convert", slots=slots, pixels={0: "RRGGBBB", 1: "RRGG"}, images={0: 7})
    worlds = []
    for moves in (["finish", "give R"], ["finish", "give B"], ["activate RG>Y"]):
        t = begun.copy().play(*moves)
        while t.seat == 0:
            t.play(sorted(t.legal)[-1])
        worlds.append(t)
    assert len({t.pixels(0) for t in worlds}) == 3 and len({t.table.observe(1).tobytes() for t in worlds}) == 1
    for t in worlds:
        t.table.states["decisions"] = 0  # how many decisions others had is counted, but not shown
    assert len({dealt(t, 1, 3) for t in worlds}) == 1
