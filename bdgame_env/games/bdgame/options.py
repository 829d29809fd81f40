"""What may be chosen in Bdgame besides the players."""

from __future__ import annotations

from ...engine.game import Option

OPTIONS = {
    "selling": Option(False, (False, True), "cards can be sold back (B49)"),
    "trading": Option(False, (False, True), "cards can be traded (B50)"),
    "max_rounds": Option(60, range(1, 10_001), "rounds after which the game is truncated (B48)"),
    "deck": Option(None, None, "path of your own card file (B6)"),
}
