"""A training run: windows of play, steps of learning, evaluations and checkpoints, until the budget is spent."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bdgame_env import get_game
from bdgame_env.agents import UnknownAgent
from bdgame_env.agents.heuristics.compiled_players import HEURISTIC, compiled_players, compiled_policy
from bdgame_env.agents.identity import contents_of_options, file_digest
from bdgame_env.agents.networks import BadPolicy, Policy, load_policy
from bdgame_env.agents.networks.network import Floats, Network, fresh, size_of, view, widened
from bdgame_env.agents.networks.row_plan import plan_network
from bdgame_env.agents.networks.weights import shipped
from bdgame_env.engine.quoting import SENTENCE, cut, shown

from ..contents import what_changed
from ..courtesy import courtesy
from ..errors import BadInput
from ..files import provenance, write_bytes, write_json
from ..plots import plot_learning_curve
from .averaging import Ask, AveragedLearners, ShareLearner, learners_here
from .charts import Charts
from .checkpoints import Arrays, Checkpoint, amount_of, as_plain, count_of, damaged, like, read_checkpoint
from .codes import DECISIONS, GAMES, LEARNER, RIVAL, TEACHER, TRUNCATED
from .config import TrainConfig, read_run
from .evaluation import CURVE, Opponent, curve_line, measure, measure_against, write_curve
from .gradients import (
    AGREEMENT,
    CLIPPED,
    DIVERGENCE,
    ENTROPY,
    POLICY_LOSS,
    SEARCH_LOSS,
    VALUE_LOSS,
)
from .history import origin_of
from .league import League
from .lessons import Stage, learn_window
from .matches import PLAY, Matches
from .progress import Show
from .rollouts import LocalRollouts, Order, Rival, Rollouts, WindowPlayer
from .samples import new_window
from .updates import Diverged, Learner

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
}


def contents_of_run(config: TrainConfig) -> dict[str, dict[str, str]]:
    """Digests of the files that settings name, see `contents.what_changed`."""
    found = {f"setting {name}": file_digest(value) for name in ("start", "against") if (value := getattr(config, name))}
    options = get_game(config.game).config(players=config.players[0], **config.options)
    found |= {f"option {name}": digest for name, digest in contents_of_options(options).items()}
    return {name: {"file": digest} for name, digest in found.items() if digest}


def check_folder(config: TrainConfig, out: Path) -> None:
    """Check that a folder is new or holds a run with these settings, and that files they name are as they were.

    Raises:
        BadInput: it holds another run.
    """
    first = out / "run.json"
    if not first.exists() and (out / "checkpoint").exists():
        raise BadInput(f"{out} holds a checkpoint, but not the run.json with its settings: choose another --out")
    if first.exists():
        mine = json.loads(json.dumps(asdict(config)))
        run = read_run(first)
        theirs, told = run["config"], run.get("contents")  # an older version told none
        if theirs == mine and told and (change := what_changed(told, contents_of_run(config))):
            raise BadInput(f"{out} holds a run with another file ({change}): choose another --out")
        if theirs != mine:
            names = [name for name in mine if theirs.get(name) != mine[name]]
            raise BadInput(f"{out} holds a run with other settings ({', '.join(names)}): choose another --out")


class TrainingRun:
    """Everything that a run changes.

    Args:
        config: its settings.
        out: its folder.
        show: where progress is shown.
        rollouts: who plays; None for this process.
        ask: who learns, if `config.learners` is not 0; None for this process. See `averaging.AveragedLearners`.

    Attributes:
        learner: the network that learns. league: its snapshots.
        averaged: float32 (size,), the mean of its weights after the last updates, see `TrainConfig.averaged_updates`.
        decisions: how many decisions it has learned from. seconds: how long the run has taken.
        updates: how many windows of play have been learned from.
        curve: rows of the learning curve.
        origin: the history of the network it began with, see `history.origin_of`; None for a fresh one.

    Raises:
        BadInput: the settings do not fit the game, or the folder's checkpoint is damaged.
    """

    def __init__(
        self, config: TrainConfig, out: Path, show: Show, rollouts: Rollouts | None = None, ask: Ask | None = None
    ) -> None:
        self.config, self.out, self.show = config, out, show
        self._contents = contents_of_run(config)
        self.game = get_game(config.game)
        self._player = WindowPlayer(self.game, config, config.threads)
        self.configs, self.plan = self._player.configs, self._player.plan
        self._rollouts = rollouts or LocalRollouts(self._player)
        self._learners = None
        if config.learners:
            ask = ask or learners_here(ShareLearner(self.game, config, config.threads))
            self._learners = AveragedLearners(config, ask)
        if len({plan_network(self.game, one).digest for one in self.configs}) > 1:
            raise BadInput(
                f"{config.game}: one network cannot learn for {config.players} players, whose actions differ"
            )
        self.teacher = self._teacher()
        if self.teacher and config.snapshot_share + config.teacher_matches > 1.0:
            raise BadInput("snapshot_share + teacher_matches must be at most 1: they are shares of the same matches")
        self.threads = config.threads
        self._against = self._frozen()
        weights, self.origin = self._beginning()
        self.learner = Learner(self.plan, config.width, config.layers, weights, self.threads)
        self.averaged, self._averaged_over = self.learner.weights.copy(), 0  # updates of self-play
        self.league = League(config.snapshots)
        self.matches = [
            Matches(self.game, one, max(1, config.matches // len(self.configs)), config.seed, self.threads)
            for one in self.configs
        ]
        samples = 0 if config.learners else config.steps * sum(one.count for one in self.matches)
        self.window = new_window(self.plan, samples, searches=config.search_every > 0)
        self.decisions, self.seconds, self.updates, self.evaluated = 0, 0.0, 0, 0
        self.curve: list[dict[str, Any]] = []
        self._restore()

    def _teacher(self) -> int:
        """The number of the teacher among the game's compiled players, or 0 for none."""
        players, name = compiled_players(self.game), self.config.teacher
        if not name or (name == HEURISTIC and not players):
            return 0
        number = compiled_policy(players, name)
        if not number:
            known = (HEURISTIC, *(players.names if players else ()))
            raise BadInput(f"teacher={shown(name)}, must be one of {', '.join(known)}, or '' for none")
        return number

    def _frozen(self) -> Opponent | None:
        """Who has all seats but the learner's, if the settings name one."""
        name = self.config.against
        if not name:
            return None
        players = compiled_players(self.game)
        number = compiled_policy(players, name)
        if number:
            return Opponent(name, number)
        try:
            policy = load_policy(name, self.game, self.configs[0])
        except BadPolicy as error:
            known = ", ".join((HEURISTIC, *players.names)) if players else "none here"
            raise BadInput(
                f"against={shown(name)}: {error}; must be a policy file or a compiled player ({known})"
            ) from None
        strange = [count for count in self.config.players if count not in policy.players]
        if strange:
            trained = " or ".join(map(str, policy.players))
            raise BadInput(f"against={shown(name)}: trained for {trained} players, not for {strange[0]}")
        self._against_rival = Rival(policy.weights, policy.network.width, policy.network.layers)
        return Opponent(name, RIVAL, policy.network)

    def _beginning(self) -> tuple[Floats, dict[str, Any] | None]:
        """The first weights, and where they come from."""
        config = self.config
        if not config.start:
            return fresh(self.plan, config.width, config.layers, config.seed), None
        try:
            policy = load_policy(config.start, self.game, self.configs[0])
        except BadPolicy as error:
            raise BadInput(f"start={error}") from None
        if policy.network.layers != config.layers or policy.network.width > config.width:
            shape = policy.network.width, policy.network.layers
            wanted = f"must be at most {config.width} and exactly {config.layers}"
            raise BadInput(f"start={cut(config.start, SENTENCE)}: width and layers are {shape}, {wanted}")
        return widened(policy.network, self.plan, config.width, config.seed), origin_of(policy)

    # The loop

    @property
    def progress(self) -> float:
        """The share of the budget that is spent."""
        if self.config.decisions:
            return self.decisions / self.config.decisions
        return self.seconds / (60 * self.config.minutes) if self.config.minutes else 1.0

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
                self.out / "run.json", {"config": asdict(self.config), "contents": self._contents, "run": provenance()}
            )
        with self.show.compiling():
            self.warm_up()
        with Charts(self.out / "tensorboard", self.show.say) as charts:
            last = saved = time.monotonic()
            while self.progress < 1.0:
                figures = self.update()
                if self.progress >= (self.evaluated + 1) / (self.config.evaluations + 1) and self.progress < 1.0:
                    self.evaluate()
                now = time.monotonic()
                self.seconds += now - last
                figures["decisions_per_second"] = self.decisions / max(1e-9, self.seconds)
                last = now
                charts.add(self.decisions, figures)
                self._show(figures)
                if now - saved > CHECKPOINT_SECONDS:
                    self.checkpoint()
                    saved = time.monotonic()
            return self._finish(charts)

    def warm_up(self) -> None:
        """Compile everything before the clock starts."""
        spare = Matches(self.game, self.configs[0], self.threads, 0, self.threads)
        samples = self.config.steps * spare.count
        window = new_window(self.plan, samples, searches=self.config.search_every > 0)
        network = self.learner.network
        self._player.play(window, spare, self._order(teach=False))
        every = np.arange(samples)
        learner = Learner(self.plan, self.config.width, self.config.layers, self.learner.weights, self.threads)
        learner.learn(window, every, Stage(False, 0.0).update_record(self.config), 0.0, 1.0)
        spare.play_games(self._play_record(teach=False), network, network, self.plan)

    def update(self) -> dict[str, float]:
        """Play a window and learn from it; returns figures of both."""
        config = self.config
        progress = self.progress
        share = config.imitation if self.teacher else 0.0
        teach = progress < share
        at = progress / share if teach else (progress - share) / (1.0 - share) if share < 1.0 else 1.0
        stage = Stage(teach, at)
        rng = np.random.default_rng([config.seed, self.updates])
        if not teach and not self._against:
            self.league.draw(float(rng.random()))
        for matches in self.matches:
            self._seat(matches, teach)
        order = self._order(teach)
        if self._learners is not None:
            filled, learned = self._learners.update(self.learner, self.matches, order, stage)
        else:
            filled = self._rollouts.fill(self.window, self.matches, order)
            learned = learn_window(self.learner, self.window, config, stage, rng)
        counts, losses = filled.counts, learned.losses
        if not self._against:
            for rival, games, twelfths in filled.met:
                self.league.count(rival.weights if rival else None, twelfths / 12, games)
        before = self.decisions
        self.decisions += learned.decisions
        self.updates += 1
        self._average(teach)
        if not teach and not self._against and self._due(before):
            self.league.add(self.learner.weights)
        ended = max(1.0, counts[GAMES])
        return {
            **{name: losses[k] / max(1, learned.steps) for name, k in _SHOWN.items()},
            "learning_rate": stage.rate(config),
            "truncated": counts[TRUNCATED] / ended,
            "length": counts[DECISIONS] / ended,
            "imitation": float(teach),
            **filled.figures,
        }

    def _average(self, teach: bool) -> None:
        """Take the newest weights into their moving average, which begins with self-play."""
        self._averaged_over = 0 if teach else self._averaged_over + 1
        over = min(self._averaged_over, self.config.averaged_updates)
        if over <= 1:
            self.averaged[:] = self.learner.weights
        else:
            self.averaged += np.float32(1.0 / over) * (self.learner.weights - self.averaged)
        if not np.isfinite(self.averaged).all():  # sums over learners or updates may overflow
            raise Diverged(f"weights, averaged, are no longer finite numbers after {self.learner.steps:,} steps")

    def _due(self, before: int) -> bool:
        """Whether to keep a snapshot: at the beginning of self-play, then whenever the decisions grew by a fifth."""
        if not self.league.weights:
            return True
        grown = 1.2 ** np.floor(np.log(max(1, before)) / np.log(1.2) + 1)
        return bool(self.decisions >= grown)

    def _order(self, teach: bool) -> Order:
        config, rival = self.config, None
        if self._against and self._against.network:
            rival = self._against_rival
        elif self.league.weights:
            rival = Rival(self.league.weights[self.league.rival], config.width, config.layers)
        return Order(self._play_record(teach), self.learner.weights, rival, self.updates, teach)

    def _seat(self, matches: Matches, teach: bool) -> None:
        """Say who plays each seat."""
        config, lineups = self.config, matches.lineups
        lineups[:] = LEARNER
        if teach:
            lineups[: round(config.teacher_share * matches.count)] = TEACHER
            return
        if self._against:
            lineups[:] = self._against.policy
            lineups[np.arange(matches.count), np.arange(matches.count) % matches.config.players] = LEARNER
            return
        first = round(config.snapshot_share * matches.count) if self.league.weights else 0
        taught = round(config.teacher_matches * matches.count) if self.teacher else 0
        second = min(matches.count, first + taught)
        lineups[:first] = RIVAL
        lineups[first:second] = self.teacher
        lineups[np.arange(second), np.arange(second) % matches.config.players] = LEARNER

    def _network(self, weights: Floats) -> Network:
        return view(weights, self.plan, self.config.width, self.config.layers)

    def _play_record(self, teach: bool) -> Any:
        config = self.config
        play = np.zeros(1, PLAY)
        play["teacher"], play["noise"], play["temperature"] = self.teacher if teach else 0, config.noise, 1.0
        if self._against and not teach:
            play["temperature"] = 0.0
        play["search_every"] = 0 if teach else config.search_every
        play["margin"], play["truncation"] = config.margin, config.truncation
        return play

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
            "decisions": self.decisions,
            "seed": config.seed,
        }
        if self.origin is not None:
            meta["start"] = self.origin
        return Policy(self.plan, weights, config.width, config.layers, meta)

    def opponents(self, players: int) -> list[Opponent]:
        """Who the network is measured against: random play, the game's first compiled player, the shipped network; or
        only who it learns against.
        """
        if self._against:
            return [self._against]
        found = [Opponent("random", 0)]
        declared = compiled_players(self.game)
        if declared is not None:
            found.append(Opponent(declared.names[0], 1))
        config = self.configs[self.config.players.index(players)]
        with suppress(UnknownAgent, BadPolicy):  # none ships, or for other options
            policy = load_policy(shipped("ppo", self.game, config), self.game, config)
            found.append(Opponent("ppo", RIVAL, policy.network))
        return found

    def evaluate(self, deals: int | None = None, seed: int = 0, planner_deals: int = 0) -> list[dict[str, Any]]:
        """Measure the network against each opponent, and add the results to the learning curve."""
        self.evaluated += 1
        rows = []
        for config in self.configs:
            for opponent in self.opponents(config.players):
                row = measure(
                    *(self.game, config, self._network(self.averaged), self.plan, opponent),
                    *(deals or self.config.evaluation_deals, seed, self.threads),
                )
                rows.append(self._add_row(row))
            if planner_deals:
                with suppress(UnknownAgent):  # a game without plans
                    row = measure_against("planner", self.policy, self.game, config, planner_deals, seed)
                    rows.append(self._add_row(row))
        return rows

    def _add_row(self, row: dict[str, Any]) -> dict[str, Any]:
        """Add a row to the learning curve, and show it."""
        label = row["opponent"] if len(self.configs) == 1 else f"{row['opponent']}, {row['players']} players"
        seconds = 0.0 if self.config.decisions else round(self.seconds, 1)
        row = {"decisions": self.decisions, "seconds": seconds, "label": label, **row}
        self.curve.append({name: row[name] for name in CURVE})
        self.show.say(curve_line(row))
        return self.curve[-1]

    def _show(self, figures: Mapping[str, float]) -> None:
        stage = "imitation" if figures["imitation"] else "self-play"
        text = (
            f"{self.decisions:,} decisions, {figures['decisions_per_second']:,.0f}/s, entropy {figures['entropy']:.2f}"
        )
        if self.curve:
            newest = [row for row in self.curve if row["decisions"] == self.curve[-1]["decisions"]]
            text += "".join(f", {100 * row['win_rate']:.0f} % against {row['label']}" for row in newest)
        self.show.progress(stage, min(1000, round(1000 * self.progress)), 1000, text)

    def _finish(self, charts: Charts) -> Path:
        if self.evaluated <= self.config.evaluations:  # else a run that was killed at its end
            self.evaluated = self.config.evaluations
            self.evaluate(FINAL_DEALS, seed=1, planner_deals=self.config.planner_deals)
            self.checkpoint()
        for row in self.curve:
            charts.add(row["decisions"], {f"wins/{row['label']}": row["win_rate"]})
        policy = self.policy
        policy.meta["run"] = provenance()
        write_bytes(self.out / "policy.npz", policy.to_bytes())
        write_curve(self.out / "learning_curve.csv", self.curve)
        with courtesy("no learning_curve.png", self.show.say):
            plot_learning_curve(
                self.out / "learning_curve.csv", self.out / "learning_curve.png", x="decisions", level=0.5
            )
        return self.out / "policy.npz"

    # Checkpoints

    def checkpoint(self) -> None:
        """Write the whole state, so that a run killed at any moment goes on from here."""
        arrays: Arrays = {
            "weights": self.learner.weights,
            "means": self.learner.means,
            "squares": self.learner.squares,
            "averaged": self.averaged,
            **{f"snapshot{k}": weights for k, weights in enumerate(self.league.weights)},
        }
        for config, matches in zip(self.configs, self.matches, strict=True):
            arrays |= {f"games{config.players}": matches.games, f"rng{config.players}": as_plain(matches.rng)}
        facts = {
            "decisions": self.decisions,
            "seconds": self.seconds,
            "updates": self.updates,
            "averaged_over": self._averaged_over,
            "evaluated": self.evaluated,
            "adam": self.learner.steps,
            "scores": self.league.scores,
            "curve": self.curve,
        }
        Checkpoint(facts, arrays, {}).write(self.out / "checkpoint")
        if self.curve:
            write_curve(self.out / "learning_curve.csv", self.curve)

    def _restore(self) -> None:
        folder = self.out / "checkpoint"
        found = read_checkpoint(folder)
        if found is None:
            return
        try:
            self._restore_from(found)
        except KeyError as error:
            raise damaged(folder, f"{error} is missing") from None
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise damaged(folder, str(error)) from None
        self.show.say(f"resuming after {self.decisions:,} decisions")

    def _restore_from(self, found: Checkpoint) -> None:
        facts, arrays = found.facts, found.arrays
        for name in ("weights", "means", "squares"):
            getattr(self.learner, name)[:] = like(arrays[name], self.learner.weights)
        self.averaged[:] = like(arrays["averaged"], self.averaged)
        self._averaged_over = count_of(facts["averaged_over"])
        self.learner.steps = count_of(facts["adam"])
        scores = [[amount_of(won), amount_of(games)] for won, games in facts["scores"]]
        size = size_of(self.plan, self.config.width, self.config.layers)
        self.league.weights = [like(arrays[f"snapshot{k}"], np.zeros(size, np.float32)) for k in range(len(scores))]
        self.league.scores = scores
        for config, matches in zip(self.configs, self.matches, strict=True):
            matches.games[:] = like(arrays[f"games{config.players}"], matches.games)
            matches.rng[:] = like(arrays[f"rng{config.players}"], matches.rng)
        self.decisions, self.updates = count_of(facts["decisions"]), count_of(facts["updates"])
        self.evaluated, self.seconds = count_of(facts["evaluated"]), amount_of(facts["seconds"])
        self.curve = [{name: row[name] for name in CURVE} for row in facts["curve"]]
