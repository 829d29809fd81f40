"""A game as lines of JSON, for programs; the messages are those of `json_messages`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from json import dumps
from typing import Any, TextIO

from pydantic import ValidationError

from bdgame_env.agents import Agent
from bdgame_env.render.drawings import words_of_moves
from bdgame_env.render.prompt import cards_in_sight, rules_text, task_text
from bdgame_env.render.text_picture import text_picture

from .json_messages import Begins, Change, Choice, Decision, Error, Move, Moved, Output, Result
from .line_game import LineGame
from .session import LogLine, Refused, Session


class JsonGame(LineGame):
    """One game with a program, which plays all seats of people.

    Args:
        session, agents, lines, out, on_change: as in `LineGame`.
        changes: whether decisions only say what has changed.
    """

    def __init__(
        self,
        session: Session,
        agents: Mapping[int, Agent],
        lines: TextIO,
        out: TextIO,
        on_change: Callable[[], None] = lambda: None,
        *,
        changes: bool = False,
    ) -> None:
        super().__init__(session, agents, lines, out, on_change)
        self._changes = changes
        self._before: dict[int, tuple[dict[str, Any], str]] = {}  # by seat, its last position and that as text
        self._explained: set[str] = set()

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
        position, text, cards = dict(scene.snapshot), text_picture(scene.without_moves()), cards_in_sight(scene)
        before = self._before.get(seat) if self._changes else None
        if before is not None:
            known = set(before[1].splitlines())
            shown = "".join(f"{line}\n" for line in text.splitlines() if line not in known)
            cards = {name: told for name, told in cards.items() if name not in self._explained}
        self._say(
            Decision(
                decision=len(self._session.known(seat)),
                seat=seat,
                task=task_text(scene),
                position=position if before is None else None,
                changes=None if before is None else [Change(**each) for each in json_patch(before[0], position)],
                text=text if before is None else shown,
                cards=cards,
                moves=self._moves(seat),
            )
        )
        self._before[seat] = position, text
        self._explained.update(cards)

    def _obey(self, seat: int, line: str) -> bool:
        if line.strip():
            try:
                chosen = Choice.model_validate_json(line).move
            except ValidationError:
                raise Refused('an answer must be a line such as {"move": "..."} or {"move": 1}') from None
            self._play(seat, chosen if isinstance(chosen, str) else self._numbered(chosen))
        return True

    def _refuse(self, seat: int, why: str) -> None:
        self._say(Error(error=why, moves=[] if self._changes else self._moves(seat)))

    def _log(self, line: LogLine) -> None:
        self._say(Moved(seat=line.move.seat, move=line.move.move, words=line.words))

    def _end(self) -> None:
        end = self._session.ending
        points, ranks = list(end.points), list(end.ranks)
        self._say(Result(how=end.how, points=points, ranks=ranks, loser=end.loser, reason=end.reason))  # type: ignore[arg-type]

    def _moves(self, seat: int) -> list[Move]:
        scene = self._session.scene(self._session.number, seat)
        words = words_of_moves(scene, scene.legal)
        return [Move(number=number, move=move, words=words[move]) for number, move in enumerate(scene.legal, 1)]

    def _say(self, message: Output) -> None:
        self._out.write(dumps(message.model_dump(), separators=(",", ":")) + "\n")  # ASCII, which every console takes
        self._out.flush()


def json_patch(before: Any, after: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """The operations (RFC 6902) that make one JSON value of another."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in before:
            if name not in after:
                yield {"op": "remove", "path": f"{path}/{_escaped(name)}"}
        for name, value in after.items():
            if name in before:
                yield from json_patch(before[name], value, f"{path}/{_escaped(name)}")
            else:
                yield {"op": "add", "path": f"{path}/{_escaped(name)}", "value": value}
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from json_patch(one, other, f"{path}/{place}")
    elif before != after or type(before) is not type(after):
        yield {"op": "replace", "path": path, "value": after}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
