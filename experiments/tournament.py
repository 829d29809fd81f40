"""`python -m experiments tournament`: every seating of some agents, rated."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from agents import make_agent
from agents.arena import BATCH, GameResult, Seating, play_batches, seatings
from agents.ratings import Interval, Standings, standings
from bdgame_env.core.game import Box, Game

from .errors import BadInput
from .files import append_json_lines, keep_lines, provenance, read_json_lines, write_json
from .inputs import names_apart, open_agents, open_game

_WIDTH = 120  # of tables in files and pipes


@dataclass(frozen=True)
class Settings:
    """What decides the games of a tournament, and with the same code their results.

    Attributes:
        game: id with version.
        options: of the game, every one with its value, `players` included.
        agents: specs, by index.
        games: per seating.
        seed: of the deals and of the agents' own luck.
        batch: games played side by side; it decides which of its random numbers an agent uses where.
        time_limit: seconds per decision, or None.
    """

    game: str
    options: dict[str, Any]
    agents: list[str]
    games: int
    seed: int = 0
    batch: int = BATCH
    time_limit: float | None = None


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v1 (all: python -m experiments games)")],
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT AGENT...", help="NAME[:KEY=VALUE,...], e.g. greedy or ppo:path=policy.zip"),
    ],
    players: Annotated[int | None, typer.Option(help="seats at a table; the game's fewest if not given")] = None,
    games: Annotated[int, typer.Option(min=1, help="games per seating")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="same seed, same table")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="folder for run.json, games.jsonl, result.json, ratings.png, matrix.png")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="option of the game; repeat")] = None,
    batch: Annotated[int, typer.Option(min=1, help="games side by side; fewer save slow agents' games sooner")] = BATCH,
    time_limit: Annotated[
        float | None, typer.Option(min=0.001, help="seconds per decision, else the game is lost")
    ] = None,
) -> None:
    """Play every seating of the AGENTs on the same deals and print a rating table with error bars.

    With more agents than seats, every combination plays (a round robin); with fewer, agents take several seats.
    The same command with the same --out goes on where it was stopped.
    """
    declared, box = open_game(game, option or (), players)
    if len(agents) < 2:
        raise BadInput("a tournament needs two agents or more")
    settings = Settings(game, dict(box.options), agents, games, seed, batch, time_limit)
    started = time.monotonic()
    with _Live(agents, box.players) as live:
        table, results = run(settings, declared, box, out, live.update)
    _report(table, results, names_apart(agents), live.played, time.monotonic() - started)
    if out is not None:
        print(f"written: {out}")


def run(
    settings: Settings,
    game: Game,
    box: Box,
    out: Path | None = None,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> tuple[Standings, list[GameResult]]:
    """Play a tournament to its end, or the rest of it if its first part is in `out`.

    Args:
        settings: which tournament.
        game: the game of `settings`.
        box: the box of `settings`.
        out: folder for run.json (settings and provenance), games.jsonl (a line per game, in whole batches),
            result.json, ratings.png and matrix.png; None to write nothing.
        on_progress: is told the number of all games, of those that were in `out` and of those that have ended.

    Returns:
        Standings and the results of all games, in their order.

    Raises:
        UnknownAgent, BadInput, OSError: in one line, what is wrong.
    """
    if out is not None:
        from .plots import plot_matrix, plot_ratings  # now, so that a missing extra shows before the first game
    players = open_agents(settings.agents, game, box)
    tables = seatings(len(players), box.players, settings.games, settings.seed)
    provenance_, results = ({}, []) if out is None else _continue(out, settings, tables)
    found = len(results)

    def told(ended: int, _: int = 0) -> None:
        if on_progress is not None:
            on_progress(len(tables), found, len(results) + ended)

    told(0)
    for part in play_batches(
        game,
        box,
        players,
        tables[found:],
        batch=settings.batch,
        seed=settings.seed,
        time_limit=settings.time_limit,
        remake=lambda index: make_agent(settings.agents[index], game, box),
        on_step=told,
    ):
        if out is not None:
            append_json_lines(out / "games.jsonl", [result.to_json() for result in part])
        results += part
    table = standings(names_apart(settings.agents), results, seed=settings.seed)
    if out is not None:
        write_json(
            out / "result.json", {"settings": asdict(settings), "run": provenance_, "standings": table.to_json()}
        )
        plot_ratings(table, out / "ratings.png")
        plot_matrix(table, out / "matrix.png")
    return table, results


def _continue(out: Path, settings: Settings, tables: Sequence[Seating]) -> tuple[dict[str, Any], list[GameResult]]:
    """Provenance and results that are in the folder; what does not fill a batch is cut, to be played again as it was.

    Raises:
        BadInput: another tournament is there.
    """
    mine = json.loads(json.dumps(asdict(settings)))
    first, lines = out / "run.json", out / "games.jsonl"
    if not first.exists():
        if lines.exists():
            raise BadInput(f"{lines} is there without run.json: choose another --out")
        made = provenance()
        write_json(first, {"settings": mine, "run": made})
        return made, []
    try:
        there = json.loads(first.read_text(encoding="utf-8"))
        theirs, made = dict(there["settings"]), dict(there["run"])
        results = [GameResult.from_json(row) for row in read_json_lines(lines)]
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{out} is not the folder of a tournament: {error}") from None
    if theirs != mine:
        names = [name for name in mine if theirs.get(name) != mine[name]]
        kinds = "; ".join(f"{name} {theirs.get(name)} there, {mine[name]} here" for name in names)
        raise BadInput(f"{out} holds another tournament ({kinds}): choose another --out")
    for number, (result, table) in enumerate(zip_longest(results, tables[: len(results)]), 1):
        if table is None or (result.number, result.agents, result.deal_number) != (
            table.number,
            table.agents,
            table.deal_number,
        ):
            raise BadInput(f"{lines}, line {number}: not game {number - 1} of this tournament")
    whole = len(results) if len(results) == len(tables) else len(results) // settings.batch * settings.batch
    keep_lines(lines, whole)
    return made, results[:whole]


class _Live:
    """Progress on stderr, if that is a terminal."""

    def __init__(self, agents: Sequence[str], seats: int) -> None:
        console = Console(stderr=True)
        self.played = 0
        self._told = False
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("games, {task.fields[speed]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task(f"{len(agents)} agents, {seats} seats", total=None, speed="starting")

    def __enter__(self) -> _Live:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, total: int, found: int, ended: int) -> None:
        self.played = ended - found
        if found and not self._told:
            self._progress.console.print(f"{found} of {total} games are there already", highlight=False)
            self._told = True
        elapsed = self._progress.tasks[self._task].elapsed or 0.0
        speed = f"{self.played / elapsed:.3g} per second" if elapsed and self.played else "playing"
        self._progress.update(self._task, total=total, completed=ended, speed=speed)


def _report(table: Standings, results: Sequence[GameResult], names: Sequence[str], played: int, seconds: float) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=max(console.width, _WIDTH))
    grid = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    grid.add_column("agent", overflow="fold")
    for title in ("rating ± sigma", "win rate (95 %)", "mean place", "mean points", "games"):
        grid.add_column(title, justify="right")
    for row in table.agents:
        grid.add_row(
            row.agent,
            f"{row.rating:.2f} ± {row.sigma:.2f}",
            f"{100 * row.win_rate:.1f} %{_interval(row.win_rate_interval)}",
            f"{row.mean_place:.2f}",
            f"{row.mean_points:.2f}",
            str(row.games),
        )
    console.print(grid)
    seats = ", ".join(f"{100 * share:.1f} %" for share in table.wins_by_seat)
    print(
        f"{table.games} games on {table.deals} deals, {table.games // table.deals} seatings each;"
        f" {played} played in {seconds:.1f} s"
    )
    print(
        f"won by seat: {seats}; {table.mean_decisions:.0f} decisions per game;"
        f" {100 * table.truncated:.0f} % ended by the round limit"
    )
    forfeits = Counter(
        (names[result.agents[result.forfeit]], result.reason) for result in results if result.forfeit is not None
    )
    for (name, reason), count in forfeits.most_common(5):
        print(f"lost by forfeit: {name}, {count} games: {reason}")


def _interval(ends: Interval | None) -> str:
    return "" if ends is None else f" ({100 * ends[0]:.1f}-{100 * ends[1]:.1f})"
