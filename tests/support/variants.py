"""Games that differ from others in some rules or declarations."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from bdgame_env.engine.game import Game
from bdgame_env.engine.seam import gathered, with_other

_DECLARED = {field.name for field in fields(Game)}
_POSITION = ("snapshot", "restore", "options_of_snapshot")


def variant(game: Game, **changes: Any) -> Game:
    """The game with other fields of its `Game`, other functions of its position, or other rules."""
    own = {name: getattr(game.position, name) for name in _POSITION}
    if other := {name: changes.pop(name) for name in _POSITION if name in changes}:
        changes["position"] = gathered("position", **own | other)
    rules = {name: change for name, change in changes.items() if name not in _DECLARED}
    declared = {name: change for name, change in changes.items() if name in _DECLARED}
    return replace(game, **declared, rules=with_other(game.rules, **rules)) if rules else replace(game, **declared)
