"""The command `play`: people and agents in one game, in the browser or as lines of text."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env.agents import Agent, make_agent
from bdgame_env.engine.match import Match
from bdgame_env.records.game_record import OPEN

from ..errors import BadInput
from ..inputs import open_game
from .game_records import play_through, read_record, write_record
from .seats import is_human, read_seats
from .session import Session, resumed

HINT = "mcts:sims=200"
PORT = 8000


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v2; the command `games` lists all")],
    seats: Annotated[
        str | None,
        typer.Option("--seats", help="who plays, e.g. human,mcts:sims=200,greedy; human:NAME sets a name"),
    ] = None,
    single: Annotated[
        list[str] | None, typer.Option("--seat", help="one seat, for specs with commas; may be repeated")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="lines of text instead of a page in the browser")] = False,
    host: Annotated[str, typer.Option(help="address to serve at; not encrypted")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port")] = PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="open the page in a browser")] = True,
    separate: Annotated[bool, typer.Option("--links", help="one link per person, instead of one page for all")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="write the game's record to this new file")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="continue the game of this record, and write it there")
    ] = None,
    hint: Annotated[str, typer.Option("--hint", metavar="AGENT", help="the agent that gives hints")] = HINT,
    saves: Annotated[
        Path | None,
        typer.Option(
            "--saves", metavar="FOLDER", help="with --text: folder for the command save FILE; default: the current one"
        ),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeatable")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="the same seed gives the same deal; default: a random deal")
    ] = None,
) -> int:
    """Play a game against agents or people: a page in the browser, or lines of text with --text.

    A move is written in the notation of the game's RULES.md or picked from the legal ones.
    """
    who = read_seats(seats, single or ())
    if not who:
        raise BadInput("--seats is missing: who plays, e.g. --seats human,mcts")
    if saves is not None and not text:
        raise BadInput("--saves needs --text: the page offers the record for download")
    if resume is not None:
        session, record = _resumed(game, who, resume, bool(option or seed is not None or record)), resume
    else:
        declared, config = open_game(game, option or (), len(who))
        session = Session(Match(declared, seed=seed, **config.options), who)
        if record is not None and record.exists():
            raise BadInput(f"--record {record}: the file exists; --resume continues its game")
    declared, config = session.match.game, session.match.config
    agents = {seat: make_agent(spec, declared, config) for seat, spec in enumerate(who) if not is_human(spec)}
    hinter = make_agent(hint, declared, config)
    keep: Callable[[], None] = (lambda: None) if record is None else lambda: write_record(record, session.record())
    try:
        if text:
            return _in_text(session, agents, hinter, keep, saves)
        from .web.server import serve

        return serve(session, agents, hinter, host=host, port=port, open_page=open_page, separate=separate, keep=keep)
    finally:
        for agent in (*agents.values(), hinter):
            with suppress(Exception):  # the game is over
                agent.close()


def _resumed(game_id: str, seats: list[str], file: Path, more: bool) -> Session:
    """A session of a record's game, continued from where the record ends."""
    if more:
        raise BadInput("--resume cannot be combined with --seed, --option or --record")
    record = read_record(file)
    if (game_id, len(seats)) != (record.game, len(record.seats)):
        raise BadInput(f"--resume {file}: it is a game of {record.game} with {len(record.seats)} seats")
    if record.ending is not None and record.ending.how != OPEN:
        raise BadInput(f"--resume {file}: the game is over")
    played = play_through(record)
    if not played.whole:
        raise BadInput(f"--resume {file}: {played.problem}")
    return resumed(played.match, seats, record)


def _in_text(
    session: Session, agents: dict[int, Agent], hinter: Agent, keep: Callable[[], None], saves: Path | None
) -> int:
    from bdgame_env.render.text_picture import shows_colors

    from .text_play import TextGame

    color = shows_colors()
    playing = TextGame(session, agents, hinter, sys.stdin, sys.stdout, color=color, saves=saves, on_change=keep)
    try:
        playing.play()
    finally:
        keep()
        sys.stdout.flush()
    return 0
