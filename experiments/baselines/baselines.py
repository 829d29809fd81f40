"""The command `baselines`: learners at the same budget, over several seeds."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.quoting import listed, shown

from ..command_name import command_name
from ..errors import BadInput
from ..files import write_text
from ..suites.anchors import read_anchors
from ..suites.suite import LATEST, read_suite
from .baselines_page import baselines_page, draw_curves, shown_runs
from .runs import PLAYERS, Run, facts_of, keep_runs, kept_beside, play_run, take_runs
from .watch import Budget

LEAST_SEEDS = 3  # what one or two seeds give is no result


def baselines(
    games: Annotated[str, typer.Option(metavar="all|GAMES", help="ids of games, such as gizmos-v3")] = "all",
    learners: Annotated[str, typer.Option(metavar="all|NAMES", help="names such as maskable-ppo,masked-dqn")] = "all",
    seeds: Annotated[int, typer.Option(min=LEAST_SEEDS, help="runs of each learner in each game")] = 5,
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="minutes of processor time for learning, for each run; default: 1")
    ] = None,
    decisions: Annotated[int | None, typer.Option(min=1, help="learn from this many decisions instead")] = None,
    out: Annotated[Path, typer.Option(help="folder that gets a file for each run")] = Path("runs/baselines"),
    page: Annotated[
        Path | None, typer.Option(help="the Markdown page to write, with pictures beside it: docs/baselines.md")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="parallel runs; default: the usable cores; 1: in this process")
    ] = None,
) -> None:
    """Train several learners with several seeds in every game, each on one core, and compare them.

    To resume, repeat the command with the same --out: runs that have ended are not repeated, nor those in the file
    beside the page, PAGE.json. The page shows what there is for these games, learners and seeds: budgets of minutes and
    of decisions, each in its own tables.
    """
    if minutes is not None and decisions is not None:
        raise BadInput("--minutes and --decisions: only one of them says how long a run is")
    budget = (
        Budget(decisions=decisions) if decisions is not None else Budget(minutes=1.0 if minutes is None else minutes)
    )
    suite = read_suite(LATEST)
    cells = suite.cells(games, str(PLAYERS))
    for cell in cells:
        read_anchors(suite, cell)  # refuses what could not be measured
    chosen = _chosen(learners)
    runs = [Run(cell.game.id, name, seed, budget) for cell in cells for seed in range(seeds) for name in chosen]
    where = page or out / "baselines.md"
    kept = take_runs(kept_beside(where), out)
    _play([run for run in runs if facts_of(run, out) is None], len(runs), out, workers or usable_cores())
    command = f"{command_name()} baselines --games {games} --learners {learners} --seeds {seeds}"
    ids = [cell.game.id for cell in cells]
    text = baselines_page(ids, chosen, seeds, out, where, command)
    draw_curves(ids, chosen, seeds, out, where)
    write_text(where, text)
    keep_runs(dict.fromkeys([*kept, *shown_runs(ids, chosen, seeds, out)]), out, kept_beside(where))
    print(f"written: {where}")


def _chosen(learners: str) -> list[str]:
    from .learners import LEARNERS

    chosen = list(LEARNERS) if learners == "all" else list(dict.fromkeys(learners.split(",")))
    for name in chosen:
        if name not in LEARNERS:
            raise BadInput(f"--learners {shown(name)}: must be among {listed(LEARNERS)}")
    return chosen


def _play(missing: list[Run], total: int, out: Path, workers: int) -> None:
    """Play the missing runs: with several workers, each in a process of its own."""
    began, before = time.monotonic(), total - len(missing)
    if before:
        print(f"{before} of {total} runs have ended before", flush=True)
    for count, run in enumerate(_ended(missing, out, workers), before + 1):
        print(f"{count} of {total}: {run.file_name}, {time.monotonic() - began:.0f} s", flush=True)


def _ended(missing: list[Run], out: Path, workers: int) -> Iterator[Run]:
    """The runs, each when it has ended."""
    if workers == 1:
        for run in missing:
            play_run(run, out)
            yield run
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawning, max_tasks_per_child=1) as pool:
        going = {pool.submit(play_run, run, out): run for run in missing}
        try:
            for ended in as_completed(going):
                ended.result()
                yield going[ended]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
