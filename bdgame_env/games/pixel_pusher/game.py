"""The declaration of Pixel Pusher: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.declare import declare
from ...engine.game import GameConfig
from . import actions, disclosure, ending, legal_and_apply, observe, position, resample, rounds, state, steps
from .actions import ACTIONS
from .cards import CARDS, PRINTINGS
from .options import OPTIONS
from .state import MAX_SEATS, MOST_DECISIONS, Config


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options (P8.1, P41.6)."""
    record = np.zeros(1, Config.dtype)
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
    parts=(state, actions, rounds, legal_and_apply, ending, observe, resample, steps, disclosure, position),
    title="Pixel Pusher",
    version=2,
    seats=(2, MAX_SEATS),
    options=OPTIONS,
    make_config=make_config,
)
