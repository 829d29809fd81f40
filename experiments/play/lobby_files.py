"""What the lobby keeps beside its games, and reads: its secret address, and ratings of agents."""

from __future__ import annotations

import json
import math
import secrets
from pathlib import Path

from bdgame_env.engine.user_files import NotRead, read_text

from ..errors import BadInput
from ..files import write_text

_TOKEN = "lobby.secret"


def lobby_token(folder: Path) -> str:
    """The secret part of the lobby's address, the same whenever the lobby of this folder is opened.

    Raises:
        BadInput: the folder cannot be used.
    """
    file = folder / _TOKEN
    try:
        if file.exists() and len(token := read_text(file).strip()) >= 16:
            return token
        token = secrets.token_urlsafe(16)
        write_text(file, token + "\n")
        file.chmod(0o600)
    except (OSError, NotRead) as error:
        raise BadInput(f"--games {folder}: {error}") from None
    return token


def read_ratings(folder: Path) -> tuple[str, int, dict[str, float]]:
    """The game of a ladder, its number of players, and the ratings of its agents.

    Raises:
        BadInput: the folder does not hold the results of a ladder or tournament.
    """
    try:
        result = json.loads(read_text(folder / "result.json"))
        settings, lines = result["settings"], result["standings"]["agents"]
        rated = {line["agent"]: float(line["rating"]) for line in lines}
        if not all(map(math.isfinite, rated.values())):
            raise ValueError("a rating is not a finite number")
        return settings["game"], int(settings["options"]["players"]), rated
    except (OSError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise BadInput(f"--ladder {folder}: no results of a ladder: {error}") from None
