"""The declaration of Pixel Pusher: what the generic code knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.game import Box, Game, Option
from . import actions
from .cards import CARDS, PRINTINGS
from .ending import places, points, progress
from .observe import OBS, SCHEMA, observe
from .redeal import redeal
from .restore import box_of_snapshot, restore
from .rounds import reset, simultaneous
from .rules import apply, legal
from .snapshot import snapshot
from .state import BOX, MOST_DECISIONS, STATE
from .steps import ask, simultaneous_steps
from .telling import told


def open_box(options: Mapping[str, Any]) -> Box:
    """The box for checked options (P8.1, P41.6)."""
    return _open_box(int(options["players"]), options["line_points"], options["triple"])


@lru_cache(maxsize=16)
def _open_box(players: int, line_points: str, triple: str) -> Box:
    record = np.zeros(1, BOX)
    record[0].players = players
    record[0].printing = PRINTINGS.index(line_points)
    record[0].any_triple = triple == "any"
    record.setflags(write=False)
    return Box(
        record=record,
        options={"players": players, "line_points": line_points, "triple": triple},
        cards=CARDS,
        num_actions=actions.NUM_ACTIONS_ANY_TRIPLE if triple == "any" else actions.NUM_ACTIONS,
        max_decisions=int(MOST_DECISIONS[players]),
    )


def action_names(box: Box) -> list[str]:
    """The notation of every action, by id."""
    return actions.names(bool(box.record[0].any_triple))


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
    open_box=open_box,
    reset=reset,
    legal=legal,
    apply=apply,
    observe=observe,
    places=places,
    points=points,
    progress=progress,
    redeal=redeal,
    simultaneous=simultaneous,
    simultaneous_steps=simultaneous_steps,
    ask=ask,
    told=told,
    action_names=action_names,
    rule_of=actions.rule_of,
    snapshot=snapshot,
    restore=restore,
    box_of_snapshot=box_of_snapshot,
    schema=SCHEMA,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
