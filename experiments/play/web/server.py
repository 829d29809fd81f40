"""Serves the pages of games and of the lobby: HTTP for the pages, WebSockets for their messages."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
import sys
import time
import traceback
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ..game_records import play_through
from ..replay_page import replay_page
from ..session import Refused
from .compile_news import tell_compiling
from .hub import DRAWN, BadMessage, Hub, in_thread, read_message
from .links import Link, Patience
from .lobby import lobby_message, plan_of
from .messages import Seen, game_message, page_news
from .rooms import Room, Rooms

HINT = "mcts:sims=200"
Ratings = Mapping[str, Mapping[str, float]]
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
_POLICY, _FAILED, _BUSY = 1008, 1011, 1013  # codes of closed WebSockets (RFC 6455)
_MESSAGES, _BAD = (60.0, 15.0), 6.0  # a page's messages: a burst, then so many a second; what a bad one costs besides
_HEARTBEAT = 0.5  # seconds between signs of life while an agent thinks about a hint


def application(rooms: Rooms, host: str, *, hint: str = HINT, ratings: Ratings | None = None) -> Starlette:
    """The pages of a server's games, and of its lobby if it has one.

    Args:
        rooms: the games.
        host: the name or address of the server; requests may also use numeric addresses.
        hint: the agent that gives hints in games of the lobby.
        ratings: of agents, by game, for the lobby.
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
        text = await in_thread(lambda: replay_page(play_through(record), title="a game played here"))
        inside = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
        return HTMLResponse(text, headers={**HEADERS, "Content-Security-Policy": inside})

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS or not _names_us(request.headers, host):
            return PlainTextResponse("no such file", 404, HEADERS)
        return FileResponse(STATIC / name, headers=HEADERS, media_type=ASSETS[name])

    async def talk(websocket: WebSocket) -> None:
        found = rooms.find(websocket.path_params["token"])
        if found is None or not _names_us(websocket.headers, host) or not _same_origin(websocket.headers):
            await websocket.close(_POLICY)
            return
        room, link = found
        await websocket.accept()
        if link.pages >= link.most_pages:
            await websocket.close(_BUSY, "too many pages of this link are open")
            return
        link.pages += 1
        try:
            if await _until_prepared(room, websocket):
                assert room.hub is not None
                await _talk(room.hub, link, websocket)
        except (WebSocketDisconnect, RuntimeError):  # Starlette raises these for a page that is gone
            return
        finally:
            link.pages -= 1

    async def talk_in_lobby(websocket: WebSocket) -> None:
        there = _is_lobby(rooms, websocket.path_params["token"])
        if not there or not _names_us(websocket.headers, host) or not _same_origin(websocket.headers):
            await websocket.close(_POLICY)
            return
        await websocket.accept()
        with suppress(WebSocketDisconnect, RuntimeError):
            await _talk_in_lobby(rooms, websocket, hint, ratings or {})

    return Starlette(
        routes=[
            Route("/play/{token}", page),
            Route("/replay/{token}", replay),
            Route("/lobby/{token}", lobby),
            Route("/static/{name}", asset),
            WebSocketRoute("/play/{token}/socket", talk),
            WebSocketRoute("/lobby/{token}/socket", talk_in_lobby),
        ],
        lifespan=running,
    )


def _is_lobby(rooms: Rooms, token: str) -> bool:
    return rooms.token is not None and secrets.compare_digest(rooms.token, token)


async def _until_prepared(room: Room, websocket: WebSocket) -> bool:
    """Tell a page how far the game is until it can be played; False if it cannot."""
    while room.hub is None:
        if room.record is not None:
            path = f"/replay/{room.links[-1].token}"
            await websocket.send_json({"type": "progress", "text": "this game is over", "replay": path})
            await websocket.receive()
            return False
        changed = room.changed
        if room.failed:
            await websocket.send_json({"type": "progress", "text": f"this game cannot be played: {room.failed}"})
            await websocket.receive()
            return False
        await websocket.send_json({"type": "progress", "text": room.progress})
        await changed.wait()
    return True


