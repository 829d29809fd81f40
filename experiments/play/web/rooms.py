"""Games that one server plays: each in a room, prepared in the background, kept in files, taken up after a crash."""

from __future__ import annotations

import asyncio
import json
import math
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from bdgame_env import get_game
from bdgame_env.engine.compile_listener import compiling
from bdgame_env.engine.match import Match
from bdgame_env.engine.user_files import read_text
from bdgame_env.records.game_record import OPEN, GameRecord

from ...courtesy import courtesy
from ...daemon_threads import in_daemon_thread
from ...files import write_text
from ..game_records import read_record, write_record
from ..names import names_of
from ..plans import Plan, Prepared, begin, with_agents
from ..seats import is_human
from ..session import Refused, Session, name_of
from .changes import Changes
from .gradual import Gradual
from .hub import Hub
from .links import Link, links_for
from .messages import Seen, page_view

MOST_ROOMS = 24  # that are not over
MOST_IDLE_DAYS = 14  # without a move, then a game is ended
_COMPILED = 240, 50  # about how many functions the rules of a game consist of, and an agent


@dataclass
class Room:
    """A game from its plan to its end.

    Attributes:
        id: its name in the lobby.
        plan: what is played.
        links: all its links; the last one is for spectators.
        file: the record, or None if none is kept.
        began: when, in seconds since 1970.
        hub: the game, once it is prepared.
        progress: what is being prepared, for people.
        percent: how much of that is done.
        failed: why it cannot be played, or "".
        record: of a game that was over before the server began; `hub` stays None.
        abandoned: why it was ended before its end, or "".
        changes: of what is not in the hub.
        replays: pages of the game that is over, by the seat they are seen from and the players' names.
    """

    id: str
    plan: Plan
    links: list[Link]
    file: Path | None = None
    began: float = field(default_factory=time.time)
    hub: Hub | None = None
    progress: str = "starting soon"
    percent: int = 0
    failed: str = ""
    record: GameRecord | None = None
    abandoned: str = ""
    changes: Changes = field(default_factory=Changes)
    replays: dict[tuple[int, tuple[str, ...]], Gradual] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        """Whether its game has ended, or cannot be played."""
        return (
            bool(self.failed or self.abandoned)
            or self.record is not None
            or (self.hub is not None and self.hub.session.over)
        )

    def ended(self) -> GameRecord | None:
        """The record of a game that is over; None before that."""
        if self.record is not None:
            return self.record
        return self.hub.session.record() if self.hub is not None and self.over and not self.failed else None

    def last_change(self) -> float:
        """When it began or was last written, in seconds since 1970."""
        try:
            return max(self.began, self.file.stat().st_mtime) if self.file is not None else self.began
        except OSError:
            return self.began

    def to_json(self) -> dict[str, Any]:
        """The room as the lobby shows it: only what spectators may know."""
        game = get_game(self.plan.game)
        shown: dict[str, Any] = {
            "id": self.id,
            "game": game.id,
            "title": game.title,
            "seats": names_of(self.plan.seats),
            "began": self.began,
            "progress": self.progress and f"{self.progress} ({self.percent}%)",
            "failed": self.failed,
            "abandoned": self.abandoned,
            "over": self.over,
            "links": [{"seats": link.seats, "path": link.path} for link in self.links],
            "points": [],
            "ranks": [],
            "turn": None,
        }
        if (record := self.ended()) is not None and record.ending is not None and not self.abandoned:
            shown.update(points=list(record.ending.points), ranks=list(record.ending.ranks))
        elif self.hub is not None and not self.abandoned:
            session = self.hub.session
            shown.update(points=list(session.points), turn=session.match.seat_known_to(None))
        return {**shown, **_told(shown)}


