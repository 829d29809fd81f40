"""Playing by lines of JSON: the messages follow their schema, and mistakes change nothing."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from bdgame_env import get_game, list_games
from bdgame_env.agents import make_agent
from bdgame_env.engine.match import Match
from bdgame_env.experiments.play.json_messages import Output, schema
from bdgame_env.experiments.play.json_play import JsonGame
from bdgame_env.experiments.play.session import Session
from tests.support.toy_game import GAME as TOY


class First(io.StringIO):
    """A program that reads questions and answers with the last move, after a mistake at the first one."""

    def __init__(self, out: io.StringIO) -> None:
        super().__init__()
        self.moves: list[Any] = []
        self.out, self.asked = out, 0

    def readline(self, size: int | None = -1) -> str:
        message = json.loads(self.out.getvalue().splitlines()[-1])
        self.asked += 1
        if self.asked == 1:
            self.moves = message["moves"]
            return '{"move": "jump"}\n'
        if self.asked == 2:
            return '{"move": 0}\n'
        if self.asked == 3:
            return "[3\n"
        moves = self.moves = message["moves"] or self.moves
        chosen: Any = moves[-1]["move"] if self.asked % 2 else moves[-1]["number"]
        return json.dumps({"move": chosen}) + "\n"


@pytest.mark.parametrize("game_id", list_games())
def test_a_whole_game_in_messages_of_the_schema(game_id: str) -> None:
    options = {"max_rounds": 3} if "max_rounds" in get_game(game_id).options else {}
    session = Session(Match(get_game(game_id), seed=5, **options), ("human", "random"))
    config, out = session.match.config, io.StringIO()
    agent = make_agent("random", session.match.game, config, seed=1)
    assert JsonGame(session, {1: agent}, First(out), out).play()
    reader: TypeAdapter[Any] = TypeAdapter(Output)
    messages = [reader.validate_json(line) for line in out.getvalue().splitlines()]
    kinds = [message.type for message in messages]
    assert kinds[:5] == ["game", "decision", "error", "error", "error"] and kinds[-1] == "result"
    assert kinds.count("error") == 3 and kinds.count("game") == kinds.count("result") == 1
    decision = messages[1]
    assert [move.move for move in messages[2].moves] == [move.move for move in decision.moves]
    assert decision.position["players"] == 2 and decision.task and decision.cards
    assert messages[-1].points == list(session.ending.points)
    own = [message for message in messages if message.type == "moved" and message.seat == 0]
    assert len(own) == sum(one.move.seat == 0 for one in session.played if one.told[0])


@pytest.mark.parametrize("game_id", list_games())
def test_changes_make_the_same_positions_of_less(game_id: str) -> None:
    options = {"max_rounds": 3} if "max_rounds" in get_game(game_id).options else {}
    whole, less = io.StringIO(), io.StringIO()
    for out in (whole, less):
        session = Session(Match(get_game(game_id), seed=5, **options), ("human", "human"))
        JsonGame(session, {}, First(out), out, changes=out is less).play()
    held: dict[int, Any] = {}
    told, short = ([json.loads(line) for line in out.getvalue().splitlines()] for out in (whole, less))
    explained: dict[str, str] = {}
    for one, other in zip(told, short, strict=True):
        assert one["type"] == other["type"]
        if one["type"] == "error":
            assert one["moves"] and other["moves"] == []
        if one["type"] == "decision":
            held[one["seat"]] = applied(held.get(one["seat"]), other)
            explained.update(other["cards"])
            assert held[one["seat"]] == one["position"] and explained.items() >= one["cards"].items()
            assert set(other["text"].splitlines()) <= set(one["text"].splitlines()) and one["moves"] == other["moves"]
    assert len(less.getvalue()) < 0.75 * len(whole.getvalue())


def applied(position: Any, decision: dict[str, Any]) -> Any:
    """The position of a decision: all of it, or the last one with its changes (RFC 6902)."""
    if decision["changes"] is None:
        return decision["position"]
    for change in decision["changes"]:
        *path, last = [name.replace("~1", "/").replace("~0", "~") for name in change["path"].split("/")[1:]]
        place = position
        for name in path:
            place = place[int(name) if isinstance(place, list) else name]
        if change["op"] == "remove":
            del place[last]
        else:
            place[int(last) if isinstance(place, list) else last] = change["value"]
    return position


def test_the_schema_names_every_message() -> None:
    told = schema()
    kinds = {
        each["properties"]["type"]["const"] for each in told["output"]["$defs"].values() if "type" in each["properties"]
    }
    assert kinds == {"game", "decision", "moved", "error", "result"}
    assert told["input"]["properties"]["move"]


def dialog(session: Session, *lines: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    JsonGame(session, {}, io.StringIO("".join(lines)), out).play()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_game_that_goes_on_begins_with_the_next_decision() -> None:
    session = Session(Match(TOY, seed=1, players=2), ("human", "human"))
    session.play(0, "pass")
    assert [message["type"] for message in dialog(session, '{"move": "pass"}\n')][:3] == ["game", "decision", "moved"]


@pytest.mark.parametrize(
    "line", ['{"move": "' + 25_000 * "x" + '"}', '{"move": true}', '{"move": 1.0}', '{"move": null}']
)
def test_every_wrong_line_is_one_error(line: str) -> None:
    session = Session(Match(TOY, seed=1, players=2), ("human", "human"))
    assert [message["type"] for message in dialog(session, line + "\n")] == ["game", "decision", "error"]
    assert session.number == 0
