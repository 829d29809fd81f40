"""Programs as agents: the sample bot plays, and programs at fault lose with a reason."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents import UnknownAgent, make_agent
from agents.arena import GameResult, play_games
from agents.program_agent import ProgramAgent
from agents.seating import seatings
from tests.support import toy_game

SAMPLE = Path(__file__).resolve().parents[2] / "docs" / "random_bot.py"
GAME, BOX = toy_game.GAME, toy_game.GAME.box(players=2, max_rounds=3)


def program(path: Path, code: str) -> str:
    """The spec of a program that begins as it should and answers each position with `code`."""
    path.write_text(
        "import json, os, sys, time\n"
        "for line in sys.stdin:\n"
        "    word, _, rest = line.partition(' ')\n"
        "    content = json.loads(rest)\n"
        "    if word == 'hello': print('hello 1', flush=True)\n"
        f"    if word == 'position': {code}\n"
    )
    return f"program:{shlex.join([sys.executable, str(path)])}"


def play(*specs: str, games: int = 2, **more: Any) -> list[GameResult]:
    agents = [make_agent(spec, GAME, BOX) for spec in specs]
    try:
        return play_games(GAME, BOX, agents, seatings(2, 2, games, seed=0), **more)
    finally:
        for agent in agents:
            agent.close()


def test_the_sample_bot_plays_whole_games_and_repeats_them() -> None:
    spec = f"program:{shlex.join([sys.executable, str(SAMPLE)])}"
    results = play(spec, "random", games=4, seed=3)
    assert [result.forfeit for result in results] == [None] * 8
    assert play(spec, "random", games=4, seed=3) == results
    assert play(spec, "random", games=4, seed=4) != results
    assert len(SAMPLE.read_text().splitlines()) <= 30


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print('kill all humans', flush=True)", "answered 'kill all humans', which is no move"),
        ("print('take keep' if 'draw' in content['legal'] else 'draw', flush=True)", "which was not legal"),
        ("print('x' * 20000, flush=True)", "sent a line of more than 10000 bytes"),
        ("sys.stdout.write('draw'); sys.exit()", "or one without an end"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "which is no move"),
        ("sys.exit(4)", "ended with exit code 4"),
        ("raise KeyError('lost')", "ended with exit code 1: KeyError: 'lost'"),
        ("os.close(1); time.sleep(60)", "closed its output"),
    ],
)
def test_a_program_at_fault_loses(tmp_path: Path, code: str, reason: str) -> None:
    bad = program(tmp_path / "bot.py", code)
    results = play("random", bad, games=1)
    assert len(results) == 2
    for result in results:
        assert result.forfeit == result.agents.index(1)
        assert reason in result.reason and "\n" not in result.reason


def test_a_program_that_is_silent_loses(tmp_path: Path) -> None:
    silent = program(tmp_path / "bot.py", "pass")
    agent = ProgramAgent(GAME, BOX, silent.removeprefix("program:"), seconds=0.5)
    results = play_games(GAME, BOX, [make_agent("random", GAME, BOX), agent], seatings(2, 2, 1, seed=0))
    assert {result.reason for result in results} == {"gave no answer in 0.5 s"}
    agent.close()
    limited = play("random", silent, games=1, time_limit=0.5, remake=lambda index: make_agent("random", GAME, BOX))
    assert "took more than 0.5 s per decision" in {result.reason for result in limited}


def test_a_program_must_greet(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("print('Welcome to CleverBot 2.0', flush=True)\ninput()\n")
    (result, _) = play(f"program:{shlex.join([sys.executable, str(path)])}", "random", games=1)
    assert result.reason == "greeted with 'Welcome to CleverBot 2.0', not 'hello 1'"


def test_a_program_that_says_too_much_loses(tmp_path: Path) -> None:
    chatty = program(
        tmp_path / "bot.py", "sys.stdout.write(content['legal'][0] + '\\nyour turn\\n'); sys.stdout.flush()"
    )
    for result in play("random", chatty):
        assert result.forfeit is not None and "your turn" in result.reason


def test_a_program_is_started_again_after_a_fault(tmp_path: Path) -> None:
    """It ends in every game in which it has seat 1, and plays the others to their ends all the same."""
    mortal = program(
        tmp_path / "bot.py",
        "content['seat'] and content['snapshot']['round'] > 1 and sys.exit(); print(content['legal'][0], flush=True)",
    )
    results = play("random", mortal, games=5)
    assert [result.forfeit for result in results] == [1, None] * 5


def test_a_program_sees_nothing_hidden(tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = program(
        tmp_path / "bot.py",
        f"open({str(log)!r}, 'a').write(json.dumps(content) + '\\n'); print(content['legal'][0], flush=True)",
    )
    assert [result.forfeit for result in play(spec, "random")] == [None] * 4
    positions = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(positions) > 6
    for position in positions:
        assert set(position) == {"seat", "snapshot", "legal"}
        shown, seat = position["snapshot"], position["seat"]
        assert isinstance(shown["secret"][seat], int), "its own card"
        assert shown["secret"][1 - seat] is None and isinstance(shown["deck"], int)
        assert shown["seat"] == seat and position["legal"]


def test_snapshots_come_from_records_that_were_dealt_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even a snapshot function that told too much could not tell what is hidden."""
    told = []

    def leaks(state: Any, box: Any, omniscient: bool, seat: int | None = None) -> Any:
        told.append((tuple(state["deck"]), int(state["deal"]), omniscient))
        return toy_game.snapshot(state, box, omniscient, seat)

    agent = make_agent(f"program:{shlex.join([sys.executable, str(SAMPLE)])}", GAME, BOX)
    assert isinstance(agent, ProgramAgent)
    monkeypatch.setattr(agent, "_game", _With(leaks))
    seating = seatings(2, 2, 1, seed=0)[:1]
    play_games(GAME, BOX, [agent, make_agent("random", GAME, BOX)], seating)
    agent.close()
    games = np.zeros(1, GAME.state)
    GAME.drivers.reset_games(games, BOX.record, np.array([seating[0].deal_number], np.uint64), 0, 1)
    assert told and not any(omniscient for *_, omniscient in told)
    assert told[0][0] != tuple(games[0]["deck"]) and told[0][1] != seating[0].deal_number


class _With:
    """The toy game with another snapshot."""

    def __init__(self, snapshot: Any) -> None:
        self.snapshot, self.id, self.notation = snapshot, GAME.id, GAME.notation


@pytest.mark.parametrize("command", ["", "  ", "'", "no-such-program --x"])
def test_a_command_that_cannot_run_is_refused(command: str) -> None:
    with pytest.raises(UnknownAgent, match="agent 'program"):
        make_agent(f"program:{command}", GAME, BOX)


def test_classes_by_import_path() -> None:
    agent = make_agent("tests.support.bots:First:games_at_once=3", GAME, BOX)
    assert agent.games_at_once == 3 and agent.name == "tests.support.bots:First:games_at_once=3"
    with pytest.raises(UnknownAgent, match="unknown agent 'chess master'"):
        make_agent("chess master:deep", GAME, BOX)
    with pytest.raises(UnknownAgent, match="'path' is not KEY=VALUE"):
        make_agent("ppo:path", GAME, BOX)
