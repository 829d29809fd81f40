"""What a seat or a spectator is given does not depend on what it cannot know, over any channel, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bdgame_env.engine.game import Game
from bdgame_env.registry import get_game, list_games
from tests.support import bid_game, toy_game
from tests.support import leaky_games as leaky
from tests.support.channels import TO_ALL, TO_SEATS, TO_THE_ASKED
from tests.support.conformance import long_games
from tests.support.worlds import differences

GAMES = [  # as plain Python the registered ones would play for long, and the others would compile for long
    *((get_game(game_id), pytest.mark.slow) for game_id in list_games()),
    *((game, pytest.mark.plain) for game in (toy_game.GAME, bid_game.GAME)),
]
CASES = [
    pytest.param(game, options, id=f"{game.id}-{number}-{options['players']}", marks=mark)
    for game, mark in GAMES
    for number, options in enumerate(long_games(game))
]
# The same in every world: what a decision brought when it was taken, what was told of it, and what a game is about.
OF_THE_COURSE = {"reward", "rewards added up", "ended", "log", "game on the page"}


def alike(found: Iterator[tuple[str, Any, list[str]]]) -> set[Any]:
    """Check that no channel differs; returns the phases that were met."""
    met = set()
    for where, phase, differ in found:
        assert not differ, f"{where}: {differ} show what the viewer cannot know"
        met.add(phase)
    return met


@pytest.mark.parametrize(("game", "options"), CASES)
def test_worlds_that_a_viewer_cannot_tell_apart_are_shown_alike(game: Game, options: dict[str, Any]) -> None:
    """A position of every phase of a random game."""
    assert alike(differences(game, options, each=1))


@pytest.mark.parametrize("game", [pytest.param(game, id=game.id, marks=mark) for game, mark in GAMES])
def test_the_same_at_more_positions(game: Game) -> None:
    """Of another game with all players, and in two other worlds each."""
    assert alike(differences(game, long_games(game)[-1], each=2, worlds=2, seed=23))


@pytest.mark.plain  # would compile for a minute; plain Python finds the leaks too
def test_every_channel_carries_a_leak_to_where_it_is_found() -> None:
    """No channel is compared in vain: in one of the games with a planted leak, it shows what it must not."""
    shown = set()
    for game in leaky.CHANNELS:
        found = differences(game, {"players": 3, "rounds": 3}, each=5)
        shown |= {name for _, _, differ in found for name in differ}
    assert shown == {*TO_ALL, *TO_SEATS, *TO_THE_ASKED} - OF_THE_COURSE
