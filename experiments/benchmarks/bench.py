"""The command `bench`: the speed on this machine, compared with the project's targets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bdgame_env.agents import UnknownAgent
from bdgame_env.engine.jit import JIT_DISABLED

from ..errors import BadInput, missing_extra
from ..files import provenance, write_json
from ..inputs import open_game
from ..tables import Table
from . import play
from .against import against as against_commit
from .figures import Bench, Figure, machine
from .learning import network_figures
from .peers import peer_figures
from .search import PLAYOUTS, search_figures
from .start import PROGRAMS, start_figures, start_name

_USUAL = "bdgame-v2"  # the game that is measured
_WIDTH = 120  # of the output in files and pipes
_BUSY = 0.5  # load per core above which a warning is printed


class NotHere(Exception):
    """A section does not apply; the message says why."""


@dataclass(frozen=True)
class Aim:
    """What a figure's median should be: at least `limit`, or below it."""

    text: str
    figure: str
    limit: float
    at_least: bool


def bench(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="id with version; bdgame-v2 unless named, with --against all games"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="rough figures in a minute, without compile times")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE.json", help="also write the figures to this file")] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="GIT_REF", help="only compare random play with that of another commit, such as HEAD~1"),
    ] = None,
) -> None:
    """Measure a game on this machine: batches, loops, memory, start and training; and OpenSpiel's games to compare.

    Every figure is the median and the best of 5 repetitions, each of 0.3 s or more (--quick: 2 of 0.05 s).

    With --against, this checkout and another commit are measured in turn; exit code 1 if a game has less than 0.9 of
    the speed that it had there.
    """
    if against is not None:
        if quick or out is not None:
            raise BadInput("--against takes neither --quick nor --out")
        if not against_commit(against, game):
            raise typer.Exit(1)
        return
    game = game or _USUAL
    declared, config = open_game(game)
    plan = Bench(declared, config)
    if quick:
        plan = replace(plan, repetitions=2, seconds=0.05, positions=256, decisions=15_000, rollout=8, cold=False)
    computer, origin = machine(), provenance()
    print(f"{game}, {config.players} players; {', '.join(f'{key} {value}' for key, value in computer.items())}")
    print(", ".join(f"{name} {version}" for name, version in origin["versions"].items()))
    if computer["load"] and computer["load"] > _BUSY * computer["usable_cores"]:
        print("other programs are using this machine: figures for several threads and training will be far too low")
    if JIT_DISABLED:
        print("NUMBA_DISABLE_JIT is set: nothing is compiled, so these figures mean little")
    about = {"game": game, "options": dict(config.options), "machine": computer, "run": origin}

    def keep(figures: list[Figure], skipped: list[str]) -> None:
        if out is not None:
            aims = [_judged(aim, figures) for aim in AIMS]
            write_json(out, {**about, "figures": list(map(asdict, figures)), "skipped": skipped, "aims": aims})

    figures, skipped = measure(plan, SECTIONS, keep)
    _table(figures).print(_WIDTH)
    for line in [*skipped, *(_judged(aim, figures) for aim in AIMS)]:
        print(line)
    if out is not None:
        print(f"written: {out}")


def measure(
    plan: Bench,
    sections: Mapping[str, Callable[[Bench], list[Figure]]],
    keep: Callable[[list[Figure], list[str]], None] = lambda figures, skipped: None,
) -> tuple[list[Figure], list[str]]:
    """The figures of some sections, and a line for each section that was skipped.

    `keep` is called with both after every section, so that an interrupted run keeps its figures.
    """
    figures: list[Figure] = []
    skipped: list[str] = []
    with Console(stderr=True).status("") as status:
        for name, section in sections.items():
            status.update(f"measuring: {name}")
            try:
                figures += section(plan)
            except (NotHere, UnknownAgent) as error:
                skipped.append(f"skipped: {name}: {error}")
            except ModuleNotFoundError as error:
                line = missing_extra(error, name)
                if line is None:
                    raise
                skipped.append(f"skipped: {line}")
            keep(figures, skipped)
    return figures, skipped


def _resolver(plan: Bench) -> list[Figure]:
    from bdgame_env.games.bdgame import planning

    from .device_problems import sample_problems

    if plan.game.module.rpartition(".")[0] != planning.__package__:
        raise NotHere(f"{plan.game.id} has no such module")
    problems: dict[str, Any] = dict(sample_problems(4096, 0))
    work = play.timed(lambda: planning.resolve(**problems, threads=1), 4096)
    return [plan.rate("planning.resolve, activations, 1 thread", work)]


def _sb3(opponents: str) -> Callable[[Bench], list[Figure]]:
    def section(plan: Bench) -> list[Figure]:
        from .sb3 import sb3_figures

        return sb3_figures(plan, opponents)

    return section


SECTIONS: dict[str, Callable[[Bench], list[Figure]]] = {
    "batches, random play": lambda plan: play.batch_figures(plan, play.RANDOM),
    "batches, heuristic play": lambda plan: play.batch_figures(plan, play.HEURISTIC),
    "random playouts": play.playout_figures,
    "the heuristic agent": play.heuristic_figures,
    "search": search_figures,
    "PettingZoo's loop": play.aec_figures,
    "planning": _resolver,
    "memory": play.memory_figures,
    "starting": start_figures,
    "networks": network_figures,
    "training against random": _sb3("random"),
    "training against heuristic": _sb3("heuristic"),
    "OpenSpiel": peer_figures,
}


def _aims() -> Iterator[Aim]:
    usual, share = "at N = 1024, heuristic play, 1 thread", "stepping's share of MaskablePPO training, 256 games"
    full, bare = (play.step_name(play.HEURISTIC, 1024, looks=looks) for looks in (True, False))
    yield Aim(f"2,000,000 decisions/s with observation and mask {usual}", full, 2e6, True)
    yield Aim(f"4,000,000 decisions/s without {usual}", bare, 4e6, True)
    yield Aim("100,000 decisions/s in the raw AEC loop", "AEC loop, decisions, raw", 1e5, True)
    yield Aim("300,000 decisions/s in playouts of the tree search", PLAYOUTS.format(player="random"), 3e5, True)
    for program in PROGRAMS:
        yield Aim(f"cached start of {program} in less than 1 s", start_name(program, cold=False), 1, False)
        yield Aim(f"cold start of {program} in less than 45 s", start_name(program, cold=True), 45, False)
    yield Aim("a state of less than 2048 bytes", "size of one state", 2048, False)
    for opponents in ("random", "heuristic"):
        name = f"{share}, {opponents} opponents"
        yield Aim(f"less than 10 % of training spent stepping, {opponents} opponents", name, 10, False)


AIMS = tuple(_aims())


def _judged(aim: Aim, figures: Sequence[Figure]) -> str:
    measured = next((figure for figure in figures if figure.name == aim.figure), None)
    if measured is None:
        return f"aim: {aim.text}: not measured"
    met = measured.median >= aim.limit if aim.at_least else measured.median < aim.limit
    apart = 100 * abs(measured.median / aim.limit - 1)
    return (
        f"aim: {aim.text}: {'met' if met else 'missed'} by {apart:.0f} % ({_number(measured.median)} {measured.unit})"
    )


def _table(figures: Sequence[Figure]) -> Table:
    rows = [(one.name, _number(one.median), _number(one.best), one.unit, str(one.repetitions)) for one in figures]
    return Table("Figures", ("figure", "median", "best", "unit", "repetitions"), rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
