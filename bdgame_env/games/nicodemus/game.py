"""The declaration of Nicodemus: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.declare import declare
from ...engine.game import GameConfig
from . import actions, disclosure, ending, legal_and_apply, observe, position, resample, setup, state
from .actions import ACTIONS
from .cards import CARDS
from .options import OPTIONS
from .state import LAST_CARD, NUM_SEATS, Config

MAX_DECISIONS = 520  # N22.1, N22.2


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    record = np.zeros(1, Config.dtype)
    record[0].max_rounds, record[0].players = options["max_rounds"], options["players"]
    record[0].last_card_ends = options["end_by_deck"] == LAST_CARD
    record.setflags(write=False)
    return GameConfig(
        record=record,
        options=options,
        cards=CARDS,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=MAX_DECISIONS,
    )


GAME = declare(
    __name__,
    parts=(state, actions, setup, legal_and_apply, ending, observe, resample, disclosure, position),
    title="Nicodemus",
    version=2,
    seats=(NUM_SEATS, NUM_SEATS),
    options=OPTIONS,
    make_config=make_config,
)
