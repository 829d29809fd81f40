"""Levels of skill: `level:1`, a beginner, to `level:10`. `GAME.json` says which agent plays each of a game's levels.

The files are written by `bdgame levels GAME --ship`, which also measures how often each level beats the one below.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bdgame_env.engine.game import Game
from bdgame_env.engine.quoting import shown
from bdgame_env.engine.values import whole_in

from ..base import UnknownAgent

FOLDER = Path(__file__).parent
LEVEL = "level"  # the name of the agents


def levels_file(game: str) -> Path:
    """Where the levels of a game are, if it has any."""
    return FOLDER / f"{game}.json"


def shipped_levels(game: Game) -> list[dict[str, Any]]:
    """The levels of a game from the lowest up, as `bdgame levels` wrote them; none if the game has none."""
    file = levels_file(game.id)
    if not file.exists():
        return []
    found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["levels"]
    return found


def level_names(game: Game) -> list[str]:
    """The specs of a game's levels, from the lowest up: "level:1", "level:2", ..."""
    return [f"{LEVEL}:{row['level']}" for row in shipped_levels(game)]


def level_spec(spec: str, game: Game) -> str:
    """The spec of the agent that plays a level.

    Args:
        spec: "level:1" and so on.
        game: the game.

    Raises:
        UnknownAgent: the game has no such level; the message says which it has.
    """
    found = {int(row["level"]): str(row["agent"]) for row in shipped_levels(game)}
    if not found:
        raise UnknownAgent(f"agent {shown(spec)}: {game.id} has no levels")
    number = whole_in(spec.partition(":")[2])
    if number not in found:
        settings = ", without settings" if spec.count(":") > 1 else ""
        raise UnknownAgent(f"agent {shown(spec)}: must be {LEVEL}:{min(found)} to {LEVEL}:{max(found)}{settings}")
    return found[number]
