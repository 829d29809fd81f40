"""A text that takes long to make: made once, sent piece by piece while it is made."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any

from ...daemon_threads import in_daemon_thread
from .changes import Changes


class Gradual:
    """A text in pieces, which are made in a thread, for any number of readers.

    Args:
        pieces: the pieces, each made when it is asked for.

    Attributes:
        failed: whether it broke off.
    """

    def __init__(self, pieces: Iterator[str]) -> None:
        self.failed = False
        self._made: list[str] = []
        self._whole = False
        self._changes = Changes()
        loop = asyncio.get_running_loop()

        def tell(call: Callable[[Any], None], what: object) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(call, what)

        def make() -> None:
            try:
                for piece in pieces:
                    tell(self._add, piece)
            except Exception as error:
                traceback.print_exception(error)
                tell(self._end, True)
            else:
                tell(self._end, False)

        in_daemon_thread(make)

    def _add(self, piece: str) -> None:
        self._made.append(piece)
        self._changes.tell()

    def _end(self, failed: bool) -> None:
        self.failed, self._whole = failed, True
        self._changes.tell()

    async def read(self) -> AsyncIterator[str]:
        """The pieces, as soon as they are there."""
        place = 0
        while True:
            changed = self._changes.next
            while place < len(self._made):
                yield self._made[place]
                place += 1
            if self._whole:
                return
            await changed.wait()
