"""The declaration of Pixel Pusher: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, keeping_configs
from . import rules
from .actions import ACTIONS
from .cards import CARDS, PRINTINGS
from .disclosure import told
from .ending import shown_points
from .observe import SEEN, Obs, card_names
from .options import OPTIONS
from .position import POSITION
from .state import MAX_SEATS, MOST_DECISIONS, Config, State
from .steps import ask, simultaneous_steps


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


GAME = Game(
    name="pixel_pusher",
    version=2,
    title="Pixel Pusher",
    seats=(2, MAX_SEATS),
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
    shown_points=shown_points,
    simultaneous_steps=simultaneous_steps,
    ask=ask,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
