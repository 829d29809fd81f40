"""Policies that ship with the package: `NAME_GAME_PLAYERS.npz`, each with a card `NAME_GAME_PLAYERS.md`.

`NAME_GAME_PLAYERS_WORD.npz` is for games in which an option has this word, such as deck="classic", and
`NAME_GAME_PLAYERS_any.npz` for those in which an option has any other text, such as the path of a card file.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from bdgame_env.engine.game import Game, GameConfig

from ...base import UnknownAgent

FOLDER = Path(__file__).parent


def shipped(agent: str, game: Game, config: GameConfig) -> Path:
    """The policy file of an agent: for a text among the options if there is one, otherwise for all options; for exactly
    this number of players if there is one, otherwise for several.

    An agent without its own file uses that of `ppo`.

    Raises:
        UnknownAgent: no file ships; the message says how to make one.
    """
    texts = [text for text in config.options.values() if isinstance(text, str)]
    words = [*(f"_{word}" for word in texts if word.isidentifier()), *(["_any"] if texts else [])]
    for name, word, players in product((agent, "ppo"), (*words, ""), (f"{config.players}p", "all")):
        path = FOLDER / f"{name}_{game.id}_{players}{word}.npz"
        if path.exists():
            return path
    raise UnknownAgent(
        f"agent {agent!r}: no weights ship for {game.id} with {config.players} players; train some and name the file:"
        f" {agent}:path=FILE.npz"
    )
