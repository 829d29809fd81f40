"""The command `play`: people and agents in one game, in the browser or as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game, list_games
from bdgame_env.agents import Agent, make_agent
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.match import Match
from bdgame_env.records.game_record import OPEN, GameRecord

from ..courtesy import courtesy
from ..errors import BadInput
from ..inputs import open_game
from ..streams import dialog_streams
from .clocks import TimeControl
from .game_records import read_record, resumable, write_record
from .hints import hinter_for
from .lobby_files import lobby_token, read_ratings
from .seats import check_agent, is_human, read_seats, seats_of
from .session import Session, resumed

PORT = 8000
_GAMES = Path("runs/games")


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="e.g. bdgame-v2; the command `games` lists all; none: a lobby"),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option("--seats", help="who plays, e.g. human,mcts:sims=200,greedy; human:NAME sets a name"),
    ] = None,
    single: Annotated[
        list[str] | None, typer.Option("--seat", help="one seat, for specs with commas; may be repeated")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="lines of text instead of a page in the browser")] = False,
    json: Annotated[bool, typer.Option("--json", help="lines of JSON, for programs")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="print the JSON schema of --json, and end")] = False,
    host: Annotated[str, typer.Option(help="address to serve at; not encrypted")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port")] = PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="open the page in a browser")] = True,
    separate: Annotated[bool, typer.Option("--links", help="one link per person, instead of one page for all")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="write the game's record to this new file")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="continue the game of this record, and write it there")
    ] = None,
    hint: Annotated[
        str, typer.Option("--hint", metavar="AGENT", help="gives hints; default: the best rated of the game's ladder")
    ] = "",
    saves: Annotated[
        Path | None,
        typer.Option(
            "--saves", metavar="FOLDER", help="with --text: folder for the command save FILE; default: the current one"
        ),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(
            "--games", metavar="FOLDER", help=f"where the lobby keeps its games, to go on later; default: {_GAMES}"
        ),
    ] = None,
    ladder: Annotated[
        list[Path] | None,
        typer.Option("--ladder", metavar="FOLDER", help="results of `bdgame ladder`, for the ratings in the lobby"),
    ] = None,
    clock: Annotated[
        str,
        typer.Option("--clock", metavar="MINUTES+SECONDS", help="people's time, and more after each turn, e.g. 15+10"),
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeatable")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="the same seed gives the same deal; default: a random deal")
    ] = None,
) -> int:
    """Play a game against agents or people: a page in the browser, or lines of text with --text.

    Without GAME, a page where games are set up, taken up again, replayed and played once more.

    A move is written in the notation of the game's RULES.md or picked from the legal ones.
    """
    if schema:
        from .json_messages import schema as json_schema

        print(dumps(json_schema(), indent=1))
        return 0
    if json and text:
        raise BadInput("--text and --json: one or the other")
    who = read_seats(seats, single or ())
    if clock:
        _check_clock(clock, text or json)
    if game is None and resume is None:
        alone = who or text or json or record is not None or option or seed is not None or clock or separate
        if alone or saves is not None:
            raise BadInput("GAME is missing: what to play, e.g. bdgame-v2; without any other argument it is a lobby")
        return _lobby(host, port, open_page, hint, games or _GAMES, ladder)
    if resume is not None:
        if option or seed is not None or record is not None:
            raise BadInput("--resume cannot be combined with --seed, --option or --record")
        written = read_record(resume)
        game, who = game or written.game, who or seats_of(written)
    assert game is not None
    if not who:
        raise BadInput("--seats is missing: who plays, e.g. --seats human,mcts")
    for given, name in ((ladder, "--ladder"), (games, "--games")):
        if given:
            raise BadInput(f"{name} is for the lobby, which has no GAME")
    if separate and (text or json):
        raise BadInput("--links needs the page: --text and --json have one player")
    if json and hint:
        raise BadInput("--hint needs the page or --text: --json gives no hints")
    if saves is not None and not text:
        raise BadInput("--saves needs --text: the page offers the record for download")
    if not (text or json):
        return _page(game, who, resume, record, option or (), seed, hint, separate, clock, host, port, open_page)
    if resume is not None:
        session, record = _resumed(game, who, resume), resume
    else:
        declared, config = open_game(game, option or (), len(who))
        session = Session(Match(declared, seed=seed, **config.options), who)
        _check_new(record)
    declared, config = session.match.game, session.match.config
    agents = {seat: make_agent(spec, declared, config) for seat, spec in enumerate(who) if not is_human(spec)}
    hinter = None if json else make_agent(hint or hinter_for(declared, config), declared, config)
    keep: Callable[[], None] = (lambda: None) if record is None else lambda: write_record(record, session.record())
    try:
        return _in_json(session, agents, keep) if hinter is None else _in_text(session, agents, hinter, keep, saves)
    finally:
        for agent in filter(None, (*agents.values(), hinter)):
            with suppress(Exception):  # the game is over
                agent.close()


def _check_new(record: Path | None) -> None:
    if record is not None and record.exists():
        raise BadInput(f"--record {record}: the file exists; --resume continues its game")


def _check_clock(clock: str, by_line: bool) -> None:
    if by_line:
        raise BadInput("--clock needs the page: --text and --json have no clocks")
    try:
        TimeControl.read(clock)
    except ValueError as error:
        raise BadInput(f"--clock {error}") from None


def _page(
    game: str,
    seats: list[str],
    resume: Path | None,
    record: Path | None,
    options: Sequence[str],
    seed: int | None,
    hint: str,
    separate: bool,
    clock: str,
    host: str,
    port: int,
    open_page: bool,
) -> int:
    """Serve a page that can be opened at once; it tells how far the preparations are."""
    from .web.links import links_for
    from .web.rooms import Plan, Room
    from .web.serving import serve

    if resume is not None:
        config = get_game(game).config(**_check_resumed(game, seats, resume).options)
        chosen: Mapping[str, Any] = {}
    else:
        _, config = open_game(game, options, len(seats))
        chosen = {name: value for name, value in config.options.items() if name != "players"}
        _check_new(record)
    for spec in [*(seat for seat in seats if not is_human(seat)), *([hint] if hint else [])]:
        check_agent(get_game(game), config, spec)
    plan = Plan(game, chosen, seats, hint, separate, seed, clock)
    room = Room("only", plan, links_for(seats, separate), resume or record)
    return serve(room, host=host, port=port, open_page=open_page)


def _lobby(host: str, port: int, open_page: bool, hint: str, games: Path, ladders: Sequence[Path] | None) -> int:
    from .web.rooms import Rooms
    from .web.serving import serve_lobby

    rooms = Rooms(games, lobby_token(games))
    ratings = {game: shipped_ratings(get_game(game)) for game in list_games()}
    for folder in ladders or ():
        game, players, rated = read_ratings(folder)
        ratings.setdefault(game, {})[players] = rated
    return serve_lobby(rooms, host=host, port=port, open_page=open_page, hint=hint, ratings=ratings)


def _check_resumed(game_id: str, seats: Sequence[str], file: Path) -> GameRecord:
    """The record of a game that can be continued."""
    record = read_record(file)
    if (game_id, len(seats)) != (record.game, len(record.seats)):
        raise BadInput(f"--resume {file}: it is a game of {record.game} with {len(record.seats)} seats")
    if record.ending is not None and record.ending.how != OPEN:
        raise BadInput(f"--resume {file}: the game is over")
    return record


def _resumed(game_id: str, seats: list[str], file: Path) -> Session:
    """A session of a record's game, continued from where the record ends."""
    record = _check_resumed(game_id, seats, file)
    try:
        return resumed(resumable(record), seats, record)
    except BadInput as error:
        raise BadInput(f"--resume {file}: {error}") from None


def _keep_for_now(keep: Callable[[], None]) -> None:
    """Write the record of a game that goes on. If that fails, the next change tries again, and the end in earnest."""
    with courtesy("the game is not kept for now"):
        keep()


def _in_json(session: Session, agents: dict[int, Agent], keep: Callable[[], None]) -> int:
    from .json_play import JsonGame

    try:
        JsonGame(session, agents, *dialog_streams(utf8=True), on_change=lambda: _keep_for_now(keep)).play()
    finally:
        keep()
    return 0


def _in_text(
    session: Session, agents: dict[int, Agent], hinter: Agent, keep: Callable[[], None], saves: Path | None
) -> int:
    from bdgame_env.render.text_picture import shows_colors

    from .text_play import TextGame

    color = shows_colors()
    lines, out = dialog_streams()
    playing = TextGame(
        session, agents, hinter, lines, out, color=color, saves=saves, on_change=lambda: _keep_for_now(keep)
    )
    try:
        playing.play()
    finally:
        keep()
        out.flush()
    return 0
