"""What a game in lines of text and one in lines of JSON share: who moves next, and what is read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TextIO

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.quoting import shown

from .opinions import ask
from .session import LogLine, Refused, Session

LONGEST = 10_000  # characters of a line that are read


class LineGame(ABC):
    """One game as a dialog over two streams, with whoever plays the seats of people.

    Args:
        session: the game.
        agents: agents by seat.
        lines: what the other side writes.
        out: what it reads.
        on_change: called after every change.
    """

    def __init__(
        self,
        session: Session,
        agents: Mapping[int, Agent],
        lines: TextIO,
        out: TextIO,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._session, self._agents, self._lines, self._out = session, agents, lines, out
        self._on_change = on_change
        self._names = session.match.action_names
        humans = session.humans
        self._viewer = humans[0] if len(humans) == 1 else None
        self._logged = session.number  # decisions that the other side has been told of

    def play(self) -> bool:
        """Play until the game is over (True) or the other side leaves (False)."""
        self._begin()
        while (seat := self._session.to_move) is not None:
            if seat in self._agents:
                self._agent_moves(seat)
            elif not self._ask(seat):
                return False
        self._end()
        return True

    @abstractmethod
    def _begin(self) -> None: ...

    @abstractmethod
    def _question(self, seat: int) -> None:
        """Put a decision to the other side."""

    @abstractmethod
    def _obey(self, seat: int, line: str) -> bool:
        """Carry out a line; returns whether the other side stays.

        Raises:
            Refused: it cannot be done now.
        """

    @abstractmethod
    def _refuse(self, seat: int, why: str) -> None: ...

    @abstractmethod
    def _log(self, line: LogLine) -> None:
        """Tell of a decision that the other side may know."""

    @abstractmethod
    def _end(self) -> None: ...

    def _agent_moves(self, seat: int) -> None:
        try:
            answer = ask(self._agents[seat], self._session.question(), self._names)
            self._session.play(seat, self._names[answer.action], remarks=answer.remarks)
        except AgentFault as error:
            self._session.forfeit(seat, str(error))
        self._changed()

    def _ask(self, seat: int) -> bool:
        """Ask until something changes; False if the other side leaves."""
        changes = self._session.changes
        self._question(seat)
        while self._session.changes == changes:
            line = self._next_line()
            try:
                if not line or not self._obey(seat, line):
                    return False
            except Refused as error:
                self._refuse(seat, str(error))
        return True

    def _changed(self) -> None:
        session = self._session
        for number, line in zip(session.known(self._viewer), session.log(self._viewer), strict=True):
            if number > self._logged and line.move.move:
                self._log(line)
        self._logged = session.number
        self._on_change()

    def _play(self, seat: int, move: str) -> None:
        self._session.play(seat, move)
        self._changed()

    def _numbered(self, number: int) -> str:
        """The legal move with this number.

        Raises:
            Refused: there is none.
        """
        legal = self._session.match.legal_moves()
        if not 1 <= number <= len(legal):
            raise Refused(f"there is no move {shown(number)}; numbers are 1 to {len(legal)}")
        return legal[number - 1]

    def _next_line(self) -> str:
        """The next line, cut off after `LONGEST` characters; "" at the end."""
        line = rest = self._lines.readline(LONGEST)
        while rest and not rest.endswith("\n"):
            rest = self._lines.readline(LONGEST)
        return line
