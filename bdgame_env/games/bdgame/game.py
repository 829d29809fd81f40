"""The declaration of Bdgame: everything that generic code knows about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...engine.game import Game, GameConfig, keeping_configs
from . import rules
from .actions import ACTIONS, OFFER_CARD, SELL
from .cards import CUBES_OF_A_COLOR, NUM_KINDS, VALUE
from .decks import ANY_KINDS, decks_of, held_out, word_of
from .exploring import explore
from .observe import Obs, card_names
from .options import OPTIONS
from .position import POSITION
from .state import (
    ACTIONS_PER_TURN,
    COLUMNS,
    CUBE_LIMIT,
    HOPPERS,
    MAX_OFFERS,
    MAX_SALES,
    QUEUE,
    ROWS,
    Decks,
    State,
)

_MOST_CUBES, _MOST_CREDIT = CUBE_LIMIT, CUBE_LIMIT * max(VALUE)
_MOST_CARDS_IN_PLAY = COLUMNS * ROWS // 2 + COLUMNS // 2  # five in each of eight columns
_SPLITTERS, _PAUSES = 5, 5  # B4


def max_decisions_in_a_turn(selling: bool, trading: bool) -> int:
    """B54: an upper bound on the decisions of one turn.

    The longest action is a Buy: it pays at most 10 cubes worth 4 each (and sells 4 cards), each card costs 1 or more,
    each placement takes a `select` and a `place`, and one `end` closes it. After three of those come at most 6
    activations, 3 questions for each splitter and 1 for each pause card, 3 orders, `end` twice, and discards down to
    10 cubes. 3 offers take 4 decisions each.
    """
    sales = MAX_SALES if selling else 0
    buy = _MOST_CUBES + sales + (_MOST_CREDIT + sales) + 2 * _MOST_CARDS_IN_PLAY + 1
    questions = 3 * _SPLITTERS + _PAUSES
    after = HOPPERS + questions + QUEUE + 2 + 3 * CUBES_OF_A_COLOR - CUBE_LIMIT
    return ACTIONS_PER_TURN * buy + after + (4 * MAX_OFFERS if trading else 0)


def make_config(options: Mapping[str, Any]) -> GameConfig:
    """The config for checked options; `deck` as `decks.decks_of` takes it."""
    first, decks = decks_of(options["deck"])
    selling, trading = options["selling"], options["trading"]
    record = np.zeros(1, Decks.dtype)
    record["players"], record["first"], record["count"] = options["players"], first, len(decks)
    configs = record["of"][0, : len(decks)]
    for name in ("cost", "shapes", "takes", "gives", "needs", "points"):
        configs[name] = np.stack([getattr(deck, name) for deck in decks])
    configs["order_faces"][:, :, :-1], configs["order_faces"][:, :, -1] = configs["needs"], configs["points"]
    recipes = [configs[name].reshape(len(decks), NUM_KINDS, -1) for name in ("takes", "gives")]
    configs["part_faces"] = np.dstack([configs["shapes"] + 1, configs["cost"], *recipes])
    for name in ("players", "max_rounds", "selling", "trading"):
        configs[name] = options[name]
    configs["trade_at"] = OFFER_CARD if selling else SELL
    record.setflags(write=False)
    turn = max_decisions_in_a_turn(selling, trading)
    return GameConfig(
        record=record,
        options=options,
        cards=decks[0] if len(decks) == 1 else replace(decks[0], kinds=ANY_KINDS),
        num_actions=ACTIONS.num_actions(options),
        max_decisions=turn * options["players"] * options["max_rounds"],
        dealt=None if len(decks) == 1 else lambda s: GAME.config(**{**options, "deck": word_of(int(s.deck))}),
        held_out=held_out(first, len(decks)),
    )


GAME = Game(
    name="bdgame",
    version=3,
    title="Bdgame",
    seats=(2, 4),
    rules=rules,
    state=State.dtype,
    obs=Obs.dtype,
    schema=Obs.schema,
    options=OPTIONS,
    make_config=keeping_configs(make_config),
    actions=ACTIONS,
    position=POSITION,
    card_names=card_names,
    explore=explore,
    short={"max_rounds": 16},  # about as long as games of good players
    module=__name__,
    drawing=f"{__package__}.drawing",
    design=f"{__package__}.design",
)
