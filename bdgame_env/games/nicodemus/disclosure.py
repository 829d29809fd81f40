"""What a viewer sees of a move (N16.4)."""

from __future__ import annotations

from ...engine.game import GameConfig
from .actions import ACTIONS, DISCARD_HAND, FAMILY
from .state import State


def told(s: State, config: GameConfig, action: int, viewer: int | None) -> str:
    """The move in notation, as seen by a seat or, with None, by a spectator.

    N16.4: only its owner sees a machine that P1 discards. Everything else is public (N16.1): of the tiles that Y1 drew,
    a move names only the reserved one, and the machine that a steal brings is not part of a move.
    """
    if viewer != int(s.seat) and FAMILY[action] == DISCARD_HAND:
        return "discard"
    return ACTIONS.names(config)[action]
