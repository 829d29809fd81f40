"""Tournaments on a cluster: the same results as on one machine, whatever is killed or cut off meanwhile."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.engine.game import Game
from bdgame_env.experiments.arena.outcome import Outcome
from bdgame_env.experiments.arena.settings import Settings
from bdgame_env.experiments.arena.tournament import Place, run
from tests.cluster.conftest import Nodes
from tests.cluster.proxy import Proxy
from tests.support import toy_game

FIRST, DRAWN, SLOW = (f"tests.support.bots:{name}" for name in ("First", "Drawn", "Slow"))
GAME: Game = toy_game.GAME
ROOT = Path(__file__).resolve().parents[2]
ON_RAY = Place(on="ray")


def settings(*agents: str, games: int = 4, batch: int = 4, **more: Any) -> Settings:
    options = dict(GAME.config(players=2, max_rounds=4).options)
    return Settings("toy-v1", options, list(agents), games, batch=batch, **more)


def play(tournament: Settings, place: Place, out: Path | None = None, **more: Any) -> Outcome:
    return run(tournament, GAME, GAME.config(**tournament.options), out, place=place, **more)


def numbers(path: Path) -> list[int]:
    with sqlite3.connect(path / "results.sqlite") as connection:
        found = [number for (number,) in connection.execute("SELECT number FROM games ORDER BY number")]
    connection.close()
    return found


class At:
    """Does something once so many games have ended."""

    def __init__(self, games: int, act: Callable[[], None]) -> None:
        self.games, self.act, self.done = games, act, False

    def __call__(self, total: int, found: int, ended: int) -> None:
        if ended >= self.games and not self.done:
            self.done = True
            self.act()


def workers_of(log: Path) -> list[int]:
    """The processes that host those that have written to a log, the latest last."""
    latest = dict.fromkeys(reversed([int(line) for line in log.read_text().split()]))
    found = []
    for process in latest:
        with suppress(OSError):
            found.append(int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]))
    return found[::-1]


@pytest.mark.parametrize(
    ("count", "more"),
    [(4, {}), (2, {"format": "swiss", "rounds": 2}), (3, {"format": "gauntlet", "delta": 0.05, "games": 20})],
    ids=["round-robin", "swiss", "until settled"],
)
def test_nodes_give_the_results_of_one_process(nodes: Nodes, count: int, more: dict[str, Any]) -> None:
    nodes.have(count)
    tournament = settings(DRAWN, DRAWN, FIRST, seed=7, **more)
    shown: list[str] = []
    alone, spread = play(tournament, Place(1)), play(tournament, ON_RAY, show_workers=shown.append)
    assert alone.results == spread.results and alone.standings == spread.standings
    assert alone.verdicts == spread.verdicts
    assert any(text.startswith(f"{count} workers on {count} nodes") for text in shown), shown


def test_agents_at_fault_lose_that_game_only(nodes: Nodes) -> None:
    """One that crashes, one that ends its process, one that hangs, one that eats memory."""
    nodes.have(2)
    bad = [f"tests.support.bots:{name}" for name in ("Crashes", "Exits", "Hangs", "Eats")]
    limits = [None, None, None, 0.5, None]
    tournament = settings(FIRST, *bad, games=2, batch=2, format="gauntlet", time_limits=limits)
    outcome = play(tournament, Place(on="ray", memory=700))
    reasons = {name: reason for name, reason, _ in outcome.forfeits}
    assert reasons[bad[0]] == "raised RuntimeError: lost my way"
    assert reasons[bad[1]] == "ended its process (exit code 3)"
    assert reasons[bad[2]] == "took more than 0.5 s per decision"
    assert "MemoryError" in reasons[bad[3]]
    assert len(outcome.results) == 16 and all(
        result.agents[result.forfeit] for result in outcome.results if result.forfeit
    )
    exits = [result for result in outcome.results if 2 in result.agents]
    good = list(play(settings(FIRST, FIRST, games=2), Place(1)).results)
    for result, well in zip(exits, good, strict=True):
        if result.agents == (0, 2):
            assert result.forfeit == 1 and result.decisions > 0
        else:
            assert (result.points, result.actions) == (well.points, well.actions), "the other game goes on"


def test_killed_workers_lose_no_game_and_none_counts_twice(nodes: Nodes, tmp_path: Path) -> None:
    """SIGKILL for the process that Ray knows, which takes the one in which agents play with it."""
    nodes.have(2)
    log = tmp_path / "log"
    tournament = settings(f"{SLOW}:log={log}", DRAWN, games=24, batch=2, seed=3)
    killed: list[int] = []
    shown: list[str] = []

    def kill() -> None:
        killed.append(workers_of(log)[-1])
        os.kill(killed[-1], signal.SIGKILL)

    outcome = play(tournament, ON_RAY, tmp_path / "out", on_progress=At(6, kill), show_workers=shown.append)
    assert killed and any("1 lost" in text for text in shown), shown
    assert numbers(tmp_path / "out") == list(range(48))
    assert outcome.results == play(settings(SLOW, DRAWN, games=24, batch=2, seed=3), Place(1)).results


def test_a_node_that_goes_away_loses_no_game(nodes: Nodes, tmp_path: Path) -> None:
    """And one that comes takes part."""
    first, _ = nodes.have(2)
    tournament = settings(SLOW, DRAWN, games=90, batch=2, seed=4)  # lasts until the new node's worker is there
    shown: list[str] = []

    def swap() -> None:
        nodes.kill(first)
        nodes.add()

    outcome = play(tournament, ON_RAY, tmp_path, on_progress=At(6, swap), show_workers=shown.append)
    assert numbers(tmp_path) == list(range(180))
    lost = next(k for k, text in enumerate(shown) if "lost" in text)
    assert any(text.startswith("2 workers on 2 nodes") for text in shown[lost:]), shown
    assert outcome.results == play(tournament, Place(1)).results


COMMAND = """
import sys
from bdgame_env.registry import register_game
register_game("toy-v1", "tests.support.toy_game:GAME")
from bdgame_env.experiments.cli import main
sys.exit(main())
"""


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", COMMAND, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def stored(out: Path) -> int:
    with suppress(sqlite3.Error):
        return len(numbers(out))
    return 0


def arguments(out: Path, on: str = "ray") -> list[str]:
    options = ["--option", "max_rounds=4", "--games", "24", "--batch", "2", "--on", on, "--out", str(out)]
    return ["tournament", "toy-v1", SLOW, DRAWN, *options]


def test_a_driver_that_is_killed_goes_on_when_started_again(nodes: Nodes, tmp_path: Path) -> None:
    nodes.have(2)
    driver = started(*arguments(tmp_path))
    until(lambda: stored(tmp_path) > 3)
    driver.kill()
    driver.communicate()
    there = numbers(tmp_path)
    assert 3 < len(there) < 48
    driver = started(*arguments(tmp_path))
    out, err = driver.communicate(timeout=120)
    assert driver.returncode == 0, err
    assert numbers(tmp_path) == list(range(48)) and f"{48 - len(there)} played" in out
    assert f"{len(there)} of 48 games have been played before" in err


def test_a_driver_that_is_cut_off_for_a_while_goes_on(nodes: Nodes, tmp_path: Path) -> None:
    """Its network is gone for a few seconds; the workers play on."""
    nodes.have(2)
    proxy = Proxy(nodes.client_port)
    driver = started(*arguments(tmp_path, f"ray://127.0.0.1:{proxy.port}"))
    try:
        until(lambda: stored(tmp_path) > 3 or driver.poll() is not None)
        assert driver.poll() is None, driver.communicate()
        proxy.cut()
        before = proxy.connections
        time.sleep(4)
        proxy.mend()
        out, err = driver.communicate(timeout=120)
    finally:
        driver.kill()
        proxy.close()
    assert driver.returncode == 0, err
    assert proxy.connections > before, "it was cut off"
    assert numbers(tmp_path) == list(range(48)) and "48 played" in out


def test_a_driver_that_is_cut_off_for_good_says_so(nodes: Nodes, tmp_path: Path) -> None:
    """And the same command, on a connection that works, plays what is missing."""
    nodes.have(2)
    proxy = Proxy(nodes.client_port)
    driver = started(*arguments(tmp_path, f"ray://127.0.0.1:{proxy.port}"))
    try:
        until(lambda: stored(tmp_path) > 3 or driver.poll() is not None)
        proxy.cut()
        _, err = driver.communicate(timeout=150)
    finally:
        driver.kill()
        proxy.close()
    assert driver.returncode == 2
    assert "the connection to the cluster was lost" in err.splitlines()[-1]
    there = numbers(tmp_path)
    driver = started(*arguments(tmp_path))
    out, err = driver.communicate(timeout=150)
    assert driver.returncode == 0, err
    assert numbers(tmp_path) == list(range(48)) and f"{48 - len(there)} played" in out
