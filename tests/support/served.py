"""A game served for tests: a real server in a thread, and clients that stand in for browsers."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from websockets.sync.client import ClientConnection, connect

from bdgame_env.agents import Agent, make_agent
from bdgame_env.experiments.play.plans import Plan, Prepared
from bdgame_env.experiments.play.session import Session
from bdgame_env.experiments.play.web.hub import Hub
from bdgame_env.experiments.play.web.links import Link, links_for
from bdgame_env.experiments.play.web.rooms import Room, Rooms
from bdgame_env.experiments.play.web.server import application
from bdgame_env.experiments.play.web.serving import configuration

SECONDS = 60.0


@dataclass
class Served:
    """A served game. The session belongs to the server's thread; tests must only read it."""

    session: Session
    links: list[Link]
    port: int
    connections: ExitStack

    def url(self, link: int = 0) -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}/play/{self.links[link].token}"

    def page(self, link: int = 0, **settings: Any) -> Page:
        """A connected page."""
        address = self.url(link).replace("http", "ws") + "/socket"
        return Page(self.connections.enter_context(connect(address, proxy=None, **settings)))


class Page:
    """The connection of a browser's page, without the browser.

    Attributes:
        connection: the WebSocket.
        view: the newest message about the game.
        received: every message, as received.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.received: list[str] = []
        self.view = self.wait("view")

    def receive(self) -> dict[str, Any]:
        """The next message."""
        text = self.connection.recv(timeout=SECONDS)
        assert isinstance(text, str)
        self.received.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "view":
            self.view = message
        return message

    def wait(self, kind: str) -> dict[str, Any]:
        """The next message of a kind."""
        while (message := self.receive())["type"] != kind:
            pass
        return message

    def wait_for(self, number: int) -> dict[str, Any]:
        """The view after this many decisions."""
        while self.view["number"] < number:
            self.receive()
        return self.view

    def ask(self, **message: Any) -> None:
        """Send a message."""
        self.connection.send(json.dumps(message))

    def play(self, move: str) -> dict[str, Any]:
        """Play a move; returns the answer, a view or an error."""
        self.ask(do="move", move=move, number=self.view["number"])
        while (message := self.receive())["type"] not in ("view", "error"):
            pass
        return message

    def close(self) -> None:
        """Go away."""
        self.connection.close()

    def vanish(self) -> None:
        """Drop the connection without closing it."""
        self.connection.socket.shutdown(socket.SHUT_RDWR)


def new_links(session: Session, separate: bool) -> list[Link]:
    """Links of a session, ready to be used."""
    links = links_for(session.seats, separate)
    for link in links:
        link.begin(session)
    return links


@contextmanager
def served(
    session: Session,
    agents: Mapping[int, Agent] | None = None,
    hinter: Agent | None = None,
    separate: bool = True,
    hints: bool = True,
) -> Iterator[Served]:
    """Serve a session until the block ends."""
    links = new_links(session, separate)
    hinter = hinter or make_agent("random", session.match.game, session.match.config, seed=1)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        plan = Plan(session.match.game.id, {}, session.seats)
        hub = Hub(Prepared(session, dict(agents or {}), hinter, hinter), links, hints=hints)
        rooms = Rooms.only(Room("only", plan, links, hub=hub, progress=""))
        with running(application(rooms, "127.0.0.1"), listening), ExitStack() as connections:
            yield Served(session, links, listening.getsockname()[1], connections)


@contextmanager
def running(app: Starlette, listening: socket.socket) -> Iterator[None]:
    """A server in a thread, until the block ends."""
    server = uvicorn.Server(configuration(app))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(SECONDS)
        assert not thread.is_alive(), "the server does not end"


TOKEN = "a-token-of-the-lobby"


@contextmanager
def lobby(folder: Path, hint: str = "random") -> Iterator[int]:
    """A served lobby that keeps its games in a folder, in which this agent gives hints; gives its port."""
    rooms = Rooms(folder, TOKEN)
    rooms.load()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        app = application(rooms, "127.0.0.1", hint=hint, ratings={"nicodemus-v2": {2: {"random": 12.5}}})
        with running(app, listening):
            yield listening.getsockname()[1]
