"""Calls in threads of their own that keep no program from ending, since Python cannot stop a thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def in_daemon_thread(call: Callable[[], T]) -> Future[T]:
    """Begin a call; the future has what it returns or raises."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:
            future.set_exception(error)

    Thread(target=work, daemon=True).start()
    return future
