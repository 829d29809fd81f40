"""The addresses of a server: pages of games and of the lobby, the files they need, their WebSockets."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from bdgame_env import UnknownGame
from bdgame_env.engine.game import BadOption
from bdgame_env.records.game_record import BadRecord

from ...daemon_threads import in_daemon_thread
from ...errors import BadInput
from ..assets import asset
from ..game_records import play_through
from ..replay_page import replay_in_pieces
from .conversations import POLICY, talk_about, talk_in_lobby, until_prepared
from .gradual import Gradual
from .lobby import Ratings
from .rooms import Rooms, same_secret

KINDS = {".css": "text/css", ".js": "text/javascript"}
ASSETS = {
    name: KINDS[Path(name).suffix]
    for name in (
        *("page.css", "table.css", "lobby.css", "common.js", "table.js", "motion.js", "log.js", "help.js"),
        *("curves.js", "finish.js", "connection.js", "moves.js", "play.js", "lobby.js"),
    )
}
MOST_BYTES = 4096  # in a message from a page
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_IN_ONE_FILE = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def application(rooms: Rooms, host: str, *, hint: str = "", ratings: Ratings | None = None) -> Starlette:
    """The pages of a server's games, and of its lobby if it has one.

    Args:
        rooms: the games.
        host: the name or address of the server; requests may also use numeric addresses.
        hint: the agent that gives hints in games of the lobby; "" for the best rated.
        ratings: of agents, by game and number of players, for the lobby.
    """

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        for room in list(rooms.rooms.values()):
            if not room.over:
                rooms.start(room)
        yield
        await rooms.close()

    async def page(request: Request) -> Response:
        if rooms.find(request.path_params["token"]) is None:
            return PlainTextResponse("no such link: links are printed when the game starts", 404)
        return HTMLResponse(asset("play.html"))

    async def lobby(request: Request) -> Response:
        if not _is_lobby(rooms, request.path_params["token"]):
            return PlainTextResponse("no such link: the lobby's link is printed when the server starts", 404)
        return HTMLResponse(asset("lobby.html"))

    async def replay(request: Request) -> Response:
        """The whole game, once it is over."""
        room, link = rooms.find(request.path_params["token"]) or (None, None)
        record = None if room is None else room.ended()
        if room is None or record is None:
            return PlainTextResponse("no such game, or it is still being played", 404)
        seat = link.seats[0] if link is not None and link.seats else 0
        kept, key = room.replays, (seat, record.seats)
        if key not in kept or kept[key].failed:
            try:
                played = await asyncio.wrap_future(in_daemon_thread(lambda: play_through(record)))
            except (BadRecord, BadInput, BadOption, UnknownGame) as error:
                return PlainTextResponse(f"this game cannot be replayed: {error}", 404)
            for seen in [one for one in kept if one[1] != record.seats]:
                del kept[seen]  # players have called themselves otherwise since
            if key not in kept or kept[key].failed:  # nobody else has asked meanwhile
                kept[key] = Gradual(replay_in_pieces(played, title="replay", seat=seat))
        return StreamingResponse(
            kept[key].read(), media_type="text/html", headers={"Content-Security-Policy": _IN_ONE_FILE}
        )

    async def part(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS:
            return PlainTextResponse("no such file", 404)
        return Response(asset(name), media_type=ASSETS[name])

    async def of_game(websocket: WebSocket) -> None:
        room, link = rooms.find(websocket.path_params["token"]) or (None, None)
        if room is None or link is None:
            await websocket.close(POLICY)
            return
        await websocket.accept()
        with suppress(WebSocketDisconnect, RuntimeError):  # Starlette raises these for a page that is gone
            if await until_prepared(room, websocket):
                assert room.hub is not None
                await talk_about(room.hub, link, websocket)

    async def of_lobby(websocket: WebSocket) -> None:
        if not _is_lobby(rooms, websocket.path_params["token"]):
            await websocket.close(POLICY)
            return
        await websocket.accept()
        with suppress(WebSocketDisconnect, RuntimeError):
            await talk_in_lobby(rooms, websocket, hint, ratings or {})

    return Starlette(
        routes=[
            Route("/play/{token}", page),
            Route("/replay/{token}", replay),
            Route("/lobby/{token}", lobby),
            Route("/static/{name}", part),
            WebSocketRoute("/play/{token}/socket", of_game),
            WebSocketRoute("/lobby/{token}/socket", of_lobby),
        ],
        middleware=[Middleware(_Guard, host=host)],
        lifespan=running,
    )


class _Guard:
    """Lets in who names this server and comes from its own pages, and adds `HEADERS` to all answers."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app, self._host = app, host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        if scope["type"] == "websocket":
            if _names_us(headers, self._host) and _same_origin(headers):
                await self._app(scope, receive, send)
            else:
                await WebSocket(scope, receive, send).close(POLICY)
        elif _names_us(headers, self._host):
            await self._app(scope, receive, send_with_headers)
        else:
            await PlainTextResponse("wrong host", 421)(scope, receive, send_with_headers)


def _is_lobby(rooms: Rooms, token: str) -> bool:
    return rooms.token is not None and same_secret(rooms.token, token)


def _names_us(headers: Headers, host: str) -> bool:
    """Whether a request names this server; other names are refused, as DNS rebinding could point them here."""
    with suppress(ValueError):  # no name, or none of an address
        name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if name in ("localhost", host.lower(), socket.gethostname().lower()):
            return True
        ipaddress.ip_address(name)
        return True
    return False


def _same_origin(headers: Headers) -> bool:
    """Whether our own page connects, or a program, which sends no origin."""
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False
