"""The game behind the pages: handles requests, lets agents move in threads, and notifies pages of changes."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.render.drawings import words_of_moves

from ...courtesy import courtesy
from ...daemon_threads import in_daemon_thread
from ..hints import advised, judged_by
from ..leads import because, leads_to, without_doubtful_values
from ..names import agent_words, names_of, person
from ..opinions import Answer, Question, ask, named_moves
from ..plans import Prepared
from ..session import Refused
from ..turn_plan import turn_plan
from .aftermath import finish_message, judged
from .changes import Changes
from .links import Link
from .messages import cards_message, look_message, why_message

T = TypeVar("T")
REACTIONS = ("\u2605 well played", "\U0001f62e oh no", "\U0001f604 nice one", "\u2665 thanks")
REACTION_SECONDS = 3


class BadMessage(ValueError):
    """A message that no page sends; the text says in one line what is wrong."""


class Hub:
    """One game and its pages.

    Args:
        game: the game and its agents.
        links: all links.
        keep: called after every change, to write the record.
        hints: whether people may ask for hints.

    Attributes:
        failed: why the game cannot go on, or "".
        on_change: called after every change, besides.
        changes: of the game, for its pages.
        notices: what all pages are told besides, as soon as nobody chooses in secret.
    """

    def __init__(
        self, game: Prepared, links: list[Link], keep: Callable[[], None] = lambda: None, *, hints: bool = True
    ) -> None:
        self.game, self.session = game, game.session
        self.links = {link.token: link for link in links}
        self.session.call_players(self.session.seats, names_of(self.session.seats))
        self.changes = Changes()
        self.failed = ""
        self.hints = hints
        self.notices: list[str] = []
        self._keep = keep
        self._names = self.session.match.action_names
        self._hinting = asyncio.Lock()
        self._hints: set[asyncio.Task[Any]] = set()
        self._finish: dict[str, Any] | None = None
        self._reacted: dict[str, float] = {}
        self._judged: dict[int, dict[str, Any]] = {}
        self._advice: dict[bytes, tuple[Answer, str]] = {}  # by position
        self.on_change: Callable[[], None] = lambda: None

    # Requests

    def obey(self, link: Link, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Carry out a page's request; returns the answer for that page alone, if any. For hints see `hint`.

        Raises:
            BadMessage: no page sends such a message.
            Refused: it cannot be done now.
        """
        what = message["do"]
        if what == "move":
            self._play(link, message)
        elif what == "undo":
            self.session.undo(self._own_turn(link))
            self.tell()
        elif what == "resign":
            self._resign(link)
        elif what == "react":
            self._react(link, _field(message, "what", int))
        elif what == "name":
            self._name(link, message)
        elif what == "ready":
            if link.covered:  # else nothing changes, and nobody needs to be told
                link.uncover(self.session)
                self.changes.tell()
        elif what == "record":
            return self._record()
        elif what == "finish":
            if self._finish is None or not self.session.over:
                self._finish = finish_message(self.session)
            return {**self._finish, "analysis": self._analysis(link)}
        elif what == "look":
            return look_message(self.session, link.viewer(), _field(message, "number", int))
        elif what == "cards":
            return cards_message(self.session)
        elif what == "why":
            return why_message(self.session, link, _field(message, "id", str))
        else:
            raise BadMessage(
                "`do` must be move, undo, resign, react, name, ready, hint, look, why, cards, finish, analyze or record"
            )
        return None

    def _react(self, link: Link, what: int) -> None:
        """Show a reaction to all at the table; one of the fixed ones, so that nothing else can be told."""
        if not link.seats:
            raise Refused("only players can react")
        if not 0 <= what < len(REACTIONS):
            raise BadMessage(f"`what` must be 0 to {len(REACTIONS) - 1}")
        if time.monotonic() - self._reacted.get(link.token, -math.inf) < REACTION_SECONDS:
            raise Refused(f"you can react every {REACTION_SECONDS} seconds")
        self._reacted[link.token] = time.monotonic()
        viewer = link.viewer()
        self.notices.append(f"{self.session.names[link.seats[0] if viewer is None else viewer]}: {REACTIONS[what]}")
        self.changes.tell()

    def _name(self, link: Link, message: Mapping[str, Any]) -> None:
        """Call a player of the link by another name, or by none."""
        seat, seats = _field(message, "seat", int), list(self.session.seats)
        if seat not in link.seats:
            raise Refused("only players have names, and you can change only your own")
        seats[seat] = person(_field(message, "name", str))
        others = [name.casefold() for each, name in enumerate(self.session.names) if each != seat]
        if message["name"].casefold() in others:
            raise Refused(f"the name {message['name']} is taken")
        if seats != self.session.seats:
            self.session.call_players(seats, names_of(seats))
            self.tell()

    def _own_turn(self, link: Link) -> int:
        if self.failed:
            raise Refused(f"this game cannot go on: {self.failed}")
        seat = link.seat_to_move(self.session)
        if seat is None:
            raise Refused("the game is over" if self.session.over else "it is not your turn")
        return seat

    def _play(self, link: Link, message: Mapping[str, Any]) -> None:
        move, number = _field(message, "move", str), _field(message, "number", int)
        self.session.play(self._own_turn(link), move, number=number)
        self.tell()

    def _resign(self, link: Link) -> None:
        """End the game with a loss for the link's seat: at any time, also during another's turn."""
        if self.failed:
            raise Refused(f"this game cannot go on: {self.failed}")
        if self.session.over:
            raise Refused("the game is over")
        seat = link.seat_to_move(self.session) if len(link.seats) > 1 else next(iter(link.seats), None)
        if seat is None:
            raise Refused("only players can resign; if you share a page, resign on your turn")
        self.session.forfeit(seat, "resigned")
        self.tell()

    async def hint(self, link: Link) -> dict[str, Any]:
        """A hint, which may take long.

        Raises:
            Refused: it is not the link's turn, a hint is being computed, or the position changed meanwhile.
        """
        seat = self._own_turn(link)
        if not self.hints:
            raise Refused("hints are off in this game")
        if self._hints:
            raise Refused("a hint is already on its way")
        asked_at = self.session.changes, link.viewer()
        number = len(self.session.known(link.viewer()))
        try:
            answer, plan = await self._advised()
        except AgentFault as error:
            raise Refused(f"no hint: {self._adviser} {error}") from None
        if asked_at != (self.session.changes, link.viewer()):  # another person may look at the page now
            raise Refused("the position has changed since you asked for a hint")
        if len(self.session.humans) > 1:
            self.notices.append(f"{self.session.names[seat]} took a hint")
            self.changes.tell()
        move = self._names[answer.action]
        scene = self.session.scene(self.session.number, link.viewer())
        words = words_of_moves(scene, self.session.match.legal_moves())
        named = {move} | named_moves(answer.remarks, words)
        why = because(move, answer.remarks, words, self.session.match.players, fell_back=answer.fell_back)
        return {
            "type": "hint",
            "number": number,
            "agent": self._adviser,
            "move": move,
            "because": " ".join(filter(None, [plan or leads_to(self.session.match, move), why])),
            "remarks": without_doubtful_values(move, answer.remarks),
            "said": {each: words[each] for each in named},
        }

    async def analyze(self, link: Link) -> AsyncIterator[dict[str, Any]]:
        """What the agent of hints would have played in each decision of the link's seats, one after the other.

        Raises:
            Refused: the game is not over, or the link has no seat.
        """
        session = self.session
        if not session.over:
            raise Refused("the game is not over")
        if not link.seats:
            raise Refused("only players can have their moves analyzed")
        asked = self._decisions_of(link)
        players = [each for each in (self.game.network, self.game.fallback) if each is not None]
        head = {"type": "analysis", "of": len(asked), "agent": self._adviser}
        yield {**head, "done": 0, "line": None}
        try:
            for done, number in enumerate(asked, 1):
                if number not in self._judged:
                    position, played = session.position(number - 1), session.played[number - 1].move.move
                    try:
                        asking = partial(judged_by, self.game.hinter, players, position, played, self._names)
                        answer = await self._alone(asking)
                    except AgentFault as error:
                        raise Refused(f"{self._adviser} {error}") from None
                    self._judged[number] = judged(session, number, answer, self._names)
                    session.remark(number, {"judged": self._judged[number]})
                yield {**head, "done": done, "line": self._judged[number]}
        finally:  # also if the page is gone meanwhile
            with courtesy("the analysis is not saved"):
                self._keep()

    def _decisions_of(self, link: Link) -> list[int]:
        """The numbers of the decisions in which a seat of the link had a choice."""
        played = enumerate(self.session.played, 1)
        return [number for number, one in played if one.move.seat in link.seats and one.move.choices > 1]

    def _analysis(self, link: Link) -> dict[str, Any] | None:
        """What has been found in `analyze`, for who comes back; None if nobody has asked."""
        asked = self._decisions_of(link)
        lines = {number: self._judged[number] for number in asked if number in self._judged}
        return {"of": len(asked), "done": len(lines), "agent": self._adviser, "lines": lines} if lines else None

    def _record(self) -> dict[str, Any]:
        if not self.session.over:
            raise Refused("the record reveals everything hidden, so it is available only after the game")
        return {
            "type": "record",
            "name": f"{self.session.match.game.id}.txt",
            "text": self.session.record().to_text(),
        }

    # Changes

    def tell(self) -> None:
        """Publish a change to the pages and the record."""
        for link in self.links.values():
            link.follow(self.session)
        with courtesy("the game is not being saved"):  # the next change tries again
            self._keep()
        self.changes.tell()
        self.on_change()

    async def drive(self) -> None:
        """Let agents move whenever it is their turn, until the game is over or cannot go on."""
        session = self.session
        while not session.over and not self.failed:
            changed = self.changes.next
            seat = session.to_move
            if seat is None or seat not in self.game.agents:
                if not await happened(changed, session.time_left()) and seat is not None:
                    session.forfeit(seat, "ran out of time")
                    self.tell()
                continue
            try:
                answer = await self._asked(self.game.agents[seat], session.question())
                if session.to_move != seat or self.failed:  # somebody has left meanwhile
                    continue
                session.play(seat, self._names[answer.action], remarks=answer.remarks)
            except AgentFault as error:
                if not session.over:
                    session.forfeit(seat, str(error))
            self.tell()

    def fail(self, why: str) -> None:
        """Tell the pages that the game cannot go on."""
        self.failed = why
        self.changes.tell()

    @property
    def _adviser(self) -> str:
        return agent_words(self.game.hinter.name)

    async def _advised(self) -> tuple[Answer, str]:
        """What the agent of hints would play now, and how the turn goes on; the same if it is asked again."""
        game, match = self.game, self.session.match.clone()
        key = match.states.tobytes()
        if key in self._advice:
            return self._advice[key]

        def think() -> tuple[Answer, str]:
            answer = advised(game.hinter, game.fallback, game.network, match, self._names)
            return answer, turn_plan(match, self._names[answer.action], game.follower)

        self._advice[key] = await self._alone(think)
        return self._advice[key]

    async def _alone(self, think: Callable[[], T]) -> T:
        """What those who give hints think; they stay taken until it is done, even if the page that asked is gone."""

        async def alone() -> T:
            async with self._hinting:
                return await asyncio.wrap_future(in_daemon_thread(think))

        task = asyncio.ensure_future(alone())
        self._hints.add(task)
        task.add_done_callback(self._hints.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be there to hear of it
        return await asyncio.shield(task)

    async def _asked(self, agent: Agent, question: Question) -> Answer:
        return await asyncio.wrap_future(in_daemon_thread(lambda: ask(agent, question, self._names)))


async def happened(event: asyncio.Event, within: float | None) -> bool:
    """Wait for an event, for so many seconds at most; whether it happened."""
    try:
        await asyncio.wait_for(event.wait(), within)
    except TimeoutError:
        return False
    return True


def _field(message: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = message.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadMessage(f"{message['do']} needs `{name}`")
    return value


def read_message(text: str | None) -> dict[str, Any]:
    """Parse a page's message.

    Raises:
        BadMessage: it is not a JSON object that says what to `do`.
    """
    if text is None:
        raise BadMessage("a message must be text, not bytes")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("a message must be JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise BadMessage("a message must be a JSON object that says what to do")
    return message
