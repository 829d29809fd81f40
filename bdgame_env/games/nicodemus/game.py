"""The declaration of Nicodemus: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, keeping_configs
from . import rules
from .actions import ACTIONS
from .cards import CARDS
from .disclosure import told
from .observe import SEEN, Obs, card_names
from .options import OPTIONS
from .position import POSITION
from .state import LAST_CARD, NUM_SEATS, Config, State

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


GAME = Game(
    name="nicodemus",
    version=2,
    title="Nicodemus",
    seats=(NUM_SEATS, NUM_SEATS),
    rules=rules,
    state=State.dtype,
    obs=Obs.dtype,
    seen=SEEN,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=keeping_configs(make_config),
    actions=ACTIONS,
    position=POSITION,
    card_names=card_names,
    told=told,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
