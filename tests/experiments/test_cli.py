"""The command line: what it prints, what it refuses, and how it resumes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bdgame_env import __version__, get_game, list_games
from bdgame_env.agents import agent_names
from bdgame_env.experiments.arena import ladder
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.files import write_text
from bdgame_env.experiments.plots import plot_learning_curve
from tests.experiments.conftest import Run

SHORT = ["tournament", "bdgame-v3", "random", "random", "--option", "max_rounds=2"]


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['experiments', '--help']; from bdgame_env.experiments.cli import main; code = main();"
        "print('heavy:', sorted({'torch', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "tournament" in done.stdout and "games" in done.stdout and "heavy: []" in done.stdout


def test_module_runs_and_fails_with_exit_code_2() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "experiments", "tournament", "chess", "a", "b"], capture_output=True, text=True
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"error: unknown game 'chess'; known: {', '.join(list_games())}\n"


def test_games_are_printed_from_their_declarations(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert f"bdgame-v3: Bdgame, {get_game('bdgame-v3').config().num_actions} actions" in out
    assert "max_rounds=60" in out and "1 to 10000" in out and "players=2" in out


def test_tournament_prints_a_table(run: Run) -> None:
    code, out, err = run(*SHORT, "--games", "4")
    assert code == 0, err
    for title in ("agent", "rating (95 %)", "win rate (95 %)", "mean rank", "mean points (95 %)", "games"):
        assert title in out
    assert "random (2)" in out
    assert "8 games on 4 deals, 2 seatings each; 8 played" in out and "won by seat: " in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["bdgame-v9", "random", "random"], "unknown game 'bdgame-v9'; known: "),
        (["bdgame-v3", "random", "chessmaster"], "unknown agent 'chessmaster'; known: "),
        (["bdgame-v3", "random", "random:deep=3"], "agent 'random:deep=3': "),
        (["bdgame-v3", "random"], "a tournament needs two agents or more"),
        (["bdgame-v3", "random", "random", "--players", "9"], "option players=9 is not allowed; allowed: 2 to 4"),
        (["bdgame-v3", "random", "random", "--option", "speed=3"], "unknown option 'speed'; options: players, "),
        (["bdgame-v3", "random", "random", "--option", "speed"], "option 'speed' is not KEY=VALUE"),
        (["bdgame-v3", "random", "random", "--option", "selling=maybe"], "is not true or false"),
        (["bdgame-v3", "random", "random", "--option", "max_rounds=few"], "is not a whole number"),
        (["bdgame-v3", "random", "random", "--option", "max_rounds=0"], "allowed: 1 to 10000"),
        (["bdgame-v3", "random", "random", "--option", "players=2"], "--players N"),
        (["bdgame-v3", "random", "random", "--option", "deck=nowhere.toml"], "nowhere.toml"),
        (["bdgame-v3", "random", "random", "--games", "0"], "--games"),
        (["bdgame-v3", "random", "random", "--games", "many"], "--games"),
        (["bdgame-v3", "random", "random", "--speed", "3"], "--speed"),
        (["bdgame-v3"], "AGENT"),
        (["bdgame-v3", "random", "random", "--format", "knockout"], "must be one of round-robin, gauntlet, swiss"),
        (["bdgame-v3", "random", "random", "--rounds", "3"], "--rounds needs --format swiss"),
        (["bdgame-v3", "random", "random", "--format", "swiss", "--until-settled"], "round-robin or gauntlet"),
        (["bdgame-v3", *["random"] * 3, "--format", "swiss", "--rounds", "1"], "must be 2 or more"),
        (["bdgame-v3", "random", "random", "--until-settled", "--delta", "0.5"], "between 0 and 0.5"),
        (["bdgame-v3", "random", "random", "--half-width", "0.5"], "must be from 0.001 to below 0.5"),
        (["bdgame-v3", "random", "random", "--half-width", "0.03", "--until-settled"], "only one of them"),
        (["bdgame-v3", "random", "random", "--half-width", "0.03", "--format", "swiss"], "--format round-robin"),
        (["bdgame-v3", "random", "random", "--minutes", "3"], "--minutes needs --half-width"),
        (["bdgame-v3", "random", "random", "--time", "soon"], "--time soon: must be [AGENT=]SECONDS"),
        (["bdgame-v3", "random", "random", "--time", "nan"], "--time nan: must be [AGENT=]SECONDS"),
        (["bdgame-v3", "random", "random", "--time", "greedy=1"], "no agent 'greedy'; agents: random, random"),
        (["bdgame-v3", "random", "random", "--workers", "0"], "--workers"),
        (["bdgame-v3", "random", "no.such:Bot"], "agent 'no.such:Bot': importing no.such: ModuleNotFoundError"),
        (["bdgame-v3", "random", "tests.support.bots:Bot"], "tests.support.bots has no 'Bot'"),
        (["bdgame-v3", "random", "tests.support.bots:First:depth=3"], "unexpected keyword argument 'depth'"),
        (["bdgame-v3", "random", "tests.support.bots:First:depth"], "'depth' is not KEY=VALUE"),
        (["bdgame-v3", "random", "tests.support.bots:not_an_agent"], "gives int, not a bdgame_env.agents.base.Agent"),
        (["bdgame-v3", "random", "tests.support.bots:fails"], "RuntimeError: no model"),
        (["bdgame-v3", "random", "program:"], "needs a command"),
        (["bdgame-v3", "random", "program:no-such-bot --fast"], "there is no program 'no-such-bot'"),
        (["bdgame-v3", "random", "program:'bot"], "No closing quotation"),
    ],
)
def test_a_mistake_is_told_in_one_line(run: Run, arguments: list[str], line: str) -> None:
    code, out, err = run("tournament", *arguments)
    assert code == 2 and out == ""
    assert err.startswith("error: ") and err.count("\n") == 1 and line in err


def test_an_unknown_command_is_told_in_one_line(run: Run) -> None:
    code, _, err = run("tournamnt")
    assert code == 2 and "No such command" in err and err.count("\n") == 1


def test_the_version_is_shown(run: Run) -> None:
    assert run("--version") == (0, f"bdgame_env {__version__}\n", "")


def test_a_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("rich.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "rich", None)
    for name in ("arena.tournament", "arena.tournament_progress", "arena.text_report", "tables"):
        monkeypatch.delitem(sys.modules, f"bdgame_env.experiments.{name}", raising=False)
    code, _, err = run(*SHORT)
    assert code == 2
    assert err == "error: tournament needs the extra 'arena': pip install -e '.[arena]'\n"


# The ladder


def test_the_ladder_plays_the_baselines(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {name.partition(":")[0] for name in ladder.STRONGER} <= set(agent_names())
    monkeypatch.setattr(ladder, "STRONGER", ())
    short = ["--games", "1", "--option", "max_rounds=2", "--workers", "1"]
    code, out, err = run("ladder", "bdgame-v3", "tests.support.bots:First", *short, "--out", str(tmp_path))
    assert code == 0, err
    played = outcome(tmp_path)["settings"]["agents"]
    assert played == ["tests.support.bots:First", "random", "engineer", "thrifty", "greedy"]
    assert all(name in out for name in played)


@pytest.mark.usefixtures("small_games")
def test_the_ladder_leaves_out_what_a_game_lacks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "STRONGER", ("ppo",))
    code, out, err = run("ladder", "toy-v1", "tests.support.bots:First", "--games", "1", "--workers", "1")
    assert code == 0, err
    assert "left out: agent 'ppo'" in out
    code, _, err = run("ladder", "toy-v1")
    assert code == 2 and "has only one baseline, random" in err and err.count("\n") == 1


def test_ladders_of_several_games_are_one_page(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each number of players, a round robin of two and Swiss for more; a second run plays nothing."""
    monkeypatch.setattr(ladder, "STRONGER", ("nobody",))
    page = tmp_path / "ladder.md"
    short = ["--games", "1", "--players", "2,3", "--workers", "1", "--out", str(tmp_path / "runs")]
    asked = ["ladders", str(page), "--game", "bdgame-v3", "--game", "nicodemus-v2", *short]
    code, out, err = run(*asked)
    assert code == 0, err
    assert "left out: unknown agent 'nobody'" in out
    again = ["--game", "bdgame-v3", "--players", "3", "--games", "1", "--workers", "1", "--out", str(tmp_path / "runs")]
    whole = page.read_bytes()
    assert run("ladders", str(page), *again)[0] == 0 and page.read_bytes() == whole, "the other tables stay"
    lines = page.read_text(encoding="utf-8").splitlines()
    titles = [line for line in lines if line.startswith("## ")]
    assert titles == ["## Bdgame, 2 players", "## Bdgame, 3 players", "## Nicodemus, 2 players"]
    rows = [line.split("|")[1].strip() for line in lines if line.startswith("|")]
    # where all have met, who beat whom and what follows from it are two tables more
    assert [rows.count(name) for name in ("greedy", "engineer", "heuristic", "random")] == [4, 4, 1, 5]
    assert sum(line.startswith("There is no cycle of three agents") for line in lines) == 1
    formats = [outcome(tmp_path / "runs" / name)["settings"]["format"] for name in ("bdgame-v3-2p", "bdgame-v3-3p")]
    assert formats == ["round-robin", "swiss"]
    before = page.read_bytes()
    monkeypatch.setattr(ladder, "ladder_file", lambda game, players: tmp_path / f"{game}_{players}p.json")
    code, out, _ = run(*asked, "--ship")
    assert code == 0 and page.read_bytes() == before.replace(b" --seed 100", b" --seed 100 --ship")
    assert out.count("; 0 played") == 3
    shipped = json.loads((tmp_path / "bdgame-v3_3p.json").read_text(encoding="utf-8"))
    rated = outcome(tmp_path / "runs" / "bdgame-v3-3p")["standings"]
    assert shipped["options"]["players"] == 3 and shipped["deals"] == rated["deals"]
    assert {row["agent"] for row in shipped["agents"]} == {"greedy", "thrifty", "engineer", "random"}


