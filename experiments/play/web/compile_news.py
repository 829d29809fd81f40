"""Tells a page that the server compiles: the first search may take minutes, and a page would look stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bdgame_env.engine.compile_notice import SILENT_SECONDS
from bdgame_env.engine.jit import compiling

POLL_SECONDS = 0.5


async def tell_compiling(send: Callable[[Mapping[str, Any]], Awaitable[None]]) -> None:
    """Send a message while functions are compiled, and one when it is over; runs until it is cancelled."""
    before = compiling().seconds
    showing = False
    while True:
        await asyncio.sleep(POLL_SECONDS)
        now = compiling()
        if now.running and now.seconds - before > SILENT_SECONDS:
            await send({"type": "compiling", "functions": now.functions})
            showing = True
        elif showing and not now.running:
            await send({"type": "compiling", "functions": None})
            showing = False
        if not now.running:
            before = now.seconds
