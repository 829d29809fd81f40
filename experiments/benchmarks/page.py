"""The page of benchmarks (docs/benchmarks.md) from measured figures, and the claims that the README takes from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..tables import Table
from .figures import PER_SECOND, Figure
from .growth import MEMORY, THREADS, growth_name
from .learning import INFERENCE, LEARNING
from .play import COPYING, HEURISTIC, RANDOM, step_name
from .search import BY_NETWORK, PLAYING_ON, PLAYOUTS, SIMULATIONS, TURNS
from .start import PROGRAMS, start_name

Row = tuple[str, tuple[str, ...]]  # a label, and the figures in its cells
_BOTH = ("random", "heuristic")
_MATCH, _BATCH = PROGRAMS

PLAYING: tuple[Row, ...] = (
    *(
        (f"{n:,} game{'s' if n > 1 else ''}, observation and mask written", (step_name(HEURISTIC, n),))
        for n in (1, 64, 1024, 8192)
    ),
    ("8,192 games, two threads", (step_name(HEURISTIC, 8192, threads=2),)),
    ("1,024 games, without observation and mask", (step_name(HEURISTIC, 1024, looks=False),)),
    ("1,024 games of random play", (step_name(RANDOM, 1024),)),
    ("the same without observation and mask", (step_name(RANDOM, 1024, looks=False),)),
    ("random playouts inside compiled code", ("compiled random playouts, decisions, 1 thread",)),
    ("decisions made by the heuristic player", ("heuristic agent, decisions, 1 thread",)),
    ("PettingZoo AEC loop, raw / wrapped", ("AEC loop, decisions, raw", "AEC loop, decisions, wrapped")),
)
SEARCHING: tuple[Row, ...] = (
    (
        "tree search, playouts of 60 decisions, simulations: random / heuristic",
        tuple(SIMULATIONS.format(player=player) for player in _BOTH),
    ),
    ("decisions in those playouts: random / heuristic", tuple(PLAYOUTS.format(player=player) for player in _BOTH)),
    (
        f"tree search by a network of 2 x 128, simulations: evaluating at once / playing on for {TURNS} turns",
        (BY_NETWORK, PLAYING_ON.format(turns=TURNS)),
    ),
    ("network of 2 x 128, observations of 1,024 games", (INFERENCE,)),
    ("training by self-play, 2 x 128, decisions learned by each of two cores", (LEARNING.format(threads=2),)),
    (
        "MaskablePPO, 256 games, decisions learned against random / heuristic",
        tuple(f"MaskablePPO training, learner's decisions, 256 games, {player} opponents" for player in _BOTH),
    ),
    (
        "share of environment stepping in that",
        tuple(f"stepping's share of MaskablePPO training, 256 games, {player} opponents" for player in _BOTH),
    ),
)
MEMORY_AND_START: tuple[Row, ...] = (
    (
        "state / observation / mask",
        ("size of one state", "size of one observation", "size of one mask"),
    ),
    ("memory of a batch, per game", (MEMORY,)),
    ("from `python` to the first move of a match, nothing compiled", (start_name(_MATCH, cold=True),)),
    ("to that of a batch", (start_name(_BATCH, cold=True),)),
    ("from `python` to the first move of a match, compiled before", (start_name(_MATCH, cold=False),)),
    ("to that of a batch", (start_name(_BATCH, cold=False),)),
)

_INTRODUCTION = """# Benchmarks

`bdgame ...` below is the installed command; in a checkout, `python -m experiments ...` does the same. `bdgame bench
GAME` measures your machine. The command `{command}` writes this page and
resumes an interrupted measurement; rows that it did not measure are missing. The figures are in [{figures}]({figures}).
"""

_SETUP = """Measured at commit `{commit}` on {cores} core{s} that this process may use ({processor}), at load {load} as
it began, with Python {python}, Numba {numba} and NumPy {numpy}; medians of {repetitions}. Two seats. The unit is
decisions per second on one thread, with actions chosen by the game's heuristic player, unless a row says otherwise.

Seconds are processor seconds, so other programs (which a load above the number of cores reveals) cost only what they
take of its caches and memory. Where several threads work, and for MaskablePPO and starting, seconds are wall-clock
seconds: on a busy machine these figures are far too low.
"""

_COPYING = """The share of copying says how close a batch comes to its upper bound: the speed at which `np.copyto`
copies as many bytes as observation and mask have."""

_PEERS = """Random legal play, in each package's intended way. Other games have other rules: the figures say what a step
costs, not which rules are faster. PufferLib is missing: `pip install pufferlib` builds it from source, which failed."""

_AGAINST = """## Compared with another commit

```sh
bdgame bench --against HEAD~1            # all games
bdgame bench bdgame-v3 --against v0.2.0
```

