"""What the record keeps though it follows from other fields (unsaved fields: what a seat can pay, how much it knows) is
at all times what restoring the position works out anew, and so are observations, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.match import Match
from tests.games.gizmos.positions import new_game, position, rich_position
from tests.games.gizmos.test_d07_prospects import Reading, seen

OPTIONS: list[dict[str, Any]] = [{}, {"rules": "quick"}]
NO_POSITION = ("game_seed", "decisions")  # what snapshots do not have


def check(match: Match) -> None:
    """The position restored from its snapshot has the same record, observations and legal moves."""
    fresh = Match.from_snapshot(match.game, match.snapshot(omniscient=True))
    for name in match.state.dtype.names:
        if name not in NO_POSITION:
            assert np.array_equal(match.state[name], fresh.state[name]), name
    assert match.legal_actions() == fresh.legal_actions()
    for seat in range(match.players):
        assert match.observe(seat).tobytes() == fresh.observe(seat).tobytes(), f"seat {seat}"


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_kept_values_are_those_worked_out_anew(players: int, options: dict[str, Any]) -> None:
    """After every decision, in copies, in sampled worlds and after moves that are taken back."""
    phases: set[str] = set()
    for seed in range(2):
        begin = rich_position if seed else new_game
        match, chance = begin(seed=seed, players=players, max_rounds=40, **options).match, random.Random(seed)
        for number in range(250):
            if match.over:
                break
            check(match)
            phases.add(match.snapshot()["phase"])
            if number % 10 == 0:
                before, own = match.get_state(), match.observe().tobytes()
                for seat in range(players):
                    check(match.clone(determinize=seat, seed=number))
                    assert seen(match, seat) == Reading(match, seat).expected()
                twin = match.clone()
                for _ in range(3):
                    if not twin.over:
                        twin.play(chance.choice(twin.legal_moves()))
                        check(twin)
                twin.set_state(before)
                assert twin.observe().tobytes() == own
                check(twin)
            moves = match.legal_moves()
            liked = [move for move in moves if move.startswith(("research", "build", "pick", "convert"))]
            match.play(chance.choice(liked if liked and chance.random() < 0.6 else moves))
    assert phases >= {"main", "hand", "pay", "chain"}


def test_g10_02_what_a_converter_makes_is_back_in_the_next_turn() -> None:
    """G10.2, G5.5: while it is used, its energy is out of reach, and no longer when the turn is over."""
    t = position(built=[91, 27], ring="2 yellow", display={0: 16})
    energies = []
    for move in ("build 0", "end", ""):
        check(t.match)
        energies.append(t.match.observe(0).view(t.match.game.obs)[0]["energy"][0].tolist())
        if move:
            t.play(move)
    assert energies == [[1, 1, 1, 2, 2], [0, 0, 0, 1, 1], [1, 1, 1, 1, 1]]  # of red, blue, black, yellow, any
