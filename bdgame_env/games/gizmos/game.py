"""The declaration of Gizmos: what the generic code knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, Option
from . import actions
from .cards import CARDS
from .ending import points, progress, ranks
from .observe import OBS, SCHEMA, observe
from .resample import resample
from .restore import options_of_snapshot, restore
from .rules import apply, legal
from .setup import set_up
from .snapshot import snapshot
from .state import CONFIG, MOST_BUILT, MOST_RESEARCHED, STATE
from .telling import told

_RANDOM, _PLAYER = "random", "player"
_DEFAULT, _PRINTED = "default", "printed"


def max_decisions_in_a_turn(auto_points: bool, player_orders: bool) -> int:
    """D6.2: a bound on the decisions of one turn, whatever is played. (A whole game mostly has fewer: D6.3.)"""
    main = 1 + 1 + 4  # the action, the choice of a researched card, the amounts of four colors
    effects = 2 * main + 2 * 3 + 6 * 2 + 10  # two Researches, two draw 3, six pick 2, ten others
    turn = main + effects + 1 + MOST_BUILT  # the end; each converter named once
    turn += 3 * (MOST_RESEARCHED - 1) if player_orders else 0
    return turn if auto_points else turn + 1


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options."""
    return _make_config(tuple(sorted(options.items())))


@lru_cache(maxsize=64)
def _make_config(items: tuple[tuple[str, Any], ...]) -> GameConfig:
    options = dict(items)
    player_orders = options["order_under"] == _PLAYER
    record = np.zeros(1, CONFIG)
    config = record[0]
    for name in ("players", "max_rounds", "auto_points"):
        config[name] = options[name]
    config.order_under = player_orders
    record.setflags(write=False)
    turn = max_decisions_in_a_turn(options["auto_points"], player_orders)
    return GameConfig(
        record=record,
        options=options,
        cards=CARDS,
        num_actions=actions.NUM_ACTIONS,
        max_decisions=turn * options["players"] * options["max_rounds"],
    )


def action_names(config: GameConfig) -> list[str]:
    """The notation of every action, by id."""
    return actions.names()


GAME = Game(
    name="gizmos",
    version=2,
    title="Gizmos",
    seats=(2, 4),
    state=STATE,
    obs=OBS,
    options={  # printed rules allow every play (D3.7)
        "rules": Option(
            _DEFAULT,
            (_DEFAULT, _PRINTED),
            "printed: as the rulebook has it, with points that wait and the player's order under a deck (D3.7)",
            sets={_PRINTED: {"auto_points": False, "order_under": _PLAYER}},
        ),
        "auto_points": Option(True, (False, True), "points are taken when they are triggered (D3.5)"),
        "order_under": Option(_RANDOM, (_RANDOM, _PLAYER), "who orders cards that go under a deck (D3.6)"),
        "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated (D6.1)"),
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
