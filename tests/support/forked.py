"""Runs functions in forks of the test's process, with a time limit: what does not survive a fork hangs there."""

from __future__ import annotations

import multiprocessing
import os
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

import pytest

from bdgame_env.engine import threads

T = TypeVar("T")

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of another")


@pytest.fixture
def always_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a few rows shared among threads, as hundreds are."""
    monkeypatch.setattr(threads.run_ranges, "__defaults__", (1,))


def in_fork(act: Callable[[], T], *, method: str = "fork", seconds: float = 60.0) -> T:
    """What a function returns in another process.

    Raises:
        AssertionError: it raised an error there, or did not return in time; the process is killed.
    """
    context: Any = multiprocessing.get_context(method)
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, act))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of forks with threads, which these are
        process.start()
    theirs.close()
    try:
        assert ours.poll(seconds), f"no answer within {seconds:g} s"
        answer, error = ours.recv()
    finally:
        process.join(1)
        process.kill()
        process.join()
        ours.close()
    assert error is None, error
    found: T = answer
    return found


def _answer(connection: Connection, act: Callable[[], object]) -> None:
    try:
        connection.send((act(), None))
    except BaseException:
        connection.send((None, traceback.format_exc()))
