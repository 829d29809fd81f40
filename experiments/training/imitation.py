"""The first stage of training: learn from a teacher, also in positions that the learner gets itself into (DAgger)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from bdgame_env.agents import make_agent
from bdgame_env.agents.networks.ppo_agent import PolicyAgent

from .fit import StudySettings, agreement, study
from .model import network_of
from .samples import Lessons, Notebook, School

if TYPE_CHECKING:
    from .run import TrainingRun


def imitate(run: TrainingRun) -> None:
    """The rounds of imitation that are still to do."""
    settings, name = run.config.imitation, "imitation"
    lessons = Notebook(run.out / "lessons", settings.memory)
    if not settings.teacher or run.rounds[name] >= settings.rounds:
        lessons.clear()
        return
    schools = {
        players: School(run.config, run.game, box, settings.games, make_agent(settings.teacher, run.game, box))
        for players, box in run.boxes.items()
    }
    optimizer = run.optimizer_of(name, settings.learning_rate)
    if run.rounds[name] and not lessons.has(run.rounds[name]):
        lessons.resume(run.rounds[name] - 1, schools)
    while (number := run.rounds[name]) < settings.rounds:
        stage = f"round {number + 1} of {settings.rounds}"
        luck, order = run.fresh_luck(name)
        if lessons.has(number):
            lessons.resume(number, schools)
        else:
            fresh = _collect(run, schools, number, f"lessons of {settings.teacher}, {stage}", luck)
            lessons.add(number, fresh, schools)
        fresh = lessons.newest()
        met = agreement(network_of(run.model), fresh, np.arange(0, len(fresh), 8))
        for group in optimizer.param_groups:
            group["lr"] = settings.learning_rate * (1.0 - 0.8 * number / settings.rounds)
        how = StudySettings(settings.epochs, settings.batch_size, settings.policy_weight, settings.value_weight)
        progress = partial(run.show.progress, f"learning, {stage}")
        losses = study(network_of(run.model), optimizer, lessons.all(), how, order, progress)
        run.figures = {"agreement": met, **losses}
        run.show.say(
            f"imitation, {stage}: {100 * met:.1f} % of the teacher's decisions met before this round,"
            f" losses {losses['policy']:.3f} (policy), {losses['value']:.3f} (value)"
        )
        run.labeled += len(fresh)
        run.rounds[name] += 1
        if run.rounds[name] == settings.rounds or run.rounds[name] % settings.evaluate_every == 0:
            run.milestone()
        else:
            run.checkpoint()
    run.optimizer = None
    lessons.clear()


def _collect(run: TrainingRun, schools: dict[int, School], number: int, title: str, rng: Any) -> Lessons:
    """The lessons of one round, at tables of all numbers of players."""
    settings = run.config.imitation
    parts: list[Lessons] = []
    each = settings.samples // len(schools)
    for players, school in schools.items():
        learner = None
        if number and settings.learner_share > 0:
            seed = int(rng.integers(2**31))
            learner = PolicyAgent(run.policy, run.game, run.boxes[players], sample=True, seed=seed)
        school.seed(int(rng.integers(2**31)))
        progress = partial(_tell, run, title, len(parts) * each, each * len(schools))
        share = settings.learner_share
        lessons = school.collect(
            each, progress, learner=learner, learner_share=share, stray=settings.stray, thin=settings.thin
        )
        parts.append(lessons)
    return Lessons.together(parts)


def _tell(run: TrainingRun, title: str, before: int, total: int, done: int) -> None:
    run.show.progress(title, before + done, total)
