"""A game as lines of JSON, for programs; the messages are those of `json_messages`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from json import dumps
from typing import TextIO

from pydantic import ValidationError

from bdgame_env.agents import Agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.engine.quoting import shown
from bdgame_env.render.drawings import words_of
from bdgame_env.render.prompt import cards_in_sight, rules_text, task_text
from bdgame_env.render.text_picture import text_of_scene

from .json_messages import Begins, Choice, Decision, Error, Move, Moved, Output, Result
from .lines import next_line
from .opinions import ask
from .session import Refused, Session


class JsonGame:
    """One game with a program on the other end of two streams.

    Args:
        session: the game; the program plays all seats of people.
        agents: agents by seat.
        lines: what the program writes.
        out: what it reads.
        on_change: called after every change.
    """

    def __init__(
        self,
        session: Session,
        agents: Mapping[int, Agent],
        lines: TextIO,
        out: TextIO,
        *,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._session, self._agents, self._lines, self._out = session, agents, lines, out
        self._on_change = on_change
        humans = session.humans
        self._viewer = humans[0] if len(humans) == 1 else None
        self._told = session.number

    def play(self) -> bool:
        """Play until the game is over (True) or the program's lines end (False)."""
        session, game = self._session, self._session.match.game
        names = [session.name(seat) for seat in range(session.match.players)]
        options = {name: value for name, value in session.match.config.options.items() if name != "players"}
        self._say(
            Begins(
                game=game.id,
                title=game.title,
                players=session.match.players,
                options=options,
                seats=names,
                yours=session.humans,
                rules=rules_text(game),
            )
        )
        while (seat := session.to_move) is not None:
            if seat in self._agents:
                self._agent_moves(seat)
            elif not self._ask(seat):
                return False
            self._tell()
            self._on_change()
        end = session.ending
        points, ranks = list(end.points), list(end.ranks)
        self._say(Result(how=end.how, points=points, ranks=ranks, loser=end.loser, reason=end.reason))  # type: ignore[arg-type]
        return True

    def _agent_moves(self, seat: int) -> None:
        names = self._session.match.action_names
        try:
            answer = ask(self._agents[seat], self._session.question(), names)
            self._session.play(seat, names[answer.action], remarks=answer.remarks)
        except AgentFault as error:
            self._session.forfeit(seat, str(error))

    def _ask(self, seat: int) -> bool:
        """Put a decision to the program until it is taken; False if its lines end."""
        session = self._session
        scene = session.scene(session.number, seat)
        self._say(
            Decision(
                decision=len(session.known(seat)),
                seat=seat,
                task=task_text(scene),
                position=dict(scene.snapshot),
                text=text_of_scene(scene.without_moves()),
                cards=cards_in_sight(scene),
                moves=self._moves(seat),
            )
        )
        while line := next_line(self._lines):
            if not line.strip():
                continue
            try:
                session.play(seat, self._chosen(line))
            except Refused as error:
                self._say(Error(error=str(error), moves=self._moves(seat)))
            else:
                return True
        return False

    def _chosen(self, line: str) -> str:
        """The move in a line of the program.

        Raises:
            Refused: it is not a choice of a move.
        """
        try:
            chosen = Choice.model_validate_json(line).move
        except ValidationError:
            raise Refused('an answer must be a line such as {"move": "..."} or {"move": 1}') from None
        legal = self._session.match.legal_moves()
        if isinstance(chosen, str):
            return chosen
        if not 1 <= chosen <= len(legal):
            raise Refused(f"there is no move {shown(chosen)}; numbers are 1 to {len(legal)}")
        return legal[chosen - 1]

    def _moves(self, seat: int) -> list[Move]:
        scene = self._session.scene(self._session.number, seat)
        return [
            Move(number=number, move=move, words=words_of(scene, move)) for number, move in enumerate(scene.legal, 1)
        ]

    def _tell(self) -> None:
        """Tell of the decisions since the last call, as far as the program may know them."""
        known = self._session.known(self._viewer)
        for number in [number for number in known if number > self._told]:
            told = self._session.told(number, self._viewer)
            if told.move.move:
                self._say(Moved(seat=told.move.seat, move=told.move.move, words=told.words))
        self._told = self._session.number

    def _say(self, message: Output) -> None:
        self._out.write(dumps(message.model_dump(), separators=(",", ":")) + "\n")  # ASCII, which every console takes
        self._out.flush()
