"""The third stage of training: a search with the network's priors and values plays itself, and the network learns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bdgame_env.agents import make_agent

from .fit import FitSettings, fit
from .model import network_of
from .samples import Collector, ReplayBuffer, Samples

if TYPE_CHECKING:
    from .run import TrainingRun


def iterate(run: TrainingRun) -> None:
    """The rounds of expert iteration that are still to do."""
    settings, name = run.config.expert_iteration, "expert_iteration"
    samples = ReplayBuffer(run.out / "games", settings.buffer_rounds)
    if run.rounds[name] >= settings.rounds:
        samples.clear()
        return
    experts = {
        players: make_agent(settings.expert, run.game, game_config, policy=run.policy)
        for players, game_config in run.configs.items()
    }
    collectors = {
        players: Collector(run.config, run.game, game_config, settings.games, experts[players])
        for players, game_config in run.configs.items()
    }
    optimizer = run.optimizer_of(name, settings.learning_rate)
    if run.rounds[name] and not samples.has(run.rounds[name]):
        samples.resume(run.rounds[name] - 1, collectors)
    each = settings.samples // len(collectors)
    while (number := run.rounds[name]) < settings.rounds:
        stage = f"round {number + 1} of {settings.rounds}"
        rng, order = run.fresh_luck(name)
        if samples.has(number):
            samples.resume(number, collectors)
        else:
            parts = []
            for k, (players, collector) in enumerate(collectors.items()):
                experts[players].set_policy(run.policy)  # type: ignore[attr-defined]
                collector.seed(int(rng.integers(2**31)))
                told = partial(_tell, run, f"{settings.expert} plays itself, {stage}", k * each, each * len(collectors))
                parts.append(collector.collect(each, told))
            samples.add(number, Samples.together(parts), collectors)
        how = FitSettings(settings.epochs, settings.batch_size, settings.policy_weight, settings.value_weight)
        progress = partial(run.show.progress, f"learning, {stage}")
        losses = fit(network_of(run.model), optimizer, samples.all(), how, order, progress)
        run.figures = losses
        run.show.say(
            f"expert iteration, {stage}: losses {losses['policy']:.3f} (policy), {losses['value']:.3f} (value)"
        )
        run.labeled += len(samples.newest())
        run.rounds[name] += 1
        if run.rounds[name] == settings.rounds or run.rounds[name] % settings.evaluate_every == 0:
            run.milestone()
        else:
            run.checkpoint()
    run.optimizer = None
    samples.clear()


def _tell(run: TrainingRun, title: str, before: int, total: int, done: int) -> None:
    run.show.progress(title, before + done, total)
