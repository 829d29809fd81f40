"""A game with known best moves, for the tests of search: take 1 to 3 stones at a time from a heap.

Whoever takes the last one wins. With two seats, a heap that is a multiple of 4 is lost for the seat to move, and any
other heap is won by leaving a multiple of 4 (Bouton 1901).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, ObservationField, Option
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record

MOST = 3
CONFIG = record([("heap", np.int16), ("players", np.int16)])
STATE = record(
    [
        ("rng", np.uint64),
        ("game_seed", np.uint64),
        ("decisions", np.int32),
        ("heap", np.int16),
        ("seat", np.int8),
        ("over", np.int8),
        ("truncated", np.int8),
        ("winner", np.int8),
        ("spare", np.int16),
    ]
)
OBS = record([("heap", np.int8), ("own_seat", np.int8)])


@kernel
def reset(s: Any, config: Any) -> None:
    """Begin with a full heap."""
    s.heap = config.heap


@kernel
def legal(s: Any, config: Any, mask: Any) -> None:
    """Take 1 to 3 stones, but no more than there are."""
    for stones in range(1, MOST + 1):
        if stones <= s.heap:
            mask[stones - 1] = 1


@kernel
def apply(s: Any, config: Any, action: Any) -> None:
    """Take action + 1 stones."""
    s.heap -= action + 1
    if s.heap == 0:
        s.over = 1
        s.winner = s.seat
    else:
        s.seat = (s.seat + 1) % config.players


@kernel
def observe(s: Any, config: Any, seat: Any, out: Any) -> None:
    """Everything."""
    out.heap = s.heap
    out.own_seat = seat


@kernel
def points(s: Any, config: Any, seat: Any) -> Any:
    """1 for the winner."""
    return 1 if s.over != 0 and s.winner == seat else 0


@kernel
def progress(s: Any, config: Any, seat: Any) -> Any:
    """The same as a fraction."""
    return 1.0 if s.over != 0 and s.winner == seat else 0.0


@kernel
def ranks(s: Any, config: Any, out: Any) -> None:
    """The winner first, all others second."""
    for seat in range(config.players):
        out[seat] = 1 if s.winner == seat else 2


@kernel
def resample(s: Any, config: Any, seat: Any) -> None:
    """Nothing is hidden."""


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    config = np.zeros(1, CONFIG)
    config["heap"], config["players"] = options["heap"], options["players"]
    return GameConfig(record=config, options=options, cards=None, num_actions=MOST, max_decisions=options["heap"])


def action_names(config: GameConfig) -> list[str]:
    """The notation of each action, by id."""
    return [f"take {stones}" for stones in range(1, MOST + 1)]


def rule_of(name: str) -> str:
    """The rule behind a move; this game has only one paragraph."""
    return "S1"


def snapshot(s: Any, config: GameConfig, omniscient: bool, seat: int | None = None) -> dict[str, Any]:
    """The position."""
    return {"game": "nim", "players": config.players, "heap": int(s.heap), "seat": int(s.seat)}


def restore(data: Mapping[str, Any], config: GameConfig, s: Any) -> None:
    """Write the position of a snapshot."""
    s.heap, s.seat = data["heap"], data["seat"]


def options_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options to make the config with."""
    return {"players": data["players"], "heap": max(1, data["heap"])}


GAME = Game(
    name="nim",
    version=1,
    title="Nim",
    seats=(2, MAX_SEATS),
    state=STATE,
    obs=OBS,
    options={"heap": Option(10, range(1, 101), "stones")},
    make_config=make_config,
    rules=sys.modules[__name__],
    action_names=action_names,
    rule_of=rule_of,
    snapshot=snapshot,
    restore=restore,
    options_of_snapshot=options_of_snapshot,
    schema=(
        ObservationField("heap", 0, 1, (), 0, 100, "stones left"),
        ObservationField("own_seat", 1, 2, (), 0, MAX_SEATS - 1, "the seat that looks"),
    ),
    module=__name__,
)
