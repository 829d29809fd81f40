"""HTTP connections that are closed when a request is not complete in time, so that idle ones cannot lock others out."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # for a whole request, from the beginning of the connection
MOST_WAITING = 200  # connections without a complete request; of more, the oldest is closed


class ImpatientProtocol(H11Protocol):
    """uvicorn's protocol with a time limit for requests, and a cap on connections that have not made one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begun = self.loop.time()
        self._timer = self.loop.call_later(SECONDS, self._check)
        waiting = [other for other in self.connections if isinstance(other, ImpatientProtocol) and other._waits()]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda other: other._begun).transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def _waits(self) -> bool:
        """Whether the client has not made a complete request."""
        cycle: Any = self.cycle
        return cycle is None or bool(cycle.response_complete)

    def _check(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # gone, or a WebSocket by now, which has its own limits
        if self._waits():
            self.transport.close()
        else:
            self._timer = self.loop.call_later(SECONDS, self._check)
