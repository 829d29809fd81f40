"""The third stage of training: a search with the network's priors and values plays itself, and the network learns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bdgame_env.agents import make_agent

from .fit import StudySettings, study
from .model import network_of
from .samples import Lessons, Notebook, School

if TYPE_CHECKING:
    from .run import TrainingRun


def iterate(run: TrainingRun) -> None:
    """The rounds of expert iteration that are still to do."""
    settings, name = run.config.expert_iteration, "expert_iteration"
    lessons = Notebook(run.out / "games", settings.memory)
    if run.rounds[name] >= settings.rounds:
        lessons.clear()
        return
    experts = {
        players: make_agent(settings.expert, run.game, box, policy=run.policy) for players, box in run.boxes.items()
    }
    schools = {
        players: School(run.config, run.game, box, settings.games, experts[players])
        for players, box in run.boxes.items()
    }
    optimizer = run.optimizer_of(name, settings.learning_rate)
    if run.rounds[name] and not lessons.has(run.rounds[name]):
        lessons.resume(run.rounds[name] - 1, schools)
    each = settings.samples // len(schools)
    while (number := run.rounds[name]) < settings.rounds:
        stage = f"round {number + 1} of {settings.rounds}"
        luck, order = run.fresh_luck(name)
        if lessons.has(number):
            lessons.resume(number, schools)
        else:
            parts = []
            for k, (players, school) in enumerate(schools.items()):
                experts[players].set_policy(run.policy)  # type: ignore[attr-defined]
                school.seed(int(luck.integers(2**31)))
                told = partial(_tell, run, f"{settings.expert} plays itself, {stage}", k * each, each * len(schools))
                parts.append(school.collect(each, told))
            lessons.add(number, Lessons.together(parts), schools)
        how = StudySettings(settings.epochs, settings.batch_size, settings.policy_weight, settings.value_weight)
        progress = partial(run.show.progress, f"learning, {stage}")
        losses = study(network_of(run.model), optimizer, lessons.all(), how, order, progress)
        run.figures = losses
        run.show.say(
            f"expert iteration, {stage}: losses {losses['policy']:.3f} (policy), {losses['value']:.3f} (value)"
        )
        run.labeled += len(lessons.newest())
        run.rounds[name] += 1
        if run.rounds[name] == settings.rounds or run.rounds[name] % settings.evaluate_every == 0:
            run.milestone()
        else:
            run.checkpoint()
    run.optimizer = None
    lessons.clear()


def _tell(run: TrainingRun, title: str, before: int, total: int, done: int) -> None:
    run.show.progress(title, before + done, total)
