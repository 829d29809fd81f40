"""One training run: its stages in turn, with evaluations and checkpoints between them."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from agents.networks import BadPolicy, Policy, load_policy
from bdgame_env import get_game

from .config import TrainConfig
from .errors import BadInput
from .evaluation import evaluate, told, write_curve
from .expert_iteration import iterate
from .files import provenance, replacing, write_json
from .imitation import imitate
from .league import League
from .model import export_policy, network_of, new_model
from .plots import plot_learning_curve
from .progress import Show
from .self_play import play_oneself
from .study import new_optimizer
from .training_env import training_env


def check_folder(config: TrainConfig, out: Path) -> None:
    """See that a folder is new or holds a run of these settings, and write them there.

    Raises:
        BadInput: it holds another run.
    """
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


class TrainingRun:
    """Model, opponents, learning curve and how far each stage is.

    Attributes:
        rounds: rounds done, by stage.
        labeled: decisions learned from lessons so far.
        curve: rows of evaluations.
        snapshots: the newest policies by name, opponents in self-play.
        figures: what stages found, for the record.
        best: the policy that did best in an evaluation, and its mean score there; the run's result.
    """

    def __init__(self, config: TrainConfig, out: Path, show: Show) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.out, self.show = config, out, show
        self.game = get_game(config.game)
        self.boxes = {players: self.game.box(players=players, **config.options) for players in config.players}
        self.actions = self.boxes[config.players[0]].num_actions
        show.status("compiling the rules (first run only) and dealing")
        self.env = training_env(config, self.game)
        self.league = League(config, self.game, self.boxes)
        self.rounds = {"imitation": 0, "expert_iteration": 0}
        self.labeled = 0
        self.snapshots: list[tuple[str, Policy]] = []
        self.curve: list[dict[str, Any]] = []
        self.figures: dict[str, Any] = {}
        self.best: tuple[Policy, float] | None = None
        self.model: MaskablePPO = self._restored() or self._begun()

    @property
    def steps(self) -> int:
        """Decisions learned from so far, in all stages."""
        return self.labeled + int(self.model.num_timesteps)

    @property
    def policy(self) -> Policy:
        """The network as it is now."""
        meta = {"steps": self.steps, "seed": self.config.seed}
        return export_policy(network_of(self.model), self.config, self.game, self.actions, meta)

    def train(self) -> Path:
        """All stages to their ends; returns the path of the policy."""
        imitate(self)
        play_oneself(self)
        iterate(self)
        if not self.curve or self.curve[-1]["steps"] < self.steps:
            self.milestone()
        assert self.best is not None
        policy = self.best[0]
        policy = replace(policy, meta={**policy.meta, "run": provenance()})
        with replacing(self.out / "policy.npz") as path:
            path.write_bytes(policy.to_bytes())
        plot_learning_curve(self.out / "learning_curve.csv", self.out / "learning_curve.png", level=0.5)
        return self.out / "policy.npz"

    def latest(self) -> str:
        """The newest evaluation in a few words."""
        newest = [row for row in self.curve if row["steps"] == self.curve[-1]["steps"]]
        return ", ".join(f"{100 * row['win_rate']:.0f} % against {row['match']}" for row in newest)

    def milestone(self) -> None:
        """Evaluate, keep a snapshot as an opponent, write a checkpoint."""
        policy = self.policy
        self.show.status(f"evaluating after {self.steps:,} decisions")
        rows = evaluate(self.config, self.game, policy, self.steps, self.out / "games")
        self.curve += rows
        for row in rows:
            self.show.say(told(row))
        score = sum(row["win_rate"] for row in rows) / max(1, len(rows))
        if self.best is None or score >= self.best[1]:
            self.best = policy, score
        self.snapshots = [*self.snapshots, (f"snapshot-{self.steps}", policy)][-self.config.self_play.snapshots :]
        self.checkpoint()

    # Checkpoints: everything in one folder that is renamed into place when it is whole

    def checkpoint(self) -> None:
        """Write all that the run needs to go on."""
        folder = self.out / "checkpoint"
        fresh, old = self.out / ".checkpoint-new", self.out / ".checkpoint-old"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        with replacing(fresh / "model.zip") as path:
            self.model.save(path)
        for name, policy in self.snapshots:
            with replacing(fresh / f"{name}.npz") as path:
                path.write_bytes(policy.to_bytes())
        if self.best is not None:
            with replacing(fresh / "best.npz") as path:
                path.write_bytes(self.best[0].to_bytes())
        state = {
            "best": None if self.best is None else self.best[1],
            "rounds": self.rounds,
            "labeled": self.labeled,
            "snapshots": [name for name, _ in self.snapshots],
            "curve": self.curve,
            "figures": self.figures,
            "league": self.league.to_json(),
        }
        write_json(fresh / "state.json", state)
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
        if self.curve:
            write_curve(self.out / "learning_curve.csv", self.curve)

    def _restored(self) -> MaskablePPO | None:
        folder = self.out / "checkpoint"
        if not folder.exists() and (self.out / ".checkpoint-old").exists():
            folder = self.out / ".checkpoint-old"  # stopped between two renames
        if not (folder / "state.json").exists():
            return None
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        model = MaskablePPO.load(folder / "model.zip", env=self.env)
        self.curve, self.figures, self.rounds = state["curve"], state["figures"], state["rounds"]
        self.labeled = state["labeled"]
        self.league = League(self.config, self.game, self.boxes, state["league"])
        self.snapshots = [
            (name, load_policy(folder / f"{name}.npz", self.game, self.actions)) for name in state["snapshots"]
        ]
        if state["best"] is not None:
            self.best = load_policy(folder / "best.npz", self.game, self.actions), state["best"]
        self.env.seed(self.config.seed + model.num_timesteps)
        self.show.say(f"going on after {self.labeled + model.num_timesteps:,} decisions")
        return model

    def _begun(self) -> MaskablePPO:
        """A new model, with the weights of the policy that the run starts from, if there is one."""
        model = new_model(self.config, self.game, self.env)
        if self.config.start:
            try:
                policy = load_policy(self.config.start, self.game, self.actions)
                weights = {name: torch.as_tensor(values) for name, values in policy.weights.items()}
                network_of(model).load_state_dict(weights)
            except (BadPolicy, RuntimeError) as error:
                line = str(error).replace("\n", " ").split(" size mismatch")[0]
                raise BadInput(f"start={self.config.start!r}: {line}") from None
        return model

    def fresh_luck(self, stage: str) -> np.random.Generator:
        """Luck for the next round of a stage: the same whenever that round is played."""
        return np.random.default_rng([self.config.seed, len(stage), self.rounds[stage]])

    def new_optimizer(self, learning_rate: float) -> torch.optim.Adam:
        """An optimizer for lessons; it starts afresh when a run goes on."""
        return new_optimizer(network_of(self.model), learning_rate)
