"""Levels are chosen by play: with agents of known strength, and by the command on a tiny budget."""

from __future__ import annotations

import json
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments.levels import levels as command
from bdgame_env.experiments.levels.calibration import calibrate
from bdgame_env.experiments.levels.duels import CHUNK, Score
from bdgame_env.experiments.levels.family import Noise, family, searches
from bdgame_env.experiments.levels.levels_page import levels_page, levels_table, off_target
from tests.experiments.conftest import Run

STEP = 400 * log10(0.64 / 0.36)  # Elo


class Simulated:
    """Duels of agents "0", "1", ... whose ratings are given; a seeded draw decides."""

    def __init__(self, ratings: list[float], deals: int) -> None:
        self.ratings, self.deals, self.rng, self.count = ratings, deals, np.random.default_rng(0), 0

    def __call__(self, one: str, other: str, enough: Any) -> Score:
        share = 1 / (1 + 10 ** ((self.ratings[int(other)] - self.ratings[int(one)]) / 400))
        above: list[float] = []
        while True:
            above += self.rng.binomial(2, share, CHUNK).astype(float).tolist()
            self.count += CHUNK
            score = Score(np.array(above), np.full(len(above), 2.0), 2 * len(above), (1, 1), (0.0, 0.0))
            if len(above) >= self.deals or enough(score):
                return score


def test_each_level_beats_the_one_below_as_often_as_wanted() -> None:
    ratings = [1500.0 - 2 * k for k in range(600)]
    duel = Simulated(ratings, 1000)
    chosen = calibrate([str(k) for k in range(600)], 8, duel)
    assert [one.level for one in chosen] == list(range(1, 9)) and chosen[-1].agent == "0"
    assert chosen[0].probed is not None or chosen[0].level == 1
    gaps = [ratings[int(above.agent)] - ratings[int(below.agent)] for below, above in pairwise(chosen)]
    assert all(abs(gap - STEP) < 0.3 * STEP for gap in gaps) and abs(np.mean(gaps) - STEP) < 0.1 * STEP, gaps
    assert duel.count < 8 * 10 * 1000, "what is clearly too weak or too strong is passed over early"


def test_across_a_hole_the_closer_neighbor_is_chosen() -> None:
    """Ratings 0, 10 and 20 below the best are too strong, 130 and more too weak: 130 is the closer one."""
    ratings = [1000.0, 990.0, 980.0, 870.0, 860.0, 850.0]
    chosen = calibrate([str(k) for k in range(6)], 2, Simulated(ratings, 3000))
    assert [one.agent for one in chosen] == ["3", "0"]


def test_a_family_that_ends_gives_fewer_levels() -> None:
    chosen = calibrate(["0", "1", "2"], 5, Simulated([1000.0, 900.0, 890.0], 2000))
    assert len(chosen) == 2 and chosen[0].level == 1


def test_the_family_goes_down_in_small_steps() -> None:
    members = family(64, Noise.epsilon)
    assert members[0] == "az:sims=64" and members[-1] == "ppo:epsilon=1" and len(set(members)) == len(members)
    budgets = [int(spec.partition("=")[2]) for spec in members if searches(spec)]
    assert budgets[-1] == 2 and all(0 < above - below <= max(1, above / 12) for above, below in pairwise(budgets))
    assert members[len(budgets)] == "ppo" and members[len(budgets) + 1] == "ppo:epsilon=0.002"
    sampled = family(64)
    assert sampled[: len(budgets) + 1] == members[: len(budgets) + 1] and len(set(sampled)) == len(sampled)
    temperatures = [float(spec.partition("=")[2]) for spec in sampled[len(budgets) + 1 :]]
    assert temperatures[0] == 0.5 and temperatures[-1] == 64
    assert all(1 < hotter / cooler < 1.03 for cooler, hotter in pairwise(temperatures))


TINY = ("--top", 4, "--levels", 3, "--games", 16, "--search-games", 8)


@pytest.mark.slow
def test_the_command_resumes_and_writes_tables(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "LEVELS", 3)
    monkeypatch.setattr(command, "levels_file", lambda name: tmp_path / f"shipped-{name}.json")
    arguments = ("levels", "nicodemus-v2", *TINY, "--out", tmp_path / "out")
    code, out, error = run(*arguments)
    assert code == 0, error
    assert "az:sims=4 against" in out and "2 players: level 3 against 2" in out and "above the one below" in out
    played = sorted((tmp_path / "out").rglob("*.json"))
    before = {path: path.read_bytes() for path in played if path.parent != tmp_path / "out"}
    code, again, _ = run(*arguments, "--ship")
    assert code == 0 and {path: path.read_bytes() for path in before} == before
    assert out.splitlines()[0] == again.splitlines()[0]
    result = json.loads((tmp_path / "shipped-nicodemus-v2.json").read_text())
    assert [row["level"] for row in result["levels"]] == [1, 2, 3] and result["levels"][2]["agent"] == "az:sims=4"
    assert result["levels"][1]["above"]["2"]["games"] >= 16 and result["levels"][0]["above"] == {}
    text = levels_page([result])
    assert levels_table(result).markdown() in text and result["command"] in text
    assert all(level in (2, 3) for level in off_target(result))


def test_what_cannot_be_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    for arguments, told in (
        (("nobody-v1",), "nobody-v1"),
        (("nicodemus-v2", "--top", 1), "--top"),
        (("nicodemus-v2", "--levels", 1), "--levels"),
        (("nicodemus-v2", "--levels", 11), "--levels"),
        (("nicodemus-v2", "--seed", 2**62), "--seed"),
        (("nicodemus-v2", "--players", "3"), "--players '3': must be 2, and others up to 2"),
        (("bdgame-v3", "--players", "3,4"), "--players '3,4': must be 2, and others up to 4"),
    ):
        code, _, error = run("levels", *arguments, "--out", tmp_path)
        assert code == 2 and told in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())
