"""A game with known best moves, for the tests of search: take 1 to 3 stones at a time from a heap.

Whoever takes the last one wins. With two seats, a heap that is a multiple of 4 is lost for the seat to move, and any
other heap is won by leaving a multiple of 4 (Bouton 1901).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.observing import Observation, field
from bdgame_env.engine.struct import GameState, Settings, number, plain, unsaved
from bdgame_env.records.snapshots import Position

MOST = 3
LARGEST_HEAP = 100

OPTIONS = {"heap": Option(10, range(1, LARGEST_HEAP + 1), "stones")}

ACTIONS = ActionTable(rule="S1")
TAKE = ACTIONS.add("take", range(1, MOST + 1), rule="S1")


class Config(Settings):
    """Options for compiled code."""

    heap: int = plain(np.int16)


class State(GameState):
    """One game."""

    heap: int = number(np.int16, 0, lambda config: config.options["heap"], rule="S1")
    winner: int = unsaved(np.int8)


class Obs(Observation):
    """What a seat sees."""

    heap: int = field(0, LARGEST_HEAP, "stones left")
    own_seat: int = field(0, MAX_SEATS - 1, "the seat that looks")


@kernel
def reset(s: State, config: Config) -> None:
    """Begin with a full heap."""
    s.heap = config.heap


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """Take 1 to 3 stones, but no more than there are."""
    for stones in range(1, MOST + 1):
        if stones <= s.heap:
            mask[TAKE + stones - 1] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """Take some stones."""
    s.heap -= action - TAKE + 1
    if s.heap == 0:
        s.over = 1
        s.winner = s.seat
    else:
        s.seat = (s.seat + 1) % config.players


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """Everything."""
    out.heap = s.heap
    out.own_seat = seat


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """1 for the winner."""
    return 1 if s.over != 0 and s.winner == seat else 0


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """The same as a fraction."""
    return 1.0 if s.over != 0 and s.winner == seat else 0.0


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """The winner first, all others second."""
    for seat in range(config.players):
        out[seat] = 1 if s.winner == seat else 2


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """Nothing is hidden."""


def derive(s: State, config: GameConfig) -> None:
    """Whoever took the last stone is the seat that decided last."""
    s.over, s.winner = s.heap == 0, s.seat


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, Config.dtype)
    config["heap"], config["players"] = options["heap"], options["players"]
    return GameConfig(
        record=config,
        options=options,
        cards=None,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=options["heap"],
    )


POSITION = Position("nim", State, options=OPTIONS, derive=derive)

GAME = Game(
    name="nim",
    version=1,
    title="Nim",
    seats=(2, MAX_SEATS),
    rules=sys.modules[__name__],
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=make_config,
    actions=ACTIONS,
    position=POSITION,
    module=__name__,
)
