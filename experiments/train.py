"""`python -m experiments train`: from a settings file to a trained policy, by imitation and self-play."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents.ppo_agent import PolicyAgent

from .config import TrainConfig, read_config
from .errors import BadInput
from .files import provenance, replacing, write_json
from .league import League

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

    from agents.networks import Policy

CONFIGS = Path(__file__).with_name("configs")


def train(
    config: Annotated[
        Path, typer.Argument(metavar="CONFIG", help="settings file, e.g. experiments/configs/bdgame.toml")
    ],
    out: Annotated[Path, typer.Option(help="folder of the run; the same command goes on where it was stopped")],
    seed: Annotated[int | None, typer.Option(min=0, help="instead of the settings' own")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="self-play steps instead of the settings' own")] = None,
) -> None:
    """Train a policy by imitation and self-play, with checkpoints, and write policy.npz and learning_curve.png."""
    settings = read_config(config)
    if seed is not None:
        settings = replace(settings, seed=seed)
    if steps is not None:
        settings = replace(settings, self_play=replace(settings.self_play, steps=steps))
    run(settings, out)
    print(f"written: {out / 'policy.npz'}, {out / 'learning_curve.png'}")


def run(config: TrainConfig, out: Path) -> Path:
    """Train to the end, or go on from the folder's last checkpoint; returns the path of the policy.

    Raises:
        BadInput: the folder holds another run; one line.
        ModuleNotFoundError: the extra `train` is not installed.
    """
    _check_folder(config, out)
    with _display() as show:
        _Run(config, out, show).train()
    return out / "policy.npz"


def _check_folder(config: TrainConfig, out: Path) -> None:
    mine = json.loads(json.dumps(asdict(config)))
    first = out / "run.json"
    if first.exists():
        try:
            theirs = json.loads(first.read_text(encoding="utf-8"))["config"]
        except (ValueError, KeyError) as error:
            raise BadInput(f"{first} is not of a training run: {error}") from None
        if theirs != mine:
            names = [name for name in mine if theirs.get(name) != mine[name]]
            raise BadInput(f"{out} holds a run with other settings ({', '.join(names)}): choose another --out")
        return
    write_json(first, {"config": mine, "run": provenance()})


class _Run:
    """One training run: model, opponents, checkpoints."""

    def __init__(self, config: TrainConfig, out: Path, show: _Show) -> None:
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # spinning threads stall when another process has a core
        import torch

        from bdgame_env import get_game, make_sb3_vec

        torch.set_num_threads(config.threads)
        self.config, self.out, self.show = config, out, show
        self.game = get_game(config.game)
        self.box = self.game.box(players=config.players, **config.options)
        play = config.self_play
        show.status("compiling the rules (first run only) and dealing")
        self.env = make_sb3_vec(
            config.game,
            play.num_envs,
            players=config.players,
            opponents=list(play.opponents.items()),
            reward=play.reward,
            shaping=play.shaping,
            gamma=play.gamma,
            seed=config.seed,
            **config.options,
        )
        self.league = League(config)
        self.snapshots: list[tuple[str, Policy]] = []
        self.curve: list[dict[str, Any]] = []
        self.figures: dict[str, Any] = {}

    def train(self) -> None:
        from .self_play import Milestones

        model = self._restored() or self._imitated()
        play = self.config.self_play
        left = play.steps - model.num_timesteps
        if left > 0:
            self.env.set_opponents(self.league.pool(self.snapshots))
            started, first = time.monotonic(), model.num_timesteps

            def told(steps: int) -> None:
                model.ent_coef = play.entropy + min(1.0, steps / play.steps) * (play.entropy_end - play.entropy)
                speed = (steps - first) / max(1e-9, time.monotonic() - started)
                self.show.progress("self-play", steps, play.steps, f"{speed:,.0f} steps/s {self._latest()}")

            milestones = Milestones(play.evaluate_every, self._milestone, told, self.league.count)
            model.learn(left, callback=milestones, reset_num_timesteps=False)
            if not self.curve or self.curve[-1]["steps"] < model.num_timesteps:
                self._milestone(model)
        self._finish(model)

    def _latest(self) -> str:
        newest = [row for row in self.curve if row["steps"] == self.curve[-1]["steps"]]
        return ", ".join(f"{100 * row['win_rate']:.0f} % against {row['opponent']}" for row in newest)

    def _imitated(self) -> MaskablePPO:
        from .imitation import imitate
        from .model import export_policy, new_model

        model = new_model(self.config, self.game, self.env)
        settings = self.config.imitation
        if settings.teacher and settings.rounds:

            def learner(number: int) -> PolicyAgent:
                policy = export_policy(model, self.game, self.box, {})
                return PolicyAgent(policy, sample=True, seed=self.config.seed + number)

            def told(done: int, total: int, stage: str) -> None:
                self.show.progress(stage, done, total, "")

            self.figures = imitate(model, self.config, self.game, learner, told)
            self.show.say(f"imitation: {100 * self.figures['accuracy']:.1f} % of the teacher's decisions met")
        self._milestone(model)
        return model

    def _milestone(self, model: MaskablePPO) -> None:
        """Evaluate, keep a snapshot as an opponent, write a checkpoint."""
        from .model import export_policy
        from .self_play import evaluate

        steps = model.num_timesteps
        policy = export_policy(model, self.game, self.box, {"steps": steps, "seed": self.config.seed})
        self.show.status(f"evaluating after {steps:,} steps")
        rows = evaluate(self.config, self.game, self.box, policy, steps)
        self.curve += rows
        for row in rows:
            interval = f"{100 * row['low']:.0f}-{100 * row['high']:.0f}"
            self.show.say(
                f"{steps:>9,} steps: {100 * row['win_rate']:5.1f} % ({interval}) against {row['opponent']},"
                f" points {row['mean_points']:.1f} to {row['opponent_points']:.1f}, {row['games']} games"
            )
        self.snapshots.append((f"snapshot-{steps}", policy))
        self._write_checkpoint(model)
        self.env.set_opponents(self.league.pool(self.snapshots))

    # Checkpoints: everything in one folder that is renamed into place when it is whole

    def _write_checkpoint(self, model: MaskablePPO) -> None:
        from .self_play import write_curve

        folder = self.out / "checkpoint"
        fresh, old = self.out / ".checkpoint-new", self.out / ".checkpoint-old"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        with replacing(fresh / "model.zip") as path:
            model.save(path)
        for name, policy in self.snapshots[-self.config.self_play.snapshots :]:
            with replacing(fresh / f"{name}.npz") as path:
                path.write_bytes(policy.to_bytes())
        write_json(
            fresh / "state.json",
            {
                "steps": model.num_timesteps,
                "snapshots": [name for name, _ in self.snapshots[-self.config.self_play.snapshots :]],
                "curve": self.curve,
                "imitation": self.figures,
                "league": self.league.to_json(),
            },
        )
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
        write_curve(self.out / "learning_curve.csv", self.curve)

    def _restored(self) -> MaskablePPO | None:
        from sb3_contrib import MaskablePPO

        from agents.networks import load_policy

        folder = self.out / "checkpoint"
        if not folder.exists() and (self.out / ".checkpoint-old").exists():
            folder = self.out / ".checkpoint-old"  # stopped between two renames
        if not (folder / "state.json").exists():
            return None
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        model = MaskablePPO.load(folder / "model.zip", env=self.env)
        self.curve, self.figures = state["curve"], state["imitation"]
        self.league = League(self.config, state["league"])
        for name in state["snapshots"]:
            path = folder / f"{name}.npz"
            self.snapshots.append((name, load_policy(path, self.game, self.box.num_actions)))
        self.env.seed(self.config.seed + model.num_timesteps)
        self.show.say(f"going on after {model.num_timesteps:,} steps")
        return model

    def _finish(self, model: MaskablePPO) -> None:
        from .model import export_policy
        from .plots import plot_learning_curve

        meta = {"steps": model.num_timesteps, "seed": self.config.seed, "run": provenance()}
        policy = export_policy(model, self.game, self.box, meta)
        with replacing(self.out / "policy.npz") as path:
            path.write_bytes(policy.to_bytes())
        plot_learning_curve(self.out / "learning_curve.csv", self.out / "learning_curve.png", level=0.5)


class _Show:
    """Progress on stderr: a live bar on a terminal, a line now and then elsewhere."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self._console, self._progress = console, progress
        self._task = progress.add_task("", total=None, figures="")
        self._stage, self._told = "", 0.0

    def progress(self, stage: str, done: int, total: int, figures: str) -> None:
        if stage != self._stage:
            self._progress.reset(self._task)
            self._stage, self._told = stage, 0.0
        self._progress.update(self._task, description=stage, completed=done, total=total, figures=figures)
        if not self._console.is_terminal and time.monotonic() - self._told > 15:
            self._told = time.monotonic()
            self._console.print(f"{stage}: {done:,} of {total:,} {figures}", highlight=False)

    def status(self, text: str) -> None:
        self._progress.update(self._task, description=text, figures="")

    def say(self, text: str) -> None:
        self._console.print(text, highlight=False)


@contextmanager
def _display() -> Iterator[_Show]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        yield _Show(console, progress)
