"""Observations that are brought up to date are those that are written whole, byte for byte."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.batch import Batch
from bdgame_env.engine.game import BadOption, Game
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.registry import get_game, list_games
from tests.support.conformance import option_sets, positions

# What `observe="position"` leaves out (docs/observations.md).
PROSPECTS = {
    "gizmos": ("display_lacks", "archive_lacks", "hand_lacks", "pick_pays", "pick_best"),
    "nicodemus": ("row_lacks", "row_worth", "one_more", "produced"),
    "pixel-pusher": ("best_line", "one_short", "two_short", "after_recipe", "after_two", "after_giving"),
}
STEPS = 40 if JIT_DISABLED else 300
CASES = [
    pytest.param(game, options, id=f"{game.id}-{options}")
    for game in map(get_game, list_games())
    if game.seen is not None
    for options in option_sets(game)
]


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_row_may_show_any_game_and_seat_next(game: Game, options: dict[str, Any]) -> None:
    """Whatever the row has shown before, and whatever it held before that."""
    loops, config = loops_of(game), game.config(**options).record
    chance = random.Random(0)
    found = [match.clone() for _, match in positions(game, options, every=3)]
    matches = [one for one in found for _ in range(2)]
    chance.shuffle(matches)
    matches = found + matches  # first one decision after the other, then in any order
    row, seen = np.full(game.obs.itemsize, 77, np.int8), np.zeros(1, game.seen)
    for number, match in enumerate(matches):
        seat = chance.randrange(match.players)
        loops.refresh_games(match.states, config, np.array([seat], np.int8), row.view(game.obs), seen, 0, 1)
        assert row.tobytes() == match.observe(seat).tobytes(), f"{game.id} {options}, look {number}, seat {seat}"


@pytest.mark.parametrize(("game", "options"), CASES)
def test_a_batch_shows_every_position_whole(game: Game, options: dict[str, Any]) -> None:
    """After every step, and after copies, other states and new games."""
    batch, chance = Batch(game, 8, seed=3, threads=1, **options), np.random.default_rng(1)
    kept = batch.get_state()
    for step in range(STEPS):
        batch.step((chance.random(batch.mask.shape) * batch.mask).argmax(axis=1))
        _compare(batch, f"{game.id} {options}, step {step}")
        if step % 10 == 3:
            batch, kept = copy.deepcopy(batch), batch.get_state()
        if step % 10 == 5:
            batch = pickle.loads(pickle.dumps(batch))
        if step % 10 == 7:
            batch.set_state(kept)
            _compare(batch, f"{game.id} {options}, restored after step {step}")
    batch.reset(seed=4)
    _compare(batch, f"{game.id} {options}, reset")


@pytest.mark.parametrize("game", list(map(get_game, list_games())), ids=lambda game: game.id)
def test_prospects_can_be_left_out(game: Game) -> None:
    """`observe="position"` writes everything else, and zeros there, also after copies, other states and new games."""
    left_out = PROSPECTS.get(game.id.partition("-v")[0], ())
    zeros = np.concatenate([np.r_[field.slice] for field in game.schema if field.name in left_out] or [[]]).astype(int)
    assert {field.name for field in game.schema} >= set(left_out)
    batch, chance = Batch(game, 8, seed=3, threads=1, observe="position"), np.random.default_rng(1)
    _compare(batch, f"{game.id}, start", zeros)
    for step in range(STEPS):
        batch.step((chance.random(batch.mask.shape) * batch.mask).argmax(axis=1))
        _compare(batch, f"{game.id}, step {step}", zeros)
        if step % 10 == 3:
            batch = copy.deepcopy(batch)
        if step % 10 == 5:
            batch = pickle.loads(pickle.dumps(batch))
        if step % 10 == 7:
            batch.set_state(batch.get_state())
    batch.reset(seed=4)
    _compare(batch, f"{game.id}, reset", zeros)


def test_what_to_observe_is_checked() -> None:
    with pytest.raises(BadOption, match=r"observe='flat', must be True, False or 'position'"):
        Batch(get_game("gizmos-v3"), 1, observe="flat")  # type: ignore[arg-type]


def _compare(batch: Batch, where: str, zeros: Any = ()) -> None:
    whole = np.full(batch.obs.shape, 77, np.int8)
    records = whole.view(batch.game.obs)[:, 0]
    loops = loops_of(batch.game)
    loops.observe_games(batch.states.copy(), batch.config.record, batch.seat.copy(), records, 0, batch.num_games)
    whole[:, list(zeros)] = 0
    assert np.array_equal(batch.obs, whole), where
