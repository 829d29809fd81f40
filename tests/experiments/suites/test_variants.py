"""Suites with variants of a game: a card has a score in each and the gap between two; `decks-1` is such a suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.inputs import SUITE_SEEDS
from bdgame_env.experiments.suites import suite as suites
from bdgame_env.experiments.suites.anchors import anchors_file, read_anchors
from bdgame_env.experiments.suites.suite import LATEST, read_suite
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.experiments.training.rollouts import WindowPlayer
from tests.experiments.conftest import Run

FIRST = "tests.support.bots:First"
SUITE = f"""
seed = {SUITE_SEEDS + 5}
deals = 6
pool_games = 36
players = [2]
gaps = [["short", "long"]]
[pools]
toy-v1 = ["random", "{FIRST}"]
[variants]
short = {{ max_rounds = 3 }}
long = {{ max_rounds = 9 }}
"""


@pytest.fixture
def tiny(small_games: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for results, and one of suites with `SUITE`."""
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites" / "tiny-1.toml").write_text(SUITE)
    monkeypatch.setattr(suites, "FOLDER", tmp_path / "suites")
    return tmp_path


def benchmark(run: Run, tiny: Path, *more: object) -> tuple[dict[str, Any], str]:
    arguments = ("--suite", "tiny-1", "--workers", 1)
    code, _, error = run("benchmark", "--pool", *arguments, "--out", tiny / "pool")
    assert code == 0, error
    code, out, error = run("benchmark", "random", *arguments, "--out", tiny / "out", *more)
    assert code == 0, error
    return json.loads((tiny / "out" / "card.json").read_text()), out


def test_a_card_has_a_score_in_each_variant_and_the_gap(run: Run, tiny: Path) -> None:
    card, out = benchmark(run, tiny)
    cells = {cell["variant"]: cell for cell in card["cells"]}
    assert {name: cell["options"]["max_rounds"] for name, cell in cells.items()} == {"short": 3, "long": 9}
    (gap,) = card["gaps"]
    assert (gap["game"], gap["players"], gap["between"]) == ("toy-v1", 2, ["short", "long"])
    assert gap["points"] == pytest.approx(cells["short"]["score"] - cells["long"]["score"], abs=1e-3)
    assert gap["interval"][0] <= gap["points"] <= gap["interval"][1]
    assert "toy-v1, 2 players, long" in out and "gap from short to long: " in out
    page = tiny / "page.md"
    code, _, error = run("leaderboard", tiny / "out" / "card.json", "--page", page)
    assert code == 0 and "| tiny-1 | toy-v1 2 |" in page.read_text(), error


def test_a_card_with_another_gap_or_variant_is_refused(run: Run, tiny: Path) -> None:
    card, _ = benchmark(run, tiny)
    path = tiny / "out" / "card.json"
    changed = json.loads(json.dumps(card))
    changed["gaps"][0]["points"] += 7
    path.write_text(json.dumps(changed))
    code, _, error = run("leaderboard", path)
    assert code == 2 and "points does not follow from its games" in error
    for variant in ("middle", None):
        changed = json.loads(json.dumps(card))
        changed["cells"][0]["variant"] = variant
        path.write_text(json.dumps(changed))
        code, _, error = run("leaderboard", path)
        assert code == 2 and "has no variant" in error and error.count("\n") == 1


def test_a_pool_that_has_not_played_is_refused_with_the_command_that_plays_it(run: Run, tiny: Path) -> None:
    code, _, error = run("benchmark", "random", "--suite", "tiny-1", "--games", "toy-v1", "--out", tiny / "out")
    assert code == 2 and "bdgame benchmark --pool --games toy-v1 --suite tiny-1 plays it" in error
    code, _, error = run("benchmark", "random", "--suite", "tiny-1", "--players", "3", "--out", tiny / "out")
    assert code == 2 and "--players 3: none of these games is for so many" in error


def test_decks_of_the_track_are_those_of_training_and_held_out_ones() -> None:
    suite = read_suite("decks-1")
    assert suite.seed >= SUITE_SEEDS and suite.seed != read_suite(LATEST).seed
    cells = {cell.variant: cell for cell in suite.cells()}
    assert list(cells) == ["training", "unseen", "standard"]
    assert {name: cell.config.held_out for name, cell in cells.items()} == {
        "training": False,
        "unseen": True,
        "standard": False,
    }
    assert all(cell.config.players == 2 for cell in cells.values())


def test_its_pools_have_played_and_have_learned_nothing() -> None:
    suite = read_suite("decks-1")
    for cell in suite.cells():
        anchors = read_anchors(suite, cell)
        assert anchors.strongest == "engineer" and 0 < anchors.lowest < 0.2 < 0.8 < anchors.highest < 1
        assert json.loads(anchors_file(suite, cell).read_text())["contents"] == {}
        for spec in suite.pools["bdgame-v3"]:
            make_agent(spec, cell.game, cell.config).close()


def test_training_refuses_the_unseen_decks() -> None:
    options = dict(read_suite("decks-1").variants["unseen"])
    with pytest.raises(BadInput, match=r"held out for measuring: .*random:10000-10255"):
        WindowPlayer(get_game("bdgame-v3"), TrainConfig("bdgame-v3", variants=(options,), cards="face"), 1)
