"""Tournaments of the toy game: storage, processes, agents that misbehave, and the files written."""

from __future__ import annotations

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.experiments.arena import workers
from bdgame_env.experiments.arena.outcome import Outcome
from bdgame_env.experiments.arena.schedule import most_games
from bdgame_env.experiments.arena.settings import Settings
from bdgame_env.experiments.arena.store import Store
from bdgame_env.experiments.arena.stored_batches import packed
from bdgame_env.experiments.arena.tournament import Place, run
from bdgame_env.experiments.errors import BadInput
from bdgame_env.experiments.files import provenance
from bdgame_env.experiments.inputs import read_time_limits
from tests.support import toy_game

FIRST, DRAWN = "tests.support.bots:First", "tests.support.bots:Drawn"
ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.usefixtures("small_games")


GAME: Game = toy_game.GAME
CONFIG: GameConfig = GAME.config(players=2, max_rounds=4)


def settings(*agents: str, games: int = 4, batch: int = 4, config: GameConfig = CONFIG, **more: Any) -> Settings:
    return Settings("toy-v1", dict(config.options), list(agents), games, batch=batch, **more)


def play(tournament: Settings, out: Path | None = None, count: int = 1) -> Outcome:
    return run(tournament, GAME, GAME.config(**tournament.options), out, place=Place(count))


# Processes


@pytest.mark.parametrize(
    "more",
    [{}, {"format": "swiss", "rounds": 2}, {"format": "gauntlet", "delta": 0.05, "games": 20}],
    ids=["round-robin", "swiss", "until settled"],
)
def test_same_results_for_any_number_of_processes(more: dict[str, Any]) -> None:
    tournament = settings(DRAWN, DRAWN, FIRST, seed=7, **more)
    alone, shared = play(tournament, count=1), play(tournament, count=2)
    assert alone.results == shared.results and alone.standings == shared.standings
    assert alone.verdicts == shared.verdicts
    assert len({result.points for result in alone.results}) > 3


@pytest.mark.parametrize(("bot", "code"), [("Exits", 3), ("ExitsAsIfAllWereWell", 0)])
def test_an_agent_that_ends_its_process_loses_that_game_only(bot: str, code: int) -> None:
    bad = f"tests.support.bots:{bot}"
    outcome = play(settings(FIRST, bad, games=3), count=2)
    good = play(settings(FIRST, FIRST, games=3))
    assert len(outcome.results) == 6
    for result, well in zip(outcome.results, good.results, strict=True):
        if result.agents == (0, 1):
            assert (result.forfeit, result.ranks) == (1, (1, 2))
            assert result.reason == f"ended its process (exit code {code})" and result.decisions > 0
        else:
            assert result == well
    assert outcome.forfeits == [(bad, f"ended its process (exit code {code})", 3)]


def test_an_agent_that_breaks_its_process_loses() -> None:
    bad = "tests.support.bots:Segfaults"
    outcome = play(settings(bad, FIRST, games=1), count=2)
    assert outcome.forfeits == [(bad, "ended its process (SIGSEGV)", 2)]
    timed = play(settings(bad, FIRST, games=1, time_limits=[5.0, None]), count=2)
    assert timed.forfeits == outcome.forfeits, "before the first move"


def test_agents_that_fail_when_they_are_seeded_lose() -> None:
    bad = ["tests.support.bots:ExitsWhenSeeded", "tests.support.bots:FailsWhenSeeded"]
    outcome = play(settings(FIRST, *bad, games=1, format="gauntlet"), count=2)
    assert outcome.forfeits == [
        (bad[0], "ended its process (exit code 5)", 2),
        (bad[1], "raised RuntimeError: no luck", 2),
    ]


def test_agents_at_fault_lose_and_the_others_play_on() -> None:
    bad = ["tests.support.bots:Crashes", "tests.support.bots:Illegal", "tests.support.bots:Hangs"]
    tournament = settings(FIRST, *bad, games=1, format="gauntlet", time_limits=[None, None, None, 0.3])
    for count in (1, 2):
        outcome = play(tournament, count=count)
        assert len(outcome.results) == 6
        reasons = {name: reason for name, reason, _ in outcome.forfeits}
        assert reasons == {
            bad[0]: "raised RuntimeError: lost my way",
            bad[1]: "chose 'take keep', which was not legal",
            bad[2]: "took more than 0.3 s per decision",
        }
        assert all(result.agents[result.forfeit or 0] != 0 for result in outcome.results if result.forfeit is not None)


