"""Serves the pages of one game: HTTP for the page, a WebSocket for its messages."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import sys
import time
import traceback
import webbrowser
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from bdgame_env.agents import Agent

from ...errors import BadInput
from ..session import Refused, Session
from .hub import BadMessage, Hub, read_message
from .links import Link, new_links
from .messages import Seen, page_news

STATIC = Path(__file__).parent / "static"
ASSETS = {"page.css": "text/css", "common.js": "text/javascript", "play.js": "text/javascript"}
MOST_BYTES = 4096  # in a message from a page
MOST_PAGES = 500
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_POLICY, _FAILED, _BUSY = 1008, 1011, 1013  # codes of closed WebSockets (RFC 6455)


class Patience:
    """A page's message budget: a burst of `MOST`, then `PER_SECOND`; a bad message costs `BAD`."""

    MOST, PER_SECOND, BAD = 60.0, 15.0, 6.0

    def __init__(self) -> None:
        self._left, self._at = self.MOST, time.monotonic()

    def spend(self, amount: float = 1.0) -> bool:
        """Spend from the budget; returns whether any is left."""
        now = time.monotonic()
        self._left = min(self.MOST, self._left + (now - self._at) * self.PER_SECOND) - amount
        self._at = now
        return self._left > 0


def application(hub: Hub, host: str) -> Starlette:
    """The pages of a game.

    Args:
        hub: the game.
        host: the name or address of the server; requests may also use numeric addresses.
    """
    pages: set[WebSocket] = set()

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        driver = asyncio.create_task(hub.drive())
        driver.add_done_callback(_ended)
        yield
        driver.cancel()
        await asyncio.wait([driver])

    async def page(request: Request) -> Response:
        if not _names_us(request.headers, host):
            return PlainTextResponse("wrong host", 421, HEADERS)
        if request.path_params["token"] not in hub.links:
            return PlainTextResponse("no such link: links are printed when the game starts", 404, HEADERS)
        return FileResponse(STATIC / "play.html", headers=HEADERS, media_type="text/html")

    async def asset(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in ASSETS or not _names_us(request.headers, host):
            return PlainTextResponse("no such file", 404, HEADERS)
        return FileResponse(STATIC / name, headers=HEADERS, media_type=ASSETS[name])

    async def talk(websocket: WebSocket) -> None:
        link = hub.links.get(websocket.path_params["token"])
        if link is None or not _names_us(websocket.headers, host) or not _same_origin(websocket.headers):
            await websocket.close(_POLICY)
            return
        await websocket.accept()
        if len(pages) >= MOST_PAGES:
            await websocket.close(_BUSY, "too many pages are open")
            return
        pages.add(websocket)
        try:
            await _talk(hub, link, websocket)
        finally:
            pages.discard(websocket)

    return Starlette(
        routes=[
            Route("/play/{token}", page),
            Route("/static/{name}", asset),
            WebSocketRoute("/play/{token}/socket", talk),
        ],
        lifespan=running,
    )


async def _talk(hub: Hub, link: Link, websocket: WebSocket) -> None:
    """Serve one page: this task receives its requests, another sends it changes."""
    sending = asyncio.Lock()

    async def send(message: Mapping[str, Any]) -> None:
        async with sending:
            await websocket.send_json(message)

    async def tell() -> None:
        seen = Seen()
        while True:
            changed = hub.changed
            if (news := page_news(hub.session, link, seen)) is not None:
                await send(news)
            await changed.wait()

    async def hint() -> None:
        try:
            told = await hub.hint(link)
        except Refused as refusal:
            told = _error(refusal)
        await send(told)

    telling = asyncio.create_task(_until_gone(tell(), websocket))
    hints: set[asyncio.Task[None]] = set()
    patience = Patience()
    try:
        while patience.spend():
            received = await websocket.receive()
            if received["type"] == "websocket.disconnect":
                return
            try:
                message = read_message(received.get("text"))
                if message["do"] == "hint":  # requests are handled meanwhile
                    task = asyncio.create_task(_until_gone(hint(), websocket))
                    hints.add(task)
                    task.add_done_callback(hints.discard)
                elif told := hub.obey(link, message):
                    await send(told)
            except Refused as refusal:
                await send(_error(refusal))
            except BadMessage as error:
                patience.spend(Patience.BAD)
                await send(_error(f"not understood: {error}"))
        await websocket.close(_POLICY, "too many messages")
    except (WebSocketDisconnect, RuntimeError):  # Starlette raises these for a page that is gone
        return
    finally:
        for task in (telling, *hints):
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


def _ended(driver: asyncio.Task[None]) -> None:
    if not driver.cancelled() and (error := driver.exception()) is not None:
        _report(error)


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


# Serving


def serve(
    session: Session,
    agents: Mapping[int, Agent],
    hinter: Agent,
    *,
    host: str,
    port: int,
    open_page: bool,
    separate: bool,
    keep: Callable[[], None],
) -> int:
    """Serve a game until it is interrupted.

    Args:
        session: the game.
        agents: agents by seat.
        hinter: the agent that gives hints.
        host: address to serve at.
        port: port to serve at; 0 for any free one.
        open_page: whether to open the first link in a browser.
        separate: whether each person gets a link.
        keep: called after every change, to write the record.

    Raises:
        BadInput: the address is not available.
    """
    listening = _listen(host, port)
    links = new_links(session, separate)
    address = _address(host, listening.getsockname()[1])
    for link in links:
        who = ", ".join(f"seat {seat} {session.name(seat)}" for seat in link.seats) or "spectators"
        print(f"{who}: {address}/play/{link.token}")
    if not _is_loopback(host):
        print("note: served to the network, unencrypted; whoever has a link can play its seats")
    print("the server runs until Ctrl-C", flush=True)
    if open_page:
        webbrowser.open(f"{address}/play/{links[0].token}")
    asyncio.run(_serve(session, agents, hinter, links, keep, host, listening))
    return 0


async def _serve(
    session: Session,
    agents: Mapping[int, Agent],
    hinter: Agent,
    links: list[Link],
    keep: Callable[[], None],
    host: str,
    listening: socket.socket,
) -> None:
    app = application(Hub(session, agents, hinter, links, keep), host)
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
        limit_concurrency=2 * MOST_PAGES,
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
