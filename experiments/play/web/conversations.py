"""What the server and its pages tell each other over a WebSocket: a game's page, and the lobby's."""

from __future__ import annotations

import asyncio
import json
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from bdgame_env import get_game
from bdgame_env.engine.compile_listener import compiling
from bdgame_env.engine.compile_notice import SILENT_SECONDS

from ..session import Refused
from .hub import REACTIONS, BadMessage, Hub, read_message
from .links import Link
from .lobby import Ratings, lobby_message, plan_of
from .messages import Seen, game_message, page_news
from .rooms import Room, Rooms

POLICY, _FAILED = 1008, 1011  # codes of closed WebSockets (RFC 6455)
_MESSAGES = (60.0, 15.0, 6.0)  # of a page: a burst, then so many a second; what a bad one costs besides
POLL_SECONDS = 0.5  # between looks at whether the server compiles
_HEARTBEAT = 0.5  # seconds between signs of life while an agent thinks about a hint
_Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def send_to(websocket: WebSocket, message: Mapping[str, Any]) -> None:
    """Send a message in letters of ASCII: what a page or a record brought may hold halves of characters."""
    await websocket.send_text(json.dumps(message, separators=(",", ":")))


async def until_prepared(room: Room, websocket: WebSocket) -> bool:
    """Tell a page how far the game is until it can be played; False if it cannot, or if the page is gone."""
    gone = asyncio.ensure_future(websocket.receive())  # a page that has not seen the game asks for nothing
    try:
        while room.hub is None:
            changed = room.changes.next
            news = _preparation(room)
            await send_to(websocket, {"type": "progress", **news})
            if "percent" not in news:
                await gone
                return False
            waiting = asyncio.ensure_future(changed.wait())
            await asyncio.wait([waiting, gone], return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if gone.done():
                return False
        return True
    finally:
        gone.cancel()


def _preparation(room: Room) -> dict[str, Any]:
    """How far a game is that cannot be played yet; or, without a percentage, why it never can."""
    if room.record is not None:
        told = f"this game was not finished: {room.abandoned}" if room.abandoned else "this game is over"
        return {"text": told, "replay": f"/replay/{room.links[-1].token}"}
    if why := room.failed or room.abandoned:
        return {"text": f"this game cannot be played: {why}"}
    return {"text": f"{get_game(room.plan.game).title}: {room.progress}", "percent": room.percent}


async def talk_in_lobby(rooms: Rooms, websocket: WebSocket, hint: str, ratings: Ratings) -> None:
    """Serve one page of the lobby."""

    async def tell() -> None:
        while True:
            changed = rooms.changes.next
            await send_to(websocket, lobby_message(rooms, ratings))
            await changed.wait()
            await asyncio.sleep(0.2)  # several changes at once are told together

    async def answer(message: Mapping[str, Any]) -> None:
        if message["do"] == "create":
            room = rooms.open(plan_of(message, hint))
        elif message["do"] == "rematch":
            before = rooms.rooms.get(str(message.get("room")))
            if before is None:
                raise Refused("there is no such game")
            room = rooms.open(replace(before.plan, seed=None))
        elif message["do"] in ("abandon", "delete"):
            found = rooms.rooms.get(str(message.get("room")))
            if found is None:
                raise Refused("there is no such game")
            if message["do"] == "delete":
                rooms.delete(found)
            else:
                rooms.abandon(found, "ended in the lobby")
            return
        else:
            raise BadMessage("`do` must be create, rematch, abandon or delete")
        rooms.changes.tell()
        await send_to(websocket, {"type": "created", "room": room.to_json()})

    telling = asyncio.create_task(_until_gone(tell, websocket))
    try:
        await _answer_requests(websocket, partial(send_to, websocket), answer)
    finally:
        telling.cancel()


async def tell_compiling(send: _Send) -> None:
    """Tell a page while functions are compiled, which may take minutes, and when it is over; until it is cancelled."""
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


async def talk_about(hub: Hub, link: Link, websocket: WebSocket) -> None:
    """Serve one page: this task receives its requests, another sends it changes."""
    sending = asyncio.Lock()

    async def send(message: Mapping[str, Any]) -> None:
        async with sending:
            await send_to(websocket, message)

    async def tell() -> None:
        seen, noticed = Seen(), len(hub.notices)
        await send({**game_message(hub.session), "hints": hub.hints, "reactions": REACTIONS})
        while True:
            changed = hub.changes.next
            if (news := page_news(hub.session, link, seen)) is not None:
                await send(news)
            if hub.session.over or hub.session.match.choosing()[0] == 0:  # else one would learn who is choosing
                for notice in hub.notices[noticed:]:
                    await send({"type": "notice", "text": notice})
                noticed = len(hub.notices)
            if hub.failed:
                await send({"type": "progress", "text": f"this game cannot go on: {hub.failed}"})
            await changed.wait()

    async def hint() -> None:
        asked = asyncio.ensure_future(hub.hint(link))
        begun = time.monotonic()
        try:
            while not (await asyncio.wait([asked], timeout=_HEARTBEAT))[0]:
                await send({"type": "thinking", "seconds": round(time.monotonic() - begun, 1)})
            answer = asked.result()
        except Refused as refusal:
            answer = _error(refusal)
        finally:
            asked.cancel()
        await send(answer)

    async def analyze() -> None:
        try:
            async for judged in hub.analyze(link):
                await send(judged)
        except Refused as refusal:
            await send(_error(refusal))

    works: set[asyncio.Task[None]] = set()

    async def answer(message: Mapping[str, Any]) -> None:
        if message["do"] in ("hint", "analyze"):  # requests are answered meanwhile
            work = hint if message["do"] == "hint" else analyze
            task = asyncio.create_task(_until_gone(work, websocket))
            works.add(task)
            task.add_done_callback(works.discard)
        elif drawn := hub.obey(link, message):
            await send(drawn)

    telling = asyncio.create_task(_until_gone(tell, websocket))
    watching = asyncio.create_task(_until_gone(lambda: tell_compiling(send), websocket))
    try:
        await _answer_requests(websocket, send, answer)
    finally:
        for task in (telling, watching, *works):
            task.cancel()


async def _answer_requests(
    websocket: WebSocket, send: _Send, answer: Callable[[Mapping[str, Any]], Awaitable[None]]
) -> None:
    """Answer what a page asks for until it leaves, or asks for too much: a burst, then so many messages a second."""
    most, per_second, bad = _MESSAGES
    left, at = most, time.monotonic()
    while left > 0:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        now = time.monotonic()
        left, at = min(most, left + (now - at) * per_second) - 1.0, now
        try:
            await answer(read_message(received.get("text")))
        except Refused as refusal:
            await send(_error(refusal))
        except BadMessage as error:
            left -= bad
            await send(_error(f"not understood: {error}"))
    await websocket.close(POLICY, "too many messages")


def _error(text: object) -> dict[str, str]:
    return {"type": "error", "text": str(text)}


async def _until_gone(work: Callable[[], Awaitable[None]], websocket: WebSocket) -> None:
    """Work for a page until it is gone. Any other failure closes the connection, and the page reconnects."""
    try:
        await work()  # called here: of a page that is gone at once, nothing has begun
    except Exception as error:
        states = {websocket.client_state, websocket.application_state}
        if isinstance(error, WebSocketDisconnect) or states != {WebSocketState.CONNECTED}:
            return
        traceback.print_exception(error)
        with suppress(WebSocketDisconnect, RuntimeError):
            await websocket.close(_FAILED, "the server failed")
