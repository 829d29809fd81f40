"""The runs of a comparison: one learner, one game, one seed, one budget, one file, written whole at the end."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bdgame_env.agents import make_agent
from bdgame_env.agents.base import Agent
from bdgame_env.engine.cores import usable_cores
from bdgame_env.engine.user_files import NotRead, read_text

from ..arena.matches import BATCH, play_batches
from ..arena.schedule import GUEST, Plan, rounds
from ..arena.standings import scores_by_deal
from ..errors import BadInput
from ..files import provenance, write_json, write_text
from ..suites.anchors import read_anchors
from ..suites.suite import LATEST, Cell, read_suite
from .watch import Budget, Point, Watch

SEED = 2**61  # of the deals that measure: training has seeds below 2**41, suites from 2**62 on
DEALS, FINAL_DEALS = 2, 8  # of a point of a curve, and of its end: each is 14 or 18 games against the pool
PLAYERS = 2


@dataclass(frozen=True)
class Run:
    """A run.

    Attributes:
        game: its id. learner: its name among `learners.LEARNERS`. seed: of the run. budget: what it may spend.
    """

    game: str
    learner: str
    seed: int
    budget: Budget

    @property
    def file_name(self) -> str:
        """Of its results."""
        return f"{self.game}_{self.budget.file_name}_{self.learner}_{self.seed}.json"


def cell_of(game: str) -> Cell:
    """The game with two players."""
    return read_suite(LATEST).cells(game, str(PLAYERS))[0]


def measured(cell: Cell, agent: Agent, deals: int) -> float:
    """The normalized score of an agent against the pool of the suite, on deals that are not those of the suite."""
    suite = read_suite(LATEST)
    pool = [make_agent(spec, cell.game, cell.config) for spec in suite.pools[cell.game.id]]
    try:
        seatings = next(rounds(Plan(1 + len(pool), PLAYERS, deals, SEED, format=GUEST)))
        agents = [agent, *pool]
        batches = play_batches(cell.game, cell.config, agents, seatings, batch=BATCH, seed=SEED)
        totals, counts = scores_by_deal([one for batch in batches for one in batch], 0)
    finally:
        for one in pool:
            one.close()
    return float(read_anchors(suite, cell).normalized(totals.sum() / counts.sum()))


def play_run(run: Run, out: Path) -> None:
    """Have a learner learn and be measured, and write the file of the run.

    It rehearses first, so that everything is compiled and loaded when its time begins.
    """
    import torch

    from .learners import LEARNERS

    torch.set_num_threads(1)
    cell = cell_of(run.game)
    rehearsal = Budget(decisions=1)
    LEARNERS[run.learner].learn(cell.game, run.seed, rehearsal, Watch(rehearsal, lambda agent, last: 0.0))
    watch = Watch(run.budget, lambda agent, last: measured(cell, agent, FINAL_DEALS if last else DEALS))
    LEARNERS[run.learner].learn(cell.game, run.seed, run.budget, watch)
    facts = {**asdict(run), "points": [asdict(point) for point in watch.points], "machine": machine()}
    write_json(out / run.file_name, {**facts, "run": provenance()})


def machine() -> str:
    """The machine in a few words, with the cores that this process may use."""
    return f"{platform.machine()}, {usable_cores()} cores"


def points_of(run: Run, out: Path) -> list[Point] | None:
    """The learning curve of a run that has ended; None if it has not.

    Raises:
        BadInput: the file is damaged, or that of another run.
    """
    facts = facts_of(run, out)
    return None if facts is None else [Point(**point) for point in facts["points"]]


def kept_beside(page: Path) -> Path:
    """The file with all runs that a page shows, from which others can draw it again or go on."""
    return page.with_suffix(".json")


def keep_runs(runs: Iterable[Run], out: Path, kept: Path) -> None:
    """Write all runs that have ended into one file, each on a line of its own."""
    found = [json.dumps(facts) for run in runs if (facts := facts_of(run, out)) is not None]
    write_text(kept, "[\n" + ",\n".join(found) + "\n]\n")


def take_runs(kept: Path, out: Path) -> list[Run]:
    """Write the runs of such a file into a folder of runs, which may have some of them, as files of their own.

    Returns which runs they are.

    Raises:
        BadInput: the file is damaged.
    """
    if not kept.exists():
        return []
    taken = []
    try:
        for facts in json.loads(read_text(kept)):
            run = Run(facts["game"], facts["learner"], facts["seed"], Budget(**facts["budget"]))
            if Path(run.file_name).name != run.file_name:
                raise ValueError(run.file_name)
            if not (out / run.file_name).exists():
                write_json(out / run.file_name, facts)
            taken.append(run)
    except (NotRead, ValueError, TypeError, KeyError):
        raise BadInput(f"{kept}: not the runs of a page; remove it to run them again") from None
    return taken


def facts_of(run: Run, out: Path) -> dict[str, Any] | None:
    """The file of a run; None if there is none. Errors as for `points_of`."""
    path = out / run.file_name
    if not path.exists():
        return None
    try:
        facts: dict[str, Any] = json.loads(read_text(path))
        if {name: facts[name] for name in asdict(run)} == asdict(run) and facts["points"]:
            return facts
    except (NotRead, ValueError, TypeError, KeyError):
        pass
    raise BadInput(f"{path}: not the results of this run; remove it to run it again")
