"""The first stage of training: imitate a teacher, also in positions that the learner reaches (DAgger)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from bdgame_env.agents import make_agent
from bdgame_env.agents.networks.ppo_agent import PolicyAgent

from .fit import FitSettings, agreement, fit
from .model import network_of
from .run import TrainingRun
from .samples import Collector, ReplayBuffer, Samples


def imitate(run: TrainingRun) -> None:
    """Play the remaining rounds of imitation."""
    settings, name = run.config.imitation, "imitation"
    buffer = ReplayBuffer(run.out / "samples", settings.buffer_rounds)
    if not settings.teacher or run.rounds[name] >= settings.rounds:
        buffer.clear()
        return
    collectors = {
        players: Collector(
            run.config, run.game, game_config, settings.games, make_agent(settings.teacher, run.game, game_config)
        )
        for players, game_config in run.configs.items()
    }
    optimizer = run.optimizer_of(name, settings.learning_rate)
    if run.rounds[name] and not buffer.has(run.rounds[name]):
        buffer.resume(run.rounds[name] - 1, collectors)
    while (number := run.rounds[name]) < settings.rounds:
        stage = f"round {number + 1} of {settings.rounds}"
        rng, order = run.round_rngs(name)
        if buffer.has(number):
            buffer.resume(number, collectors)
        else:
            fresh = _collect(run, collectors, number, f"samples of {settings.teacher}, {stage}", rng)
            buffer.add(number, fresh, collectors)
        fresh = buffer.newest()
        met = agreement(network_of(run.model), fresh, np.arange(0, len(fresh), 8))
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1.0 - 0.8 * number / settings.rounds)
        how = FitSettings(settings.epochs, settings.batch_size, settings.policy_weight, settings.value_weight)
        progress = partial(run.show.progress, f"fitting, {stage}")
        losses = fit(network_of(run.model), optimizer, buffer.all(), how, order, progress)
        run.figures = {"agreement": met, **losses}
        run.show.say(
            f"imitation, {stage}: {100 * met:.1f} % agreement with the teacher before this round,"
            f" losses {losses['policy']:.3f} (policy), {losses['value']:.3f} (value)"
        )
        run.labeled += len(fresh)
        run.rounds[name] += 1
        if run.rounds[name] == settings.rounds or run.rounds[name] % settings.evaluate_every == 0:
            run.milestone()
        else:
            run.checkpoint()
    run.optimizer = None
    buffer.clear()


def _collect(run: TrainingRun, collectors: dict[int, Collector], number: int, title: str, rng: Any) -> Samples:
    """The samples of one round, from games with all numbers of players."""
    settings = run.config.imitation
    parts: list[Samples] = []
    each = settings.samples // len(collectors)
    for players, collector in collectors.items():
        learner = None
        if number and settings.learner_share > 0:
            seed = int(rng.integers(2**31))
            learner = PolicyAgent(run.policy, run.game, run.configs[players], sample=True, seed=seed)
        collector.seed(int(rng.integers(2**31)))
        progress = partial(_show_progress, run, title, len(parts) * each, each * len(collectors))
        share = settings.learner_share
        samples = collector.collect(
            each, progress, learner=learner, learner_share=share, epsilon=settings.epsilon, stride=settings.stride
        )
        parts.append(samples)
    return Samples.together(parts)


def _show_progress(run: TrainingRun, title: str, before: int, total: int, done: int) -> None:
    run.show.progress(title, before + done, total)
