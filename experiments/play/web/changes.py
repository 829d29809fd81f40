"""Changes that pages wait for."""

from __future__ import annotations

import asyncio


class Changes:
    """Something that changes now and then.

    Attributes:
        next: the event of the next change. It is replaced at each, so a page waits for the one it holds.
    """

    def __init__(self) -> None:
        self.next = asyncio.Event()

    def tell(self) -> None:
        """Wake whoever waits."""
        self.next.set()
        self.next = asyncio.Event()
