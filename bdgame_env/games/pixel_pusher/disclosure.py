"""What other seats see of a move (P59-P61, P64, P65)."""

from __future__ import annotations

from ...engine.game import GameConfig
from .actions import ACTIONS
from .ending import in_secret
from .state import DRAFTING, State


def told(s: State, config: GameConfig, action: int, viewer: int | None) -> str:
    """The move as a viewer other than the mover sees it; `s` is the position before it, `viewer` a seat or None.

    Nobody else sees choices in the draft (P59) or in a secret Convert and Store (P60). When a machine card is played,
    all see its kind, but not its place in the hand (P61): `install 25 collect slot 2`, `discard 25`.
    """
    if s.phase == DRAFTING or in_secret(s):
        return ""
    move = ACTIONS.names(config)[action]
    family, *words = move.split()
    if family not in ("install", "discard"):
        return move
    kind = int(s.seats[s.seat].drafted[int(words[0])])
    return " ".join([family, str(kind), *words[1:]])
