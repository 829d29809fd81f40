"""What may be chosen in Bdgame besides the players."""

from __future__ import annotations

from ...engine.game import Option
from .decks import deck_word

OPTIONS = {
    "selling": Option(False, (False, True), "cards can be sold back (B49)"),
    "trading": Option(False, (False, True), "cards can be traded (B50)"),
    "max_rounds": Option(60, range(1, 10_001), "rounds after which the game is truncated (B48)"),
    "deck": Option(
        None, None, '"classic", "random", "random:7", "random:0-99", or the path of a card file (B6)', deck_word
    ),
}
