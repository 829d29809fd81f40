"""A game as lines of text: for people without a browser, for programs and for language models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.quoting import shown
from bdgame_env.render.drawings import words_of_moves
from bdgame_env.render.prompt import cards_in_sight, cards_text, marked, moves_text, rules_text, task_text
from bdgame_env.render.scene import Scene
from bdgame_env.render.text_picture import text_picture

from .game_records import how_it_ended
from .hints import advised
from .line_game import LineGame
from .saves import save_new
from .session import LogLine, Refused, Session
from .turn_plan import turn_plan

HELP = "a move or its number; undo, hint, moves, position, log, rules, cards, save FILE, help, quit"


class TextGame(LineGame):
    """One game as a dialog of lines.

    The rules come first. When a person is to move, the position, the cards that were not in sight before and the
    numbered legal moves are written, once, and a line is read: a move, its number, or a command. A request that is
    refused is answered with one line that begins with "error:". Lines of rules, cards and positions begin with "| ".

    Args:
        session, agents, lines, out, on_change: as in `LineGame`.
        hinter, fallback, network: the agents that give hints, as in `advised`.
        follower: the agent that says how a turn goes on after a hint.
        color: whether `out` shows colors.
        saves: the folder below which `save` writes; None for the current one.
    """

    def __init__(
        self,
        session: Session,
        agents: Mapping[int, Agent],
        hinter: Agent,
        follower: Agent,
        lines: TextIO,
        out: TextIO,
        *,
        color: bool = False,
        saves: Path | None = None,
        fallback: Agent | None = None,
        network: Agent | None = None,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(session, agents, lines, out, on_change)
        self._hinter, self._fallback, self._network, self._follower = hinter, fallback, network, follower
        self._color = color
        self._saves = Path.cwd() if saves is None else saves
        self._explained: set[str] = set()
        self._told = session.number  # decisions whose turns have been told

    def _begin(self) -> None:
        if self._session.to_move is not None:
            self._rules()

    def _question(self, seat: int) -> None:
        session = self._session
        log = session.log(self._viewer)
        now = session.scene(session.number, seat).snapshot.get("round") or 0
        if not log or (log[-1].move.seat, log[-1].round) != (seat, now):  # the turn that goes on is told at its end
            self._tell_turns()
        self._say("")
        self._picture(session.match.snapshot(seat=seat), seat, session.last_moves(session.number, seat))
        cards = cards_in_sight(session.scene(session.number, seat))
        new = {name: text for name, text in cards.items() if name not in self._explained}
        if new:
            self._say("new cards:")
            self._out.write(cards_text(new.items()))
        self._explained.update(new)
        self._moves(seat)

    def _obey(self, seat: int, line: str) -> bool:
        line = " ".join(line.split())
        word, _, rest = line.partition(" ")
        legal = self._session.match.legal_moves()
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "undo": lambda: self._undo(seat),
            "hint": self._hint,
            "moves": lambda: self._moves(seat),
            "position": lambda: self._question(seat),
            "log": lambda: self._turns(0),
            "help": lambda: self._say(HELP),
            "rules": self._rules,
            "cards": lambda: self._cards(seat),
        }
        if line in ("quit", "q", "exit"):
            return False
        elif line not in legal and line in commands:
            commands[line]()
        elif word == "save" and rest:
            self._save(rest)
        elif line.isdecimal() and len(line) < 7:
            self._play(seat, self._numbered(int(line)))
        elif line in self._names:
            self._play(seat, line)
        else:
            raise Refused(f"{shown(line)} is neither a move nor a command: {HELP}")
        return True

    def _refuse(self, seat: int, why: str) -> None:
        self._say(f"error: {why}")

    def _log(self, line: LogLine) -> None:
        """Turns are told when they are over."""

    def _tell_turns(self) -> None:
        self._turns(self._told)
        self._told = self._session.number

    def _turns(self, after: int) -> None:
        """Tell the turns that ended after a decision, each in a line."""
        log, known = self._session.log(self._viewer), self._session.known(self._viewer)
        names = [f"seat {seat} {self._session.name(seat)}" for seat in range(self._session.match.players)]
        for place, number in enumerate(known):
            if number > after and (place + 1 == len(log) or log[place + 1].first):
                self._say(log[place].told(names))

    def _end(self) -> None:
        session = self._session
        end = session.ending
        self._tell_turns()
        self._say("")
        self._picture(session.match.snapshot(omniscient=True), session.humans[0] if session.humans else None)
        self._say(how_it_ended(end))
        for seat in sorted(range(len(end.ranks)), key=lambda seat: end.ranks[seat]):
            self._say(f"rank {end.ranks[seat]}: seat {seat} {session.name(seat)}, {end.points[seat]} points")

    def _rules(self) -> None:
        text = rules_text(self._session.match.game)
        if text:
            self._say(f"how to play {self._session.match.game.title}")
            self._out.write(text)

    def _cards(self, seat: int) -> None:
        self._explained.clear()
        self._question(seat)

    def _picture(self, snapshot: Mapping[str, Any], seat: int | None, last: Sequence[str] = ()) -> None:
        match = self._session.match
        scene = Scene(match.game, snapshot, config=match.config, seat=seat, last=last)
        self._out.write(marked(text_picture(scene, color=self._color)))

    def _moves(self, seat: int) -> None:
        scene = self._session.scene(self._session.number, seat)
        task = task_text(scene)
        if task:
            self._say(f"your decision: {task}")
        self._say(f"seat {seat} {self._session.name(seat)} to move; {len(scene.legal)} legal moves:")
        self._out.write(moves_text(scene))

    def _next_line(self) -> str:
        self._out.write("> ")
        self._out.flush()
        return super()._next_line()

    def _save(self, name: str) -> None:
        try:
            save_new(self._saves, name, self._session.record().to_text())
        except (OSError, ValueError) as error:  # ValueError: a name that no file can have
            why = error.strerror if isinstance(error, OSError) else error
            raise Refused(f"{shown(name)} cannot be written: {why}") from None
        self._say(f"written: {name}")

    def _undo(self, seat: int) -> None:
        self._session.undo(seat)
        self._changed()

    def _hint(self) -> None:
        try:
            answer = advised(self._hinter, self._fallback, self._network, self._session.match, self._names)
            move, remarks = self._names[answer.action], answer.remarks
            plan = turn_plan(self._session.match, move, self._follower)
        except AgentFault as error:
            raise Refused(f"no hint: {self._hinter.name} {error}") from None
        adviser = self._fallback if answer.fell_back and self._fallback else self._hinter
        scene = self._session.scene(self._session.number, self._session.to_move)
        words = words_of_moves(scene, scene.legal)[move]
        self._say(
            f"hint from {adviser.name}: {move if words == move else f'{move} ({words})'}"
            + (f", value {remarks['value']:+.2f}" if "value" in remarks else "")
            + "".join(
                f"; {kind}: {', '.join(f'{each} {number}' for each, number in remarks[kind].items())}"
                for kind in ("visits", "preferences")
                if remarks.get(kind)
            )
        )
        if plan:
            self._say(plan)

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
