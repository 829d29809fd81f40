"""The declaration of Pixel Pusher: what the generic code knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...core.game import Box, Game
from . import actions
from .cards import CARDS
from .ending import places, points, progress
from .observe import OBS, SCHEMA, observe
from .redeal import redeal
from .restore import box_of_snapshot, restore
from .rounds import reset, simultaneous
from .rules import apply, legal
from .snapshot import snapshot
from .state import BOX, MOST_DECISIONS, STATE


def open_box(options: Mapping[str, Any]) -> Box:
    """The box for checked options; `players` is the only one."""
    return _open_box(int(options["players"]))


@lru_cache(maxsize=8)
def _open_box(players: int) -> Box:
    record = np.zeros(1, BOX)
    record[0].players = players
    record.setflags(write=False)
    return Box(
        record=record,
        options={"players": players},
        cards=CARDS,
        num_actions=actions.NUM_ACTIONS,
        max_decisions=int(MOST_DECISIONS[players]),
    )


def action_names(box: Box) -> list[str]:
    """The notation of every action, by id."""
    return actions.names()


GAME = Game(
    name="pixel_pusher",
    version=1,
    title="Pixel Pusher",
    seats=(2, 4),
    state=STATE,
    obs=OBS,
    options={},
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
    action_names=action_names,
    rule_of=actions.rule_of,
    snapshot=snapshot,
    restore=restore,
    box_of_snapshot=box_of_snapshot,
    schema=SCHEMA,
    module=__name__,
    drawing=f"{__package__}.drawing",
)
