"""What a viewer sees of a move (N16.4)."""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig
from .actions import ACTIONS, DISCARD_HAND, FAMILY


def told(s: Any, config: GameConfig, action: int, viewer: int | None) -> str:
    """The move in the words of the notation, as a seat sees it or, with None, a spectator.

    N16.4: a machine that P1 discards is seen by its owner only. All else is public (N16.1): of the tiles that Y1 drew a
    move names the reserved one, and which machine a steal brings is no part of a move.
    """
    if viewer != int(s.seat) and FAMILY[action] == DISCARD_HAND:
        return "discard"
    return ACTIONS.names(config)[action]
