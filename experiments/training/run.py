"""The state of a training run: model, opponents and learning curve, with evaluations and checkpoints."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from bdgame_env import get_game
from bdgame_env.agents.networks import BadPolicy, Policy, load_policy, policy_of

from ..errors import BadInput
from ..files import provenance, write_bytes, write_json
from ..plots import plot_learning_curve
from .checkpoints import Arrays, Checkpoint, count_of, damaged, joined, part_of, read_checkpoint
from .config import TrainConfig, read_run
from .environment import training_env
from .evaluation import CURVE, curve_line, evaluate, write_curve
from .fit import new_optimizer, optimizer_state, set_optimizer_state
from .league import League
from .model import export_policy, model_state, network_of, new_model, set_model_state
from .network import Network
from .progress import Show
from .random_state import get_random_state, set_random_state


def check_folder(config: TrainConfig, out: Path) -> None:
    """Check that a folder is new or holds a run with these settings.

    Raises:
        BadInput: it holds another run.
    """
    first = out / "run.json"
    if first.exists():
        mine = json.loads(json.dumps(asdict(config)))
        theirs = read_run(first)["config"]
        if theirs != mine:
            names = [name for name in mine if theirs.get(name) != mine[name]]
            raise BadInput(f"{out} holds a run with other settings ({', '.join(names)}): choose another --out")


def claim_folder(config: TrainConfig, out: Path) -> None:
    """Write the settings of a run to its folder, unless they are there."""
    if not (out / "run.json").exists():
        write_json(out / "run.json", {"config": asdict(config), "run": provenance()})


def _check_inputs(policy: Policy, network: Network) -> None:
    """Check that a policy reads the same inputs as a network.

    Raises:
        BadPolicy: it does not, so its weights would have another meaning.
    """
    for mine, theirs in ((policy.inputs, network.inputs), (policy.cards, network.card_inputs)):
        if type(mine) is not type(theirs) or not all(
            np.array_equal(values, getattr(theirs, name)) for name, values in (vars(mine) if mine else {}).items()
        ):
            raise BadPolicy("it reads other parts of the observation: 'network' and 'players' must be the same")


class TrainingRun:
    """Model, opponents, learning curve and the progress of each stage.

    Attributes:
        rounds: rounds done, by stage.
        labeled: number of samples that the network was fitted to so far.
        curve: rows of the learning curve.
        snapshots: the newest policies by name, which are opponents in self-play.
        figures: losses and agreement of the last fit, for the record.
        best: the policy with the best evaluation and its mean score, the result of the run.
        optimizer: the optimizer of the fits, with the stage that it belongs to.
    """

    def __init__(self, config: TrainConfig, out: Path, show: Show) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.out, self.show = config, out, show
        self.game = get_game(config.game)
        self.configs = {players: self.game.config(players=players, **config.options) for players in config.players}
        self.actions = self.configs[config.players[0]].num_actions
        show.status("compiling the games (first run only) and dealing")
        self.env = training_env(config, self.game)
        self.league = League(config, self.game, self.configs)
        self.rounds = {"imitation": 0, "expert_iteration": 0}
        self.labeled = 0
        self.snapshots: list[tuple[str, Policy]] = []
        self.curve: list[dict[str, Any]] = []
        self.figures: dict[str, Any] = {}
        self.best: tuple[Policy, float] | None = None
        self.optimizer: tuple[str, torch.optim.Optimizer] | None = None
        self._remembered: tuple[str, Arrays] | None = None
        self.model: MaskablePPO = self._restored() or self._begun()

    @property
    def steps(self) -> int:
        """Number of decisions that the network has learned from, in all stages."""
        return self.labeled + int(self.model.num_timesteps)

    @property
    def policy(self) -> Policy:
        """The current network as a policy."""
        meta = {"steps": self.steps, "seed": self.config.seed}
        return export_policy(network_of(self.model), self.config, self.game, self.actions, meta)

    def finish(self) -> Path:
        """Write the best policy and the learning curve; returns the path of the policy."""
        if not self.curve or self.curve[-1]["steps"] < self.steps:
            self.milestone()
        assert self.best is not None
        policy = self.best[0]
        policy = replace(policy, meta={**policy.meta, "run": provenance()})
        write_bytes(self.out / "policy.npz", policy.to_bytes())
        write_curve(self.out / "learning_curve.csv", self.curve)
        plot_learning_curve(self.out / "learning_curve.csv", self.out / "learning_curve.png", level=0.5)
        return self.out / "policy.npz"

    def latest(self) -> str:
        """The newest evaluation in a few words."""
        newest = [row for row in self.curve if row["steps"] == self.curve[-1]["steps"]]
        return ", ".join(f"{100 * row['win_rate']:.0f} % against {row['label']}" for row in newest)

    def milestone(self) -> None:
        """Evaluate, keep a snapshot as an opponent, write a checkpoint."""
        policy = self.policy
        self.show.status(f"evaluating after {self.steps:,} decisions")
        rows = evaluate(self.config, self.game, policy, self.steps, self.out / "games")
        self.curve += rows
        for row in rows:
            self.show.say(curve_line(row))
        score = sum(row["win_rate"] for row in rows) / max(1, len(rows))
        if self.best is None or score >= self.best[1]:
            self.best = policy, score
        self.snapshots = [*self.snapshots, (f"snapshot-{self.steps}", policy)][-self.config.self_play.snapshots :]
        self.checkpoint()

    # Checkpoints

    def checkpoint(self) -> None:
        """Write the whole state, so that a run killed at any moment still ends with the same policy."""
        model, learner = model_state(self.model)
        games, matches = self.env.get_state()
        arrays = {"model": model, "games": games, "rng": get_random_state()}
        if self.optimizer is not None:
            arrays["optimizer"] = optimizer_state(self.optimizer[1])
        policies = {**self.league.policies, **dict(self.snapshots)}
        files = {f"{name}.npz": policy.to_bytes() for name, policy in policies.items()}
        if self.best is not None:
            files["best.npz"] = self.best[0].to_bytes()
        facts = {
            "best": None if self.best is None else self.best[1],
            "rounds": self.rounds,
            "labeled": self.labeled,
            "snapshots": [name for name, _ in self.snapshots],
            "opponents": list(self.league.policies),
            "curve": self.curve,
            "figures": self.figures,
            "league": self.league.to_json(),
            "learner": learner,
            "matches": matches,
            "optimizer": None if self.optimizer is None else self.optimizer[0],
        }
        Checkpoint(facts, joined(arrays), files).write(self.out / "checkpoint")
        if self.curve:
            write_curve(self.out / "learning_curve.csv", self.curve)

    def _restored(self) -> MaskablePPO | None:
        """The model of the last checkpoint, with the rest of the run restored; None if there is no checkpoint."""
        folder = self.out / "checkpoint"
        found = read_checkpoint(folder)
        if found is None:
            return None
        try:
            return self._restore_from(found)
        except KeyError as error:
            raise damaged(folder, f"{error} is missing") from None
        except (TypeError, ValueError, AttributeError, RuntimeError) as error:
            raise damaged(folder, str(error)) from None

    def _restore_from(self, found: Checkpoint) -> MaskablePPO:
        facts, arrays = found.facts, found.arrays
        policies = {
            name: policy_of(found.files[f"{name}.npz"], f"{name}.npz", self.game, self.actions)
            for name in {*facts["snapshots"], *facts["opponents"], *(["best"] if facts["best"] is not None else [])}
        }
        self.curve = [{name: row[name] for name in CURVE} for row in facts["curve"]]
        self.figures, self.labeled = dict(facts["figures"]), count_of(facts["labeled"])
        self.rounds = {name: count_of(facts["rounds"][name]) for name in self.rounds}
        self.snapshots = [(name, policies[name]) for name in facts["snapshots"]]
        if facts["best"] is not None:
            self.best = policies["best"], float(facts["best"])
        playing = {name: policies[name] for name in facts["opponents"]}
        self.league = League(self.config, self.game, self.configs, facts["league"], playing)
        model = new_model(self.config, self.game, self.env)
        set_model_state(model, part_of(arrays, "model"), facts["learner"])
        self.env.set_state(part_of(arrays, "games"), facts["matches"], self.league.opponent)
        if facts["optimizer"] not in (None, *self.rounds):
            raise ValueError(f"there is no stage {facts['optimizer']!r}")
        if facts["optimizer"] is not None:
            self._remembered = facts["optimizer"], part_of(arrays, "optimizer")
        set_random_state(part_of(arrays, "rng"))
        self.show.say(f"resuming after {self.labeled + model.num_timesteps:,} decisions")
        return model

    def _begun(self) -> MaskablePPO:
        """A new model, with the weights of the policy that the run starts from, if any."""
        model = new_model(self.config, self.game, self.env)
        if self.config.start:
            try:
                policy = load_policy(self.config.start, self.game, self.actions)
                _check_inputs(policy, network_of(model))
                weights = {name: torch.as_tensor(values) for name, values in policy.weights.items()}
                network_of(model).load_state_dict(weights)
            except (BadPolicy, RuntimeError) as error:
                line = str(error).replace("\n", " ").split(" size mismatch")[0]
                raise BadInput(f"start={self.config.start!r}: {line}") from None
        return model

    def round_rngs(self, stage: str) -> tuple[np.random.Generator, np.random.Generator]:
        """Random generators for the games and the fits of a stage's next round; they depend on the seed alone."""
        games, fits = np.random.default_rng([self.config.seed, len(stage), self.rounds[stage]]).spawn(2)
        return games, fits

    def optimizer_of(self, stage: str, learning_rate: float) -> torch.optim.Adam:
        """The optimizer for the fits of a stage, in the state of the checkpoint if that is of the same stage."""
        optimizer = new_optimizer(network_of(self.model), learning_rate)
        if self._remembered is not None and self._remembered[0] == stage:
            try:
                set_optimizer_state(optimizer, self._remembered[1])
            except ValueError as error:
                raise damaged(self.out / "checkpoint", str(error)) from None
        self._remembered, self.optimizer = None, (stage, optimizer)
        return optimizer
