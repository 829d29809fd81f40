"""`python -m experiments tournament`: agents against agents on the same deals, rated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env.agents.registry import registered_here
from bdgame_env.engine.game import Game, GameConfig

from ..errors import BadInput
from ..files import provenance
from ..inputs import open_game, read_time_limits
from .batches import Job, Player, trusted
from .matches import GameResult
from .outcome import Outcome, Settings
from .progress import Live
from .ratings import standings
from .schedule import FORMATS, GAUNTLET, ROUND_ROBIN, SWISS, most_games, rounds
from .seating import Seating
from .sequential import judge_pairs
from .standings import print_outcome
from .store import NAME, Store
from .workers import Players, usable_cores

DELTA = 0.05

OnProgress = Callable[[int, int, int], None]

GameId = Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v2 (all: python -m experiments games)")]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="seats at a table; the game's fewest if not given")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="same seed, same table")]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", help="folder for results.sqlite, result.json, games.csv, standings.csv, report.html, plots"),
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeat")
]
BatchOption = Annotated[
    int | None, typer.Option("--batch", min=1, help="games side by side; fewer save slow agents' games sooner")
]
TimeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--time",
        "--time-limit",
        metavar="[AGENT=]SECONDS",
        help="seconds per decision, else the game is lost; for all agents or for one; repeat",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="most processes; the usable cores if not given; 1: all in this process"),
]
FormatOption = Annotated[
    str,
    typer.Option("--format", help=f"{', '.join(FORMATS)} ({GAUNTLET}: the first agent against all others)"),
]
RoundsOption = Annotated[
    int | None, typer.Option("--rounds", min=1, help=f"of {SWISS}; enough for a winner if not given")
]
SettledOption = Annotated[
    bool, typer.Option("--until-settled", "--sprt", help="stop when it is clear who is better; --games is the most")
]
DeltaOption = Annotated[
    float, typer.Option("--delta", help="with --until-settled: the difference from 0.5 that matters")
]


def tournament(
    game: GameId,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT AGENT...",
            help="NAME[:KEY=VALUE,...], e.g. greedy; FILE.npz; module:Class[:KEY=VALUE,...]; 'program:COMMAND ...'",
        ),
    ],
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(min=1, help="deals for each line-up, each in every seat order")] = 200,
    seed: SeedOption = 0,
    out: OutOption = None,
    option: GameOptions = None,
    batch: BatchOption = None,
    time_limit: TimeOption = None,
    workers: WorkersOption = None,
    format: FormatOption = ROUND_ROBIN,
    rounds: RoundsOption = None,
    until_settled: SettledOption = False,
    delta: DeltaOption = DELTA,
) -> None:
    """Play agents against each other on the same deals in all seat orders; print ratings with error bars.

    With more agents than seats, every combination plays (a round robin); with fewer, agents take several seats.
    The same command with the same --out goes on where it was stopped.
    """
    declared, config = open_game(game, option or (), players)
    if len(agents) < 2:
        raise BadInput("a tournament needs two agents or more")
    check_format(format, len(agents), config.players, rounds, until_settled, delta)
    settings = Settings(
        game,
        dict(config.options),
        agents,
        games,
        seed,
        batch or 0,
        read_time_limits(time_limit or (), agents),
        format,
        rounds,
        delta if until_settled else None,
    )
    play_and_tell(settings, declared, config, out, workers)


def check_format(
    format: str,
    agents: int,
    players: int,
    rounds: int | None = None,
    until_settled: bool = False,
    delta: float = DELTA,
) -> None:
    """See that a tournament can be played so.

    Raises:
        BadInput: it cannot.
    """
    if format not in FORMATS:
        raise BadInput(f"--format {format}: there are {', '.join(FORMATS)}")
    if rounds is not None and format != SWISS:
        raise BadInput(f"--rounds is for --format {SWISS}")
    if until_settled and format == SWISS:
        raise BadInput(f"--until-settled is for --format {ROUND_ROBIN} and {GAUNTLET}")
    if not 0 < delta < 0.5:
        raise BadInput(f"--delta {delta:g}: allowed is what lies between 0 and 0.5")
    if format == SWISS and rounds == 1 and agents > players and agents % players == 1:
        raise BadInput("--rounds 1: one agent would not play; allowed: 2 or more")


def play_and_tell(
    settings: Settings, game: Game, config: GameConfig, out: Path | None, workers: int | None = None
) -> Outcome:
    """Play a tournament with progress on stderr, print its result, write its files. Arguments as for `run`."""
    started = time.monotonic()
    with Live(f"{len(settings.agents)} agents, {config.players} seats") as live:
        outcome = run(settings, game, config, out, live.update, workers)
    print_outcome(outcome, live.played, time.monotonic() - started)
    if out is not None:
        print(f"written: {out}")
    return outcome


def run(
    settings: Settings,
    game: Game,
    config: GameConfig,
    out: Path | None = None,
    on_progress: OnProgress | None = None,
    workers: int | None = None,
) -> Outcome:
    """Play a tournament to its end, or the rest of it if its first part is in `out`.

    Args:
        settings: which tournament; a `batch` of 0 is chosen by the agents.
        game: the game of `settings`.
        config: the config of `settings`.
        out: folder for results.sqlite, in which each batch is written when it ends, and for the files of
            `write_files`; None to write nothing.
        on_progress: is told how many games there are at most, how many of them were in `out`, and how many have ended.
        workers: most processes to play in; None for as many as there are usable cores.

    Raises:
        UnknownAgent, BadInput, OSError: in one line, what is wrong.
    """
    if out is not None:
        from . import report  # noqa: F401  (now, so that a missing extra shows before the first game)
    limits = settings.time_limits or [None] * len(settings.agents)
    job = Job(game, dict(config.options), settings.agents, settings.seed, limits)
    if any(map(registered_here, settings.agents)):  # other processes do not know them
        workers = 1
    here = Player(job)
    players = Players(job, workers or usable_cores(), here, trusted(here.agents))
    with closing(players):
        if not settings.batch:
            batch = max(1, min(agent.games_at_once for agent in here.agents))
            settings = Settings(**{**asdict(settings), "batch": batch})
        with _opened(out, settings) as store:
            results = _play(settings, players, store, on_progress)
            made, continued = ({}, []) if store is None else (store.run, store.continued)
    table = standings(settings.names, results, seed=settings.seed)
    verdicts = [] if settings.delta is None else judge_pairs(results, settings.plan.judged, settings.delta)
    outcome = Outcome(settings, made, table, results, verdicts, continued)
    if out is not None:
        from .result_files import write_files  # brings matplotlib, which workers do without

        write_files(outcome, out)
    return outcome


@contextmanager
def _opened(out: Path | None, settings: Settings) -> Iterator[Store | None]:
    if out is None:
        yield None
        return
    with closing(Store(out / NAME, asdict(settings), provenance())) as store:
        yield store


def _play(
    settings: Settings, players: Players, store: Store | None, on_progress: OnProgress | None
) -> list[GameResult]:
    """All results, by number: those of the store, and the others played and added to it."""
    there = {} if store is None else store.results()
    found, total = len(there), most_games(settings.plan)
    results: list[GameResult] = []
    going = rounds(settings.plan)
    tables = next(going)
    while True:
        ended = _take(there, tables, store)
        before = len(results)

        def told(now: int, *, so_far: int = before + len(ended), kept: int = found) -> None:
            if on_progress is not None:
                on_progress(total, kept, so_far + now)

        told(0)
        missing = _missing_batches(tables, ended, settings.batch)
        if missing and store is not None:
            store.continue_with(provenance())
        for part in players.play(missing, told):
            if store is not None:
                store.add(part)
            ended += part
        ended.sort(key=lambda result: result.number)
        results += ended
        try:
            tables = going.send(ended)
        except StopIteration:
            break
    if there:
        raise BadInput(f"{_place(store)} holds game {min(there)}, which is none of this tournament")
    return sorted(results, key=lambda result: result.number)


def _take(there: dict[int, GameResult], tables: Sequence[Seating], store: Store | None) -> list[GameResult]:
    """Those of a round's games that were played before, out of all that are there."""
    taken = []
    for table in tables:
        result = there.pop(table.number, None)
        if result is not None:
            if (result.deal, result.game_seed, result.agents) != (table.deal, table.game_seed, table.agents):
                raise BadInput(f"{_place(store)} holds another game {table.number} than this tournament has")
            taken.append(result)
    return taken


def _missing_batches(tables: Sequence[Seating], ended: Sequence[GameResult], size: int) -> list[Sequence[Seating]]:
    """The batches of a round that have not been played; which games make a batch does not depend on who plays them.

    Raises:
        BadInput: a part of a batch is there, which this program never writes.
    """
    played = {result.number for result in ended}
    missing = []
    for start in range(0, len(tables), size):
        batch = tables[start : start + size]
        count = sum(table.number in played for table in batch)
        if count == 0:
            missing.append(batch)
        elif count < len(batch):
            raise BadInput(f"{count} of the {len(batch)} games from number {batch[0].number} on are there: all or none")
    return missing


def _place(store: Store | None) -> Any:
    return "the file" if store is None else store.path
