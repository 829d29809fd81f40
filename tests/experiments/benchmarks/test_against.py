"""`bench --against`: what it compares, and what it refuses; no test here depends on speed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from bdgame_env.experiments.benchmarks import against as module
from bdgame_env.experiments.benchmarks.against import LEAST, REPETITIONS, Comparison, Side, against, compare, worktree
from bdgame_env.experiments.cli import main
from bdgame_env.experiments.errors import BadInput

# A package in the place of the real one, which has nothing to compile.
PACKAGE = """
    import numpy as np

    class Batch:
        def __init__(self):
            self.mask = np.ones((1024, 3), np.int8)
        def step(self, actions):
            assert actions.shape == (1024,) and actions.dtype == np.int32
        def get_state(self):
            return {{}}
        def set_state(self, state):
            pass

    def list_games():
        return {games!r}

    def make_batch(game, num_games, seed, threads):
        if game == "broken-v1":
            raise ValueError("no such\\nthing")
        assert (num_games, threads) == (1024, 1)
        return Batch()
"""


def package(folder: Path, games: list[str], more: str = "") -> Path:
    (folder / "bdgame_env").mkdir(parents=True, exist_ok=True)
    source = textwrap.dedent(PACKAGE).format(games=games) + more
    (folder / "bdgame_env" / "__init__.py").write_text(source, encoding="utf-8")
    return folder


def git(folder: Path, *arguments: str) -> str:
    who = {f"GIT_{role}_{what}": "x" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two commits and an edit: the game new-v1 is only in the edit, and old-v1 only in the first commit."""
    folder = tmp_path / "checkout"
    for games in (["same-v1", "old-v1"], ["same-v1"]):
        package(folder, games)
        if not (folder / ".git").exists():
            git(folder, "init", "--quiet")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", "A commit")
    package(folder, ["same-v1", "new-v1"])
    monkeypatch.setattr(module, "CHECKOUT", folder)
    return folder


def at(*speeds: float) -> Callable[[str], float]:
    """One speed to warm up, then these."""
    left = [1e9, *speeds]
    return lambda game: left.pop(0)


# The comparison


def test_the_ratio_is_that_of_repetitions_beside_each_other() -> None:
    """A machine whose speed falls to a third in between changes nothing."""
    found = compare("same-v1", at(90, 30, 90), at(100, 100 / 3, 100), repetitions=3)
    assert found.ratio == pytest.approx(0.9) and (found.now, found.before) == (90, 100)


def test_one_disturbed_repetition_changes_nothing() -> None:
    found = compare("same-v1", at(100, 1, 100, 100, 100), at(100, 100, 100, 100, 100), repetitions=5)
    assert (found.ratio, found.low, found.high) == (1, 1, 1) and not found.slower


def test_sides_take_turns() -> None:
    order: list[str] = []

    def side(name: str) -> Callable[[str], float]:
        return lambda game: float(order.append(name) or 1)

    compare("same-v1", side("now"), side("before"), repetitions=3)
    assert order == ["now", "before", "now", "before", "before", "now", "now", "before"]
    assert REPETITIONS >= 9


def test_slower_than_the_limit_fails() -> None:
    assert Comparison("same-v1", 89, 100, LEAST - 0.01, 0.8, 0.95).slower
    assert not Comparison("same-v1", 90, 100, LEAST, 0.8, 0.95).slower
    line = str(Comparison("same-v1", 800_000.4, 1e6, 0.8, 0.7, 0.9))
    assert line == "same-v1: 0.80 (0.70-0.90), slower than 0.9; 800,000 against 1,000,000 decisions/s"


# Two checkouts


def test_a_commit_is_checked_out_and_removed(checkout: Path) -> None:
    with worktree(checkout, "HEAD~1") as (folder, commit):
        assert git(checkout, "rev-parse", "HEAD~1").startswith(commit)
        assert "old-v1" in (folder / "bdgame_env" / "__init__.py").read_text(encoding="utf-8")
    assert not folder.exists() and len(git(checkout, "worktree", "list").splitlines()) == 1


def test_both_sides_are_measured(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "compare", lambda game, now, before: compare(game, now, before, 1))
    monkeypatch.setattr(module, "LEAST", 0.0)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert against("HEAD", None)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3 and lines[1].startswith("new-v1: not in ") and lines[2].startswith("same-v1: ")


def test_what_tests_set_is_not_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    here = package(tmp_path, ["same-v1"], "import os\nassert 'NUMBA_DISABLE_JIT' not in os.environ\n")
    with Side(here, "here") as side:
        assert side.games == ["same-v1"] and side.speed("same-v1") > 0


def test_faults_of_a_side_are_one_line(tmp_path: Path) -> None:
    with Side(package(tmp_path, ["broken-v1"]), "abc123") as side:
        with pytest.raises(BadInput, match=r"^broken-v1: cannot be measured at abc123: ValueError: no such$"):
            side.speed("broken-v1")
        side._process.kill()
        side._process.wait()
        with pytest.raises(BadInput, match="exit code"):
            side.speed("broken-v1")
    with pytest.raises(BadInput, match=r"^cannot be measured at abc123: ImportError: gone$"):
        Side(package(tmp_path, [], "raise ImportError('gone')\n"), "abc123")


def test_another_package_than_the_checkouts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="imported from"):
        Side(package(tmp_path, [], f"__file__ = {__file__!r}\n"), "abc123")


# The command


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--against", "nowhere"], "--against 'nowhere': git knows no such commit here; name a branch"),
        (["--against", "--help"], "git knows no such commit here"),
        (["--against", "HEAD~1", "--quick"], "--against takes none of --quick, --out and --page"),
        (["old-v1", "--against", "HEAD~1"], "'old-v1' is not a game of both sides; those are: same-v1"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    checkout: Path,
    arguments: list[str],
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["experiments", "bench", *arguments])
    assert main() == 2
    shown = capsys.readouterr()
    assert shown.out == "" and shown.err.startswith("error: ") and shown.err.count("\n") == 1 and line in shown.err


def test_what_seems_slower_is_measured_once_more(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ratios = [0.5, 0.95]
    monkeypatch.setattr(
        module, "compare", lambda game, now, before: Comparison(game, 1, 1, (ratio := ratios.pop(0)), ratio, ratio)
    )
    assert against("HEAD", None) and ratios == []


def test_a_slower_game_is_exit_code_1(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "compare", lambda game, now, before: Comparison(game, 1, 2, 0.5, 0.5, 0.5))
    monkeypatch.setattr(sys, "argv", ["experiments", "bench", "--against", "HEAD"])
    assert main() == 1


def test_it_needs_a_checkout_and_git(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadInput, match="needs git"):
        against("HEAD", None)
    monkeypatch.setattr(module, "CHECKOUT", None)
    with pytest.raises(BadInput, match="needs a checkout"):
        against("HEAD", None)
