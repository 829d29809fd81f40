"""The declaration of Gizmos: everything that generic code knows about it."""

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
from .options import OPTIONS, QUICK
from .position import POSITION
from .state import MOST_BUILT, MOST_RESEARCHED, Config, State


def max_decisions_in_a_turn(quick: bool) -> int:
    """D6.2: an upper bound on the decisions of one turn. (Turns usually have far fewer: D6.3.)"""
    main = 1 + 1 + 4  # the action, the choice of a researched card, the amounts of four colors
    effects = 2 * main + 2 * 3 + 6 * 2 + 10  # two Researches, two draw 3, six pick 2, ten others
    turn = main + effects + 1 + MOST_BUILT  # the end; each converter named once
    return turn if quick else turn + 3 * (MOST_RESEARCHED - 1) + 1  # cards put under a deck; points taken


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    record = np.zeros(1, Config.dtype)
    config = record[0]
    config.players = options["players"]
    config.max_rounds = options["max_rounds"]
    config.quick = options["rules"] == QUICK
    record.setflags(write=False)
    turn = max_decisions_in_a_turn(config.quick)
    return GameConfig(
        record=record,
        options=options,
        cards=CARDS,
        num_actions=ACTIONS.num_actions(options),
        max_decisions=turn * options["players"] * options["max_rounds"],
    )


GAME = Game(
    name="gizmos",
    version=3,
    title="Gizmos",
    seats=(2, 4),
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
