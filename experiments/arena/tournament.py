"""The command `tournament`: agents play each other on the same deals and are rated."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env.agents.registry import keep_spec, registered_here
from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.game import Game, GameConfig

from ..contents import contents_by_name
from ..errors import BadInput
from ..files import provenance
from ..inputs import open_game, read_time_limits
from . import options
from .batch_runner import BatchRunner, Job, may_play_here
from .matches import GameResult
from .outcome import Outcome
from .schedule import FORMATS, GAUNTLET, ROUND_ROBIN, SWISS, most_games, rounds
from .seating import Seating
from .sequential_test import judge_pairs
from .settings import Settings
from .standings import standings
from .store import NAME, Store, Writer
from .stored_batches import Batch, results_of
from .text_report import print_outcome
from .tournament_progress import Live
from .workers import Executor, WorkerPool

DELTA = 0.05

OnProgress = Callable[[int, int, int], None]


@dataclass(frozen=True)
class Place:
    """Where a tournament is played; its results do not depend on it.

    Attributes:
        workers: the most processes; None for all cores. 1 on this machine: everything is played in this process.
        on: a Ray cluster, see `cluster.connection.connect`; None for this machine's processes without Ray.
        memory: what each worker process may allocate, in MB; None for no limit, on a cluster for a share.
    """

    workers: int | None = None
    on: str | None = None
    memory: int | None = None


def tournament(
    game: options.GameId,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT AGENT...",
            help="NAME[:KEY=VALUE,...], e.g. greedy; FILE.npz; module:Class[:KEY=VALUE,...]; 'program:COMMAND ...'",
        ),
    ],
    players: options.Players = None,
    games: options.Deals = 200,
    seed: options.Seed = 0,
    out: options.Out = None,
    option: options.Options = None,
    batch: options.Batch = None,
    time_limit: options.Time = None,
    workers: options.Workers = None,
    format: options.Format = ROUND_ROBIN,
    rounds: options.Rounds = None,
    until_settled: options.UntilSettled = False,
    delta: options.Delta = DELTA,
    half_width: options.HalfWidth = None,
    minutes: options.Minutes = None,
    on: options.On = None,
    memory: options.Memory = None,
) -> None:
    """Play agents against each other on the same deals in all seat orders; print ratings with error bars.

    With more agents than seats, every combination plays (a round robin); with fewer, agents take several seats.
    To resume a tournament that was stopped, repeat the command with the same --out.
    """
    declared, config = open_game(game, option or (), players)
    if len(agents) < 2:
        raise BadInput("a tournament needs two agents or more")
    check_format(format, len(agents), config.players, rounds, until_settled, delta)
    check_race(format, until_settled, half_width, minutes)
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
        half_width=half_width,
        seconds=None if minutes is None else 60 * minutes,
    )
    play_and_report(settings, declared, config, out, Place(workers, on, memory))


def check_format(
    format: str,
    agents: int,
    players: int,
    rounds: int | None = None,
    until_settled: bool = False,
    delta: float = DELTA,
) -> None:
    """Check the settings that belong together.

    Raises:
        BadInput: they cannot be combined.
    """
    if format not in FORMATS:
        raise BadInput(f"--format {format}: must be one of {', '.join(FORMATS)}")
    if rounds is not None and format != SWISS:
        raise BadInput(f"--rounds needs --format {SWISS}")
    if until_settled and format == SWISS:
        raise BadInput(f"--until-settled needs --format {ROUND_ROBIN} or {GAUNTLET}")
    if not 0 < delta < 0.5:
        raise BadInput(f"--delta {delta:g}: must be between 0 and 0.5")
    if format == SWISS and rounds == 1 and agents > players and agents % players == 1:
        raise BadInput("--rounds 1: one agent would not play; must be 2 or more")


def check_race(format: str, until_settled: bool, half_width: float | None, minutes: float | None) -> None:
    """Check the settings of a race.

    Raises:
        BadInput: they cannot be combined.
    """
    if half_width is None:
        if minutes is not None:
            raise BadInput("--minutes needs --half-width")
        return
    if not 0.001 <= half_width < 0.5:
        raise BadInput(f"--half-width {half_width:g}: must be from 0.001 to below 0.5")
    if format != ROUND_ROBIN:
        raise BadInput(f"--half-width needs --format {ROUND_ROBIN}")
    if until_settled:
        raise BadInput("--half-width and --until-settled: only one of them says when to stop")


def run_with_progress(
    settings: Settings, game: Game, config: GameConfig, out: Path | None, place: Place
) -> tuple[Outcome, int]:
    """`run` with progress on stderr; returns the number of games played too."""
    with Live(f"{len(settings.agents)} agents, {config.players} seats") as live:
        return run(settings, game, config, out, live.update, place, live.show_workers), live.played


def play_and_report(settings: Settings, game: Game, config: GameConfig, out: Path | None, place: Place) -> Outcome:
    """Play a tournament with progress on stderr, print its result and write its files. Arguments as for `run`."""
    started = time.monotonic()
    outcome, played = run_with_progress(settings, game, config, out, place)
    print_outcome(outcome, played, time.monotonic() - started)
    if out is not None:
        print(f"written: {out}")
    return outcome


def run(
    settings: Settings,
    game: Game,
    config: GameConfig,
    out: str | PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    place: Place | None = None,
    show_workers: Callable[[str], None] | None = None,
) -> Outcome:
    """Play a tournament to the end; games that are already stored in `out` are not played again.

    Args:
        settings: the tournament; a `batch` of 0 is chosen to suit the agents.
        game: the game of `settings`.
        config: the config of `settings`.
        out: folder for results.sqlite, to which each batch is written when it ends, and for the files of
            `write_files`; None to write nothing.
        on_progress: called with the greatest number of games, the number found in `out`, and the number that have
            ended.
        place: where to play; None for the usable cores of this machine.
        show_workers: told which workers of a cluster are there, in a few words, whenever that changes.

    Raises:
        UnknownAgent, BadInput, OSError: one line that says what is wrong.
    """
    if out is not None:
        from . import tournament_page  # noqa: F401  (so that a missing extra shows before the first game)
    out = None if out is None else Path(out)
    agents = [keep_spec(spec) for spec in settings.agents]  # from here on, files may change
    limits = settings.time_limits or [None] * len(agents)
    place = place or Place()
    memory = None if place.memory is None else place.memory << 20
    job = Job(game, dict(config.options), agents, settings.seed, limits, memory)
    here = BatchRunner(job)
    executor = _executor(job, here, place, show_workers)
    with closing(executor):
        batch = settings.batch or max(1, min(agent.games_at_once for agent in here.agents))
        contents = contents_by_name(agents, game, config)
        settings = replace(settings, agents=list(map(str, agents)), batch=batch, contents=contents)
        with _opened(out, settings) as store:
            results = _play(settings, executor, store, on_progress)
            run_facts, continued = ({}, []) if store is None else (store.run, store.continued)
    rated = standings(settings.names, results, seed=settings.seed)
    verdicts = [] if settings.delta is None else judge_pairs(results, settings.plan.judged, settings.delta)
    outcome = Outcome(settings, run_facts, rated, results, verdicts, continued)
    if out is not None:
        from .tournament_files import write_files  # imports matplotlib, which workers do not need

        write_files(outcome, out)
    return outcome


def _executor(job: Job, here: BatchRunner, place: Place, show: Callable[[str], None] | None) -> Executor:
    """Who plays, and where.

    Raises:
        BadInput: the agents cannot play there.
    """
    only_here = [spec for spec in job.agents if registered_here(spec)]  # other processes do not know them
    if place.on is not None:
        if only_here:
            raise BadInput(f"--on {place.on}: {only_here[0]} is registered in this process only: name module:Class")
        from .cluster_pool import ClusterPool  # imports Ray

        on = place.on
        return Executor(here, lambda: ClusterPool(job, on, place.workers, show), begin_here=False)
    count = 1 if only_here else place.workers or usable_cores()
    if job.memory is not None and count == 1:
        raise BadInput("--memory limits worker processes: needs --workers 2 or more, or --on ray")
    start = None if count == 1 else lambda: WorkerPool(job, count)
    return Executor(here, start, begin_here=job.memory is None and may_play_here(here.agents))


@contextmanager
def _opened(out: Path | None, settings: Settings) -> Iterator[Store | None]:
    if out is None:
        yield None
        return
    with closing(Store(out / NAME, asdict(settings), provenance())) as store:
        yield store


def _play(
    settings: Settings, executor: Executor, store: Store | None, on_progress: OnProgress | None
) -> list[GameResult]:
    """All results, by number: those in the store, and the others, which are played and stored."""
    stored = {} if store is None else store.results()
    resumed, total = len(stored), most_games(settings.plan)
    results: list[GameResult] = []
    schedule, writer = rounds(settings.plan), Writer(store)
    seatings = next(schedule)
    while True:
        ended, missing = _divided(seatings, stored, settings.batch)

        def report_progress(now: int, *, before: int = len(results) + len(ended)) -> None:
            writer.write_if_due()
            if on_progress is not None:
                on_progress(total, resumed, before + now)

        report_progress(0)
        if missing and store is not None:
            store.continue_with(provenance())
        played: list[Batch] = []
        try:
            for batches in executor.play(missing, report_progress):
                writer.add(batches)
                played += batches
        finally:
            writer.write()
        ended += [result for batch in played for result in results_of(batch)]
        ended.sort(key=lambda result: result.number)
        results += ended
        try:
            seatings = schedule.send(ended)
        except StopIteration:
            break
    if stored:
        raise BadInput(f"{NAME} holds game {min(stored)}, which is not a game of this tournament")
    return sorted(results, key=lambda result: result.number)


def _divided(
    seatings: Sequence[Seating], stored: dict[int, GameResult], size: int
) -> tuple[list[GameResult], list[Sequence[Seating]]]:
    """The results of a round that are stored, which are taken out of `stored`, and the batches yet to be played.

    How games are batched never depends on what was played.

    Raises:
        BadInput: another game is stored, or only part of a batch, which this program never writes.
    """
    ended: list[GameResult] = []
    missing = []
    for start in range(0, len(seatings), size):
        batch = seatings[start : start + size]
        there = [(seating, stored.pop(seating.number)) for seating in batch if seating.number in stored]
        for seating, result in there:
            if (result.deal, result.game_seed, result.agents) != (seating.deal, seating.game_seed, seating.agents):
                raise BadInput(f"{NAME} holds another game in place of game {seating.number}")
        if not there:
            missing.append(batch)
        elif len(there) < len(batch):
            raise BadInput(
                f"{len(there)} of {len(batch)} games from number {batch[0].number} on are stored, must be all or none"
            )
        ended += [result for _, result in there]
    return ended, missing