def _told(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Who plays, the best first, and how far the game is, in words."""
    names, points, ranks = shown["seats"], shown["points"], shown["ranks"]
    who = [
        (f"{ranks[seat]}. " if ranks else "") + name + (f": {points[seat]}" if points else "")
        for seat, name in enumerate(names)
    ]
    order = sorted(range(len(names)), key=lambda seat: ranks[seat] if ranks else seat)
    ended = f"unfinished: {shown['abandoned']}" if shown["abandoned"] else ""
    turn = f"{names[shown['turn']]} to move" if shown["turn"] is not None and not shown["over"] else ""
    last = order[-1]
    return {
        "who": [(seat, who[seat] + ("" if seat == last else ", ")) for seat in order],
        "state": shown["failed"] or ended or shown["progress"] or turn,
    }


def same_secret(one: str, other: str) -> bool:
    """Whether two tokens are equal; takes as long for any other text."""
    return secrets.compare_digest(one.encode(), other.encode("utf-8", "surrogatepass"))


class Rooms:
    """All rooms of a server.

    Args:
        folder: where games are kept and found again; None to keep none.
        token: the secret part of the lobby's address; None for a server without a lobby.
    """

    def __init__(self, folder: Path | None = None, token: str | None = None) -> None:
        self.token, self.folder = token, folder
        self.rooms: dict[str, Room] = {}
        self.changes = Changes()
        self._tasks: set[asyncio.Task[None]] = set()
        self._preparing = asyncio.Lock()

    @classmethod
    def only(cls, room: Room) -> Rooms:
        """The rooms of a server of one game."""
        made = cls()
        made.rooms[room.id] = room
        return made

    def entrances(self) -> list[tuple[str, str]]:
        """Whom the links are for that the server prints when it starts, and their paths."""
        if self.token is not None:
            return [("lobby", f"/lobby/{self.token}")]
        links = [(room.plan.seats, link) for room in self.rooms.values() for link in room.links]
        return [
            (", ".join(f"seat {seat} {name_of(seats[seat])}" for seat in link.seats) or "spectators", link.path)
            for seats, link in links
        ]

    def find(self, token: str) -> tuple[Room, Link] | None:
        """The room and the link with this token, or None."""
        for room in self.rooms.values():
            for link in room.links:
                if same_secret(link.token, token):
                    return room, link
        return None

    def open(self, plan: Plan) -> Room:
        """A new room, whose game is prepared in the background.

        Raises:
            Refused: too many games are being played, or it cannot be kept.
        """
        self.end_idle()
        if sum(not room.over for room in self.rooms.values()) >= MOST_ROOMS:
            raise Refused(f"{MOST_ROOMS} games are in progress; end one first")
        id = secrets.token_hex(6)
        file = None if self.folder is None else self.folder / f"{id}.txt"
        room = Room(id, plan, links_for(plan.seats, plan.separate), file)
        try:
            self._keep(room)
        except OSError as error:
            raise Refused(f"the game cannot be saved: {error}") from None
        self.rooms[id] = room
        self.start(room)
        return room

    def abandon(self, room: Room, why: str) -> None:
        """End a game before its end; its record stays.

        Raises:
            Refused: it is over.
        """
        if room.over:
            raise Refused("the game is over")
        room.abandoned, room.progress = why, ""
        with courtesy("the end of the game is not saved"):
            self._keep(room)
        if room.hub is not None:
            room.hub.fail(why)  # its agents rest once they have answered
        room.changes.tell()
        self.changes.tell()

    def delete(self, room: Room) -> None:
        """Forget a game that is over, with its record.

        Raises:
            Refused: it is not over, or its files cannot be removed.
        """
        if not room.over:
            raise Refused("the game is not over; end it first")
        if room.file is not None:
            try:
                for file in (room.file, room.file.with_suffix(".json")):
                    file.unlink(missing_ok=True)
            except OSError as error:
                raise Refused(f"the game cannot be deleted: {error}") from None
        room.file = None  # so that nothing writes it again
        self.rooms.pop(room.id, None)
        self.changes.tell()

    def end_idle(self) -> None:
        """End the games in which nobody has moved for long."""
        for room in self.rooms.values():
            if not room.over and time.time() - room.last_change() > 86400 * MOST_IDLE_DAYS:
                self.abandon(room, f"no move for {MOST_IDLE_DAYS} days")

    def _keep(self, room: Room) -> None:
        if room.file is None:
            return
        links = [{"token": link.token, "seats": link.seats} for link in room.links]
        kept = {"plan": asdict(room.plan), "began": room.began, "links": links, "abandoned": room.abandoned}
        file = room.file.with_suffix(".json")
        write_text(file, json.dumps(kept, indent=1) + "\n")
        file.chmod(0o600)  # the links are secret

    def load(self) -> None:
        """Take up the games of the folder, with the links that they had; files that are none of ours are left alone."""
        if self.folder is None or not self.folder.is_dir():
            return
        for file in sorted(self.folder.glob("*.json")):
            with suppress(ValueError, KeyError, TypeError, OSError, OverflowError):
                kept = json.loads(read_text(file))
                plan = Plan(**kept["plan"])
                get_game(plan.game).config(players=len([name_of(seat) for seat in plan.seats]), **plan.options)
                links = [Link(str(link["token"]), tuple(link["seats"])) for link in kept["links"]]
                began = float(kept["began"])
                if not math.isfinite(began):
                    continue
                room = Room(file.stem, plan, links, file.with_suffix(".txt"), began)
                room.abandoned = str(kept.get("abandoned", ""))
                if room.file is not None and room.file.exists():
                    record = read_record(room.file)
                    if room.abandoned or (record.ending is not None and record.ending.how != OPEN):
                        room.record, room.progress = record, ""
                self.rooms[room.id] = room
        self.end_idle()

    def start(self, room: Room) -> None:
        """Prepare the room's game and let it run, in the background."""
        task = asyncio.get_running_loop().create_task(self._run(room))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, room: Room) -> None:
        try:
            if room.hub is None:
                if self._preparing.locked():
                    room.progress = "waiting for another game to load"
                async with self._preparing:  # one after the other: they compile the same functions
                    await self._prepare(room)
            assert room.hub is not None
            room.hub.on_change = self.changes.tell
            self.changes.tell()
            if room.abandoned:
                room.hub.fail(room.abandoned)
            await room.hub.drive()
            room.hub.game.close_agents()
        except Exception as error:  # told on the page; other games go on
            room.failed = f"{type(error).__name__}: {error}".split("\n", 1)[0][:300]
            room.progress = ""
            room.changes.tell()
            if room.hub is not None:
                room.hub.fail(room.failed)
        finally:
            self.changes.tell()

    async def _prepare(self, room: Room) -> None:
        steps: list[tuple[str, int]] = []  # each step, and how many functions were compiled before it

        def say(text: str) -> None:
            steps.append((text, compiling().functions))

        made = asyncio.wrap_future(in_daemon_thread(lambda: prepared(room.plan, room.file, say)))
        try:
            while not (await asyncio.wait([made], timeout=0.4))[0]:
                if not steps:
                    continue
                text, before = steps[-1]
                count = 2 + sum(not is_human(seat) for seat in room.plan.seats)
                percent = percent_done(len(steps), count, compiling().functions - before)
                progress = f"step {len(steps)} of {count}: {text}"
                if (progress, percent) != (room.progress, room.percent):
                    room.progress, room.percent = progress, percent
                    room.changes.tell()
                    self.changes.tell()
        finally:
            made.cancel()  # if the server ends; the thread goes on, and nobody hears of it
        game = made.result()
        for link in room.links:
            link.begin(game.session)

        def keep() -> None:
            room.replays.clear()  # the record tells more
            if room.file is not None:
                write_record(room.file, game.session.record())
            if game.session.seats != room.plan.seats:  # somebody has another name
                room.plan = replace(room.plan, seats=list(game.session.seats))
                self._keep(room)

        keep()
        room.hub = Hub(game, room.links, keep, hints=room.plan.gives_hints)
        room.progress = ""
        room.changes.tell()

    async def close(self) -> None:
        """Stop all games; what was played is kept."""
        for task in list(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks))
        for room in self.rooms.values():
            if room.hub is not None:
                room.hub.game.close_agents()
                room.hub.game.close_advisers()


