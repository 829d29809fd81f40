"""What the user typed, made into games, boxes and agents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents import Agent, make_agent
from bdgame_env import get_game
from bdgame_env.core.game import Box, Game

from .errors import BadInput

_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def open_game(game_id: str, options: Iterable[str] = (), players: int | None = None) -> tuple[Game, Box]:
    """A game and its box.

    Args:
        game_id: e.g. "bdgame-v1".
        options: the game's own, each as "KEY=VALUE".
        players: number of seats; None for the fewest.

    Raises:
        BadInput, UnknownGame, BadOption: in one line, what is wrong and what is allowed.
    """
    game = get_game(game_id)
    chosen = read_options(game, options)
    if players is not None:
        chosen["players"] = players
    try:
        return game, game.box(**chosen)
    except ValueError as error:  # a card file of the user's own, say
        raise BadInput(str(error)) from error


def read_options(game: Game, pairs: Iterable[str]) -> dict[str, Any]:
    """Options of a game from "KEY=VALUE", each in the type of its default; the box checks names and ranges.

    Raises:
        BadInput: not KEY=VALUE, given twice, or no value of that type.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise BadInput(f"option {pair!r} is not KEY=VALUE")
        if name == "players":
            raise BadInput("the number of players is --players N, not an --option")
        if name in options:
            raise BadInput(f"option {name!r} is given twice")
        declared = game.options.get(name)
        options[name] = _value(name, text, None if declared is None else declared.default)
    return options


def _value(name: str, text: str, default: Any) -> Any:
    if isinstance(default, bool):
        if text.lower() in _YES + _NO:
            return text.lower() in _YES
        raise BadInput(f"option {name}={text!r} is not true or false")
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise BadInput(f"option {name}={text!r} is not a whole number") from None
    return text


def open_agents(specs: Sequence[str], game: Game, box: Box) -> list[Agent]:
    """Agents by their specs.

    Raises:
        UnknownAgent: no such agent or setting.
        OSError: a file that a spec names cannot be read.
    """
    return [make_agent(spec, game, box) for spec in specs]


def names_apart(specs: Sequence[str]) -> list[str]:
    """A name for each spec, numbered from the second of equal ones: random, random (2)."""
    return [
        spec if spec not in specs[:place] else f"{spec} ({specs[:place].count(spec) + 1})"
        for place, spec in enumerate(specs)
    ]
