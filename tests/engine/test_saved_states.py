"""`engine.saved_states`: states that are altered, truncated or mixed up are refused in one line and change nothing."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from bdgame_env.engine.batch import Batch
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.match import Match
from tests.support import nim_game, toy_game

GAME = toy_game.GAME


def refused(set_state: Any, state: Any, why: str = "state|opponent|seed") -> None:
    with pytest.raises(ValueError, match=why) as refusal:
        set_state(state)
    told = str(refusal.value)
    assert told and "\n" not in told and len(told) < 300


def test_a_state_with_any_byte_changed_is_refused():
    """In the header and in the record."""
    match = Match(GAME, seed=4, players=3)
    match.play("draw")
    state = match.get_state()
    for place in range(len(state)):
        for bit in (1, 128):
            changed = bytearray(state)
            changed[place] ^= bit
            refused(match.set_state, bytes(changed), "toy-v1")
    assert match.get_state() == state
    match.set_state(bytearray(state))
    assert match.get_state() == state


def test_a_state_of_another_length_is_refused():
    match = Match(GAME, seed=4)
    state = match.get_state()
    for wrong in [state[:size] for size in range(len(state))] + [state + b"\0", state * 2, bytes(len(state))]:
        refused(match.set_state, wrong, "toy-v1")
    for wrong in (None, 5, state.hex(), list(state), np.zeros(3)):
        refused(match.set_state, wrong, "a state is bytes")
    assert match.get_state() == state


def test_a_state_of_another_game_config_or_release_is_refused(monkeypatch):
    """A record of equal size would be misread, such as one for another number of players."""
    match = Match(GAME, seed=4, players=2)
    for other in (Match(GAME, seed=4, players=3), Match(GAME, seed=4, rolling=True), Match(GAME, seed=4, target=20)):
        refused(match.set_state, other.get_state(), "the state is of other options, other cards")
    refused(match.set_state, Match(nim_game.GAME, seed=4).get_state(), "toy-v1: the state is of nim-v1")
    pickled = pickle.dumps(match)
    monkeypatch.setitem(GAME.__dict__, "version", 2)
    refused(match.set_state, Match(nim_game.GAME, seed=4).get_state(), "toy-v2: the state is of nim-v1")
    monkeypatch.undo()
    assert pickle.loads(pickled).get_state() == match.get_state()


def batch_of(kind: str) -> Any:
    if kind == "Batch":
        return Batch(GAME, 3, seed=1, players=3)
    made = LearnerBatch(GAME, GAME.config(players=3), 3, [Opponent("random", policy=0)], seed=1, threads=1)
    made.reset()
    return made


def held(batch: Any) -> bytes:
    return b"".join(value.tobytes() for value in batch.get_state().values() if isinstance(value, np.ndarray))


@pytest.mark.parametrize("kind", ["Batch", "LearnerBatch"])
def test_the_state_of_a_batch_is_checked_as_well(kind):
    """Every array, its form, and what the state belongs to."""
    batch = batch_of(kind)
    state, before = batch.get_state(), held(batch)
    arrays = [name for name, value in state.items() if isinstance(value, np.ndarray)]
    assert "_games" in arrays
    rng = np.random.default_rng(2)
    for name in arrays:
        for _ in range(20):
            changed = copy.deepcopy(state)
            flat = changed[name].view(np.uint8).reshape(-1)
            flat[rng.integers(len(flat))] ^= 1 << rng.integers(8)
            refused(batch.set_state, changed, "toy-v1: ")
        for wrong in (None, b"", state[name][:0], state[name].tobytes(), np.zeros(3)):
            refused(batch.set_state, {**state, name: wrong}, "this is no state of")
        refused(batch.set_state, {key: value for key, value in state.items() if key != name}, f"it has no '{name}'")
    for wrong in (None, 5, b"", [], {}, {**state, "digest": b""}):
        refused(batch.set_state, wrong)
    refused(Batch(GAME, 3, seed=1, players=2).set_state if kind == "Batch" else _other().set_state, state)
    assert held(batch) == before
    batch.set_state(state)
    assert held(batch) == before and held(pickle.loads(pickle.dumps(batch))) == before


def _other() -> LearnerBatch:
    return LearnerBatch(GAME, GAME.config(players=2), 3, [Opponent("random", policy=0)], seed=1, threads=1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opponents", ()),
        ("opponents", None),
        ("opponents", ("random",)),
        ("opponents", (Opponent("nobody"),)),
        ("_external", None),
        ("_external", {-2: "random"}),
        ("_names", {}),
        ("_names", None),
        ("_base", -1),
        ("_base", "1"),
        ("_agents_seeded", None),
        ("_started", None),
    ],
)
def test_the_opponents_of_a_state_are_checked(name, value):
    batch = batch_of("LearnerBatch")
    before = held(batch)
    refused(batch.set_state, {**batch.get_state(), name: value})
    assert held(batch) == before
