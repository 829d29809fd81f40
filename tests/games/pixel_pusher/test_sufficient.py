"""An observation holds all that its seat knows: the seat's snapshot is rebuilt from it alone (P64-P66)."""

from __future__ import annotations

import random

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from bdgame_env.games.pixel_pusher.state import PHASES
from tests.games.pixel_pusher.positions import position
from tests.support.seen.pixel_pusher import seat_snapshot

OPTIONS = [{}, {"line_points": "may_2018"}, {"triple": "any"}]


def check(match: Match) -> None:
    """For every seat, whether it decides or not."""
    for seat in range(match.players):
        obs = match.observe(seat).view(match.game.obs)[0]
        assert seat_snapshot(obs, match.config, seat) == match.snapshot(seat=seat), f"seat {seat}"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_p64_p65_p66_a_seat_snapshot_follows_from_the_observation(players: int, options: dict[str, str]) -> None:
    """P64-P66: in random games, in every phase."""
    phases = set()
    for seed in range(1 if JIT_DISABLED else 6):
        match = bdgame_env.make_match("pixel-pusher-v2", players=players, seed=seed, **options)
        chance, number = random.Random(seed), 0
        while True:
            phases.add(PHASES[match.state.phase])
            if match.over or number % 3 == 0:
                check(match)
            if match.over:
                break
            number += 1
            match.play(chance.choice(match.legal_actions()))
    assert phases >= {"draft", "build", "over"} | (set() if JIT_DISABLED else {"convert", "score"})


def test_p64_3_many_points() -> None:
    """P64.3, P9: beyond what one entry holds."""
    for points in (126, 127, 128, 255, 5000):
        check(position("score", points={0: points, 1: 3}, pixels={0: "BB"}, images={0: 7}).match)