def test_a_ladder_by_races_says_how_neighbors_did(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "STRONGER", ())
    page = tmp_path / "ladder.md"
    race = ["--games", "40", "--half-width", "0.1", "--workers", "1", "--out", str(tmp_path / "runs")]
    code, _, err = run("ladders", str(page), "--game", "nicodemus-v2", *race)
    assert code == 0, err
    (line,) = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    assert re.fullmatch(r"- heuristic ranks above random in [\d.]+ % \([\d.]+-[\d.]+\) of their meetings", line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--players", "two"), "error: --players 'two', must be numbers such as 2 or 2,3,4\n"),
        (("--players", "7"), "error: --players 7: none of these games is for so many\n"),
        (("--game", "chess"), "error: unknown game 'chess'"),
    ],
)
def test_what_ladders_refuse(run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, _, err = run("ladders", str(tmp_path / "page.md"), *arguments)
    assert code == 2 and err.startswith(message) and err.count("\n") == 1 and not list(tmp_path.iterdir())


# Result files


def outcome(folder: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return data


def test_out_holds_everything(run: Run, tmp_path: Path) -> None:
    code, _, err = run(*SHORT, "--games", "3", "--out", str(tmp_path / "new" / "x"))
    assert code == 0, err
    folder = tmp_path / "new" / "x"
    assert {path.name for path in folder.iterdir()} == {
        *("results.sqlite", "result.json", "games.csv", "standings.csv", "ratings.png", "matrix.png", "report.html")
    }
    for name in ("ratings.png", "matrix.png"):
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    data = outcome(folder)
    assert data["settings"]["game"] == "bdgame-v3" and data["settings"]["options"]["max_rounds"] == 2
    assert data["run"]["command"].startswith("python -m experiments tournament bdgame-v3 random random")
    assert {"commit", "modified", "date", "versions"} <= data["run"].keys()
    assert data["standings"]["games"] == 6
    assert [row.partition(",")[0] for row in (folder / "games.csv").read_text().splitlines()[1:]] == list("012345")


def test_a_text_that_utf8_cannot_say_is_written_with_escapes(tmp_path: Path) -> None:
    write_text(tmp_path / "x.txt", "whole\x00\ud800\u202e")
    assert (tmp_path / "x.txt").read_bytes().decode() == "whole\x00\\ud800\u202e"


def test_learning_curve(tmp_path: Path) -> None:
    table, path = tmp_path / "curve.csv", tmp_path / "curve.png"
    table.write_text("steps,label,win_rate,low,high\n0,random,0.5,0.4,0.6\n100,random,0.9,0.8,1.0\n0,greedy,0,0,0\n")
    plot_learning_curve(table, path, level=0.5)
    assert path.read_bytes().startswith(b"\x89PNG")
    table.write_text("steps,win_rate\n0,much\n")
    with pytest.raises(BadInput, match="could not convert"):
        plot_learning_curve(table, path)
    with pytest.raises(BadInput, match="no rows with columns"):
        plot_learning_curve(table, path, y="reward")


def test_the_command_shares_games_with_classes_and_programs(tmp_path: Path) -> None:
    """As typed in a shell, with two processes, from another folder that contains the user's own class."""
    (tmp_path / "mine.py").write_text("from tests.support.bots import First\n\n\nclass Mine(First):\n    pass\n")
    root = Path(__file__).resolve().parents[2]
    bot = f"program:{shlex.join([sys.executable, str(root / 'docs' / 'random_bot.py')])}"
    command = [sys.executable, "-m", "experiments", "tournament", "bdgame-v3", bot, "mine:Mine", "--workers", "2"]
    command += ["--games", "9", "--option", "max_rounds=2", "--time", "20", "--out", "out"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "18 games on 9 deals, 2 seatings each; 18 played in" in done.stdout and "forfeit" not in done.stdout
    assert outcome(tmp_path / "out")["settings"]["batch"] == 8
