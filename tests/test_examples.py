"""The scripts in examples/ run, with tiny budgets; RLlib's in `tests/clients/rllib_self_play.py`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "examples"
# script -> (arguments, what it prints at last)
RUNS = {
    "random_game": ("pixel-pusher-v2 --players 3 --seed 4", "player_2: rank "),
    "ppo": ("nicodemus-v2 --games 4 --steps 64 --rollout 16 --batch 32 --width 8 --epochs 1", "64 steps: "),
    "maskable_ppo_self_play": (
        "nicodemus-v2 --games 2 --steps 128 --every 128 --tests 2 --out {}",
        "mean reward against random play: ",
    ),
    "tournament": ("nicodemus-v2 --games 1", "won by seat: "),
}
ELSEWHERE = {"rllib_self_play"}


@pytest.mark.parametrize("script", RUNS)
def test_an_example_runs(
    script: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, wanted = RUNS[script]
    monkeypatch.setattr(sys, "argv", [script, *arguments.format(tmp_path).split()])
    runpy.run_path(str(FOLDER / f"{script}.py"), run_name="__main__")
    assert wanted in capsys.readouterr().out.strip().rpartition("\n")[2]


def test_every_example_is_tested_and_mentioned() -> None:
    scripts = {path.stem for path in FOLDER.glob("*.py")}
    assert scripts == {*RUNS, *ELSEWHERE}
    quickstart = (FOLDER.parent / "docs" / "quickstart.md").read_text(encoding="utf-8")
    assert all(f"(../examples/{script}.py)" in quickstart for script in scripts)
    assert "(examples)" in (FOLDER.parent / "README.md").read_text(encoding="utf-8")


def test_the_random_game_is_short() -> None:
    assert len((FOLDER / "random_game.py").read_text(encoding="utf-8").splitlines()) <= 25
