"""Children of a fork: threads, locks and fresh entropy are their own."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest

from bdgame_env import get_game, list_games
from bdgame_env.engine import compile_listener
from bdgame_env.engine.batch import Batch
from bdgame_env.engine.compile_notice import Compiling
from bdgame_env.engine.forks import Origin, forks
from bdgame_env.engine.learner import LearnerBatch, Opponent
from bdgame_env.engine.match import Match
from bdgame_env.engine.rng import OwnGenerator
from tests.support.forked import always_threads, in_fork, needs_fork

pytestmark = needs_fork
GAME = list_games()[0]
__all__ = ["always_threads"]


def batch(game_id: str, seed: int | None = 1) -> Batch:
    return Batch(get_game(game_id), 4, seed=seed, threads=2)  # has its first games already


def learner_batch(game_id: str, seed: int | None = 1) -> LearnerBatch:
    game = get_game(game_id)
    games = LearnerBatch(game, game.config(), 4, [Opponent("random", policy=0)], seed=seed, threads=2)
    games.reset()
    return games


KINDS: dict[str, Callable[..., Any]] = {"Batch": batch, "LearnerBatch": learner_batch}


def played(games: Any) -> bytes:
    """The records after a step of every game."""
    games.step(games.mask.argmax(axis=1))
    return bytes(games.states.tobytes())


@pytest.mark.usefixtures("always_threads")
@pytest.mark.parametrize("kind", KINDS)
def test_batches_play_on_with_threads_in_a_child(kind: str) -> None:
    """One made before the fork plays on alike in child, grandchild and parent; one made in the child plays like it."""

    games = KINDS[kind](GAME)
    twin = games.clone()
    assert in_fork(lambda: (played(games), in_fork(lambda: played(games)))) == (played(twin), played(twin))
    twin = games.clone()
    assert played(games) == played(twin)
    assert in_fork(lambda: played(KINDS[kind](GAME))) == played(KINDS[kind](GAME))


@pytest.mark.parametrize("kind", [*KINDS, "Match"])
def test_children_deal_games_of_their_own_unless_there_is_a_seed(kind: str) -> None:
    """`reset` without a seed: unseeded, no two processes play the same games; seeded, all of them do."""

    def deals(games: Any) -> bytes:
        games.reset()
        return bytes(games.states["game_seed"].tobytes())

    make: Any = KINDS.get(kind, lambda game, seed=None: Match(get_game(game), seed=seed))
    games = make(GAME, seed=None)
    assert len({in_fork(lambda: deals(games)), in_fork(lambda: deals(games)), deals(games)}) == 3
    if kind == "LearnerBatch":  # the others take fresh entropy at every reset without a seed
        games = make(GAME, seed=5)
        assert len({in_fork(lambda: deals(games)), in_fork(lambda: deals(games)), deals(games)}) == 1


def test_a_restored_batch_continues_its_stream() -> None:
    """What was drawn without a seed is no longer the parent's, once its state was loaded."""
    games, other = learner_batch(GAME, seed=None), learner_batch(GAME, seed=None)
    state = games.get_state()

    def deals() -> list[int]:
        other.set_state(state)
        other.reset()
        return other.states["game_seed"].tolist()  # type: ignore[no-any-return]

    assert in_fork(deals) == deals()


def test_a_generator_of_fresh_entropy_is_new_in_every_child() -> None:
    """Copies and pickles included; a seeded one draws on everywhere alike, and the parent's is left as it was."""

    def draw(generator: OwnGenerator) -> int:
        return int(generator().integers(2**62))

    fresh, seeded = OwnGenerator(), OwnGenerator(3)
    twin = copy.deepcopy(fresh)
    assert draw(fresh) == draw(twin)
    for generator in (fresh, twin, pickle.loads(pickle.dumps(fresh))):
        before = copy.deepcopy(generator)
        assert in_fork(lambda: draw(generator)) != in_fork(lambda: draw(generator))  # noqa: B023  (called at once)
        assert draw(before) == draw(generator)
    assert in_fork(lambda: draw(seeded)) == draw(seeded) == draw(OwnGenerator(3))
    assert in_fork(lambda: draw(fresh) == draw(fresh)) is False


def test_forks_are_counted() -> None:
    here = forks()
    assert in_fork(lambda: (forks(), in_fork(forks))) == (here + 1, here + 2) and forks() == here
    one = Origin(None)
    assert in_fork(one.is_parents) and not one.is_parents() and not in_fork(Origin(1).is_parents)
    assert not in_fork(lambda: copy.copy(one).is_parents())


def test_a_child_can_compile_though_its_parent_was_compiling() -> None:
    """A fork waits for the thread that compiles: in the child there would be nobody to release Numba's lock."""
    from numba.core.compiler_lock import global_compiler_lock as lock

    held, ended = Event(), []

    def compiles() -> None:
        with lock:
            held.set()
            Event().wait(0.5)
            ended.append(True)

    def compiles_too() -> bool:
        with lock:
            return bool(ended)

    thread = Thread(target=compiles)
    thread.start()
    held.wait()
    assert in_fork(compiles_too, seconds=20)
    thread.join()
    assert not lock.is_locked()


def test_a_child_counts_what_it_compiles_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_listener._listener, "_functions", 7)
    monkeypatch.setattr(compile_listener._listener, "_before", 3.5)
    assert (
        in_fork(compile_listener.compiling) == Compiling(0, 0.0, False) and compile_listener.compiling().functions == 7
    )
