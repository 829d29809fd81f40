"""Environments in other processes: forked, spawned, and as workers of a data loader."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium.vector import AsyncVectorEnv

from bdgame_env import list_games, make_aec, make_gym, make_parallel, make_sb3_vec, make_vector
from bdgame_env.render import window
from tests.support.forked import always_threads, in_fork, needs_fork

__all__ = ["always_threads"]
ROWS = 4


def vector(game: str, **settings: Any) -> Any:
    return make_vector(game, ROWS, threads=2, **settings)


def sb3_vec(game: str, **settings: Any) -> Any:
    return make_sb3_vec(game, ROWS, threads=2, **settings)


# How to make each environment, and the records of its games.
MAKERS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "aec": (make_aec, lambda env: env.unwrapped.match.states),
    "parallel": (make_parallel, lambda env: env.match.states),
    "gym": (make_gym, lambda env: env.batch.states),
    "vector": (vector, lambda env: env.batch.states),
    "sb3": (sb3_vec, lambda env: env.unwrapped.batch.states),
}
SEEDED_BY_RESET = ("aec", "parallel", "gym", "vector")
Deal = tuple[int, ...]


def dealt(kind: str, env: Any, **settings: Any) -> Deal:
    """The seeds of the games that a reset deals."""
    env.reset(**settings)
    return tuple(MAKERS[kind][1](env)["game_seed"].tolist())


def stepped(kind: str, env: Any) -> bytes:
    """The records after the first legal action."""
    if kind == "aec":
        env.step(int(env.last()[0]["action_mask"].argmax()))
    elif kind == "parallel":
        env.step({agent: int(env.observe(agent)["action_mask"].argmax()) for agent in env.agents})
    else:
        actions = env.action_masks().argmax(axis=-1)
        env.step(int(actions) if kind == "gym" else actions)
    return bytes(MAKERS[kind][1](env).tobytes())


@needs_fork
@pytest.mark.usefixtures("always_threads")
@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("game", list_games()[:1])
def test_children_play_games_of_their_own_unless_there_is_a_seed(game: str, kind: str) -> None:
    """An environment that was made and used without a seed deals other games in each child, and the parent goes on."""
    env = MAKERS[kind][0](game)
    first = dealt(kind, env)
    found = [in_fork(lambda: dealt(kind, env)), in_fork(lambda: dealt(kind, env)), dealt(kind, env), first]
    assert len(set(found)) == 4
    assert len({in_fork(lambda: dealt(kind, MAKERS[kind][0](game))) for _ in range(2)}) == 2


@needs_fork
@pytest.mark.usefixtures("always_threads")
@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("game", list_games()[:1])
def test_a_seeded_environment_plays_on_alike_in_a_child(game: str, kind: str) -> None:
    """Game in progress and games to come; also in the child of a child."""
    env = MAKERS[kind][0](game, **({} if kind in ("aec", "parallel") else {"seed": 1}))
    dealt(kind, env, **({"seed": 1} if kind in SEEDED_BY_RESET else {}))

    def goes_on() -> tuple[bytes, Deal, bytes]:
        return stepped(kind, env), dealt(kind, env), stepped(kind, env)

    there, further = in_fork(goes_on), in_fork(lambda: in_fork(goes_on))
    assert there == further == goes_on()


def spawned(kind: str, env: Any) -> tuple[bytes, Deal]:
    """What a process does that gets an environment as a pickle."""
    return stepped(kind, env), dealt(kind, env)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_environments_play_on_in_processes_that_are_no_copies(method: str) -> None:
    """Pickles do, seeded or not; one process for all kinds."""
    if method == "forkserver" and not hasattr(os, "fork"):
        pytest.skip("needs processes that are copies of another")
    envs = {kind: make("gizmos-v3") for kind, (make, _) in MAKERS.items()}
    for env in envs.values():
        env.reset()
    there = in_fork(partial(_all_spawned, envs), method=method, seconds=120)
    assert there == _all_spawned(envs)


def _all_spawned(envs: dict[str, Any]) -> list[tuple[bytes, Deal]]:
    return [spawned(kind, env) for kind, env in envs.items()]


class Games(torch.utils.data.IterableDataset[Any]):
    """Observations of games that were begun before the workers are forked."""

    def __init__(self, env: Any) -> None:
        self.env = env

    def __iter__(self) -> Iterator[Any]:
        yield self.env.reset()[0]
        for _ in range(2):
            yield self.env.step(self.env.action_masks().argmax(axis=1))[0]


@needs_fork
@pytest.mark.usefixtures("always_threads")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:This DataLoader will create:UserWarning")  # more processes than cores
def test_workers_of_a_data_loader_play() -> None:
    """Two of them, each on other games, as the environment has no seed."""
    env = vector("gizmos-v3")
    env.reset()
    env.step(env.action_masks().argmax(axis=1))
    loader = torch.utils.data.DataLoader(
        Games(env), num_workers=2, batch_size=None, timeout=60, multiprocessing_context="fork"
    )
    views = [view.numpy() for view in loader]
    assert len(views) == 6 and views[0].shape == env.observation_space.shape
    assert not np.array_equal(views[0], views[1])  # the workers' first games


@needs_fork
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_gymnasiums_processes_play_games_of_their_own() -> None:
    """`AsyncVectorEnv` forks; its rows are not seeded."""
    env = AsyncVectorEnv([partial(make_gym, "gizmos-v3")] * 2, context="fork")
    try:
        env.reset_async()
        views, _ = env.reset_wait(timeout=60)
        assert not np.array_equal(views[0], views[1])
    finally:
        env.close(terminate=True)


@needs_fork
def test_a_window_stays_with_the_process_that_opened_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes on one connection to the screen would take each other's answers."""
    import pygame

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(window, "_display", None)
    env = make_aec("gizmos-v3", render_mode="human")
    assert in_fork(lambda: env.reset(seed=1)) is None  # nothing was open yet
    env.reset(seed=1)

    def refused(env: Any) -> bool:
        with pytest.raises(RuntimeError, match=r"^no window: .* forked from one that had opened a window; .*$"):
            env.reset(seed=1)
        env.close()
        return env.unwrapped.match.legal_moves() != []

    assert in_fork(lambda: refused(env))
    assert in_fork(lambda: refused(make_aec("gizmos-v3", render_mode="human")))
    assert pygame.display.get_init()
    env.render()
    env.close()
