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

_PRINTED, _QUICK = "printed", "quick"


def max_decisions_in_a_turn(quick: bool) -> int:
    """D6.2: an upper bound on the decisions of one turn. (Turns usually have far fewer: D6.3.)"""
    main = 1 + 1 + 4  # the action, the choice of a researched card, the amounts of four colors
    effects = 2 * main + 2 * 3 + 6 * 2 + 10  # two Researches, two draw 3, six pick 2, ten others
    turn = main + effects + 1 + MOST_BUILT  # the end; each converter named once
    return turn if quick else turn + 3 * (MOST_RESEARCHED - 1) + 1  # cards put under a deck; points taken


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    record = np.zeros(1, CONFIG)
    config = record[0]
    config.players = options["players"]
    config.max_rounds = options["max_rounds"]
    config.quick = options["rules"] == _QUICK
    record.setflags(write=False)
    turn = max_decisions_in_a_turn(config.quick)
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
    version=3,
    seats=(2, 4),
    options={  # D3.7: by default the rulebook
        "rules": Option(
            _PRINTED,
            (_PRINTED, _QUICK),
            "quick: points are taken when they are triggered, and cards go under a deck in random order (D3.7)",
        ),
        "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated (D6.1)"),
    },
    make_config=make_config,
)
