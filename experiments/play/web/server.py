"""The addresses of a server: pages of games and of the lobby, the files they need, their WebSockets."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from bdgame_env import UnknownGame
from bdgame_env.engine.game import BadOption
from bdgame_env.records.game_record import BadRecord

from ...errors import BadInput
from ..game_records import play_through
from ..replay_page import replay_page
from .conversations import POLICY, talk_about, talk_in_lobby, until_prepared
from .hub import in_thread
from .lobby import Ratings
from .rooms import Rooms, same_secret

STATIC = Path(__file__).parent / "static"
KINDS = {".css": "text/css", ".js": "text/javascript"}
ASSETS = {
    name: KINDS[Path(name).suffix]
    for name in (
        *("page.css", "table.css", "lobby.css", "common.js", "table.js", "motion.js", "log.js", "help.js"),
        *("finish.js", "connection.js", "moves.js", "play.js", "lobby.js"),
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
_BUSY = 1013  # the code of a WebSocket that is closed because there are too many (RFC 6455)


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
        if not _names_us(request.headers, host):
            return PlainTextResponse("wrong host", 421, HEADERS)
        if rooms.find(request.path_params["token"]) is None:
            return PlainTextResponse("no such link: links are printed when the game starts", 404, HEADERS)
        return FileResponse(STATIC / "play.html", headers=HEADERS, media_type="text/html")

    async def lobby(request: Request) -> Response:
        if not _names_us(request.headers, host):
            return PlainTextResponse("wrong host", 421, HEADERS)
        if not _is_lobby(rooms, request.path_params["token"]):
            return PlainTextResponse("no such link: the lobby's link is printed when the server starts", 404, HEADERS)
        return FileResponse(STATIC / "lobby.html", headers=HEADERS, media_type="text/html")

    async def replay(request: Request) -> Response:
        """The whole game, once it is over."""
        found = rooms.find(request.path_params["token"])
        record = found[0].ended() if found is not None and _names_us(request.headers, host) else None
        if record is None:
            return PlainTextResponse("no such game, or it is not over", 404, HEADERS)
        try:
            text = await in_thread(lambda: replay_page(play_through(record), title="a game played here"))
        except (BadRecord, BadInput, BadOption, UnknownGame) as error:
            return PlainTextResponse(f"this game cannot be replayed: {error}", 404, HEADERS)
        inside = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
        return HTMLResponse(text, headers={**HEADERS, "Content-Security-Policy": inside})

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS or not _names_us(request.headers, host):
            return PlainTextResponse("no such file", 404, HEADERS)
        return FileResponse(STATIC / name, headers=HEADERS, media_type=ASSETS[name])

    async def of_game(websocket: WebSocket) -> None:
        found = rooms.find(websocket.path_params["token"])
        if found is None or not _names_us(websocket.headers, host) or not _same_origin(websocket.headers):
            await websocket.close(POLICY)
            return
        room, link = found
        await websocket.accept()
        if link.pages >= link.most_pages:
            await websocket.close(_BUSY, "too many pages of this link are open")
            return
        link.pages += 1
        try:
            if await until_prepared(room, websocket):
                assert room.hub is not None
                await talk_about(room.hub, link, websocket)
        except (WebSocketDisconnect, RuntimeError):  # Starlette raises these for a page that is gone
            return
        finally:
            link.pages -= 1

    async def of_lobby(websocket: WebSocket) -> None:
        there = _is_lobby(rooms, websocket.path_params["token"])
        if not there or not _names_us(websocket.headers, host) or not _same_origin(websocket.headers):
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
            Route("/static/{name}", asset),
            WebSocketRoute("/play/{token}/socket", of_game),
            WebSocketRoute("/lobby/{token}/socket", of_lobby),
        ],
        lifespan=running,
    )


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
