"""The benchmark measures what it says, on any machine: no test here depends on speed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bdgame_env import get_game
from bdgame_env.experiments.benchmarks import bench as command
from bdgame_env.experiments.benchmarks import play
from bdgame_env.experiments.benchmarks.figures import Bench, Figure
from bdgame_env.experiments.benchmarks.growth import MEMORY, THREADS, growth_figures, growth_name
from bdgame_env.experiments.benchmarks.peers import PEERS, openspiel_figures
from bdgame_env.experiments.benchmarks.search import search_figures
from bdgame_env.experiments.benchmarks.sections import SECTIONS, measure
from bdgame_env.experiments.benchmarks.start import PROGRAMS, start_figures, start_name
from bdgame_env.experiments.cli import main

pytestmark = pytest.mark.slow

GAME = get_game("bdgame-v3")
TINY = Bench(
    *(GAME, GAME.config(max_rounds=3), 1, 0.001, (1, 1024), (1, 2048)),  # batches that grow beyond the other sizes
    positions=16,
    decisions=2048,
    rollout=4,
    cold=False,
)


def names(figures: list[Figure]) -> list[str]:
    for figure in figures:
        assert figure.name and figure.unit and figure.repetitions >= 1
        assert figure.median > 0 and figure.best > 0, figure
    found = [figure.name for figure in figures]
    assert len(set(found)) == len(found)
    return found


@pytest.mark.parametrize("kind", [play.RANDOM, play.HEURISTIC])
def test_batches(kind: str) -> None:
    found = names(play.batch_figures(TINY, kind))
    for n in TINY.sizes:
        assert {play.step_name(kind, n), play.step_name(kind, n, looks=False)} <= set(found)
    assert any(name.startswith("new games' share") for name in found)


@pytest.mark.parametrize(
    "section",
    [play.playout_figures, play.heuristic_figures, play.aec_figures, play.memory_figures, SECTIONS["planning"]],
)
def test_sections(section: Callable[[Bench], list[Figure]]) -> None:
    assert names(section(TINY))


def test_growth() -> None:
    figures = growth_figures(TINY)
    wanted = {growth_name(1, 1), *(growth_name(2048, threads) for threads in THREADS), MEMORY}
    assert set(names(figures)) == wanted
    arrays = GAME.state.itemsize + GAME.obs.itemsize + TINY.config.num_actions
    assert arrays < next(figure.median for figure in figures if figure.name == MEMORY) < 4 * arrays


def test_start() -> None:
    assert len(names(start_figures(TINY, {"nothing": "import bdgame_env"}))) == 3


def test_training() -> None:
    pytest.importorskip("sb3_contrib")
    from bdgame_env.experiments.benchmarks.sb3 import sb3_figures, share_name

    figures = sb3_figures(TINY, "random", games=4)
    assert share_name("random", 4) in names(figures) and figures[0].median < 100


class _Countdown:
    """A game with OpenSpiel's interface: a chance move, then three decisions."""

    def __init__(self) -> None:
        self.left = 4

    new_initial_state = classmethod(lambda cls: cls())

    def is_terminal(self) -> bool:
        return self.left == 0

    def is_chance_node(self) -> bool:
        return self.left == 4

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(5, 0.5), (6, 0.5)]

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def apply_action(self, action: int) -> None:
        assert action in ([5, 6] if self.left == 4 else [0, 1])
        self.left -= 1


def test_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    spiel: Any = ModuleType("pyspiel")
    spiel.load_game = lambda name: _Countdown
    monkeypatch.setitem(sys.modules, "pyspiel", spiel)
    assert "catch" in names(openspiel_figures(TINY, ("catch",)))[0]


def test_pettingzoo_as_a_peer() -> None:
    pytest.importorskip("pygame")
    assert names(PEERS["PettingZoo's connect four"](TINY))


def test_what_is_not_installed_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    figures, skipped = measure(TINY, {"OpenSpiel": PEERS["OpenSpiel"]})
    assert figures == [] and skipped == [
        "skipped: OpenSpiel needs the extra 'openspiel': pip install -e '.[openspiel]'"
    ]


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    monkeypatch.setattr(command, "SECTIONS", {"memory": play.memory_figures})
    monkeypatch.setattr(command, "PEERS", {})
    monkeypatch.setattr(sys, "argv", ["experiments", "bench", "--quick", "--out", str(file)])
    assert main() == 0
    shown = capsys.readouterr().out
    size = GAME.state.itemsize
    verdict = f"{'met' if size < 2048 else 'missed'} by {abs(size / 20.48 - 100):.0f} %"
    assert f"aim: a state of less than 2048 bytes: {verdict}" in shown
    assert "aim: 100,000 decisions/s in the raw AEC loop: not measured" in shown
    data = json.loads(file.read_text())
    assert names([Figure(**row) for row in data["figures"]]) and data["run"]["versions"] and data["machine"]["cores"]


def test_every_aim_names_a_figure_that_the_bench_makes() -> None:
    pytest.importorskip("sb3_contrib")
    from bdgame_env.experiments.benchmarks.sb3 import share_name

    figures = play.memory_figures(TINY) + play.aec_figures(TINY) + play.batch_figures(TINY, play.HEURISTIC)
    made = {figure.name for figure in figures} | set(names(search_figures(TINY)))
    made |= {start_name(program, cold) for program in PROGRAMS for cold in (True, False)}
    made |= {share_name(opponents) for opponents in ("random", "heuristic")}
    assert {aim.figure for aim in command.AIMS} <= made
