"""Collect: machines take pixels from the conveyor, without any decision (P33-P37)."""

from __future__ import annotations

from ...engine.jit import kernel
from .cards import COLLECT, NUM_PRIMARIES, RANDOM_TYPE
from .pixels import primaries, random_color
from .state import NONE, SEGMENTS, Config, Seat, State


@kernel
def collect(s: State, config: Config) -> None:
    """P34: segment by segment, every player gets one chance, in Collect order (P52); random slots come last (P36)."""
    players = int(config.players)
    for segment in range(SEGMENTS):
        for turn in range(players):
            _take_color(s, s.seats[(s.leaders[COLLECT] + turn) % players], segment)
        for turn in range(players):
            _take_random(s, s.seats[(s.leaders[COLLECT] + turn) % players], segment)


@kernel
def _take_color(s: State, me: Seat, segment: int) -> None:
    """P35, P37: a slot for a color takes the amount of its ends, or nothing if there is less."""
    color = int(me.slot_type[segment])
    if color == NONE or color >= NUM_PRIMARIES:
        return
    amount = int(me.slot_amount[segment])
    if s.conveyor[segment, color] >= amount:
        s.conveyor[segment, color] -= amount
        me.pixels[color] += amount


@kernel
def _take_random(s: State, me: Seat, segment: int) -> None:
    """P36: a random slot draws the amount of its ends from what is left on the segment, or nothing if there is less."""
    if me.slot_type[segment] != RANDOM_TYPE:
        return
    amount = int(me.slot_amount[segment])
    if primaries(s.conveyor[segment]) >= amount:
        for _ in range(amount):
            color = random_color(s, s.conveyor[segment])
            s.conveyor[segment, color] -= 1
            me.pixels[color] += 1
