"""With a release of Numba that was not tried, functions are compiled by `numba.njit` alone, and play is the same."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from bdgame_env.engine.jit import JIT_DISABLED, PLAIN, TRIED, is_tried
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.engine.match import Match
from tests.support import toy_game

PLAYED = """
from bdgame_env.engine.jit import PLAIN
from tests.engine.test_plain_jit import played

print(PLAIN, played())
"""


def played() -> list[object]:
    """Some games of the toy game, move by move."""
    found: list[object] = []
    for seed in range(3):
        match = Match(toy_game.GAME, seed=seed, players=3, rolling=True)
        while not match.over:
            legal = match.legal_actions()
            match.play(legal[match.state.decisions % len(legal)])
            found.append((match.seat, match.observe().tolist(), match.points(), match.ranks()))
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_play_is_the_same():
    assert not PLAIN and hasattr(loops_of(toy_game.GAME).reset_games, "py_func")
    environment = {**os.environ, "BDGAME_ENV_PLAIN_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    assert done.stdout == f"True {played()}\n"


def test_only_releases_that_were_tried_have_their_internals_used():
    (_, least), (_, most) = TRIED
    assert [
        is_tried(f"0.{minor}.{rest}") for minor in (least - 1, least, most - 1, most) for rest in ("0", "1rc1")
    ] == [*(False, False, True, True, True, True, False, False)]
    assert not is_tried("1.0") and is_tried(f"0.{least}.0+local")
