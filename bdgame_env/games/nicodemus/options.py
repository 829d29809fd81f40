"""What may be chosen in Nicodemus besides the players."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from ...engine.game import Option, options_of
from .state import LACK, LAST_CARD


class Options(TypedDict, total=False):
    """The options with their types; `bdgame games` says what they mean."""

    max_rounds: Annotated[int, Option(100, range(1, 10_001), "the game stops after this many rounds (N22.1)")]
    end_by_deck: Annotated[
        Literal["lack", "last_card"],
        Option(
            LACK,
            (LACK, LAST_CARD),
            "whether the game ends when a hand cannot be refilled, or with the last card of the deck (N15.5)",
        ),
    ]


OPTIONS = options_of(Options)
