"""The command `games`: lists the games and their options."""

from __future__ import annotations

from bdgame_env import get_game, list_games
from bdgame_env.engine.game import Option


def games() -> None:
    """List the games and their options, with defaults and allowed values."""
    for game_id in list_games():
        game = get_game(game_id)
        config = game.config()
        least, most = game.seats
        print(f"{game_id}: {game.title}, {config.num_actions} actions, observations of {game.obs.itemsize} numbers")
        options = {"players": Option(least, range(least, most + 1), "number of seats"), **game.options}
        for name, option in options.items():
            print(f"  {f'{name}={option.default}':20} {option.meaning}{_allowed(option)}")


def _allowed(option: Option) -> str:
    if option.allowed is None:
        return ""
    if isinstance(option.allowed, range):
        return f"; {option.allowed[0]} to {option.allowed[-1]}"
    return f"; {', '.join(map(str, option.allowed))}"
