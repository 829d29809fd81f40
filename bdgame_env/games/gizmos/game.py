"""The declaration of Gizmos: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.declare import declare
from ...engine.game import GameConfig, Option
from . import (
    actions,
    disclosure,
    ending,
    legal_and_apply,
    observe,
    resample,
    restore,
    setup,
    snapshot,
    state,
)
from .actions import ACTIONS
from .cards import CARDS
from .state import CONFIG, MOST_BUILT, MOST_RESEARCHED

_RANDOM, _PLAYER = "random", "player"
_DEFAULT, _PRINTED = "default", "printed"


def max_decisions_in_a_turn(auto_points: bool, player_orders: bool) -> int:
    """D6.2: an upper bound on the decisions of one turn. (Turns usually have far fewer: D6.3.)"""
    main = 1 + 1 + 4  # the action, the choice of a researched card, the amounts of four colors
    effects = 2 * main + 2 * 3 + 6 * 2 + 10  # two Researches, two draw 3, six pick 2, ten others
    turn = main + effects + 1 + MOST_BUILT  # the end; each converter named once
    turn += 3 * (MOST_RESEARCHED - 1) if player_orders else 0
    return turn if auto_points else turn + 1


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    player_orders = options["order_under"] == _PLAYER
    record = np.zeros(1, CONFIG)
    config = record[0]
    for name in ("players", "max_rounds", "auto_points"):
        config[name] = options[name]
    config.order_under = player_orders
    record.setflags(write=False)
    turn = max_decisions_in_a_turn(options["auto_points"], player_orders)
    return GameConfig(
        record=record,
        options=options,
        cards=CARDS,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=turn * options["players"] * options["max_rounds"],
    )


GAME = declare(
    __name__,
    parts=(state, actions, setup, legal_and_apply, ending, observe, resample, disclosure, snapshot, restore),
    title="Gizmos",
    version=2,
    seats=(2, 4),
    options={  # printed rules allow every play (D3.7)
        "rules": Option(
            _DEFAULT,
            (_DEFAULT, _PRINTED),
            "printed: as the rulebook has it, with points that wait and the player's order under a deck (D3.7)",
            sets={_PRINTED: {"auto_points": False, "order_under": _PLAYER}},
        ),
        "auto_points": Option(True, (False, True), "points are taken when they are triggered (D3.5)"),
        "order_under": Option(_RANDOM, (_RANDOM, _PLAYER), "who orders cards that go under a deck (D3.6)"),
        "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated (D6.1)"),
    },
    make_config=make_config,
)
