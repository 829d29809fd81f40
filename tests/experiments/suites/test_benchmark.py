"""The benchmark on a tiny suite of the toy game: pool, card, leaderboard, and what is refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env import get_game, make_sb3_vec
from bdgame_env.agents import make_agent
from bdgame_env.experiments.arena.schedule import CIRCLE, GUEST, Plan, circle_orders
from bdgame_env.experiments.arena.tournament import Place
from bdgame_env.experiments.inputs import SUITE_SEEDS
from bdgame_env.experiments.suites import suite as suites
from bdgame_env.experiments.suites.anchors import anchors_file, read_anchors
from bdgame_env.experiments.suites.benchmark import play_pool
from bdgame_env.experiments.suites.card import interquartile_mean
from bdgame_env.experiments.suites.suite import read_suite
from bdgame_env.registry import GAMES, register_game
from tests.experiments.conftest import Run

DRAWN, DREAMS, FIRST = (f"tests.support.bots:{name}" for name in ("Drawn", "Dreams", "First"))
SUITE = f"""
seed = {SUITE_SEEDS + 5}
deals = 6
pool_games = 36
[pools]
toy-v1 = ["random", "{FIRST}", "{DREAMS}"]
"""
SHORT = ("--suite", "tiny-1", "--workers", "1")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of suites: `SUITE`, whose pool has played with two and three players."""
    folder = tmp_path_factory.mktemp("suites")
    (folder / "tiny-1.toml").write_text(SUITE)
    register_game("toy-v1", "tests.support.toy_game:GAME")
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(suites, "FOLDER", folder)
            suite = read_suite("tiny-1")
            play_pool(suite, suite.cells(players="2,3"), folder.parent / "runs", Place(1))
    finally:
        del GAMES["toy-v1"]
    return folder


