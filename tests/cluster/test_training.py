"""Training with workers on a cluster: the same network as on one machine, whatever is killed meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from rich.progress import Progress

from bdgame_env.agents.networks import load_policy
from bdgame_env.experiments.training import training_run
from bdgame_env.experiments.training.cluster_rollouts import ClusterRollouts
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.show import Show
from bdgame_env.experiments.training.training_run import TrainingRun
from tests.cluster.conftest import Nodes
from tests.cluster.test_tournaments import ROOT, until
from tests.support import toy_game


def config(**more: Any) -> TrainConfig:
    """A short run with everything that rollouts do: imitation, a league, searches, two numbers of players."""
    usual: dict[str, Any] = {
        "game": "toy-v1",
        "players": (2, 3),
        "options": {"max_rounds": 4},
        "decisions": 300,
        "threads": 1,
        "width": 4,
        "layers": 0,
        "matches": 16,
        "steps": 6,
        "batch_size": 64,
        "imitation": 0.2,
        "teacher": "",
        "snapshot_share": 0.5,
        "snapshots": 2,
        "search_every": 4,
        "search_sims": 2,
        "evaluations": 1,
        "evaluation_deals": 2,
        "planner_deals": 0,
    }
    return TrainConfig(**(usual | more))


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_run, "FINAL_DEALS", 2)
    monkeypatch.setattr(training_run, "CHECKPOINT_SECONDS", 0.0)


class Quiet(Show):
    """What a run tells, on no terminal."""

    def __init__(self) -> None:
        super().__init__(Console(quiet=True), Progress())
        self.told: list[str] = []
        self.figures: list[str] = []

    def say(self, text: str) -> None:
        self.told.append(text)

    status = show_workers = say

    def progress(self, stage: str, done: int, total: int, figures: str = "") -> None:
        self.figures.append(figures)


class Watched(TrainingRun):
    """A run that does something after some updates."""

    after: dict[int, Callable[[Any], object]]

    def update(self) -> dict[str, float]:
        figures = super().update()
        self.seen = [*getattr(self, "seen", []), figures]
        self.after.pop(self.state.updates, lambda _: None)(self)
        return figures


def on_cluster(settings: TrainConfig, out: Path, actors: int, **after: Any) -> Watched:
    show: Any = Quiet()
    rollouts = ClusterRollouts(settings, "ray", actors, show.say)
    run = Watched(settings, out, show, rollouts)
    run.after = after.get("after", {})
    try:
        run.train()
    finally:
        rollouts.close()
    return run


def weights(out: Path) -> Any:
    return load_policy(out / "policy.npz", toy_game.GAME, toy_game.GAME.config(players=2, max_rounds=4)).weights


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run in one process."""
    out = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_run, "FINAL_DEALS", 2)
        show: Any = Quiet()
        TrainingRun(config(), out, show).train()
    return out


def test_four_nodes_learn_what_one_process_learns(nodes: Nodes, tmp_path: Path, alone: Path) -> None:
    """To the last bit, for any number of workers; the curve too."""
    nodes.have(4)
    for actors in (4, 1):
        out = tmp_path / str(actors)
        run = on_cluster(config(), out, actors)
        assert (weights(out) == weights(alone)).all()
        assert (out / "learning_curve.csv").read_bytes() == (alone / "learning_curve.csv").read_bytes()
        assert min(actors, 2) <= run.seen[-1]["cluster/workers"] <= actors  # on a busy machine some come too late
    assert len(np.unique(weights(alone))) > 100


def kill_worker(crew: Any) -> None:
    """SIGKILL for a worker that is ready."""
    import ray

    process = crew._workers[0].actor.__ray_call__.remote(lambda _: os.getpid())
    os.kill(ray.get(process), signal.SIGKILL)


def test_workers_and_nodes_that_are_killed_change_nothing(nodes: Nodes, tmp_path: Path, alone: Path) -> None:
    first, _ = nodes.have(2)

    after = {1: lambda run: kill_worker(run._rollouts.crew), 2: lambda _: nodes.kill(first), 3: lambda _: nodes.add()}
    run = on_cluster(config(), tmp_path, 2, after=after)
    assert not run.after and run.seen[-1]["cluster/lost"] >= 1
    assert (weights(tmp_path) == weights(alone)).all()


TRAIN = """
import sys
from bdgame_env.registry import register_game
register_game("toy-v1", "tests.support.toy_game:GAME")
from bdgame_env.experiments.training import train, training_run
from tests.cluster.test_training import config
training_run.FINAL_DEALS, training_run.CHECKPOINT_SECONDS = 2, 0.0
from pathlib import Path
train.run(config(), Path(sys.argv[1]), "ray", 2)
"""


def test_a_learner_that_is_killed_goes_on_exactly(nodes: Nodes, tmp_path: Path, alone: Path) -> None:
    nodes.have(2)
    command = [sys.executable, "-c", TRAIN, str(tmp_path)]
    learner = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: (tmp_path / "checkpoint.npz").exists() or learner.poll() is not None, 120)
    assert learner.poll() is None, learner.communicate()
    learner.kill()
    learner.communicate()
    assert not (tmp_path / "policy.npz").exists()
    run = on_cluster(config(), tmp_path, 2)
    assert any(line.startswith("resuming after") for line in run.show.told)
    assert (weights(tmp_path) == weights(alone)).all()
