"""The declaration of Pixel Pusher: what the generic code knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, Option
from . import actions
from .cards import CARDS, PRINTINGS
from .ending import points, progress, ranks
from .observe import OBS, SCHEMA, observe
from .resample import resample
from .restore import options_of_snapshot, restore
from .rounds import reset, simultaneous
from .rules import apply, legal
from .snapshot import snapshot
from .state import CONFIG, MOST_DECISIONS, STATE
from .steps import ask, simultaneous_steps
from .telling import told


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options (P8.1, P41.6)."""
    return _make_config(int(options["players"]), options["line_points"], options["triple"])


@lru_cache(maxsize=16)
def _make_config(players: int, line_points: str, triple: str) -> GameConfig:
    record = np.zeros(1, CONFIG)
    record[0].players = players
    record[0].printing = PRINTINGS.index(line_points)
    record[0].any_triple = triple == "any"
    record.setflags(write=False)
    return GameConfig(
        record=record,
        options={"players": players, "line_points": line_points, "triple": triple},
        cards=CARDS,
        num_actions=actions.NUM_ACTIONS_ANY_TRIPLE if triple == "any" else actions.NUM_ACTIONS,
        max_decisions=int(MOST_DECISIONS[players]),
    )


def action_names(config: GameConfig) -> list[str]:
    """The notation of every action, by id."""
    return actions.names(bool(config.record[0].any_triple))


GAME = Game(
    name="pixel_pusher",
    version=2,
    title="Pixel Pusher",
    seats=(2, 4),
    state=STATE,
    obs=OBS,
    options={
        "line_points": Option("newest", PRINTINGS, "which printing the points of lines are of (P8.1)"),
        "triple": Option(
            "primary", ("primary", "any"), "what a triple pays: three equal primaries, or of any color (P41.6)"
        ),
    },
    make_config=make_config,
    reset=reset,
    legal=legal,
    apply=apply,
    observe=observe,
    ranks=ranks,
    points=points,
    progress=progress,
    resample=resample,
    simultaneous=simultaneous,
    simultaneous_steps=simultaneous_steps,
    ask=ask,
    told=told,
    action_names=action_names,
    rule_of=actions.rule_of,
    snapshot=snapshot,
    restore=restore,
    options_of_snapshot=options_of_snapshot,
    schema=SCHEMA,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
