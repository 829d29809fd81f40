"""What a seat observes is all that its snapshot tells (N23.11)."""

from __future__ import annotations

import random

import pytest

from bdgame_env.engine.jit import JIT_DISABLED
from tests.games.nicodemus.positions import Position, new_game, rich_position
from tests.support.seen.nicodemus import seat_snapshot


def read(t: Position, seat: int):
    """The snapshot that the decoder makes of an observation."""
    game = t.match.game
    return seat_snapshot(t.match.observe(seat).view(game.obs)[0], t.match.config, seat)


@pytest.mark.parametrize(
    ("begin", "options"),
    [
        (new_game, {}),
        (new_game, {"max_rounds": 7}),
        (new_game, {"max_rounds": 9_000, "end_by_deck": "last_card"}),
        (rich_position, {}),
        (rich_position, {"max_rounds": 6}),
    ],
)
def test_n23_11_a_seats_snapshot_follows_from_its_observation(begin, options):
    """N23.11: for both seats, at every decision of random games, in all phases."""
    phases = set()
    for seed in range(4 if JIT_DISABLED else 14):
        t, chance = begin(seed=seed, **options), random.Random(seed)
        while True:
            phases.add(t.phase)
            for seat in (0, 1):
                assert read(t, seat) == t.match.snapshot(seat=seat)
            moves = sorted(t.legal)
            if not moves:
                break
            good = [move for move in moves if move.startswith(("repair", "complete", "effect"))]
            t.play(chance.choice(good if good and chance.random() < 0.7 else moves))
    assert phases >= {"turn", "pick", "over"}
    if not JIT_DISABLED and "max_rounds" not in options:
        assert phases >= {"wild", "hand", "target", "keep", "projects", "partner"}
