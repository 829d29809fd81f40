"""A game as lines of JSON, for programs; the messages are those of `json_messages`."""

from __future__ import annotations

from json import dumps

from pydantic import ValidationError

from bdgame_env.render.drawings import words_of
from bdgame_env.render.prompt import cards_in_sight, rules_text, task_text
from bdgame_env.render.text_picture import text_picture

from .json_messages import Begins, Choice, Decision, Error, Move, Moved, Output, Result
from .line_game import LineGame
from .session import LogLine, Refused


class JsonGame(LineGame):
    """One game with a program, which plays all seats of people."""

    def _begin(self) -> None:
        match, session = self._session.match, self._session
        self._say(
            Begins(
                game=match.game.id,
                title=match.game.title,
                players=match.players,
                options={name: value for name, value in match.config.options.items() if name != "players"},
                seats=[session.name(seat) for seat in range(match.players)],
                yours=session.humans,
                rules=rules_text(match.game),
            )
        )

    def _question(self, seat: int) -> None:
        scene = self._session.scene(self._session.number, seat)
        self._say(
            Decision(
                decision=len(self._session.known(seat)),
                seat=seat,
                task=task_text(scene),
                position=dict(scene.snapshot),
                text=text_picture(scene.without_moves()),
                cards=cards_in_sight(scene),
                moves=self._moves(seat),
            )
        )

    def _obey(self, seat: int, line: str) -> bool:
        if line.strip():
            try:
                chosen = Choice.model_validate_json(line).move
            except ValidationError:
                raise Refused('an answer must be a line such as {"move": "..."} or {"move": 1}') from None
            self._play(seat, chosen if isinstance(chosen, str) else self._numbered(chosen))
        return True

    def _refuse(self, seat: int, why: str) -> None:
        self._say(Error(error=why, moves=self._moves(seat)))

    def _log(self, line: LogLine) -> None:
        self._say(Moved(seat=line.move.seat, move=line.move.move, words=line.words))

    def _end(self) -> None:
        end = self._session.ending
        points, ranks = list(end.points), list(end.ranks)
        self._say(Result(how=end.how, points=points, ranks=ranks, loser=end.loser, reason=end.reason))  # type: ignore[arg-type]

    def _moves(self, seat: int) -> list[Move]:
        scene = self._session.scene(self._session.number, seat)
        return [
            Move(number=number, move=move, words=words_of(scene, move)) for number, move in enumerate(scene.legal, 1)
        ]

    def _say(self, message: Output) -> None:
        self._out.write(dumps(message.model_dump(), separators=(",", ":")) + "\n")  # ASCII, which every console takes
        self._out.flush()
