"""A game whose fair price is known, for the tests of design.

- P1 Seat 0 is given the card of the deck, which is worth `worth` points, and pays its price, in points.
- P2 Then every seat, in turn, rolls a die of four sides three times, or takes 2 points in place of a roll; the most
  points win, ties are shared.

By symmetry no seat is ahead exactly where the price is the worth.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env.engine.actions import ActionTable
from bdgame_env.engine.arrays import Ints
from bdgame_env.engine.designing import SEAT, Deck, Design, Figure, Statistics
from bdgame_env.engine.game import MAX_SEATS, Game, GameConfig, Option
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.observing import Observation, field
from bdgame_env.engine.rng import below
from bdgame_env.engine.struct import GameState, Settings, number, plain
from bdgame_env.records.snapshots import Position

SIDES, ROLLS = 4, 3
STANDARD: Deck = {"cards": [{"name": "gift", "worth": 6, "price": 1}, {"name": "other", "worth": 1, "price": 1}]}
HIGHEST = 20

OPTIONS = {"deck": Option(None, None, "path of a card file")}

ACTIONS = ActionTable(rule="P2")
ROLL, TAKE_TWO = ACTIONS.add("roll", rule="P2"), ACTIONS.add("take", rule="P2")


class Config(Settings):
    """What the first seat is ahead."""

    ahead: int = plain(np.int16)


class State(GameState):
    """One game."""

    points: Ints = number(np.int16, -HIGHEST, 2 * HIGHEST, MAX_SEATS, rule="P1")
    rolls: int = number(np.int16, 0, ROLLS * MAX_SEATS, rule="P2")


class Obs(Observation):
    """What a seat sees."""

    rolls: int = field(0, ROLLS * MAX_SEATS, "rolls so far")


@kernel
def reset(s: State, config: Config) -> None:
    """P1."""
    s.points[0] = config.ahead


@kernel
def legal(s: State, config: Config, mask: Ints) -> None:
    """P2."""
    mask[ROLL] = 1
    mask[TAKE_TWO] = 1


@kernel
def apply(s: State, config: Config, action: int) -> None:
    """P2."""
    s.points[s.seat] += 1 + below(s, SIDES) if action == ROLL else 2
    s.rolls += 1
    s.seat = s.rolls % config.players
    if s.rolls == ROLLS * config.players:
        s.over = 1


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """How many rolls there were."""
    out.rolls = s.rolls


@kernel
def points(s: State, config: Config, seat: int) -> int:
    """P2."""
    return int(s.points[seat])


@kernel
def progress(s: State, config: Config, seat: int) -> float:
    """A part of what can be had."""
    return min(1.0, max(0.0, s.points[seat] / (2.0 * HIGHEST)))


@kernel
def ranks(s: State, config: Config, out: Ints) -> None:
    """P2."""
    for seat in range(config.players):
        out[seat] = 1
        for other in range(config.players):
            out[seat] += s.points[other] > s.points[seat]


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """Nothing is hidden."""


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options.

    Raises:
        ValueError: the deck is not of the form of STANDARD.
    """
    deck, path = STANDARD, options["deck"]
    if path is not None:
        deck = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        for card in deck.get("cards", [{}]):
            if set(card) != {"name", "worth", "price"} or not 0 <= card["price"] <= HIGHEST:
                raise ValueError(f"{path}: a card has a name, a worth and a price of 0 to {HIGHEST}, not {card}")
    config = np.zeros(1, Config.dtype)
    config["ahead"], config["players"] = deck["cards"][0]["worth"] - deck["cards"][0]["price"], options["players"]
    return GameConfig(
        record=config,
        options=options,
        cards=deck,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=ROLLS * options["players"],
    )


@kernel
def count(s: State, config: Config, action: int, counts: Any, room: Any) -> None:
    """Rolls of each seat."""
    counts[s.seat, 0] += action == ROLL


@kernel
def finish(s: State, config: Config, counts: Any) -> None:
    """Nothing more."""


DESIGN = Design(
    statistics=Statistics(("rolls",), count, finish, (Figure("rolls", "rolls of a seat", "rolls", SEAT),)),
    option="deck",
    read=lambda config: [config.cards],
    space={"cards.gift.price": [0, HIGHEST]},
    aims={"first_seat": {"least": 0.44, "most": 0.56, "scale": 0.1}},
    judge="random",
    faults=lambda config: ["a gift is no gift at 13"] if config.cards["cards"][0]["price"] == 13 else [],
)
POSITION = Position("price", State, options=OPTIONS)

GAME = Game(
    name="price",
    version=1,
    title="Price",
    seats=(2, 3),
    rules=sys.modules[__name__],
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=make_config,
    actions=ACTIONS,
    position=POSITION,
    module=__name__,
    design=__name__,
)