@pytest.fixture
def tiny(small_games: None, played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for results; the suite is that of `played`."""
    shutil.copytree(played, tmp_path / "suites")
    monkeypatch.setattr(suites, "FOLDER", tmp_path / "suites")
    return tmp_path


@pytest.fixture
def measured(tiny: Path, run: Run) -> Callable[..., Path]:
    """Has an agent play; returns the card."""

    def measured(agent: str, *more: object, players: str = "2") -> Path:
        code, _, err = run("benchmark", agent, "--players", players, "--out", tiny / "out", *SHORT, *more)
        assert code == 0, err
        return tiny / "out" / "card.json"

    return measured


def read(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text())
    return data


def test_an_agent_gets_its_card_and_the_leaderboard_takes_it(
    measured: Callable[..., Path], run: Run, tmp_path: Path
) -> None:
    card = measured(DRAWN, "--name", "a bot", players="2,3")
    found = read(card)
    assert [(cell["players"], cell["deals"], cell["games"]) for cell in found["cells"]] == [(2, 6, 36), (3, 6, 54)]
    for cell in found["cells"]:
        assert cell["score_interval"][0] <= cell["score"] <= cell["score_interval"][1]
        assert cell["rating_interval"][0] <= cell["rating"] <= cell["rating_interval"][1]
        assert [row["opponent"] for row in cell["above"]] == ["random", FIRST, DREAMS] and cell["forfeits"] == []
        assert len({row["meetings"] for row in cell["above"]}) == 1, "it meets all equally often"
        assert len(cell["wins_by_seat"]) == cell["players"] and cell["decisions"] > 0
    assert found["agent"] == "a bot" and found["score_interval"][0] <= found["score"] <= found["score_interval"][1]
    assert list(found["contents"]["toy-v1, 2 players"]) == ["source bots.py"]
    assert (card.parent / "card.png").read_bytes().startswith(b"\x89PNG")
    code, out, err = run("benchmark", DRAWN, "--players", "2,3", "--out", tmp_path / "out", "--name", "a bot", *SHORT)
    assert code == 0 and "90 of 90" not in err and read(card)["cells"] == found["cells"], "a second run plays nothing"
    page = tmp_path / "page.md"
    for _ in range(2):
        code, out, err = run("leaderboard", card, "--page", page)
        assert code == 0, err
    assert "90 games, of which" in out
    rows = [line for line in page.read_text().splitlines() if line.startswith("| a bot")]
    assert len(rows) == 1 and "| tiny-1 | toy-v1 2,3 |" in rows[0], "an agent has one row"


def test_opponents_do_again_what_they_did(measured: Callable[..., Path], run: Run) -> None:
    """Also one that draws random numbers for what it cannot see; a game in which one did otherwise is found."""
    card = measured(DREAMS, players="2,3")
    assert read(card)["needs_states"] is True
    code, out, err = run("leaderboard", card, "--sample", "99")
    assert code == 0 and "of its 90 games, of which 90 were played again" in out, err
    told = read(card)
    told["needs_states"] = False
    card.write_text(json.dumps(told))
    code, _, err = run("leaderboard", card, "--sample", "99")
    assert code == 2 and "played again, goes otherwise than it is stored" in err and err.count("\n") == 1


def test_cards_that_do_not_fit_their_games_are_refused(measured: Callable[..., Path], run: Run) -> None:
    card = measured(DRAWN)
    sound, folder = card.read_text(), card.parent / "toy-v1_2p"
    score = json.dumps(json.loads(sound)["score"])
    wrong = json.loads(sound)["cells"][0]
    assert json.loads(sound)["score_interval"] == wrong["score_interval"], "of one cell both are the same"
    changes = {
        "not a card of version 1": "{",
        "score does not follow from its games": sound.replace(f'"score": {score}', '"score": 99.0', 1),
        "unknown suite 'tiny-7'; known: tiny-1": sound.replace("tiny-1", "tiny-7"),
        "measured against another pool": sound.replace(wrong["pool"], "0" * 64),
        "are not those of the card": sound.replace(wrong["results"], "0" * 64),
    }
    for message, text in changes.items():
        card.write_text(text)
        code, _, err = run("leaderboard", card)
        assert code == 2 and message in err and err.count("\n") == 1, message
    card.write_text(sound)
    code, _, err = run("leaderboard", card.with_name("nowhere.json"))
    assert code == 2 and "nowhere.json: cannot be read" in err
    with sqlite3.connect(folder / "results.sqlite") as connection:
        connection.execute("UPDATE batches SET games = json_set(games, '$[0][1]', 5) WHERE first = 0")
    code, _, err = run("leaderboard", card)
    assert code == 2 and "other deals or seats" in err
    shutil.rmtree(folder)
    code, _, err = run("leaderboard", card)
    assert code == 2 and "does not exist" in err


@pytest.mark.parametrize("bot", ["Crashes", "Illegal"])
def test_an_agent_at_fault_loses_that_game_and_its_card_says_why(
    measured: Callable[..., Path], run: Run, bot: str
) -> None:
    card = measured(f"tests.support.bots:{bot}")
    for cell in read(card)["cells"]:
        ((reason, games),) = ((row["reason"], row["games"]) for row in cell["forfeits"])
        assert games == cell["games"] and cell["wins"] == 0 and cell["score"] < 0
        assert reason in ("raised RuntimeError: lost my way", "chose 'take keep', which was not legal")
    assert run("leaderboard", card)[0] == 0


def test_a_benchmark_ends_once_the_score_is_known(measured: Callable[..., Path]) -> None:
    card = read(measured("tests.support.bots:Crashes", "--precision", "400"))
    assert [cell["deals"] for cell in card["cells"]] == [4]


def test_a_card_of_few_deals_says_so(measured: Callable[..., Path], run: Run, tiny: Path) -> None:
    measured(DRAWN)
    again = ("benchmark", DRAWN, "--players", "2", *SHORT, "--out")
    assert "small sample" not in run(*again, tiny / "out")[1]
    assert "a small sample, 2 of 6 deals" in run(*again, tiny / "few", "--deals", "2")[1]


def test_a_function_of_observation_and_mask_is_an_agent(measured: Callable[..., Path]) -> None:
    assert read(measured("tests.support.bots:last_legal"))["cells"][0]["forfeits"] == []


def test_a_changed_pool_is_refused_until_it_is_played_again(
    measured: Callable[..., Path], run: Run, tiny: Path
) -> None:
    suite = read_suite("tiny-1")
    cell = suite.cells("toy-v1", "2")[0]
    file = anchors_file(suite, cell)
    facts = read(file)
    facts["contents"] = {f"agent {DREAMS}": {"source bots.py": "0" * 64}}
    file.write_text(json.dumps(facts))
    code, _, err = run("benchmark", DRAWN, "--players", "2", "--out", tiny / "out", *SHORT)
    assert code == 2 and "source bots.py changed" in err and "--pool --games toy-v1" in err and err.count("\n") == 1
    assert run("benchmark", "--pool", "--players", "2", "--out", tiny / "pool", *SHORT)[0] == 0
    assert read_anchors(suite, cell).lowest < read_anchors(suite, cell).highest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "suite-0"], "unknown suite 'suite-0'; known: tiny-1"),
        (["--games", "nim-v1"], "--games 'nim-v1': tiny-1 has toy-v1"),
        (["--games", "chess"], "unknown game 'chess'"),
        (["--players", "7"], "--players 7: none of these games is for so many"),
        (["--players", "4"], "tiny-1 has no results of its pool for toy-v1, 4 players"),
        (["--precision", "0"], "--precision"),
        (["--pool"], "--pool: the pool plays among itself, without AGENT"),
    ],
)
def test_a_mistake_is_told_in_one_line(tiny: Path, run: Run, arguments: list[str], message: str) -> None:
    code, out, err = run("benchmark", FIRST, *(() if "--suite" in arguments else SHORT), *arguments)
    assert code == 2 and out == "" and message in err and err.count("\n") == 1


def test_an_unknown_agent_is_told_in_one_line(tiny: Path, run: Run) -> None:
    code, _, err = run("benchmark", "nobody", "--games", "toy-v1", *SHORT)
    assert code == 2 and err.startswith("error: unknown agent 'nobody'") and err.count("\n") == 1
    code, _, err = run("benchmark", *SHORT)
    assert code == 2 and err == "error: name an AGENT to measure\n"


def test_seeds_of_suites_are_refused_elsewhere(run: Run) -> None:
    commands = [["tournament", "bdgame-v3", "random", "random"], ["ladder", "bdgame-v3"], ["ship", "runs/none"]]
    for command in [*commands, ["train", "bdgame-v3"], ["exploit", "bdgame-v3", "greedy"]]:
        code, _, err = run(*command, "--seed", SUITE_SEEDS)
        assert code == 2 and str(SUITE_SEEDS) in err and "must be" in err and err.count("\n") == 1, command
    assert read_suite(suites.LATEST).seed >= SUITE_SEEDS


@pytest.mark.parametrize(("agents", "players"), [(8, 2), (8, 3), (7, 4), (3, 4)])
def test_in_a_circle_everyone_sits_everywhere_equally_often(agents: int, players: int) -> None:
    plan = Plan(agents, players, 1, format=CIRCLE)
    seats = np.array(circle_orders(plan, 3))
    assert all((np.bincount(seats[:, seat], minlength=agents) == players).all() for seat in range(players))
    guests = np.array(circle_orders(Plan(agents + 1, players, 1, format=GUEST), 3))
    assert (np.sort(guests)[:, 0] == 0).all() and len(guests) == agents * players
    for seat in range(players):
        counts = np.bincount(guests[:, seat], minlength=agents + 1)
        assert counts[0] == agents and (counts[1:] == players - 1).all()
    assert circle_orders(plan, 3) == circle_orders(plan, 3) != circle_orders(plan, 4)


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end() -> None:
    assert interquartile_mean(np.array([[8.0, 1], [0, 1], [2, 1], [100, 1]])).tolist() == [5.0, 1.0]
    assert interquartile_mean(np.array([3.0, 1.0])) == 2.0


@pytest.mark.slow
def test_a_model_of_stable_baselines_is_an_agent(tmp_path: Path) -> None:
    from stable_baselines3 import A2C, DQN

    from bdgame_env.agents import UnknownAgent
    from bdgame_env.agents.identity import contents_of

    game = get_game("nicodemus-v2")
    config = game.config()
    env = make_sb3_vec(game.id, 2, opponents=["random"], seed=0)
    mask = np.zeros((2, config.num_actions), np.int8)
    mask[0, 3], mask[1, 5] = 1, 1
    for kind, more in ((A2C, {}), (DQN, {"buffer_size": 10})):
        file = tmp_path / f"{kind.__name__}.zip"
        kind("MlpPolicy", env, device="cpu", **more).save(file)
        agent = make_agent(str(file), game, config)
        assert agent.act(np.zeros((2, game.obs.itemsize), np.int8), mask).tolist() == [3, 5]
        assert list(contents_of(str(file), game, config)) == [f"policy {file.name}"]
    other = get_game("gizmos-v3")
    with pytest.raises(UnknownAgent, match="observations and actions of"):
        make_agent(str(file), other, other.config())
    file.write_bytes(b"no zip")
    for name in (str(file), str(tmp_path / "none.zip")):
        with pytest.raises(UnknownAgent, match=r"no model of A2C|cannot be read"):
            make_agent(name, game, config)
