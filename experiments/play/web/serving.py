"""Listens at an address and serves one game or a lobby until it is interrupted."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import webbrowser
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

from ...courtesy import courtesy
from ...errors import BadInput
from ..session import name_of
from .impatient import ImpatientProtocol
from .lobby import Ratings
from .rooms import Room, Rooms
from .server import MOST_BYTES, application


def serve(room: Room, *, host: str, port: int, open_page: bool) -> int:
    """Serve a game until it is interrupted.

    Args:
        room: the game, which need not be prepared yet.
        host: address to serve at.
        port: port to serve at; 0 for any free one.
        open_page: whether to open the first link in a browser.

    Raises:
        BadInput: the address is not available.
    """
    listening = _listen(host, port)
    address = _address(host, listening.getsockname()[1])
    for link in room.links:
        who = ", ".join(f"seat {seat} {name_of(room.plan.seats[seat])}" for seat in link.seats) or "spectators"
        print(f"{who}: {address}/play/{link.token}")
    _announce(host)
    if open_page:
        _open(f"{address}/play/{room.links[0].token}")
    asyncio.run(_serve(application(Rooms.only(room), host), listening))
    return 0


def serve_lobby(rooms: Rooms, *, host: str, port: int, open_page: bool, hint: str, ratings: Ratings) -> int:
    """Serve a lobby until it is interrupted.

    Args:
        rooms: its games; those of its folder are taken up.
        host: address to serve at.
        port: port to serve at; 0 for any free one.
        open_page: whether to open the lobby in a browser.
        hint: the agent that gives hints; "" for the best rated.
        ratings: of agents, by game and number of players.

    Raises:
        BadInput: the address is not available.
    """
    rooms.load()
    listening = _listen(host, port)
    address = f"{_address(host, listening.getsockname()[1])}/lobby/{rooms.token}"
    print(f"lobby: {address}")
    _announce(host)
    if open_page:
        _open(address)
    asyncio.run(_serve(application(rooms, host, hint=hint, ratings=ratings), listening))
    return 0


def _open(address: str) -> None:
    with courtesy("no browser opens the page"):
        webbrowser.open(address)


def _announce(host: str) -> None:
    if not _is_loopback(host):
        print("note: served to the network, unencrypted; whoever has a link can play its seats")
    print("the server runs until Ctrl-C", flush=True)


async def _serve(app: Starlette, listening: socket.socket) -> None:
    await uvicorn.Server(configuration(app)).serve([listening])


def configuration(app: Starlette) -> uvicorn.Config:
    """The settings of the web server."""
    return uvicorn.Config(
        app,
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_ping_interval=20.0,
        timeout_graceful_shutdown=1,
        server_header=False,
        http=ImpatientProtocol,
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise BadInput(f"cannot serve at {host}, port {port}: {why}; --port 0 takes a free port") from None


def _address(host: str, port: int) -> str:
    name = socket.gethostname() if host in ("0.0.0.0", "::", "") else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False