In a checkout, this alternates random play in the checkout and in that commit, 31 times 0.1 s each, and prints the ratio
for each game. Exit code 1 means that a game had less than 0.9 of its speed twice. On two shared cores, where speeds
varied by half, three such runs of equal commits gave ratios from 0.98 to 1.02.
"""


class Measured:
    """The figures of all games, as `bench --page` writes them to a file.

    Args:
        data: what is in the file: `machine`, `run`, `repetitions`, `games` with the sections of each, and `peers`.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.games = {name: _figures(sections) for name, sections in data["games"].items()}
        self.peers = _figures(data["peers"])

    def page(self, command: str, figures: str) -> str:
        """The page in Markdown: `command` writes it, the figures lie in the file `figures` beside it."""
        parts = [_INTRODUCTION.format(command=command, figures=figures), self._setup()]
        for title, rows in (("Playing", PLAYING), ("Searching and learning", SEARCHING)):
            table = self._table(rows)
            parts += [f"## {title}\n", f"{table.markdown()}\n"] if table.rows else []
            if rows is PLAYING:
                parts += [f"{self._shares().markdown()}\n"]
        parts += ["## Memory and start\n", f"{self._table(MEMORY_AND_START).markdown()}\n"]
        resolver = self._one("bdgame", "planning.resolve, activations, 1 thread")
        if resolver is not None:
            parts += [f"Bdgame's Device resolver runs {short(resolver)} mixed Devices a second, 4,096 in a call.\n"]
        parts += ["## Growth\n", f"{self._growth().markdown()}\n", self._where_cores_end()]
        if self.peers:
            parts += ["## Other packages\n", f"{self._others().markdown()}\n"]
        return "\n".join([*parts, _AGAINST])

    def claims(self) -> tuple[str, str]:
        """What the README says of the speed of environments and of learning."""
        played = self._all(step_name(HEURISTIC, 1024))
        learned = self._all(LEARNING.format(threads=2))
        return (
            f"{min(played) / 1e6:.1f} to {max(played) / 1e6:.1f} million decisions a second on one core",
            f"{min(learned) / 1e3:.0f},000 to {max(learned) / 1e3:.0f},000 decisions learned a second by each core",
        )

    def _setup(self) -> str:
        machine, run = self.data["machine"], self.data["run"]
        cores, versions = machine["usable_cores"], run["versions"]
        return _SETUP.format(
            commit=(run["commit"] or "unknown")[:12] + (" with changes" if run["modified"] else ""),
            cores=cores,
            s="s" if cores > 1 else "",
            processor=machine["processor"],
            load=machine["load"],
            repetitions=self.data["repetitions"],
            **{name: versions[name] for name in ("python", "numba", "numpy")},
        )

    def _table(self, rows: Sequence[Row]) -> Table:
        cells = [
            [label, *(self._cell(figures, names) for figures in self.games.values())]
            for label, names in rows
            if any(name in figures for name in names for figures in self.games.values())
        ]
        return Table("", ("", *self.games), cells)

    def _cell(self, figures: Mapping[str, Figure], names: Sequence[str]) -> str:
        return " / ".join(_written(figures[name]) if name in figures else "-" for name in names)

    def _shares(self) -> Table:
        rows = []
        for label, play in (("heuristic play", HEURISTIC), ("random play", RANDOM)):
            cells = []
            for figures in self.games.values():
                step, copy = figures.get(step_name(play, 1024)), figures.get(COPYING)
                cells.append("-" if step is None or copy is None else f"{step.median * copy.median / 1e7:.0f} %")
            if set(cells) != {"-"}:
                rows.append([f"1,024 games, {label}: share of the speed of copying", *cells])
        return Table("", ("", *self.games), rows, note=" ".join(_COPYING.split()))

    def _growth(self) -> Table:
        sizes = self.data["growth"]
        rows: list[Row] = [(f"{n:,} game{'s' if n > 1 else ''}, one thread", (growth_name(n, 1),)) for n in sizes]
        rows += [
            (f"{sizes[-1]:,} games, {threads} threads", (growth_name(sizes[-1], threads),))
            for threads in THREADS[1:]
            if not self._busy
        ]
        table = self._table(rows)
        return Table("", table.columns, table.rows, note="Random play, observation and mask written.")

    @property
    def _busy(self) -> bool:
        """Whether other programs left no core free, so that threads had to take turns."""
        return bool((self.data["machine"]["load"] or 0) > self.data["machine"]["usable_cores"])

    def _where_cores_end(self) -> str:
        if self._busy:
            return "Other programs used all cores, so nothing can be said of several threads.\n"
        cores, most = self.data["machine"]["usable_cores"], self.data["growth"][-1]
        gains = []
        for fewer, more in pairwise(THREADS):
            ratios = [
                figures[growth_name(most, more)].median / figures[growth_name(most, fewer)].median
                for figures in self.games.values()
                if {growth_name(most, more), growth_name(most, fewer)} <= set(figures)
            ]
            if ratios:
                gains.append(f"{fewer} to {more} threads: {min(ratios):.2f} to {max(ratios):.2f} times as fast")
        return f"There {'are' if cores > 1 else 'is'} {cores} core{'s' if cores > 1 else ''}: {'; '.join(gains)}.\n"

    def _others(self) -> Table:
        rows = [[name.removesuffix(", decisions"), _written(figure)] for name, figure in self.peers.items()]
        return Table("", ("", "decisions a second"), rows, note=" ".join(_PEERS.split()))

    def _one(self, game: str, figure: str) -> float | None:
        found = [
            figures[figure].median
            for name, figures in self.games.items()
            if name.startswith(game) and figure in figures
        ]
        return found[0] if found else None

    def _all(self, figure: str) -> list[float]:
        return [figures[figure].median for figures in self.games.values() if figure in figures]


def short(value: float) -> str:
    """A number per second in three digits: 187, 21.4 k, 1.65 M."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{float(f'{value / size:.3g}'):g}{letter}"
    return f"{value:.3g}"


def _written(figure: Figure) -> str:
    if figure.unit == PER_SECOND:
        return short(figure.median)
    return f"{figure.median:,.0f} {figure.unit}" if figure.median >= 100 else f"{figure.median:.2g} {figure.unit}"


def _figures(sections: Mapping[str, Any]) -> dict[str, Figure]:
    return {row["name"]: Figure(**row) for section in sections.values() for row in section["figures"]}