def test_a_process_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """If an agent blocks even the thread that watches the clock, the process is silent for too long."""
    monkeypatch.setattr(workers.Job, "patience", lambda self, games: 2.0)
    outcome = play(settings("tests.support.bots:Hangs", FIRST, games=1, batch=1), count=2)
    assert {reason for _, reason, _ in outcome.forfeits} == {"hung its process"}


def test_small_tournaments_of_own_agents_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers._Worker, "__init__", lambda *_: pytest.fail("a process for seven games"))
    assert len(play(settings("random", "random", games=8), count=2).results) == 16
    assert len(play(settings(FIRST, "random", games=8), count=1).results) == 16


# Storage


def games_of(path: Path) -> list[int]:
    """The numbers of the stored games; none while the tables are being created."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            return [number for (number,) in connection.execute("SELECT number FROM games ORDER BY number")]
    except sqlite3.OperationalError:
        return []


@pytest.mark.parametrize("count", [1, 2])
def test_a_killed_tournament_ends_with_exactly_the_games_asked_for(tmp_path: Path, count: int) -> None:
    """SIGKILL after the first batches were written, twice; then the same command runs to the end."""
    slow, log = f"tests.support.bots:Slow:log={tmp_path / 'log'}", tmp_path / "log"
    command = ["tournament", "toy-v1", slow, DRAWN, "--option", "max_rounds=4", "--games", "12", "--batch", "3"]
    command += ["--workers", str(count), "--out", str(tmp_path / "out")]
    program = (
        "import sys; from bdgame_env.registry import register_game;"
        "register_game('toy-v1', 'tests.support.toy_game:GAME');"
        f"sys.argv = ['experiments', *{command!r}]; from bdgame_env.experiments.cli import main; sys.exit(main())"
    )
    start = [sys.executable, "-c", f"if __name__ == '__main__': {program}"]
    store = tmp_path / "out" / "results.sqlite"
    before = 0
    for _ in range(2):
        process = subprocess.Popen(start, cwd=ROOT)
        while len(games_of(store)) < before + 3:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = len(games_of(store))
        assert before % 3 == 0 and 3 <= before < 24
    assert not (store.parent / "result.json").exists()
    done = subprocess.run(start, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (
        f"{before} of 24 games have been played before\n" in done.stderr and f"; {24 - before} played in" in done.stdout
    )
    assert games_of(store) == list(range(24))
    wanted = play(settings(slow, DRAWN, games=12, batch=3))
    with (store.parent / "games.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["points_0"]) for row in rows] == [result.points[0] for result in wanted.results]
    for pid in set(log.read_text().split()) - {str(os.getpid())}:
        _gone(int(pid))


def _gone(pid: int) -> None:
    """Check that the processes of a killed program end by themselves."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} is left behind")


def test_a_finished_tournament_is_not_played_again(tmp_path: Path) -> None:
    tournament = settings(FIRST, DRAWN, "random")
    first = play(tournament, tmp_path)
    content = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".png"}
    told = []
    again = run(tournament, GAME, CONFIG, tmp_path, on_progress=lambda *counts: told.append(counts), place=Place(1))
    assert again == first and set(told) == {(24, 24, 24)}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".png"} == content
    play(tournament, tmp_path / "again")
    for name in ("games.csv", "standings.csv"):
        assert (tmp_path / "again" / name).read_bytes() == content[name], "the same seed gives the same files"


def test_another_tournament_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    play(settings(FIRST, DRAWN), tmp_path)
    before = (tmp_path / "results.sqlite").read_bytes()
    for other in (settings(FIRST, DRAWN, seed=9), settings(FIRST, DRAWN, delta=0.1), settings(DRAWN, FIRST)):
        with pytest.raises(BadInput, match=r"holds another tournament \((seed 0 there, 9 here|delta|agents)") as caught:
            play(other, tmp_path)
        assert "\n" not in str(caught.value)
    assert (tmp_path / "results.sqlite").read_bytes() == before


