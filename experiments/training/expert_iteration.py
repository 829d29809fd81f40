"""The third stage of training: a search with the network's priors and values plays itself, and the network learns."""

from __future__ import annotations

from functools import partial

from bdgame_env.agents import make_agent

from .fit import FitSettings, fit
from .model import network_of
from .run import TrainingRun
from .samples import Collector, ReplayBuffer, Samples


def iterate(run: TrainingRun) -> None:
    """Play the remaining rounds of expert iteration."""
    settings, name = run.config.expert_iteration, "expert_iteration"
    buffer = ReplayBuffer(run.out / "games", settings.buffer_rounds)
    if run.rounds[name] >= settings.rounds:
        buffer.clear()
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
    if run.rounds[name] and not buffer.has(run.rounds[name]):
        buffer.resume(run.rounds[name] - 1, collectors)
    each = settings.samples // len(collectors)
    while (number := run.rounds[name]) < settings.rounds:
        stage = f"round {number + 1} of {settings.rounds}"
        rng, order = run.round_rngs(name)
        if buffer.has(number):
            buffer.resume(number, collectors)
        else:
            parts = []
            for k, (players, collector) in enumerate(collectors.items()):
                experts[players].set_policy(run.policy)  # type: ignore[attr-defined]
                collector.seed(int(rng.integers(2**31)))
                title = f"{settings.expert} plays itself, {stage}"
                progress = partial(_show_progress, run, title, k * each, each * len(collectors))
                parts.append(collector.collect(each, progress))
            buffer.add(number, Samples.together(parts), collectors)
        how = FitSettings(settings.epochs, settings.batch_size, settings.policy_weight, settings.value_weight)
        fitting = partial(run.show.progress, f"fitting, {stage}")
        losses = fit(network_of(run.model), optimizer, buffer.all(), how, order, fitting)
        run.figures = losses
        run.show.say(
            f"expert iteration, {stage}: losses {losses['policy']:.3f} (policy), {losses['value']:.3f} (value)"
        )
        run.labeled += len(buffer.newest())
        run.rounds[name] += 1
        if run.rounds[name] == settings.rounds or run.rounds[name] % settings.evaluate_every == 0:
            run.milestone()
        else:
            run.checkpoint()
    run.optimizer = None
    buffer.clear()


def _show_progress(run: TrainingRun, title: str, before: int, total: int, done: int) -> None:
    run.show.progress(title, before + done, total)
