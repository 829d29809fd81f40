"""The page of benchmarks follows from its figures, and so do the README's claims."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import list_games
from bdgame_env.experiments.benchmarks import bench as command
from bdgame_env.experiments.benchmarks import page_run
from bdgame_env.experiments.benchmarks.figures import PER_SECOND, Bench, Figure
from bdgame_env.experiments.benchmarks.learning import LEARNING
from bdgame_env.experiments.benchmarks.page import Measured, short
from bdgame_env.experiments.benchmarks.play import COPYING, HEURISTIC, step_name
from bdgame_env.experiments.cli import main


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The command measures nothing, takes note of each section, and keeps what it has in an empty folder."""
    noted: list[str] = []

    def section(bench: Bench) -> list[Figure]:
        noted.append(bench.game.id)
        speed = Figure(step_name(HEURISTIC, 1024), PER_SECOND, 2e6, 2.1e6, 5)
        return [speed, Figure(COPYING, "ns", 100, 90, 5), Figure(LEARNING.format(threads=2), PER_SECOND, 9e4, 9e4, 5)]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "SECTIONS", {"playing": section})
    monkeypatch.setattr(command, "PEERS", {})
    unmodified = page_run.provenance() | {"commit": "f" * 40, "modified": False}
    monkeypatch.setattr(page_run, "provenance", lambda: unmodified)
    return noted


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["experiments", "bench", *arguments])
    return main()


def test_the_page_says_what_was_measured(calls: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    assert run(monkeypatch, "--page", "page.md") == 0
    assert calls == list(list_games())
    page = Path("page.md").read_text()
    assert "| 1,024 games, observation and mask written | 2 M | 2 M | 2 M | 2 M |" in page
    assert "share of the speed of copying | 20 % | 20 % | 20 % | 20 % |" in page and "`ffffffffffff`" in page
    assert "2.0 to 2.0 million decisions a second on one core" in capsys.readouterr().out
    assert page == Measured(json.loads(Path("page.json").read_text())).page("bdgame bench --page page.md", "page.json")


def test_a_stopped_run_resumes(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(bench: Bench) -> list[Figure]:
        raise KeyboardInterrupt

    working = command.SECTIONS
    monkeypatch.setattr(command, "SECTIONS", {**working, "more": stop})
    assert run(monkeypatch, "--page", "page.md") != 0
    assert calls == list(list_games()) and not Path("page.md").exists()
    monkeypatch.setattr(command, "SECTIONS", working)
    assert run(monkeypatch, "--page", "page.md") == 0
    assert calls == list(list_games())


def test_figures_of_another_commit_are_measured_anew(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, "--page", "page.md") == 0
    other = page_run.provenance() | {"commit": "e" * 40}
    monkeypatch.setattr(page_run, "provenance", lambda: other)
    assert run(monkeypatch, "--page", "page.md") == 0
    assert calls == 2 * list(list_games())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gizmos-v3", "--page", "page.md"), "--page measures all games: it takes neither GAME nor --out"),
        (("--page", "page.html"), "--page page.html: the page is a Markdown file, NAME.md"),
        (("--page", "page.md", "--against", "HEAD"), "--against takes none of --quick, --out and --page"),
    ],
)
def test_mistakes(
    arguments: tuple[str, ...], said: str, calls: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert run(monkeypatch, *arguments) != 0
    assert said in capsys.readouterr().err and not calls


@pytest.mark.parametrize(("number", "text"), [(187.4, "187"), (21_449, "21.4 k"), (1_650_000, "1.65 M"), (1e6, "1 M")])
def test_short_numbers(number: float, text: str) -> None:
    assert short(number) == text
