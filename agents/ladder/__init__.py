"""Ratings of the agents that ship with each game: `GAME_PLAYERSp.json`, written by `bdgame ladders PAGE --ship`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bdgame_env.engine.game import Game

FOLDER = Path(__file__).parent


def ladder_file(game: str, players: int) -> Path:
    """Where the ratings for a number of players are, if there are any."""
    return FOLDER / f"{game}_{players}p.json"


def shipped_ratings(game: Game) -> dict[int, Mapping[str, float]]:
    """The ratings of a game's agents, by number of players; best first.

    Ratings are those of one tournament with the standard options, comparable for the same number of players only.
    Numbers of players for which no ladder ships are left out.
    """
    low, high = game.seats
    found: dict[int, Mapping[str, float]] = {}
    for players in range(low, high + 1):
        file = ladder_file(game.id, players)
        if file.exists():
            rows = json.loads(file.read_text(encoding="utf-8"))["agents"]
            found[players] = {row["agent"]: float(row["rating"]) for row in rows}
    return found
