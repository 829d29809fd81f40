"""`python -m experiments play`: people and agents at one match, in the browser or in lines of text."""

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
    game: Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v2 (all: python -m experiments games)")],
    seats: Annotated[
        str | None,
        typer.Option("--seats", help="who plays, e.g. human,mcts:sims=200,greedy; human:NAME gives a name"),
    ] = None,
    single: Annotated[
        list[str] | None, typer.Option("--seat", help="one seat, for specs that hold commas; repeat")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="lines of text instead of a browser")] = False,
    host: Annotated[str, typer.Option(help="address to serve at; others than this machine's need trust")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: a free one")] = PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="open the page in a browser")] = True,
    separate: Annotated[
        bool, typer.Option("--links", help="a link for each person, instead of one page for all of them")
    ] = False,
    record: Annotated[Path | None, typer.Option("--record", help="keep the game's record in this new file")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="go on with the game of this record, and keep it there")
    ] = None,
    hint: Annotated[str, typer.Option("--hint", metavar="AGENT", help="who gives hints")] = HINT,
    saves: Annotated[
        Path | None, typer.Option("--saves", metavar="FOLDER", help="with --text: where save FILE writes; else here")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeat")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="same seed, same deal; else a fresh one")] = None,
) -> int:
    """Play a game against agents or people: a page in the browser, or lines of text with --text.

    In both, a move is given in the notation of the game's RULES.md or picked from those that are legal.
    """
    who = read_seats(seats, single or ())
    if not who:
        raise BadInput("who plays? --seats human,mcts say")
    if saves is not None and not text:
        raise BadInput("--saves is for --text: the page offers the record itself")
    if resume is not None:
        session, record = _resumed(game, who, resume, bool(option or seed is not None or record)), resume
    else:
        declared, config = open_game(game, option or (), len(who))
        session = Session(Match(declared, seed=seed, **config.options), who)
        if record is not None and record.exists():
            raise BadInput(f"--record {record}: the file is there already; --resume goes on with it")
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
    """The session of a record's game, where the record ends."""
    if more:
        raise BadInput("--resume: deal, options and file are the record's; no --seed, --option or --record")
    record = read_record(file)
    if (game_id, len(seats)) != (record.game, len(record.seats)):
        raise BadInput(f"--resume {file}: a game of {record.game} with {len(record.seats)} seats")
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
