"""The declaration of Pixel Pusher: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, Option, keeping_configs
from . import rules
from .actions import ACTIONS
from .cards import CARDS, PRINTINGS
from .disclosure import told
from .ending import shown_points
from .observe import OBS, SCHEMA, card_names
from .restore import options_of_snapshot, restore
from .snapshot import snapshot
from .state import CONFIG, MOST_DECISIONS, STATE
from .steps import ask, simultaneous_steps


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


GAME = Game(
    name="pixel_pusher",
    version=2,
    title="Pixel Pusher",
    seats=(2, 4),
    rules=rules,
    state=STATE,
    obs=OBS,
    schema=SCHEMA,
    options={
        "line_points": Option("newest", PRINTINGS, "which printing the points of lines are of (P8.1)"),
        "triple": Option(
            "primary", ("primary", "any"), "what a triple pays: three equal primaries, or of any color (P41.6)"
        ),
    },
    make_config=keeping_configs(make_config),
    action_names=ACTIONS.names,
    rule_of=ACTIONS.rule_of,
    verbs=ACTIONS.verbs,
    card_places=partial(ACTIONS.card_places, schema=SCHEMA),
    outcome_places=partial(ACTIONS.outcome_places, schema=SCHEMA),
    card_names=card_names,
    snapshot=snapshot,
    restore=restore,
    options_of_snapshot=options_of_snapshot,
    told=told,
    shown_points=shown_points,
    simultaneous_steps=simultaneous_steps,
    ask=ask,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
