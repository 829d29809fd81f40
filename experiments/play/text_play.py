"""A game as lines of text: for people without a browser, for programs and for language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.quoting import shown
from bdgame_env.render.drawings import words_of
from bdgame_env.render.prompt import cards_in_sight, cards_text, marked, moves_text, rules_text, task_text
from bdgame_env.render.text_picture import text_picture

from .lines import next_line
from .opinions import ask
from .saves import save_new
from .session import Refused, Session

HELP = "a move or its number; undo, hint, moves, position, rules, cards, save FILE, help, quit"


class TextGame:
    """One game as a dialog of lines.

    The rules come first. When a person is to move, the position, the cards that were not in sight before and the
    numbered legal moves are written, and a line is read: a move, its number, or a command. A request that is refused is
    answered with one line that begins with "error:", and with the moves again. Lines of rules, cards and positions
    begin with "| ".

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
        self._explained: set[str] = set()

    def play(self) -> bool:
        """Play until the game is over (True) or the player quits (False)."""
        session = self._session
        if session.to_move is not None:
            self._rules()
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
                    self._moves(seat)
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
        words = self._session.told(number, viewer).words
        told = move.move if words == move.move else f"{move.move}  - {words}"
        self._say(f"seat {move.seat} {self._session.name(move.seat)}: {told}{worth}")

    def _show(self, seat: int) -> None:
        self._say("")
        self._picture(
            self._session.match.snapshot(seat=seat), seat, self._session.last_moves(self._session.number, seat)
        )
        cards = cards_in_sight(self._session.scene(self._session.number, seat))
        new = {name: text for name, text in cards.items() if name not in self._explained}
        if new:
            self._say("cards that you have not seen before:")
            self._out.write(cards_text(new.items()))
        self._explained.update(new)
        self._moves(seat)

    def _rules(self) -> None:
        text = rules_text(self._session.match.game)
        if text:
            self._say(f"{self._session.match.game.title}: how it is played")
            self._out.write(text)

    def _cards(self) -> None:
        self._explained.clear()
        seat = self._session.to_move
        assert seat is not None
        self._show(seat)

    def _picture(self, snapshot: Mapping[str, Any], seat: int | None, last: Sequence[str] = ()) -> None:
        match = self._session.match
        text = text_picture(match.game, snapshot, seat=seat, last=last, color=self._color, config=match.config)
        self._out.write(marked(text))

    def _moves(self, seat: int) -> None:
        scene = self._session.scene(self._session.number, seat)
        task = task_text(scene)
        if task:
            self._say(f"to decide: {task}")
        self._say(f"seat {seat} {self._session.name(seat)} to move; {len(scene.legal)} legal moves:")
        self._out.write(moves_text(scene))

    def _read(self, seat: int) -> str | None:
        self._out.write("> ")
        self._out.flush()
        line = next_line(self._lines)
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
            "rules": self._rules,
            "cards": self._cards,
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
            raise Refused(f"{shown(line)} is neither a move nor a command: {HELP}")

    def _play(self, seat: int, move: str) -> None:
        self._session.play(seat, move)
        self._on_change()

    def _save(self, name: str) -> None:
        try:
            save_new(self._saves, name, self._session.record().to_text())
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            why = error.strerror if isinstance(error, OSError) else error
            raise Refused(f"{shown(name)} cannot be written: {why}") from None
        self._say(f"written: {name}")

    def _undo(self, seat: int) -> None:
        self._session.undo(seat)
        self._on_change()

    def _hint(self) -> None:
        try:
            answer = ask(self._hinter, self._session.question(), self._names)
        except AgentFault as error:
            raise Refused(f"no hint: {self._hinter.name} {error}") from None
        move = self._names[answer.action]
        words = words_of(self._session.scene(self._session.number, self._session.to_move), move)
        told = move if words == move else f"{move} ({words})"
        self._say(f"hint of {self._hinter.name}: {told}{_thoughts(answer.remarks)}")

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
