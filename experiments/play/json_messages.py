"""The messages of a game as lines of JSON, one object a line; `schema` describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Begins(_Message):
    """The first message: which game it is."""

    type: Literal["game"] = "game"
    protocol: Literal[1] = 1
    game: str = Field(description="id of the game with its version")
    title: str
    players: int
    options: dict[str, Any] = Field(description="all options of the game")
    seats: list[str] = Field(description="who plays, by seat")
    yours: list[int] = Field(description="the seats that this program plays")
    rules: str = Field(description="how the game is played")


class Move(_Message):
    """A legal move."""

    number: int = Field(description="from 1")
    move: str = Field(description="in notation")
    words: str = Field(description="in plain words")


class Change(_Message):
    """An operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Any = None


class Decision(_Message):
    """A question: one of `moves` is to be chosen. Answered by a `Choice`.

    With --changes, after the first decision of a seat, there is `changes` in place of `position`, `text` has the lines
    that differ from those before, and `cards` only what has not been explained.
    """

    type: Literal["decision"] = "decision"
    decision: int = Field(description="decisions that the seat knows of, taken before this one")
    seat: int
    task: str = Field(description="what is to be decided, in a few words")
    position: dict[str, Any] | None = Field(
        description="the snapshot that the seat may see (section Snapshot of RULES.md)"
    )
    changes: list[Change] | None = Field(
        None, description="with --changes: what to apply to the position at the seat's last decision"
    )
    text: str = Field(description="the same position as lines of text")
    cards: dict[str, str] = Field(description="what the cards in sight do")
    moves: list[Move]


class Moved(_Message):
    """A decision that was taken, as the seats that this program plays know it."""

    type: Literal["moved"] = "moved"
    seat: int
    move: str
    words: str


class Error(_Message):
    """An answer that cannot be carried out. Nothing has changed; the question is still open."""

    type: Literal["error"] = "error"
    error: str
    moves: list[Move] = Field(description="the legal moves again; with --changes none")


class Result(_Message):
    """The last message: how the game ended."""

    type: Literal["result"] = "result"
    how: Literal["over", "truncated", "forfeited"]
    points: list[int]
    ranks: list[int] = Field(description="1 is the best; equal ranks are ties")
    loser: int | None = Field(description="the seat that forfeited")
    reason: str


class Choice(_Message):
    """What the program answers: a move in notation or by its number."""

    move: str | Annotated[int, Field(strict=True)]


Output = Begins | Decision | Moved | Error | Result


def schema() -> dict[str, Any]:
    """The JSON schema of all messages, under `output` and `input`."""
    output: TypeAdapter[Any] = TypeAdapter(Output)
    return {"output": output.json_schema(), "input": Choice.model_json_schema()}
