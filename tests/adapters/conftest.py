"""What tests of adapters share."""

from __future__ import annotations

from collections.abc import Iterator

import gymnasium
import pytest

from bdgame_env.registration import gymnasium_id, register_gymnasium
from bdgame_env.registry import GAMES, register_game

TOY = "toy-v1"


@pytest.fixture(scope="module")
def toy() -> Iterator[str]:
    """The id of the toy game, which can be named here and in Gymnasium."""
    register_game(TOY, "tests.support.toy_game:GAME")
    register_gymnasium()
    yield TOY
    del GAMES[TOY]
    del gymnasium.registry[gymnasium_id(TOY)]


def one_line(error: BaseException) -> str:
    """What an error says, which must be one short line."""
    told = str(error)
    assert told and "\n" not in told and len(told) < 300, told[:1000]
    return told
