"""A case of a rule test is played by the backend in its name: the engine, or the slow reference of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bdgame_env.engine.match import Match
from tests.games.bdgame import positions as bdgame
from tests.games.gizmos import positions as gizmos
from tests.games.nicodemus import positions as nicodemus
from tests.games.pixel_pusher import positions as pixel_pusher
from tests.support.reference.bdgame import Reference as BdgameReference
from tests.support.reference.gizmos import Reference as GizmosReference
from tests.support.reference.nicodemus import Reference as NicodemusReference
from tests.support.reference.pixel_pusher import Reference as PixelPusherReference

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("reference", "position", "other"),
    [
        (BdgameReference, bdgame.position, bdgame.new_game),
        (GizmosReference, lambda: gizmos.position(), lambda: gizmos.rich_position(1, 2)),
        (NicodemusReference, nicodemus.position, nicodemus.new_game),
        (
            PixelPusherReference,
            lambda: pixel_pusher.position("build", drafted={0: [1, 2], 1: [9]}),
            lambda: pixel_pusher.dealt(3, 4711),
        ),
    ],
    ids=["bdgame", "gizmos", "nicodemus", "pixel_pusher"],
)
def test_each_backend_plays_its_cases(
    backend: str, reference: type, position: Callable[[], Any], other: Callable[[], Any]
) -> None:
    """Copies of a position and changed ones included."""
    for one in (position(), position().copy(), other()):
        assert type(one.match) is (Match if backend == "engine" else reference)
