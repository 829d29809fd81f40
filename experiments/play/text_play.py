"""A game as lines of text: for people without a browser, for programs and for language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.render.text_picture import text_picture

from .opinions import ask
from .saves import save_new
from .session import Refused, Session

HELP = "a move or its number; undo, hint, moves, position, save FILE, help, quit"
_LONGEST_LINE = 1000


class TextGame:
    """One game as a dialog of lines.

    When a person is to move, the position and the numbered legal moves are written, and a line is read: a move, its
    number, or a command. A request that is refused is answered with one line that begins with "error:".

    Args:
        session: the game.
        agents: agents by seat.
        hinter: the agent that gives hints.
        lines: the player's input.
        out: the output for the player.
        color: whether `out` shows colors.
        saves: the folder below which `save` writes; None for the current one.
        on_change: called after every change.
    """

    def __init__(
        self,
        session: Session,
        agents: Mapping[int, Agent],
        hinter: Agent,
        lines: TextIO,
        out: TextIO,
        *,
        color: bool = False,
        saves: Path | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._session, self._agents, self._lines, self._out = session, agents, lines, out
        self._hinter = hinter
        self._color, self._on_change = color, on_change
        self._names = session.match.action_names
        self._saves = Path.cwd() if saves is None else saves

    def play(self) -> bool:
        """Play until the game is over (True) or the player quits (False)."""
        session = self._session
        while (seat := session.to_move) is not None:
            if seat in self._agents:
                self._agent_moves(seat)
                continue
            self._show(seat)
            number = session.changes
            while session.changes == number:
                line = self._read(seat)
                if line is None or line in ("quit", "q", "exit"):
                    return False
                try:
                    self._obey(seat, line)
                except Refused as error:
                    self._say(f"error: {error}")
        self._end()
        return True

    def _agent_moves(self, seat: int) -> None:
        session = self._session
        try:
            answer = ask(self._agents[seat], session.question(), self._names)
            session.play(seat, self._names[answer.action], remarks=answer.remarks)
        except AgentFault as error:
            session.forfeit(seat, str(error))
        else:
            self._tell_move(session.number)
        self._on_change()

    def _tell_move(self, number: int) -> None:
        """Write a line about an agent's move as people see it; none about a secret choice."""
        humans = self._session.humans
        viewer = humans[0] if len(humans) == 1 else None
        move = self._session.known_move(number, viewer)
        if not move.move:
            return
        value = move.remarks.get("value")
        worth = f"  value {value:+.2f}" if value is not None else ""
        self._say(f"seat {move.seat} {self._session.name(move.seat)}: {move.move}{worth}")

    def _show(self, seat: int) -> None:
        self._say("")
        self._picture(
            self._session.match.snapshot(seat=seat), seat, self._session.last_moves(self._session.number, seat)
        )
        self._moves(seat)

    def _picture(self, snapshot: Mapping[str, Any], seat: int | None, last: Sequence[str] = ()) -> None:
        match = self._session.match
        text = text_picture(match.game, snapshot, seat=seat, last=last, color=self._color, config=match.config)
        self._say(text.rstrip("\n"))

    def _moves(self, seat: int) -> None:
        moves = self._session.match.legal_moves()
        self._say(f"seat {seat} {self._session.name(seat)} to move; {len(moves)} legal moves:")
        for k, move in enumerate(moves, 1):
            self._say(f"  {k:3}  {move}")

    def _read(self, seat: int) -> str | None:
        self._out.write("> ")
        self._out.flush()
        line = self._lines.readline(_LONGEST_LINE)
        if line and not line.endswith("\n"):  # skip the rest of a line that is too long
            while (rest := self._lines.readline(_LONGEST_LINE)) and not rest.endswith("\n"):
                pass
        return " ".join(line.split()) if line else None

    def _obey(self, seat: int, line: str) -> None:
        """Carry out a line of the player.

        Raises:
            Refused: it cannot be done now.
        """
        word, _, rest = line.partition(" ")
        legal = self._session.match.legal_moves()
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "undo": lambda: self._undo(seat),
            "hint": self._hint,
            "moves": lambda: self._moves(seat),
            "position": lambda: self._show(seat),
            "help": lambda: self._say(HELP),
        }
        if line not in legal and line in commands:
            commands[line]()
        elif word == "save" and rest:
            self._save(rest)
        elif line.isdecimal() and len(line) < 7:
            if not 1 <= int(line) <= len(legal):
                raise Refused(f"there is no move {line}; numbers are 1 to {len(legal)}")
            self._play(seat, legal[int(line) - 1])
        elif line in self._names:
            self._play(seat, line)
        else:
            raise Refused(f"{line[:40]!r} is neither a move nor a command: {HELP}")

    def _play(self, seat: int, move: str) -> None:
        self._session.play(seat, move)
        self._on_change()

    def _save(self, name: str) -> None:
        try:
            save_new(self._saves, name, self._session.record().to_text())
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            why = error.strerror if isinstance(error, OSError) else error
            raise Refused(f"{name[:40]!r} cannot be written: {why}") from None
        self._say(f"written: {name}")

    def _undo(self, seat: int) -> None:
        self._session.undo(seat)
        self._on_change()

    def _hint(self) -> None:
        try:
            answer = ask(self._hinter, self._session.question(), self._names)
        except AgentFault as error:
            raise Refused(f"no hint: {self._hinter.name} {error}") from None
        self._say(f"hint of {self._hinter.name}: {self._names[answer.action]}{_thoughts(answer.remarks)}")

    def _end(self) -> None:
        session = self._session
        end = session.ending
        viewer = session.humans[0] if session.humans else None
        self._say("")
        self._picture(session.match.snapshot(omniscient=True), viewer)
        why = "" if end.loser is None else f" by seat {end.loser}: {end.reason}"
        self._say(f"{end.how}{why}")
        for seat in sorted(range(len(end.ranks)), key=lambda seat: end.ranks[seat]):
            self._say(f"rank {end.ranks[seat]}: seat {seat} {session.name(seat)}, {end.points[seat]} points")

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")


def _thoughts(remarks: Mapping[str, Any]) -> str:
    value = f", value {remarks['value']:+.2f}" if "value" in remarks else ""
    liked = remarks.get("visits") or remarks.get("preferences") or {}
    others = ", ".join(f"{move} {number}" for move, number in liked.items())
    return (
        f"{value}; visits: {others}" if "visits" in remarks else f"{value}; preferences: {others}" if others else value
    )
