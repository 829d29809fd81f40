"""The comparison of learners: budgets, files of runs, aggregates, and learners with masks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, make_sb3_vec
from bdgame_env.agents import make_agent
from bdgame_env.agents.base import Agent
from bdgame_env.engine.game import Game
from bdgame_env.experiments.arena.tournament import Place
from bdgame_env.experiments.baselines import learners
from bdgame_env.experiments.baselines.baselines_page import aggregate
from bdgame_env.experiments.baselines.learners import LEARNERS, Learner
from bdgame_env.experiments.baselines.runs import SEED, Run, cell_of, measured
from bdgame_env.experiments.baselines.watch import POINTS, Budget, Watch
from bdgame_env.experiments.inputs import SUITE_SEEDS
from bdgame_env.experiments.suites import suite as suites
from bdgame_env.experiments.suites.benchmark import play_pool
from bdgame_env.experiments.training.config import SEEDS
from tests.experiments.conftest import Run as RunCommand

TOY = "toy-v1"
FIRST = "tests.support.bots:First"


@pytest.fixture
def tiny(small_games: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """A suite of the toy game, and two learners that know how to play; what they have learned."""
    pool = f'seed = {SUITE_SEEDS}\ndeals = 3\npool_games = 24\n[pools]\n{TOY} = ["random", "{FIRST}"]'
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "suite-1.toml").write_text(pool)
    monkeypatch.setattr(suites, "FOLDER", tmp_path / "suites")
    suite = suites.read_suite("suite-1")
    play_pool(suite, suite.cells(players="2"), tmp_path / "pool", Place(1))
    learned: list[Run] = []

    def learn(spec: str) -> Any:
        def learned_at_once(game: Game, seed: int, budget: Budget, watch: Watch) -> None:
            learned.append(Run(game.id, spec, seed, budget))
            watch.start()
            steps = 0
            while watch.goes_on(steps, lambda: make_agent(spec, game, game.config())):
                steps += 10

        return learned_at_once

    chosen = {"one": Learner("One", "plays first", learn(FIRST)), "other": Learner("Other", "plays", learn("random"))}
    monkeypatch.setattr(learners, "LEARNERS", chosen)
    return learned


def test_the_command_writes_a_page_and_resumes(tiny: list[Run], run: RunCommand, tmp_path: Path) -> None:
    out, page = tmp_path / "runs", tmp_path / "page.md"
    asked = ("baselines", "--seeds", "3", "--decisions", "60", "--out", out, "--page", page, "--workers", "1")
    code, told, err = run(*asked)
    assert code == 0, err
    assert [one.budget.decisions for one in tiny] == [1, 60] * 6, "each run is rehearsed, so that all is compiled"
    assert "6 of 6" in told
    facts = json.loads((out / f"{TOY}_60-decisions_one_2.json").read_text())
    assert [point["decisions"] for point in facts["points"]] == [10, 20, 30, 40, 50, 60]
    text = page.read_text()
    assert "## At the same decisions: 60 decisions each, 3 seeds" in text and "6 runs at commit" in text
    assert f" baselines --games all --learners all --seeds 3 --decisions 60 --page {page}\n" in text
    assert all(line.startswith(("| One |", "| Other |")) for line in text.splitlines() if "| 60 |" in line)
    assert (tmp_path / f"page_{TOY}_60-decisions.png").read_bytes().startswith(b"\x89PNG")
    (out / f"{TOY}_60-decisions_one_2.json").unlink()
    page.with_suffix(".json").unlink()
    assert run(*asked)[0] == 0 and len(tiny) == 14, "only what is missing is run again"
    (tmp_path / "elsewhere").mkdir()
    for path in (page, page.with_suffix(".json")):
        path.rename(tmp_path / "elsewhere" / path.name)
    moved = ("--out", tmp_path / "other", "--page", tmp_path / "elsewhere" / page.name)
    assert run(*asked, *moved)[0] == 0 and len(tiny) == 14, "the file beside the page has all runs"
    assert (tmp_path / "other" / f"{TOY}_60-decisions_one_2.json").exists()
    code, _, err = run(*asked[:-2], "--workers", "1", "--seeds", "4", "--learners", "one")
    assert code == 0 and len(tiny) == 16
    assert "| Other |" not in page.read_text()
    code, _, err = run(*asked, *moved, "--learners", "one")
    assert "| Other |" not in (tmp_path / "elsewhere" / page.name).read_text()
    kept = json.loads((tmp_path / "elsewhere" / page.with_suffix(".json").name).read_text())
    assert {facts["learner"] for facts in kept} == {"one", "other"}, "what this page leaves out is kept"
    page.with_suffix(".json").unlink()
    (out / f"{TOY}_60-decisions_one_2.json").write_text("{}")
    code, _, err = run(*asked)
    assert code == 2 and "not the results of this run" in err and err.count("\n") == 1
    for text in ("[{}]", "[", json.dumps([{**facts, "game": "../toy"}])):
        page.with_suffix(".json").write_text(text)
        code, _, err = run(*asked)
        assert code == 2 and "page.json: not the runs of a page" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--seeds", "1"], "--seeds"),
        (["--minutes", "1", "--decisions", "5"], "only one of them"),
        (["--learners", "nobody"], "--learners 'nobody': must be among one, other"),
        (["--games", "chess"], "unknown game 'chess'"),
    ],
)
def test_a_mistake_is_told_in_one_line(tiny: list[Run], run: RunCommand, arguments: list[str], message: str) -> None:
    code, _, err = run("baselines", *arguments)
    assert code == 2 and message in err and err.count("\n") == 1 and tiny == []


def test_scores_are_on_the_scale_of_the_suite(tiny: list[Run]) -> None:
    cell = cell_of(TOY)
    made = [make_agent(spec, cell.game, cell.config, seed=0) for spec in ("random", FIRST)]
    low, high = (measured(cell, agent, 40) for agent in made)
    assert abs(low - 0) < 40 and abs(high - 100) < 40
    assert 2 * SEEDS < SEED < SUITE_SEEDS, "deals that neither training nor the suite has"


def test_a_watch_measures_at_even_shares_and_its_clock_stands_still_meanwhile() -> None:
    now, measured = [0.0], list[bool]()

    def measure(agent: Agent, last: bool) -> float:
        now[0] += 1000.0
        measured.append(last)
        return 1.0

    agent = make_agent("random", get_game("nicodemus-v2"), get_game("nicodemus-v2").config())
    watch = Watch(Budget(minutes=1.0), measure, lambda: now[0])
    now[0] += 500.0  # compiling
    watch.start()
    steps = 0
    while watch.goes_on(steps, lambda: agent):
        steps += 1
        now[0] += 1.0
    assert measured == [False] * (POINTS - 1) + [True] and steps == 60
    assert [point.seconds for point in watch.points] == [10, 20, 30, 40, 50, 60]
    watch = Watch(Budget(decisions=60), measure)
    assert watch.goes_on(25, lambda: agent) and len(watch.points) == 1, "a large step is one point"
    assert watch.share == pytest.approx(25 / 60) and not watch.goes_on(61, lambda: agent)


def test_aggregates_are_interquartile_means_over_seeds_with_intervals() -> None:
    scores = np.array([[0.0], [10], [20], [30], [1000]])
    share, (low, high) = aggregate(scores)
    assert share == 20.0 and low < 20 < high
    same = np.tile([[5.0, 7.0]], (4, 1))
    assert aggregate(same) == (6.0, (6.0, 6.0)), "seeds are drawn within a game"


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_learners_learn_with_masks_and_give_agents(name: str) -> None:
    """On a game of ours; an illegal action would lose the game, and none is chosen."""
    game = get_game("nicodemus-v2")
    actions: list[bool] = []

    def measure(agent: Agent, last: bool) -> float:
        env = make_sb3_vec(game.id, 4, opponents=["random"], seed=1)
        seen = env.reset()
        for _ in range(5):
            chosen = agent.act(np.asarray(seen, np.int8), env.batch.mask)
            actions.append(bool((env.batch.mask[np.arange(4), chosen] == 1).all()))
            seen = env.step(chosen)[0]
        return float(last)

    watch = Watch(Budget(decisions=2_500), measure)
    LEARNERS[name].learn(game, 3, Budget(decisions=2_500), watch)
    assert actions and all(actions) and watch.points[-1].score == 1.0


@pytest.mark.slow
def test_masked_learners_never_choose_illegal_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while they explore: with illegal="raise" such an action would raise."""
    true = learners.make_sb3_vec
    monkeypatch.setattr(learners, "make_sb3_vec", lambda *args, **more: true(*args, **more, illegal="raise"))
    for name in ("masked-dqn", "masked-a2c", "maskable-ppo"):
        watch = Watch(Budget(decisions=3_000), lambda agent, last: 0.0)
        LEARNERS[name].learn(get_game("nicodemus-v2"), 1, Budget(decisions=3_000), watch)
        assert watch.points[-1].decisions >= 3_000
