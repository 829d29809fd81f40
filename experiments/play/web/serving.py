"""Serves one game or a lobby until it is interrupted."""

from __future__ import annotations

import asyncio
import socket
import webbrowser

import uvicorn
from starlette.applications import Starlette

from ...courtesy import courtesy
from .address import Address
from .lobby import Ratings
from .rooms import Rooms
from .server import MOST_BYTES, application


def serve(rooms: Rooms, address: Address, *, hint: str = "", ratings: Ratings | None = None) -> int:
    """Serve games, and their lobby if they have one, until it is interrupted.

    Raises:
        BadInput: the address is not available.
    """
    listening = address.listen()
    links = [(who, address.url(listening.getsockname()[1]) + path) for who, path in rooms.entrances()]
    for who, link in links:
        print(f"{who}: {link}")
    if not address.is_loopback:
        print("note: served to the network, unencrypted; whoever has a link can play its seats")
    print("the server runs until Ctrl-C", flush=True)
    if address.open_page:
        with courtesy("the page was not opened in a browser"):
            webbrowser.open(links[0][1])
    asyncio.run(_serve(application(rooms, address.host, hint=hint, ratings=ratings), listening))
    return 0


async def _serve(app: Starlette, listening: socket.socket) -> None:
    await uvicorn.Server(configuration(app)).serve([listening])


def configuration(app: Starlette) -> uvicorn.Config:
    """The settings of the web server."""
    return uvicorn.Config(
        app,
        log_level="warning",
        http="h11",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_ping_interval=20.0,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
