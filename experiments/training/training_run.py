"""A training run: windows of play, steps of learning, evaluations and checkpoints, until the budget is spent."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent
from bdgame_env.agents.identity import contents_of_options, file_digest
from bdgame_env.agents.networks import BadPolicy, Policy, load_policy
from bdgame_env.agents.networks.by_face import by_face
from bdgame_env.agents.networks.face_plan import FACE, cards_of, plan_by
from bdgame_env.agents.networks.network import Floats, Network, fitted, fresh, view, widened, work_out
from bdgame_env.engine.layout import as_bytes
from bdgame_env.engine.quoting import SENTENCE, cut

from ..contents import what_changed
from ..courtesy import courtesy
from ..errors import BadInput
from ..files import provenance, write_bytes, write_json
from ..plots import plot_learning_curve
from .charts import Charts
from .checkpoints import Arrays, RunState, damaged, read_checkpoint, write_checkpoint
from .codes import DECISIONS, GAMES, LEARNER, RIVAL, RIVAL_GAMES, RIVAL_WINS, TEACHER, TRUNCATED
from .config import TrainConfig, option_sets, read_run
from .evaluation import CurveRow, measure_against, play_deals, row_of, write_curve
from .gradients import ADVICE_LOSS, AGREEMENT, CLIPPED, DIVERGENCE, ENTROPY, POLICY_LOSS, SEARCH_LOSS, VALUE_LOSS
from .history import origin_of
from .league import League
from .learner import Diverged, Learner
from .opponents import (
    check_network,
    frozen_opponent,
    network_of,
    policy_path,
    teacher_of,
    usual_opponents,
)
from .rollouts import Matches, Rollouts, WindowPlayer
from .samples import new_window
from .show import Show
from .stage import stage_of

CHECKPOINT_SECONDS = 60.0
FINAL_DEALS = 500
_SHOWN = {
    "policy_loss": POLICY_LOSS,
    "value_loss": VALUE_LOSS,
    "entropy": ENTROPY,
    "agreement": AGREEMENT,
    "clipped": CLIPPED,
    "divergence": DIVERGENCE,
    "search_loss": SEARCH_LOSS,
    "advice_loss": ADVICE_LOSS,
}


def contents_of_run(config: TrainConfig) -> dict[str, dict[str, str]]:
    """Digests of the files that settings name, see `contents.what_changed`."""
    files = {"start": config.start, "against": config.against}
    files |= {f"{name} {path}": path for name in ("rivals", "teachers") for path in getattr(config, name)}
    game, sets = get_game(config.game), option_sets(config)
    configs = [game.config(**options) for options in sets[: len(config.players)]]
    digests = {f"setting {name}": file_digest(policy_path(path, game, configs)) for name, path in files.items() if path}
    for number, options in enumerate(sets[:: len(config.players)]):
        game_config, where = game.config(**options), f"variant {number} " if config.variants else ""
        digests |= {f"{where}option {name}": digest for name, digest in contents_of_options(game_config).items()}
    return {name: {"file": digest} for name, digest in digests.items() if digest}


def check_folder(config: TrainConfig, out: Path) -> None:
    """Check that a folder is new or holds a run with these settings, and that files they name are as they were.

    Raises:
        BadInput: it holds another run.
    """
    first = out / "run.json"
    if not first.exists() and (out / "checkpoint.npz").exists():
        raise BadInput(f"{out} holds a checkpoint, but not the run.json with its settings: choose another --out")
    if not first.exists():
        return
    if (out / "checkpoint").exists():
        raise BadInput(f"{out} holds the checkpoint of an earlier version: choose another --out")
    here, run = json.loads(json.dumps(asdict(config))), read_run(first)
    there, contents = run["config"], run.get("contents")  # an older version stored no contents
    if there != here:
        names = [name for name in {**here, **there} if there.get(name) != here.get(name)]
        raise BadInput(f"{out} holds a run with other settings ({', '.join(names)}): choose another --out")
    if contents and (change := what_changed(contents, contents_of_run(config))):
        raise BadInput(f"{out} holds a run with another file ({change}): choose another --out")


class TrainingRun:
    """Everything that a run changes.

    Args:
        config: its settings.
        out: its folder.
        show: where progress is shown.
        rollouts: who plays; None for this process.

    Attributes:
        state: what is counted, and the learning curve.
        learner: the network that learns. league: its snapshots.
        teachers: the networks that teach in imitation, if any.
        averaged: float32 (size,), the mean of its weights after the last updates, see `TrainConfig.averaged_updates`.
        matches: those it learns from, of each config. window: their decisions.
        origins: the histories of the networks it began with, "start", and learns from, "teachers"; see
            `history.origin_of`.

    Raises:
        BadInput: the settings do not fit the game, or the folder's checkpoint is damaged.
    """

    def __init__(self, config: TrainConfig, out: Path, show: Show, rollouts: Rollouts | None = None) -> None:
        self.config, self.out, self.show = config, out, show
        self._contents = contents_of_run(config)
        self.game = get_game(config.game)
        self._player = WindowPlayer(self.game, config, config.threads)
        self._rollouts = rollouts or self._player
        self.game_configs, self.plan = self._player.game_configs, self._player.plan
        self.teacher = teacher_of(self.game, config)
        if self.teacher and config.snapshot_share + config.teacher_matches > 1.0:
            raise BadInput("snapshot_share + teacher_matches must be at most 1: they are shares of the same matches")
        self.frozen = frozen_opponent(self.game, self.game_configs, self.plan, config)
        self.origins: dict[str, Any] = {}
        self.learner = Learner(self.plan, config.width, config.layers, self._first_weights(), config.threads)
        self.averaged = self.learner.weights.copy()
        if config.teachers and not config.imitation:
            raise BadInput("teachers teach in imitation: it needs a share above 0")
        if config.rivals and (self.frozen or not config.snapshot_share):
            raise BadInput("rivals are among the snapshots: they need a snapshot_share above 0 and no against")
        teachers, rivals = self._policies("teachers", config.teachers), self._policies("rivals", config.rivals)
        if teachers:
            self.origins["teachers"] = [origin_of(policy) for policy in teachers]
        self.teachers = [network_of(policy, self.plan)[0] for policy in teachers]
        self.league = League(config.snapshots, [network_of(policy, self.plan)[0] for policy in rivals])
        count = max(1, config.matches // len(self.game_configs))
        self.matches = [
            Matches(self.game, game_config, count, config.seed, config.threads) for game_config in self.game_configs
        ]
        samples = config.steps * count * len(self.matches)
        self.window = new_window(self.plan, samples, searches=config.search_every > 0)
        self.state = RunState(0, 0, 0, 0.0, 0, 0)
        self._restore()

    def _policies(self, setting: str, paths: Sequence[str]) -> list[Policy]:
        """The policies in the files that a setting lists, checked."""
        policies = [self._read(setting, path) for path in paths]
        for path, policy in zip(paths, policies, strict=True):
            check_network(policy, f"{setting}={cut(path, SENTENCE)}", self.plan, self.config)
        return policies

    def _first_weights(self) -> Floats:
        config = self.config
        if not config.start:
            return fresh(self.plan, config.width, config.layers, config.seed)
        policy = self._read("start", config.start)
        self.origins["start"] = origin_of(policy)
        return self._fit(policy, f"start={cut(config.start, SENTENCE)}")

    def _read(self, setting: str, path: str) -> Policy:
        try:
            return load_policy(policy_path(path, self.game, self.game_configs), self.game, self.game_configs[0])
        except BadPolicy as error:
            raise BadInput(f"{setting}={error}") from None

    def _fit(self, policy: Policy, what: str) -> Floats:
        """The weights of a policy as those of this run's network, which plays the same."""
        config = self.config
        if policy.network.layers != config.layers or policy.network.width > config.width:
            shape = policy.network.width, policy.network.layers
            wanted = f"must be at most {config.width} and exactly {config.layers}"
            raise BadInput(f"{what}: width and layers are {shape}, {wanted}")
        if cards_of(policy.plan) == config.cards:
            vector = fitted(policy.network, policy.plan, self.plan)
        elif config.cards == FACE:
            learned = self.game.config(players=policy.players[0], **policy.meta.get("options", {}))
            vector = by_face(policy.network, policy.plan, self.game, learned, self.plan)
        else:
            raise BadInput(f"{what}: it sees cards by {cards_of(policy.plan)}: set cards")
        fit = view(vector, self.plan, policy.network.width, config.layers)
        return widened(fit, self.plan, config.width, config.seed)

    # The loop

    @property
    def progress(self) -> float:
        """The share of the budget that is spent."""
        if self.config.decisions:
            return self.state.decisions / self.config.decisions
        return self.state.seconds / (60 * self.config.minutes) if self.config.minutes else 1.0

    def train(self) -> Path:
        """Train to the end of the budget; returns the path of the policy.

        Raises:
            BadInput: loss or weights are no longer finite numbers; the last checkpoint is from before.
        """
        try:
            return self._train()
        except Diverged as error:
            raise BadInput(f"{self.out}: {error}: choose lower rates and another --out") from None

    def _train(self) -> Path:
        if not (self.out / "run.json").exists():
            write_json(
                self.out / "run.json",
                {"config": asdict(self.config), "contents": self._contents, "run": provenance()},
            )
        with self.show.compiling():
            self.warm_up()
        with Charts(self.out / "tensorboard", self.show.say) as charts:
            last = saved = time.monotonic()
            while self.progress < 1.0:
                figures = self.update()
                if self.progress >= (self.state.evaluated + 1) / (self.config.evaluations + 1) and self.progress < 1.0:
                    self.evaluate()
                now = time.monotonic()
                self.state.seconds += now - last
                figures["decisions_per_second"] = self.state.decisions / max(1e-9, self.state.seconds)
                last = now
                charts.add(self.state.decisions, figures)
                self._show(figures)
                if now - saved > CHECKPOINT_SECONDS:
                    self.checkpoint()
                    saved = time.monotonic()
            return self._finish(charts)

    def warm_up(self) -> None:
        """Compile everything before the clock starts."""
        config, network = self.config, self.learner.network
        matches = Matches(self.game, self.game_configs[0], config.threads, 0, config.threads)
        samples = config.steps * matches.count
        window = new_window(self.plan, samples, searches=config.search_every > 0)
        stage = stage_of(config, 1.0, self.state.updates, self.teacher)
        self._player.play(window, matches, 0, stage, network, [network])
        learner = Learner(self.plan, config.width, config.layers, self.learner.weights, config.threads)
        learner.step(window, np.flatnonzero(window.begins), stage)
        matches.play_to_the_end(stage, network, network, self.plan)

    def update(self) -> dict[str, float]:
        """Play a window and learn from it; returns figures of both."""
        config, state = self.config, self.state
        stage = stage_of(config, self.progress, state.updates, self.teacher)
        imitation = bool(stage[0].imitation)
        alone = imitation or self.frozen is not None  # without the league
        rng = np.random.default_rng([config.seed, state.updates])
        if not alone:
            self.league.draw(float(rng.random()))
        for matches in self.matches:
            self._seat(matches, imitation)
        rivals = self.teachers if imitation and self.teachers else [self._rival()]
        counts, figures = self._rollouts.fill(self.window, self.matches, stage, self.learner.network, rivals)
        learned = self.learner.learn_window(self.window, stage, rng)
        if not alone:
            self.league.count(counts[RIVAL_WINS] / 12, counts[RIVAL_GAMES])
        before = state.decisions
        state.decisions += learned.decisions
        state.updates += 1
        self._average(imitation)
        if not alone and self._due(before):
            self.league.add(self.learner.weights)
        games = max(1.0, counts[GAMES])
        return {
            **{name: learned.losses[k] / max(1, learned.steps) for name, k in _SHOWN.items()},
            "learning_rate": float(stage[0].learning_rate),
            "truncated": counts[TRUNCATED] / games,
            "length": counts[DECISIONS] / games,
            "imitation": float(imitation),
            **figures,
        }

    def _seat(self, matches: Matches, imitation: bool) -> None:
        """Say who plays each seat."""
        config, lineups = self.config, matches.lineups
        lineups[:] = LEARNER
        if imitation:
            lineups[: round(config.teacher_share * matches.count)] = TEACHER
            return
        if self.frozen:
            others = matches.count
            lineups[:] = self.frozen.policy
        else:
            snapshots = round(config.snapshot_share * matches.count) if self.league.scores else 0
            taught = round(config.teacher_matches * matches.count) if self.teacher else 0
            others = min(matches.count, snapshots + taught)
            lineups[:snapshots] = RIVAL
            lineups[snapshots:others] = self.teacher
        lineups[np.arange(others), np.arange(others) % matches.game_config.players] = LEARNER

    def _rival(self) -> Network:
        """The network at the seats of RIVAL; the learner's if there are none."""
        if self.frozen and self.frozen.network:
            return self.frozen.network
        league = self.league
        if league.drawn < len(league.rivals):
            return league.rivals[league.drawn]
        if league.weights:
            return self._network(league.weights[league.drawn - len(league.rivals)])
        return self.learner.network

    def _average(self, imitation: bool) -> None:
        """Take the newest weights into their moving average, which begins with self-play."""
        state = self.state
        state.averaged_over = 0 if imitation else state.averaged_over + 1
        over = min(state.averaged_over, self.config.averaged_updates)
        if over <= 1:
            self.averaged[:] = self.learner.weights
        else:
            self.averaged += np.float32(1.0 / over) * (self.learner.weights - self.averaged)
        if not np.isfinite(self.averaged).all():  # a sum over updates may overflow
            raise Diverged(f"weights, averaged, are no longer finite numbers after {self.learner.steps:,} steps")

    def _due(self, before: int) -> bool:
        """Whether to keep a snapshot: at the beginning of self-play, then whenever the decisions grew by a fifth."""
        if not self.league.weights:
            return True
        grown = 1.2 ** np.floor(np.log(max(1, before)) / np.log(1.2) + 1)
        return bool(self.state.decisions >= grown)

    def _network(self, weights: Floats) -> Network:
        return view(weights, self.plan, self.config.width, self.config.layers)

    # Results

    @property
    def policy(self) -> Policy:
        """The network as a policy; rows that training never met, which hold noise, are 0."""
        config = self.config
        weights = self.averaged.copy()
        met = self._network(self.learner.squares).first.any(axis=1)
        if not config.start:
            self._network(weights).first[~met] = 0.0
        meta = {
            "game": self.game.id,
            "players": list(config.players),
            "options": dict(config.options),
            "variants": [dict(variant) for variant in config.variants],
            "decisions": self.state.decisions,
            "seed": config.seed,
            **self.origins,
        }
        return Policy(self.plan, weights, config.width, config.layers, meta)

    def evaluate(self, deals: int | None = None, seed: int = 0, planner_deals: int = 0) -> None:
        """Measure the network against each opponent, and add the results to the learning curve."""
        config = self.config
        self.state.evaluated += 1
        policy = Policy(self.plan, self.averaged, config.width, config.layers, {})
        measured = () if self.frozen else config.measured
        configs = [self.game.config(**options) for options in option_sets(config, measured)]
        if measured:
            plan = plan_by(config.cards, self.game, *configs)
            fit = fitted(policy.network, policy.plan, plan)
            policy = Policy(plan, fit, config.width, config.layers, {"players": list(config.players)})
        count = max(1, (deals or config.evaluation_deals) * len(config.players) // len(configs))
        for number, players in enumerate(config.players):
            game_configs = configs[number :: len(config.players)]
            usual = [self.frozen] if self.frozen else usual_opponents(self.game, game_configs[0], policy.plan)
            for opponent in usual:
                played = [
                    play_deals(policy, self.game, game_config, opponent, count, seed, config.threads)
                    for game_config in game_configs
                ]
                self._add_row(row_of(opponent.name, players, *played))
            if planner_deals:
                with suppress(UnknownAgent):  # a game without plans
                    first = game_configs[0]
                    self._add_row(measure_against("planner", policy, self.game, first, planner_deals, seed))

    def _add_row(self, row: CurveRow) -> None:
        """Add a row to the learning curve, and show it."""
        label = row.opponent if len(self.config.players) == 1 else f"{row.opponent}, {row.players} players"
        seconds = 0.0 if self.config.decisions else round(self.state.seconds, 1)
        self.state.curve.append(replace(row, decisions=self.state.decisions, seconds=seconds, label=label))
        self.show.say(str(self.state.curve[-1]))

    def _show(self, figures: Mapping[str, float]) -> None:
        curve, decisions = self.state.curve, self.state.decisions
        text = f"{decisions:,} decisions, {figures['decisions_per_second']:,.0f}/s, entropy {figures['entropy']:.2f}"
        newest = [row for row in curve if row.decisions == curve[-1].decisions]
        text += "".join(f", {100 * row.win_rate:.0f} % against {row.label}" for row in newest)
        stage = "imitation" if figures["imitation"] else "self-play"
        self.show.progress(stage, min(1000, round(1000 * self.progress)), 1000, text)

    def _finish(self, charts: Charts) -> Path:
        state = self.state
        if state.evaluated <= self.config.evaluations:  # else a run that was killed at its end
            state.evaluated = self.config.evaluations
            self.evaluate(FINAL_DEALS, seed=1, planner_deals=self.config.planner_deals)
            self.checkpoint()
        for row in state.curve:
            charts.add(row.decisions, {f"wins/{row.label}": row.win_rate})
        policy = self.policy
        policy.meta["run"] = provenance()
        write_bytes(self.out / "policy.npz", policy.to_bytes())
        table, picture = self.out / "learning_curve.csv", self.out / "learning_curve.png"
        write_curve(table, state.curve)
        with courtesy("no learning_curve.png", self.show.say):
            plot_learning_curve(table, picture, x="decisions", level=0.5)
        return self.out / "policy.npz"

    # Checkpoints

    def _arrays(self) -> Arrays:
        """All arrays that a checkpoint holds, by name, as views of the run's: restoring writes to them."""
        arrays: Arrays = {}
        for name, vector in self._vectors().items():
            for part, values in self._network(vector)._asdict().items():
                kept = {"first": self.plan.kept_rows, "cards": self.plan.kept_cards}.get(part)  # the rest are sums
                arrays[f"{name}_{part}"] = values[:kept]
        for number, matches in enumerate(self.matches):
            arrays |= {f"games{number}": as_bytes(matches.games), f"rng{number}": as_bytes(matches.rng)}
        return arrays

    def _vectors(self) -> dict[str, Floats]:
        """All vectors of the network's size, by name; sums in them follow from the rest."""
        learner, league = self.learner, enumerate(self.league.weights, len(self.league.rivals))
        vectors = {"weights": learner.weights, "averaged": self.averaged}
        vectors |= {f"snapshot{k}": weights for k, weights in league}
        return vectors | {"means": learner.means, "squares": learner.squares}

    def checkpoint(self) -> None:
        """Write the whole state, so that a run killed at any moment goes on from here."""
        self.state.steps, self.state.scores = self.learner.steps, self.league.scores
        write_checkpoint(self.out / "checkpoint.npz", self.state, self._arrays())
        if self.state.curve:
            write_curve(self.out / "learning_curve.csv", self.state.curve)

    def _restore(self) -> None:
        path = self.out / "checkpoint.npz"
        checkpoint = read_checkpoint(path)
        if checkpoint is None:
            return
        self.state, arrays = checkpoint
        self.learner.steps = self.state.steps
        for _ in self.state.scores[len(self.league.rivals) :]:
            self.league.add(np.zeros_like(self.averaged))
        self.league.scores = self.state.scores
        for name, values in self._arrays().items():
            stored = arrays.get(name)
            if stored is None:
                raise damaged(path, f"{name} is missing")
            if (stored.shape, stored.dtype) != (values.shape, values.dtype):
                kinds = f"{stored.dtype} {stored.shape}, wanted {values.dtype} {values.shape}"
                raise damaged(path, f"{name} is an array of {kinds}")
            values[:] = stored
        for vector in (self.learner.weights, self.averaged, *self.league.weights):
            work_out(vector, self.plan, self.config.width, self.config.layers)
        self.show.say(f"resuming after {self.state.decisions:,} decisions")
