"""The command `balance`: what it prints, writes and refuses."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import list_games
from tests.experiments.conftest import Run


def rows_of(folder: Path) -> list[dict[str, Any]]:
    with (folder / "balance.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("game", list_games())
def test_sums_add_up_in_every_game(run: Run, tmp_path: Path, game: str) -> None:
    code, out, err = run(
        "balance", game, "--agents", "random,random", "--games", "3", "--workers", "1", "--out", str(tmp_path)
    )
    assert code == 0, err
    assert "games: 6 on 3 deals" in out and "lead changes: " in out and "truncated: " in out and "rounds: " in out
    rows = rows_of(tmp_path)
    by_item: dict[tuple[str, ...], dict[str, list[dict[str, Any]]]] = {}
    for row in rows:
        item = by_item.setdefault((row["kind"], row["family"], row["name"]), {})
        item.setdefault(row["group"], []).append(row)
    families = [item for item in by_item if item[0] == "family"]
    for item, groups in by_item.items():
        assert [len(groups[name]) for name in ("all", "same seating", "agent", "seat")] == [1, 1, 2, 2]
        (whole,) = groups["all"]
        assert 0 < int(whole["available"]) >= int(whole["taken"]) and float(whole["took"]) <= float(whole["could"]) <= 1
        for name in ("agent", "seat"):
            for figure in ("seats", "available", "taken"):
                assert sum(int(row[figure]) for row in groups[name]) == int(whole[figure]), item
    decisions = sum(int(by_item[family]["all"][0]["taken"]) for family in families)
    with (tmp_path / "games.csv").open(newline="") as file:
        assert decisions == sum(int(row["decisions"]) for row in csv.DictReader(file))
    for family in families:  # a family is its cards and actions, unless it is a single action
        parts = [groups["all"][0] for (_, verb, name), groups in by_item.items() if verb == family[1] and name]
        assert not parts or sum(int(part["taken"]) for part in parts) == int(by_item[family]["all"][0]["taken"])


@pytest.mark.usefixtures("small_games")
def test_the_page_stands_alone(run: Run, tmp_path: Path) -> None:
    command = ("nim-v1", "--agents", "random,random", "--games", "40", "--workers", "1", "--out", str(tmp_path))
    code, out, err = run("balance", *command)
    assert code == 0, err
    assert "take" in out and f"written: {tmp_path}" in out and "random (2)" in out and "rounds" not in out
    page = (tmp_path / "balance.html").read_text()
    again = run("balance", *command)
    assert again[0] == 0 and "0 games played" in again[1]
    for text in ('name="viewport"', "prefers-color-scheme: dark", "take 3", "margin, seat 1", "<script>", "40 deals"):
        assert text in page
    assert "http" not in page.replace("http://www.w3.org", "") and "Cards" not in page
    assert (tmp_path / "balance.csv").read_text() and not list(tmp_path.glob(".unfinished-*"))


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bdgame-v3", "--agents", "random,chessmaster"], "unknown agent 'chessmaster'; known: "),
        (
            ["bdgame-v3", "--agents", "random"],
            "--agents random: must be two or more; random,random plays against itself",
        ),
        (["bdgame-v3", "--agents", "random,,greedy"], "--agents: an agent is empty; must be e.g. ppo,greedy"),
        (["bdgame-v3", "--agents", ""], "--agents: an agent is empty"),
        (["bdgame-v3", "--agents", "random,greedy", "--time", "ppo=1"], "no agent 'ppo'; agents: random, greedy"),
    ],
)
def test_a_mistake_is_told_in_one_line(run: Run, arguments: list[str], line: str) -> None:
    code, out, err = run("balance", *arguments)
    assert code == 2 and out == ""
    assert err.startswith("error: ") and err.count("\n") == 1 and line in err


@pytest.mark.usefixtures("small_games")
def test_a_game_without_the_usual_agents_needs_their_names(run: Run) -> None:
    code, out, err = run("balance", "nim-v1", "--games", "1")
    assert code == 2 and out == "" and err.startswith("error: --agents is needed: agent 'heuristic': nim-v1 has no")


def test_a_run_in_which_all_forfeit_says_so(run: Run) -> None:
    bot = "tests.support.bots:Crashes"
    code, out, err = run("balance", "bdgame-v3", "--agents", f"{bot},{bot}", "--games", "1", "--workers", "1")
    assert code == 2 and out == "" and err.splitlines()[-1] == "error: no game to count: all 2 were lost by forfeit"