def rehearse(match: Match) -> None:
    """Do in a new game of the same kind what pages and agents ask for, so that it is compiled here.

    What a click compiled would keep every page of the server waiting.
    """
    trial = Session(Match(match.game, seed=0, **match.config.options), ["human"] * match.players)
    link = Link("", (trial.match.seat,))
    link.begin(trial)
    seen = Seen()
    trial.question()
    for _ in range(2):
        page_view(trial, link, seen)
        if not trial.over:
            trial.play(trial.match.seat, trial.match.legal_moves()[0])


def percent_done(step: int, steps: int, compiled: int) -> int:
    """About how much of the preparations is done.

    Args:
        step: which one is on, from 1: the rules, then each agent.
        steps: how many there are.
        compiled: how many functions have been compiled in this step; none if that was done before.
    """
    rules, agent = _COMPILED
    parts = [rules, *[agent] * (steps - 1)]
    return round(100 * (sum(parts[: step - 1]) + min(compiled, 0.95 * parts[step - 1])) / sum(parts))


def prepared(plan: Plan, file: Path | None, say: Callable[[str], None]) -> Prepared:
    """The game of a plan, continued from its record if there is one; `say` is told each step when it begins.

    Raises:
        BadInput, UnknownAgent, BadOption, BadRecord: the plan cannot be played.
    """
    say("loading the rules")
    session = begin(plan, file)
    rehearse(session.match)
    return with_agents(session, plan.hint, say, rehearsed=True)
