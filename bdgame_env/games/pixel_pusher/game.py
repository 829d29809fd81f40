"""The declaration of Pixel Pusher: everything that generic code knows about it."""

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
    rounds,
    snapshot,
    state,
    steps,
)
from .actions import ACTIONS
from .cards import CARDS, PRINTINGS
from .state import CONFIG, MOST_DECISIONS


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options (P8.1, P41.6)."""
    record = np.zeros(1, CONFIG)
    record[0].players = options["players"]
    record[0].printing = PRINTINGS.index(options["line_points"])
    record[0].any_triple = options["triple"] == "any"
    record.setflags(write=False)
    return GameConfig(
        record=record,
        options={name: options[name] for name in ("players", "line_points", "triple")},
        cards=CARDS,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=int(MOST_DECISIONS[options["players"]]),
    )


GAME = declare(
    __name__,
    parts=(state, actions, rounds, legal_and_apply, ending, observe, resample, steps, disclosure, snapshot, restore),
    title="Pixel Pusher",
    version=2,
    seats=(2, 4),
    options={
        "line_points": Option("newest", PRINTINGS, "which printing the points of lines are of (P8.1)"),
        "triple": Option(
            "primary", ("primary", "any"), "what a triple pays: three equal primaries, or of any color (P41.6)"
        ),
    },
    make_config=make_config,
)
