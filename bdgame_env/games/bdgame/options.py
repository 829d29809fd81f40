"""What may be chosen in Bdgame besides the players."""

from __future__ import annotations

from os import PathLike
from typing import Annotated, TypedDict

from ...engine.game import Option, options_of
from .decks import deck_word


class Options(TypedDict, total=False):
    """The options with their types; `bdgame games` says what they mean."""

    selling: Annotated[bool, Option(False, (False, True), "cards can be sold back (B49)")]
    trading: Annotated[bool, Option(False, (False, True), "cards can be traded (B50)")]
    max_rounds: Annotated[int, Option(60, range(1, 10_001), "the game stops after this many rounds (B48)")]
    deck: Annotated[
        str | PathLike[str] | None,
        Option(
            None, None, '"classic", "random", "random:7", "random:0-99", or the path of a card file (B6)', deck_word
        ),
    ]


OPTIONS = options_of(Options)
