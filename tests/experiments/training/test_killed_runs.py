"""A training run that is killed many times by SIGKILL ends bit for bit like one that is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments.training.checkpoints import Arrays, RunState, read_checkpoint

ROOT = Path(__file__).resolve().parents[3]
POINTS = [
    "bdgame_env.experiments.training.learner.Learner.step@9",  # in imitation
    "bdgame_env.experiments.training.training_run.TrainingRun.checkpoint@3",
    "bdgame_env.experiments.training.league.League.draw@2",  # in self-play
    "bdgame_env.experiments.training.training_run.read_checkpoint@1",  # when it is about to resume
    "bdgame_env.experiments.training.training_run.play_deals@3",  # in an evaluation
    "bdgame_env.experiments.files._flush@9",  # while a file is written
    "bdgame_env.experiments.training.training_run.plot_learning_curve@1",  # after training
]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of another")


def test_a_killed_run_ends_like_one_that_was_not(tmp_path: Path) -> None:
    """In two threads. One test, so that no two processes of pytest-xdist train for the same checks."""
    runs = train(tmp_path, threads=2)
    the_policy_is_the_same(runs)
    everything_else_is_the_same(runs)
    everything_that_a_run_does_was_part_of_it(runs)


def train(folder: Path, threads: int) -> Path:
    """Train once without interruption in `folder`/whole, once killed at all points in `folder`/killed."""
    command = [sys.executable, "-m", "tests.support.killed_run", str(folder), str(threads), *POINTS]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}  # quicker than to compile
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    statuses = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert statuses == {"whole": "0", **dict.fromkeys(POINTS, "-9"), "the rest": "0"}, done.stderr
    return folder


def state_of(out: Path) -> tuple[RunState, Arrays]:
    found = read_checkpoint(out / "checkpoint.npz")
    assert found is not None
    return found


def arrays_of(path: Path) -> tuple[Mapping[str, np.ndarray], dict[str, Any]]:
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    meta = json.loads(str(arrays.pop("meta")))
    meta.pop("run")  # has the date and the command
    return arrays, meta


def the_policy_is_the_same(runs: Path) -> None:
    (one, meta), (other, same) = (arrays_of(runs / name / "policy.npz") for name in ("whole", "killed"))
    assert meta == same and one.keys() == other.keys()
    for name, values in one.items():
        np.testing.assert_array_equal(values, other[name], name)


def everything_else_is_the_same(runs: Path) -> None:
    """Everything in the last checkpoint: weights, optimizer, games, generators, curve, league."""
    (one, arrays), (other, same) = (state_of(runs / name) for name in ("whole", "killed"))
    assert replace(one, seconds=0.0) == replace(other, seconds=0.0) and arrays.keys() == same.keys()
    for name, values in arrays.items():
        np.testing.assert_array_equal(values, same[name], name)
    curves = [(runs / name / "learning_curve.csv").read_bytes() for name in ("whole", "killed")]
    assert curves[0] == curves[1] and curves[0].count(b"\n") > 8


def everything_that_a_run_does_was_part_of_it(runs: Path) -> None:
    """Otherwise the test would prove little: several snapshots, and games against them."""
    state, _ = state_of(runs / "killed")
    assert len(state.scores) == 2 and any(games for _, games in state.scores)
    assert state.updates > 10 and state.steps > 50