def test_a_race_goes_on_with_more_minutes_but_not_with_fewer(tmp_path: Path) -> None:
    short = settings(DRAWN, DRAWN, "random", games=40, half_width=0.1, seconds=1e-9)
    first = play(short, tmp_path)
    again = play(replace(short, seconds=None), tmp_path)
    numbers = [result.number for result in first.results]
    assert len(again.results) > len(first.results)
    assert [result for result in again.results if result.number in numbers] == first.results
    assert play(replace(short, seconds=None), tmp_path) == again
    with pytest.raises(BadInput, match="holds another tournament \\(seconds None there, 1e-09 here\\)"):
        play(short, tmp_path)


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (
            "UPDATE batches SET games = json_set(games, '$[2][1]', 5) WHERE first = 0",
            "holds another game in place of game 2",
        ),
        (
            "UPDATE batches SET games = json_remove(games, '$[2]'), size = 3 WHERE first = 0",
            "3 of 4 games from number 0 on are stored",
        ),
        (
            "INSERT INTO batches SELECT 99, 1, json_array(json_set(games -> 0, '$[0]', 99)), actions FROM batches"
            " WHERE first = 0",
            "holds game 99, which is not a game of this tournament",
        ),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, damage: str, line: str) -> None:
    play(settings(FIRST, DRAWN), tmp_path)
    connection = sqlite3.connect(tmp_path / "results.sqlite")
    connection.execute(damage)
    connection.commit()
    connection.close()
    with pytest.raises(BadInput, match=line):
        play(settings(FIRST, DRAWN), tmp_path)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.sqlite").write_text("this is no database, however long it may be" * 100)
    with pytest.raises(BadInput, match="cannot be used: file is not a database"):
        play(settings(FIRST, DRAWN), tmp_path)


# What is written


def test_the_files_agree(tmp_path: Path) -> None:
    config = GAME.config(players=3, max_rounds=3)
    outcome = play(settings(FIRST, DRAWN, "tests.support.bots:Crashes", config=config, games=3), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("results.sqlite", "result.json", "games.csv", "standings.csv", "ratings.png", "matrix.png", "report.html")
    }
    data = json.loads((tmp_path / "result.json").read_text())
    assert data == json.loads(json.dumps(outcome.to_json()))
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["agent_2"] for row in rows] == [outcome.settings.names[r.agents[2]] for r in outcome.results]
    assert {row["forfeit"] for row in rows} == {"tests.support.bots:Crashes"}
    assert {row["reason"] for row in rows} == {"raised RuntimeError: lost my way"}
    with (tmp_path / "standings.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [(row["agent"], float(row["win_rate"])) for row in table] == [
        (row.agent, row.win_rate) for row in outcome.standings.agents
    ]


