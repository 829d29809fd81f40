"""An observation tells all that its seat may know (D7.9): the seat's snapshot can be rebuilt from it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.match import Table
from tests.games.gizmos.positions import new_game, position, rich_position
from tests.support.seen.gizmos import seat_snapshot

OPTIONS: list[dict[str, Any]] = [
    {},
    {"auto_points": False},
    {"order_under": "player"},
    {"rules": "printed"},
]


def check(table: Table) -> None:
    for seat in range(table.players):
        seen = table.observe(seat).view(table.game.obs)[0]
        assert seat_snapshot(seen, table.box, seat) == table.snapshot(seat=seat), f"seat {seat}"


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d07_09_snapshots_are_rebuilt_from_observations(players: int, options: dict[str, Any]) -> None:
    """D7.9: in random games, with many Researches, for all seats in all phases."""
    phases = set()
    for seed in range(2 if JIT_DISABLED else 3):
        chance = random.Random(seed)
        begin = rich_position if seed % 3 == 1 else new_game
        table = begin(seed=seed, players=players, max_rounds=30, **options).table
        for _ in range(70 if JIT_DISABLED else 120):
            phases.add(table.snapshot()["phase"])
            check(table)
            if table.over:
                break
            moves = table.legal_moves()
            liked = [move for move in moves if move.startswith(("research", "build", "under", "file hand"))]
            table.play(chance.choice(liked if liked and chance.random() < 0.6 else moves))
    assert phases >= {"main", "hand", "pay", "chain"} | (
        {"under"} if table.box.options["order_under"] == "player" else set()
    )


def test_d07_09_large_numbers() -> None:
    """D7.9: rounds and tokens above 127; a game that was truncated, and one that was not."""
    t = position(round=9_999, max_rounds=10_000, tokens=130, others={1: {"tokens": 200}})
    check(t.table)
    for _ in range(4):
        t.play(min(t.family("pick")))
        check(t.table)
    assert t.table.truncated and t.seen("round_number", 0) == 127 and t.snap["round"] == 10_000
