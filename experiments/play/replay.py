"""The command `replay`: a recorded game in the terminal or as an HTML page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TextIO

import typer
from click import getchar

from bdgame_env.render.text_picture import text_picture

from ..errors import BadInput
from ..files import write_text
from .game_records import (
    Replay,
    ending_line,
    holds_tournament,
    move_line,
    play_through,
    read_record,
    tournament_record,
    with_opinions,
    write_record,
)
from .replay_page import replay_page

_NEXT, _BACK = (
    ("\x1b[C", "\x1b[B", " ", "\r", "\n", "n", "j", "l"),
    ("\x1b[D", "\x1b[A", "\x7f", "\b", "p", "b", "k", "h"),
)
_FIRST, _LAST = ("\x1b[H", "\x1bOH", "\x1b[1~", "0", "^"), ("\x1b[F", "\x1bOF", "\x1b[4~", "$", "e")
_QUIT = ("q", "Q", "\x1b", "\x03", "\x04")
_KEYS = "→ next, ← back, Home, End, g go to, q quit"
_CLEAR = "\x1b[H\x1b[2J"


def replay(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="a record, or the --out folder of a tournament (with --game)")
    ],
    game: Annotated[int | None, typer.Option("--game", min=0, help="number of a tournament's game (games.csv)")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="write a self-contained HTML page")] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="write the record, for example of a tournament's game")
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=0, help="show only what this seat saw")] = None,
    ask: Annotated[
        str | None,
        typer.Option("--ask", metavar="AGENT", help="add this agent's evaluation of every decision, e.g. mcts"),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="KEY=VALUE", help="replaces an option of the record, e.g. the path of a card file"
        ),
    ] = None,
) -> int:
    """Step through a recorded game. If the output is not a terminal, print a line per decision and the last position.

    A record that was cut off is replayed up to that point, an invalid one up to the first illegal move.
    """
    if game is None and holds_tournament(source):
        raise BadInput(f"{source} is a tournament: choose a game by --game N")
    if game is not None and not holds_tournament(source):
        raise BadInput(f"--game {game}: {source} is not a tournament")
    record = read_record(source) if game is None else tournament_record(source, game)
    played = play_through(record, option or ())
    if seat is not None and seat >= len(record.seats):
        raise BadInput(f"--seat {seat}: the game has seats 0 to {len(record.seats) - 1}")
    if ask is not None:
        played = with_opinions(played, ask)
        record = played.record
    if save is not None:
        write_record(save, record)
        print(f"written: {save}")
    if seat is not None:
        played = played.seen_by(seat)
    if html is not None:
        write_text(html, replay_page(played, title=source.stem if game is None else f"{source.name} {game}"))
        print(f"written: {html}")
    elif save is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            _step_through(played, sys.stdout)
        else:
            for line in replay_lines(played):
                print(line)
    if played.problem:
        print(f"{'note' if played.whole else 'error'}: {source}: {played.problem}", file=sys.stderr)
    return 0 if played.whole else 2


def replay_lines(played: Replay) -> Iterator[str]:
    """The game as lines: players, each decision with the points after it, the last position, and the ending."""
    record = played.record
    deal = f"seed {record.game_seed}" if played.viewer is None else f"as seat {played.viewer} saw it"
    yield f"{record.game}, {deal}: " + ", ".join(f"seat {k} {name}" for k, name in enumerate(record.seats))
    for number, move in enumerate(played.moves, 1):
        yield f"{number:3} {move_line(move, record.seats)}  points {'-'.join(map(str, played.points[number]))}"
    yield position_text(played, len(played.moves), color=False)
    if record.ending is not None and played.whole:
        yield ending_line(record.ending)


def position_text(played: Replay, number: int, color: bool) -> str:
    """The position after `number` decisions as text."""
    return text_picture(played.scene(number), color=color).rstrip("\n")


def turned(at: int, last: int, key: str) -> int | None:
    """The decision that a key leads to from decision `at`; None to quit."""
    if key in _QUIT:
        return None
    if key in _NEXT:
        return min(last, at + 1)
    if key in _BACK:
        return max(0, at - 1)
    return 0 if key in _FIRST else last if key in _LAST else at


def _step_through(played: Replay, out: TextIO) -> None:
    at: int | None = 0
    last = len(played.moves)
    while at is not None:
        out.write(_CLEAR + position_text(played, at, color=True) + "\n\n")
        out.write(
            f"decision {at} of {last}"
            + (f": {move_line(played.moves[at - 1], played.record.seats)}" if at else "")
            + "\n"
        )
        if at == last and played.record.ending is not None and played.whole:
            out.write(ending_line(played.record.ending) + "\n")
        out.write(f"{_KEYS}\n")
        out.flush()
        key = getchar()
        at = min(last, max(0, typer.prompt("decision", type=int))) if key == "g" else turned(at, last, key)
