"""What may be chosen in Nicodemus besides the players."""

from __future__ import annotations

from ...engine.game import Option
from .state import LACK, LAST_CARD

OPTIONS = {
    "max_rounds": Option(100, range(1, 10_001), "rounds after which the game is truncated; none has 100 (N22.1)"),
    "end_by_deck": Option(LACK, (LACK, LAST_CARD), "what about the deck triggers the end (N15.5)"),
}