def test_the_report_stands_alone_and_escapes_names(tmp_path: Path) -> None:
    evil = "tests.support.bots:First:log=<script>alert('x')</script>$x_{$&"
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "learning_curve.csv").write_text("steps,opponent,win_rate\n0,<b>random,0.5\n100,<b>random,0.9\n")
    policy = f"tests.support.bots:First:log={folder / 'policy.npz'}"
    play(settings(evil, policy, "tests.support.bots:Crashes", delta=0.1, games=20), tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "http://" not in page and "https://" not in page and "<script" not in page and "<b>" not in page
    assert "&lt;script&gt;alert(" in page and "src=" not in page and "@import" not in page
    assert page.count("<svg") == page.count("</svg>") == 5, "ratings, matrix, seats, lengths, a learning curve"
    for words in ("Learning curves", "raised RuntimeError: lost my way", "seed", "numba", "Verdicts"):
        assert words in page


def test_a_race_between_neighbors_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """Half of its batches are taken out of the file, as if the rest had not been played yet."""
    tournament = settings(DRAWN, "random", FIRST, games=200, batch=8, half_width=0.05)
    whole = play(tournament, tmp_path)
    standings = whole.standings
    for place, line in enumerate(whole.verdict_lines):
        low, high = standings.win_matrix_intervals[place][place + 1] or (0, 1)
        assert high - low <= 0.1 and line.startswith(f"{standings.agents[place].agent} ranks above ")
    assert len(whole.verdict_lines) == 2 and len(whole.results) < most_games(tournament.plan)
    with closing(sqlite3.connect(tmp_path / "results.sqlite")) as there, there:
        there.execute("DELETE FROM batches WHERE rowid > (SELECT COUNT(*) / 2 FROM batches)")
    assert len(play(tournament, tmp_path).results) >= len(whole.results) / 2


def test_until_settled_says_what_is_settled(tmp_path: Path) -> None:
    outcome = play(settings(FIRST, "tests.support.bots:Crashes", delta=0.05, games=400), tmp_path)
    assert len(outcome.results) < 100
    (verdict,) = json.loads((tmp_path / "result.json").read_text())["verdicts"]
    assert (verdict["one"], verdict["outcome"], verdict["score"]) == (FIRST, "above", 1.0)
    assert "is better than" in outcome.verdict_lines[0]


def test_games_by_other_code_are_told(tmp_path: Path) -> None:
    """A tournament that another commit began and this one resumes; resuming with the same code adds nothing."""
    tournament = settings(FIRST, DRAWN)
    results = play(tournament).results
    with_batch = json.loads(json.dumps(asdict(tournament)))
    store = Store(tmp_path / "results.sqlite", with_batch, {"commit": "before", "versions": {"numpy": "1"}})
    store.add([packed(results[:4])])
    store.close()
    outcome = play(tournament, tmp_path)
    assert outcome.results == results and outcome.run["commit"] == "before"
    assert [later["commit"] for later in outcome.continued] == [provenance()["commit"]]
    assert play(tournament, tmp_path) == outcome
    assert "resumed with other code, 1: commit" in (tmp_path / "report.html").read_text()


# Who may think for how long


def test_time_limits_by_agent() -> None:
    agents = ["greedy", "mcts:playouts=9", "mcts:playouts=20", "random"]
    assert read_time_limits([], agents) == []
    assert read_time_limits(["2"], agents) == [2.0] * 4
    assert read_time_limits(["mcts=5", "2", "mcts:playouts=20=0.5"], agents) == [2.0, 5.0, 0.5, 2.0]
    assert read_time_limits(["greedy=1"], agents) == [1.0, None, None, None]


@pytest.mark.parametrize("format", ["round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize("players", [3, 4])
def test_every_format_at_bigger_tables(format: str, players: int) -> None:
    config = GAME.config(players=players, max_rounds=3)
    agents = [FIRST, DRAWN, "random", DRAWN, FIRST]
    outcome = play(settings(*agents, games=2, config=config, format=format, rounds=2 if format == "swiss" else None))
    assert sum(row.games for row in outcome.standings.agents) == players * len(outcome.results)
    assert len(outcome.results) == most_games(outcome.settings.plan)


# Ctrl-C


_PLAYS = """
import signal
import sys
from bdgame_env.registry import register_game
from bdgame_env.experiments import cli
register_game("toy-v1", "tests.support.toy_game:GAME")
sys.argv = ["experiments", "tournament", "toy-v1", *sys.argv[1:]]
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell disables for background processes
sys.exit(cli.main())
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a matter of POSIX")
@pytest.mark.parametrize("count", [1, 2])
def test_ctrl_c_is_told_in_one_line_loses_no_game_and_the_tournament_goes_on(tmp_path: Path, count: int) -> None:
    """A terminal interrupts all foreground processes; programs that are playing are not blamed for it."""
    bot, pids = tmp_path / "bot.py", tmp_path / "pids"
    bot.write_text(
        f"import json, os, sys, time\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "for line in sys.stdin:\n"
        "    word, _, rest = line.partition(' ')\n"
        "    if word == 'hello': print('hello 1', flush=True)\n"
        "    if word == 'position':\n"
        f"        time.sleep(0.05 if os.path.exists({str(tmp_path / 'slow')!r}) else 0)\n"
        "        print(json.loads(rest)['legal'][0], flush=True)\n"
    )
    out = tmp_path / "out"
    store = out / "results.sqlite"
    arguments = [f"program:{sys.executable} {bot}", "random", "--games", "8", "--batch", "2", "--out", str(out)]
    arguments += ["--workers", str(count), "--option", "max_rounds=4"]
    command = [sys.executable, "-c", _PLAYS, *arguments]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    (tmp_path / "slow").write_text("")
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as running:
        until = time.monotonic() + 60
        while len(games_of(store)) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        said, told = running.communicate(timeout=60)
    assert (running.returncode, said, told) == (130, "", "interrupted\n")
    there = len(games_of(store))
    assert 2 <= there < 16
    for pid in pids.read_text().split():
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    (tmp_path / "slow").unlink()
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and f"{there} of 16 games have been played before" in done.stderr
    results = json.loads((out / "result.json").read_text())
    assert len(games_of(store)) == 16 and results
    with (out / "games.csv").open() as file:
        assert not [row for row in csv.DictReader(file) if row["forfeit"]]
