"""The declaration of Nicodemus: what the generic code knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, Option
from . import actions
from .cards import CARDS
from .ending import points, progress, ranks
from .hidden import resample
from .messages import told
from .observe import OBS, SCHEMA, observe
from .restore import options_of_snapshot, restore
from .rules import apply, legal
from .setup import set_up
from .snapshot import snapshot
from .state import CONFIG, LACK, LAST_CARD, NUM_SEATS, STATE

MAX_DECISIONS = 520  # N22.1, N22.2


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    return _make_config(tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _make_config(items: tuple[tuple[str, Any], ...]) -> GameConfig:
    options = dict(items)
    record = np.zeros(1, CONFIG)
    record[0].max_rounds, record[0].players = options["max_rounds"], options["players"]
    record[0].last_card_ends = options["end_by_deck"] == LAST_CARD
    record.setflags(write=False)
    return GameConfig(
        record=record,
        options=options,
        cards=CARDS,
        num_actions=actions.NUM_ACTIONS,
        max_decisions=MAX_DECISIONS,
    )


def action_names(config: GameConfig) -> list[str]:
    """The notation of every action, by id."""
    return actions.names()


GAME = Game(
    name="nicodemus",
    version=2,
    title="Nicodemus",
    seats=(NUM_SEATS, NUM_SEATS),
    state=STATE,
    obs=OBS,
    options={
        "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated; none has 100 (N22.1)"),
        "end_by_deck": Option(LACK, (LACK, LAST_CARD), "what about the deck triggers the end (N15.5)"),
    },
    make_config=make_config,
    reset=set_up,
    legal=legal,
    apply=apply,
    observe=observe,
    ranks=ranks,
    points=points,
    progress=progress,
    resample=resample,
    action_names=action_names,
    rule_of=actions.rule_of,
    snapshot=snapshot,
    restore=restore,
    options_of_snapshot=options_of_snapshot,
    schema=SCHEMA,
    module=__name__,
    told=told,
    drawing=f"{__package__}.drawing",
)
