"""The command `play`: people and agents in one game, in the browser or as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env import get_game, list_games
from bdgame_env.agents.ladder import shipped_ratings
from bdgame_env.engine.game import GameConfig
from bdgame_env.records.game_record import OPEN, GameRecord

from ..courtesy import courtesy
from ..errors import BadInput
from ..inputs import open_game
from ..streams import dialog_streams
from .clocks import TimeControl
from .game_records import read_record, write_record
from .line_game import LineGame
from .lobby_files import lobby_token, read_ratings
from .plans import Plan, begin, with_agents
from .seats import check_agent, is_human, read_seats, seats_of
from .web.address import Address
from .web.links import links_for

PORT = 8000
_GAMES = Path("runs/games")
_NO_HINTS = "random"  # which nobody asks, but which is there at once


def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="e.g. bdgame-v3; the command `games` lists all; none: a lobby"),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option("--seats", help="who plays, e.g. human,mcts:sims=200,greedy; human:NAME sets a name"),
    ] = None,
    single: Annotated[
        list[str] | None, typer.Option("--seat", help="one seat, for specs with commas; repeatable")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="lines of text instead of a page in the browser")] = False,
    json: Annotated[bool, typer.Option("--json", help="lines of JSON, for programs")] = False,
    changes: Annotated[
        bool,
        typer.Option("--changes", help="with --json: decisions have only what has changed since the seat's last one"),
    ] = False,
    schema: Annotated[bool, typer.Option("--schema", help="print the JSON schema of --json and exit")] = False,
    host: Annotated[str, typer.Option(help="address to serve at; not encrypted")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="port to serve at; 0: any free port")] = PORT,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="open the page in a browser")] = True,
    separate: Annotated[bool, typer.Option("--links", help="one link per person, instead of one page for all")] = False,
    record: Annotated[Path | None, typer.Option("--record", help="write the game's record to this new file")] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", help="continue the game of this record, and write it there")
    ] = None,
    hint: Annotated[
        str,
        typer.Option(
            "--hint", metavar="AGENT", help="agent that gives hints; default: the best rated on the game's ladder"
        ),
    ] = "",
    hints: Annotated[
        bool, typer.Option("--hints", help="allow hints when several people play; everyone is told who got one")
    ] = False,
    saves: Annotated[
        Path | None,
        typer.Option(
            "--saves", metavar="FOLDER", help="with --text: folder for the command save FILE; default: the current one"
        ),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(
            "--games",
            metavar="FOLDER",
            help=f"where the lobby keeps its games, to resume them later; default: {_GAMES}",
        ),
    ] = None,
    ladder: Annotated[
        list[Path] | None,
        typer.Option("--ladder", metavar="FOLDER", help="results of `bdgame ladder`, for the ratings in the lobby"),
    ] = None,
    clock: Annotated[
        str,
        typer.Option(
            "--clock", metavar="MINUTES+SECONDS", help="each person's time, and the extra time per turn, e.g. 15+10"
        ),
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeatable")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="the same seed gives the same deal; default: a random deal")
    ] = None,
) -> int:
    """Play a game against agents or people: a page in the browser, or lines of text with --text.

    Without GAME, open the lobby: a page to set up, resume, replay and rematch games.

    A move is written in the notation of the game's RULES.md or picked from the legal ones.
    """
    if schema:
        from .json_messages import schema as json_schema

        print(dumps(json_schema(), indent=1))
        return 0
    who, by_line = read_seats(seats, single or ()), text or json
    _refuse_first(
        (text and json, "--text and --json: one or the other"),
        (changes and not json, "--changes needs --json"),
        (clock and by_line, "--clock needs the page: --text and --json have no clocks"),
    )
    if clock:
        try:
            TimeControl.read(clock)
        except ValueError as error:
            raise BadInput(f"--clock {error}") from None
    served = Address(host, port, open_page)
    if game is None and resume is None:
        if who or by_line or separate or clock or option or (record, saves, seed) != (None, None, None):
            raise BadInput("GAME is missing: what to play, e.g. bdgame-v3; without any other argument it is a lobby")
        return _lobby(games or _GAMES, ladder or (), hint, served)
    if resume is not None:
        if option or seed is not None or record is not None:
            raise BadInput("--resume cannot be combined with --seed, --option or --record")
        written = read_record(resume)
        game, who = game or written.game, who or seats_of(written)
    assert game is not None
    _refuse_first(
        (not who, "--seats is missing: who plays, e.g. --seats human,mcts"),
        (ladder, "--ladder is for the lobby, which has no GAME"),
        (games, "--games is for the lobby, which has no GAME"),
        (separate and by_line, "--links needs the page: --text and --json have one player"),
        (json and hint, "--hint needs the page or --text: --json gives no hints"),
        (hints and by_line, "--hints needs the page"),
        (saves is not None and not text, "--saves needs --text: the page offers the record for download"),
    )
    if resume is not None:
        config = _resumed_config(game, len(who), written, resume)
        plan = Plan(game, {}, who, hint, separate, clock=clock, hints=hints)
    else:
        _, config = open_game(game, option or (), len(who))
        if record is not None and record.exists():
            raise BadInput(f"--record {record}: the file exists; --resume continues its game")
        options = {name: value for name, value in config.options.items() if name != "players"}
        plan = Plan(game, options, who, hint, separate, seed, clock, hints)
    if by_line:
        return _dialog(plan, resume, resume or record, json, saves, changes=changes)
    return _page(plan, config, resume or record, served)


def _refuse_first(*mistakes: tuple[object, str]) -> None:
    """Refuse the first of some mistakes that was made."""
    for made, line in mistakes:
        if made:
            raise BadInput(line)


def _resumed_config(game: str, seats: int, record: GameRecord, file: Path) -> GameConfig:
    """The config of a record whose game can go on."""
    if (game, seats) != (record.game, len(record.seats)):
        raise BadInput(f"--resume {file}: it is a game of {record.game} with {len(record.seats)} seats")
    if record.ending is not None and record.ending.how != OPEN:
        raise BadInput(f"--resume {file}: the game is over")
    return get_game(game).config(**record.options)


def _lobby(games: Path, ladders: Sequence[Path], hint: str, served: Address) -> int:
    from .web.rooms import Rooms
    from .web.serving import serve

    rooms = Rooms(games, lobby_token(games))
    ratings = {game: shipped_ratings(get_game(game)) for game in list_games()}
    for folder in ladders:
        game, players, rated = read_ratings(folder)
        ratings.setdefault(game, {})[players] = rated
    rooms.load()
    return serve(rooms, served, hint=hint, ratings=ratings)


def _page(plan: Plan, config: GameConfig, file: Path | None, served: Address) -> int:
    """Serve a page that can be opened at once; it tells how far the preparations are."""
    from .web.rooms import Room, Rooms
    from .web.serving import serve

    for spec in filter(None, (*(seat for seat in plan.seats if not is_human(seat)), plan.hint)):
        check_agent(get_game(plan.game), config, spec)
    return serve(Rooms.only(Room("only", plan, links_for(plan.seats, plan.separate), file)), served)


def _dialog(
    plan: Plan, resume: Path | None, file: Path | None, json: bool, saves: Path | None, *, changes: bool
) -> int:
    """Play by lines on the standard streams; the record is written after each change, and in earnest at the end."""
    from bdgame_env.render.text_picture import shows_colors

    from .json_play import JsonGame
    from .text_play import TextGame

    try:
        session = begin(plan, file)
    except BadInput as error:
        raise (BadInput(f"--resume {resume}: {error}") if resume else error) from None
    prepared = with_agents(session, _NO_HINTS if json else plan.hint)

    def keep() -> None:
        if file is not None:
            write_record(file, session.record())

    def keep_for_now() -> None:
        with courtesy("the game is not being saved"):  # the next change tries again
            keep()

    lines, out = dialog_streams(utf8=json)
    playing: LineGame
    if json:
        playing = JsonGame(session, prepared.agents, lines, out, keep_for_now, changes=changes)
    else:
        playing = TextGame(
            session,
            prepared.agents,
            prepared.hinter,
            prepared.follower,
            lines,
            out,
            color=shows_colors(),
            saves=saves,
            fallback=prepared.fallback,
            network=prepared.network,
            on_change=keep_for_now,
        )
    try:
        playing.play()
    finally:
        keep()
        prepared.close_agents()
        prepared.close_advisers()
        out.flush()
    return 0
