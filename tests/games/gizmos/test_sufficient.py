"""An observation tells all that its seat may know (D7.9): the seat's snapshot can be rebuilt from it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Match
from tests.games.gizmos.positions import new_game, position, rich_position
from tests.support.seen.gizmos import seat_snapshot

OPTIONS: list[dict[str, Any]] = [{}, {"rules": "quick"}]


def check(match: Match) -> None:
    for seat in range(match.players):
        seen = match.observe(seat).view(match.game.obs)[0]
        assert seat_snapshot(seen, match.config, seat) == match.snapshot(seat=seat), f"seat {seat}"


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d07_09_snapshots_are_rebuilt_from_observations(players: int, options: dict[str, Any]) -> None:
    """D7.9: in random games, with many Researches, for all seats in all phases."""
    phases = set()
    for seed in range(2 if JIT_DISABLED else 3):
        chance = random.Random(seed)
        begin = rich_position if seed % 3 == 1 else new_game
        match = begin(seed=seed, players=players, max_rounds=30, **options).match
        for _ in range(70 if JIT_DISABLED else 120):
            phases.add(match.snapshot()["phase"])
            check(match)
            if match.over:
                break
            moves = match.legal_moves()
            liked = [move for move in moves if move.startswith(("research", "build", "under", "file hand"))]
            match.play(chance.choice(liked if liked and chance.random() < 0.6 else moves))
    assert phases >= {"main", "hand", "pay", "chain"} | (set() if options else {"under"})


def test_d07_09_large_numbers() -> None:
    """D7.9: rounds and tokens above 127; a game that was truncated, and one that was not."""
    other = {"built": range(60, 68), "tokens": 200}
    t = position(round=9_999, max_rounds=10_000, built=range(24, 32), tokens=130, others={1: other})
    check(t.match)
    for _ in range(4):
        t.play(min(t.family("pick")))
        check(t.match)
    assert t.match.truncated and t.seen("round_number", 0) == 127 and t.snap["round"] == 10_000
