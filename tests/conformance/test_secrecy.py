"""Hidden stays hidden in every game of the registry, and each check finds the leak that is planted for it."""

from __future__ import annotations

from typing import Any

import pytest

from bdgame_env.engine.game import Game
from bdgame_env.registry import get_game, list_games
from tests.support import bid_game, toy_game
from tests.support import leaky_games as leaky
from tests.support.conformance import CHECKS as COMMON
from tests.support.conformance import COMPILED_ONLY, option_sets
from tests.support.secrecy import CHECKS


def cases() -> list[Any]:
    found = []
    registered = [get_game(game_id) for game_id in list_games()]
    for game in [*registered, toy_game.GAME, bid_game.GAME]:
        marks = [pytest.mark.slow if game in registered else pytest.mark.plain]
        for number, options in enumerate(option_sets(game)):
            for name in CHECKS:
                found.append(pytest.param(game, name, options, id=f"{game.id}-{name}-{number}", marks=marks))
    return found


@pytest.mark.parametrize(("game", "name", "options"), cases())
def test_game(game: Game, name: str, options: dict[str, Any]) -> None:
    """Run the check of that name from tests/support/secrecy.py."""
    CHECKS[name](game, options)


@pytest.mark.plain  # would compile for a minute; plain Python finds the leaks too
@pytest.mark.parametrize(
    ("name", "game", "message"), [pytest.param(*leak, id=f"{leak[0]}-{leak[1].name}") for leak in leaky.LEAKS]
)
def test_a_planted_leak_is_found(name: str, game: Game, message: str) -> None:
    """And named for what it is."""
    options = {"players": 3} if game.module == leaky.__name__ else {}
    with pytest.raises(AssertionError, match=message):
        CHECKS[name](game, options)


def test_every_check_has_a_planted_leak() -> None:
    """No check is taken on trust."""
    assert {name for name, *_ in leaky.LEAKS} == set(CHECKS)


@pytest.mark.plain
@pytest.mark.parametrize("name", COMMON)
def test_the_game_of_bids_is_sound(name: str) -> None:
    """It satisfies what all games must satisfy; otherwise the leaks planted in it would prove nothing."""
    if name not in COMPILED_ONLY:
        COMMON[name](bid_game.GAME, {"players": 3, "rounds": 5})
