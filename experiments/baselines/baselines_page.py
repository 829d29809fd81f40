"""The comparison as a page: tables of final scores, and learning curves with bands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arena.share_intervals import LEVEL
from ..plots import new_figure, save
from ..suites.card import interquartile_mean
from ..suites.suite import LATEST
from ..tables import Table, interval
from .runs import DEALS, FINAL_DEALS, Run, facts_of
from .watch import POINTS, Budget, Point

_RESAMPLES = 2000
_HEAD = """# Baselines

Learners at the same budget over several seeds. Time is that of the processor, all threads of a process together, so
that other programs do not change it; being measured does not count. A score of 0 is random play and 100 the strongest
pinned agent of the pool of {suite} ([measuring_agents.md](measuring_agents.md)). The games are with two players, on
deals that are neither those of training nor those of the suite. IQM is the interquartile mean over seeds, and in the
column "all" over games too; intervals are 95 %, by drawing the seeds of each game with replacement (Agarwal et al.
2021). They say what other seeds could have given, not what other deals could.

Each table has its command, which resumes, and writes the whole page.

{learners}

Learners other than `bdgame train` play against {opponents}, drawn game by game; `bdgame train` plays against itself,
and counts the decisions of all its seats. Settings are those of the code in `experiments/baselines`, untuned for these
budgets. A point of a curve is {deals} deals, the last one {final} deals, of 14 or 18 games each."""

Floats = npt.NDArray[np.float64]


def curves(game: str, learner: str, seeds: int, budget: Budget, out: Path) -> list[list[Point]] | None:
    """The learning curves of all seeds; None if one is missing."""
    found = [facts_of(Run(game, learner, seed, budget), out) for seed in range(seeds)]
    if None in found:
        return None
    return [[Point(**point) for point in facts["points"]] for facts in found if facts]


def budgets_in(games: Sequence[str], learners: Sequence[str], seeds: int, out: Path) -> list[Budget]:
    """The budgets with which some learner has played some game with all seeds: minutes before decisions."""
    found = {
        Budget(decisions=int(text)) if unit == "decisions" else Budget(minutes=float(text))
        for path in out.glob("*.json")
        if path.name.split("_")[0] in games
        for text, unit in [path.name.split("_")[1].split("-")]
    }
    whole = [one for one in found if any(curves(game, name, seeds, one, out) for game in games for name in learners)]
    return sorted(whole, key=lambda one: (one.decisions, one.minutes))


def shown_runs(games: Sequence[str], learners: Sequence[str], seeds: int, out: Path) -> list[Run]:
    """The runs that a page shows: of a learner in a game those with all seeds."""
    return [
        Run(game, name, seed, budget)
        for budget in budgets_in(games, learners, seeds, out)
        for game in games
        for name in learners
        if curves(game, name, seeds, budget, out)
        for seed in range(seeds)
    ]


def aggregate(scores: Floats, seed: int = 0) -> tuple[float, tuple[float, float]]:
    """The interquartile mean of scores, shape (seeds, games), and its stratified bootstrap interval."""
    rng = np.random.default_rng(seed)
    seeds, games = scores.shape
    drawn = rng.integers(0, seeds, (seeds, games, _RESAMPLES))
    resampled = np.take_along_axis(scores[:, :, None], drawn, axis=0).reshape(seeds * games, _RESAMPLES)
    low, high = np.quantile(interquartile_mean(resampled), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(interquartile_mean(scores.ravel())), (float(low), float(high))


def baselines_page(
    games: Sequence[str], learners: Sequence[str], seeds: int, out: Path, page: Path, command: str
) -> str:
    """The page; a table and a picture for each game and budget. `command` lacks the budget and the page."""
    from .learners import LEARNERS, OPPONENTS

    about = "\n".join(f"- {LEARNERS[name].title}: {LEARNERS[name].about}." for name in learners)
    values = {"suite": LATEST, "learners": about, "deals": DEALS, "final": FINAL_DEALS}
    parts = [_HEAD.format(**values, opponents=" or ".join(f"`{name}`" for name in OPPONENTS))]
    for budget in budgets_in(games, learners, seeds, out):
        parts.append(f"\n## At the same {'decisions' if budget.decisions else 'time'}: {budget} each, {seeds} seeds\n")
        parts.append(f"```sh\n{command} --{budget.option} --page {page}\n```\n")
        parts.append(_table(games, learners, seeds, budget, out).markdown())
        for game in games:
            if any(curves(game, name, seeds, budget, out) for name in learners):
                picture = _picture(page, game, budget).name
                parts.append(f"\n![{game}: learning curves, {budget}]({picture})")
    parts.append(f"\n{_made_by(games, learners, seeds, out)}\n")
    return "\n".join(parts)


def _table(games: Sequence[str], learners: Sequence[str], seeds: int, budget: Budget, out: Path) -> Table:
    from .learners import LEARNERS

    rows = []
    for name in learners:
        cells, finals, spent = [], [], []
        for game in games:
            found = curves(game, name, seeds, budget, out)
            if found is None:
                cells.append("not run")
                continue
            finals.append(np.array([points[-1].score for points in found]))
            spent += [points[-1] for points in found]
            share, ends = aggregate(finals[-1][:, None])
            cells.append(f"{share:.1f}{interval(ends)}")
        whole = ""
        if len(finals) == len(games) > 1:
            share, ends = aggregate(np.stack(finals, 1))
            whole = f"{share:.1f}{interval(ends)}"
        decisions = f"{np.median([point.decisions for point in spent]):,.0f}" if spent else ""
        seconds = f"{np.median([point.seconds for point in spent]):,.0f}" if spent else ""
        rows.append((LEARNERS[name].title, *cells, whole, decisions, seconds))
    return Table("", ("", *games, "all", "decisions (median)", "seconds (median)"), rows)


def _made_by(games: Sequence[str], learners: Sequence[str], seeds: int, out: Path) -> str:
    """Commits and machines of the runs shown."""
    facts = [found for run in shown_runs(games, learners, seeds, out) if (found := facts_of(run, out))]
    commits = {f"`{str(one['run']['commit'])[:12]}`{_changed(one['run'])}" for one in facts}
    machines = {str(one["machine"]) for one in facts}
    dates = sorted(str(one["run"]["date"])[:10] for one in facts)
    when = "" if not dates else f", {dates[0]}" if dates[0] == dates[-1] else f", {dates[0]} to {dates[-1]}"
    return f"{len(facts)} runs at commit {', '.join(sorted(commits))} on {'; '.join(sorted(machines))}{when}."


def _changed(run: dict[str, Any]) -> str:
    return " with changes" if run.get("modified") else ""


def _picture(page: Path, game: str, budget: Budget) -> Path:
    return page.with_name(f"{page.stem}_{game}_{budget.file_name}.png")


def draw_curves(games: Sequence[str], learners: Sequence[str], seeds: int, out: Path, page: Path) -> None:
    """Draw the curves of each game and budget beside the page: IQM as a line, mean dotted, all seeds as a band."""
    from .learners import LEARNERS

    for budget in budgets_in(games, learners, seeds, out):
        for game in games:
            found = {name: curves(game, name, seeds, budget, out) for name in learners}
            if not any(found.values()):
                continue
            spent = np.arange(1, POINTS + 1) / POINTS * (budget.decisions or 60 * budget.minutes)
            figure = new_figure(7.5, 4.5)
            axes = figure.add_subplot()
            for name, lines in found.items():
                if lines is None:
                    continue
                scores = np.array([_scores_at(spent, points, budget) for points in lines])
                (line,) = axes.plot(
                    spent, interquartile_mean(scores), marker=".", label=LEARNERS[name].title.replace("`", "")
                )
                axes.plot(spent, scores.mean(0), linestyle=":", color=line.get_color())
                axes.fill_between(spent, scores.min(0), scores.max(0), alpha=0.15, color=line.get_color())
            for level in (0, 100):
                axes.axhline(level, color="gray", linestyle="--", linewidth=1)
            axes.set_xlabel("decisions" if budget.decisions else "seconds of the processor")
            axes.set_ylabel("normalized score")
            axes.set_title(f"{game}, {seeds} seeds: IQM, mean (dotted), least to most (band)", fontsize=10)
            axes.grid(alpha=0.3)
            axes.legend(fontsize=8)
            save(figure, _picture(page, game, budget))


def _scores_at(spent: Floats, points: Sequence[Point], budget: Budget) -> Floats:
    """Scores after so much of the budget, between the points of a curve on straight lines."""
    places = [point.decisions if budget.decisions else point.seconds for point in points]
    scores: Floats = np.interp(spent, places, [point.score for point in points])
    return scores