async def _talk_in_lobby(rooms: Rooms, websocket: WebSocket, hint: str, ratings: Ratings) -> None:
    """Serve one page of the lobby."""

    async def tell() -> None:
        while True:
            changed = rooms.changed
            await websocket.send_json(lobby_message(rooms, ratings))
            await changed.wait()
            await asyncio.sleep(0.2)  # several changes at once are told together

    telling = asyncio.create_task(_until_gone(tell(), websocket))
    patience = Patience(*_MESSAGES)
    try:
        while patience.spend():
            received = await websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            try:
                message = read_message(received.get("text"))
                if message["do"] == "create":
                    room = rooms.open(plan_of(message, hint))
                elif message["do"] == "rematch":
                    before = rooms.rooms.get(str(message.get("room")))
                    if before is None:
                        raise Refused("there is no such game")
                    room = rooms.open(replace(before.plan, seed=None))
                else:
                    raise BadMessage("`do` must be create or rematch")
                rooms.tell()
                await websocket.send_json({"type": "created", "room": room.to_json()})
            except Refused as refusal:
                await websocket.send_json(_error(refusal))
            except BadMessage as error:
                patience.spend(_BAD)
                await websocket.send_json(_error(f"not understood: {error}"))
        await websocket.close(_POLICY, "too many messages")
    finally:
        telling.cancel()


async def _talk(hub: Hub, link: Link, websocket: WebSocket) -> None:
    """Serve one page: this task receives its requests, another sends it changes."""
    sending = asyncio.Lock()

    async def send(message: Mapping[str, Any]) -> None:
        async with sending:
            await websocket.send_json(message)

    async def tell() -> None:
        seen = Seen()
        await send(game_message(hub.session))
        while True:
            changed = hub.changed
            if (news := page_news(hub.session, link, seen)) is not None:
                await send(news)
            await changed.wait()

    async def hint() -> None:
        asked = asyncio.ensure_future(hub.hint(link))
        begun = time.monotonic()
        try:
            while not (await asyncio.wait([asked], timeout=_HEARTBEAT))[0]:
                await send({"type": "thinking", "seconds": round(time.monotonic() - begun, 1)})
            told = asked.result()
        except Refused as refusal:
            told = _error(refusal)
        finally:
            asked.cancel()
        await send(told)

    async def analyse() -> None:
        try:
            async for told in hub.analyse(link):
                await send(told)
        except Refused as refusal:
            await send(_error(refusal))

    telling = asyncio.create_task(_until_gone(tell(), websocket))
    compiling = asyncio.create_task(_until_gone(tell_compiling(send), websocket))
    hints: set[asyncio.Task[None]] = set()
    patience = Patience(*_MESSAGES)
    try:
        while patience.spend():
            received = await websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            try:
                message = read_message(received.get("text"))
                if message["do"] in ("hint", "analyse"):  # requests are handled meanwhile
                    work = hint() if message["do"] == "hint" else analyse()
                    task = asyncio.create_task(_until_gone(work, websocket))
                    hints.add(task)
                    task.add_done_callback(hints.discard)
                elif message["do"] in DRAWN and not link.patience.spend():
                    await send(_error("too many questions at once; try again in a moment"))
                elif told := hub.obey(link, message):
                    await send(told)
            except Refused as refusal:
                await send(_error(refusal))
            except BadMessage as error:
                patience.spend(_BAD)
                await send(_error(f"not understood: {error}"))
        await websocket.close(_POLICY, "too many messages")
    except (WebSocketDisconnect, RuntimeError):  # Starlette raises these for a page that is gone
        return
    finally:
        for task in (telling, compiling, *hints):
            task.cancel()


def _error(text: object) -> dict[str, str]:
    return {"type": "error", "text": str(text)}


async def _until_gone(work: Coroutine[Any, Any, None], websocket: WebSocket) -> None:
    """Work for a page until it is gone. Any other failure closes the connection, and the page reconnects."""
    try:
        await work
    except Exception as error:
        states = {websocket.client_state, websocket.application_state}
        if isinstance(error, WebSocketDisconnect) or states != {WebSocketState.CONNECTED}:
            return
        _report(error)
        with suppress(WebSocketDisconnect, RuntimeError):
            await websocket.close(_FAILED, "the server failed")


def _report(error: BaseException) -> None:
    print("".join(traceback.format_exception(error)), file=sys.stderr, flush=True)


def _names_us(headers: Headers, host: str) -> bool:
    """Whether a request names this server; other names are refused, as DNS rebinding could point them here."""
    name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    if name in ("localhost", host, socket.gethostname().lower()):
        return True
    with suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    return False


def _same_origin(headers: Headers) -> bool:
    """Whether our own page connects, or a program, which sends no origin."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
