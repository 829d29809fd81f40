"""The command `bench`: the speed on this machine, compared with the project's targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env.engine.jit import JIT_DISABLED

from ..errors import BadInput
from ..files import provenance, write_json
from ..inputs import open_game
from ..tables import Table
from . import play
from .against import against as against_commit
from .figures import Bench, Figure, machine
from .page_run import write_page
from .peers import PEERS
from .search import PLAYOUTS
from .sections import SECTIONS, measure
from .start import PROGRAMS, start_name

_USUAL = "bdgame-v3"  # the game that is measured
_WIDTH = 120  # of the output in files and pipes
_BUSY = 0.5  # load per core above which a warning is printed


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
        typer.Argument(metavar="[GAME]", help="id with version; default: bdgame-v3, with --against all games"),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="rough figures in a minute, without compile times")] = False,
    out: Annotated[Path | None, typer.Option(metavar="FILE.json", help="also write the figures to this file")] = None,
    against: Annotated[
        str | None,
        typer.Option(metavar="GIT_REF", help="only compare random play with that of another commit, such as HEAD~1"),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE.md", help="measure all games and write this page, and its figures as FILE.json"),
    ] = None,
) -> None:
    """Measure a game on this machine: batches, loops, memory, start and training; and other packages to compare.

    Every figure is the median and the best of 5 repetitions, each of 0.3 s or more (--quick: 3 of 0.05 s).

    With --page, all games are measured, which takes an hour of an idle machine, or with --quick a quarter of that;
    repeat the command to resume a stopped run.

    With --against, this checkout and another commit are measured in turn; exit code 1 if a game has less than 0.9 of
    the speed that it had there.
    """
    if against is not None:
        if quick or out is not None or page is not None:
            raise BadInput("--against takes none of --quick, --out and --page")
        if not against_commit(against, game):
            raise typer.Exit(1)
        return
    if page is not None:
        if game is not None or out is not None:
            raise BadInput("--page measures all games: it takes neither GAME nor --out")
        changed = _quick_page if quick else lambda plan: plan
        command = f"bdgame bench --page {page}{' --quick' if quick else ''}"
        for claim in write_page(page, SECTIONS, PEERS, changed, command).claims():
            print(claim)
        print(f"written: {page}")
        return
    game = game or _USUAL
    declared, config = open_game(game)
    plan = Bench(declared, config)
    if quick:
        plan = _quick(plan)
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

    figures, skipped = measure(plan, {**SECTIONS, **PEERS}, keep)
    _table(figures).print(_WIDTH)
    for line in [*skipped, *(_judged(aim, figures) for aim in AIMS)]:
        print(line)
    if out is not None:
        print(f"written: {out}")


def _quick(plan: Bench, growth: tuple[int, ...] = (1, 64, 4096)) -> Bench:
    """Rough figures in a minute."""
    return replace(
        plan, repetitions=3, seconds=0.05, positions=256, decisions=15_000, growth=growth, rollout=8, cold=False
    )


def _quick_page(plan: Bench) -> Bench:
    """The same, but for as many games as in full."""
    return _quick(plan, (1, 64, 4096, max(plan.growth)))


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
