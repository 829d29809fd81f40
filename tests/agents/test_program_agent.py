"""Programs as agents: the sample bot plays, and programs at fault lose with a reason."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.agents import UnknownAgent, make_agent, program_agent
from bdgame_env.agents.base import AgentFault
from bdgame_env.agents.program_agent import ProgramAgent
from bdgame_env.engine.loop_builder import loops_of
from bdgame_env.experiments.arena.matches import GameResult, play_batch
from bdgame_env.experiments.arena.seating import seatings
from tests.support import toy_game
from tests.support.variants import variant

SAMPLE = Path(__file__).resolve().parents[2] / "docs" / "random_bot.py"
GAME, CONFIG = toy_game.GAME, toy_game.GAME.config(players=2, max_rounds=3)


def program(path: Path, code: str) -> str:
    """The spec of a program that greets correctly and answers each position with `code`."""
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
    agents = [make_agent(spec, GAME, CONFIG) for spec in specs]
    try:
        return play_batch(GAME, CONFIG, agents, seatings(2, 2, games, seed=0), **more)
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
    agent = ProgramAgent(GAME, CONFIG, silent.removeprefix("program:"), seconds=0.5)
    results = play_batch(GAME, CONFIG, [make_agent("random", GAME, CONFIG), agent], seatings(2, 2, 1, seed=0))
    assert {result.reason for result in results} == {"gave no answer in 0.5 s"}
    agent.close()
    limited = play(
        "random", silent, games=1, time_limits=[0.5] * 2, remake=lambda index: make_agent("random", GAME, CONFIG)
    )
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
    """It exits in every game in which it has seat 1, and still plays the other games to the end."""
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


def test_snapshots_come_from_determinized_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """So even a snapshot function that shows too much cannot show what is hidden."""
    told = []

    def leaks(state: Any, config: Any, omniscient: bool, seat: int | None = None) -> Any:
        told.append((tuple(state["deck"]), int(state["game_seed"]), omniscient))
        return toy_game.snapshot(state, config, omniscient, seat)

    agent = make_agent(f"program:{shlex.join([sys.executable, str(SAMPLE)])}", GAME, CONFIG)
    assert isinstance(agent, ProgramAgent)
    monkeypatch.setattr(agent, "_game", variant(GAME, snapshot=leaks))
    seating = seatings(2, 2, 1, seed=0)[:1]
    play_batch(GAME, CONFIG, [agent, make_agent("random", GAME, CONFIG)], seating)
    agent.close()
    games = np.zeros(1, GAME.state)
    loops_of(GAME).reset_games(games, CONFIG.record, np.array([seating[0].game_seed], np.uint64), 0, 1)
    assert told and not any(omniscient for *_, omniscient in told)
    assert told[0][0] != tuple(games[0]["deck"]) and told[0][1] != seating[0].game_seed


@pytest.mark.parametrize("command", ["", "  ", "'", "no-such-program --x"])
def test_a_command_that_cannot_run_is_refused(command: str) -> None:
    with pytest.raises(UnknownAgent, match="agent 'program"):
        make_agent(f"program:{command}", GAME, CONFIG)


def test_classes_by_import_path() -> None:
    agent = make_agent("tests.support.bots:First:games_at_once=3", GAME, CONFIG)
    assert agent.games_at_once == 3 and agent.name == "tests.support.bots:First:games_at_once=3"
    with pytest.raises(UnknownAgent, match="unknown agent 'chess master'"):
        make_agent("chess master:deep", GAME, CONFIG)
    with pytest.raises(UnknownAgent, match="'path' is not KEY=VALUE"):
        make_agent("ppo:path", GAME, CONFIG)


# Faults that reach beyond a game

needs_groups = pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a matter of POSIX")


def gone(pids: list[int], seconds: float = 5.0) -> bool:
    """Whether the processes end within this time; zombies count as ended."""

    def alive(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        with suppress(OSError):
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        return True

    until = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    return not any(map(alive, pids))


@needs_groups
@pytest.mark.parametrize("way", ["has a child", "has a deaf child", "ends first", "is deaf", "forks"])
def test_all_processes_of_a_program_end_with_it(tmp_path: Path, way: str) -> None:
    """Including children that ignore signals, are left behind, or continue in its place."""
    log = tmp_path / "pids"
    child = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    begin = {
        "has a child": "subprocess.Popen(['sleep', '600'])",
        "has a deaf child": f"subprocess.Popen([sys.executable, '-c', {child!r}])",
        "ends first": f"subprocess.Popen([sys.executable, '-c', {child!r}])",
        "is deaf": "[signal.signal(s, signal.SIG_IGN) for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]",
        "forks": "os.fork() and os._exit(0)",
    }[way]
    path = tmp_path / "bot.py"
    path.write_text(
        f"import json, os, signal, subprocess, sys, time\nstarted = {begin}\n"
        f"pids = [os.getpid()] + ([started.pid] if hasattr(started, 'pid') else [])\n"
        f"open({str(log)!r}, 'a').write(' '.join(map(str, pids)) + '\\n')\n"
        "for line in sys.stdin:\n"
        "    word, _, rest = line.partition(' ')\n"
        "    if word == 'hello': print('hello 1', flush=True)\n"
        f"    if word == 'position' and {way == 'ends first'}: sys.exit(3)\n"
        "    if word == 'position': print(json.loads(rest)['legal'][0], flush=True)\n"
        "while True: time.sleep(600)\n"
    )
    spec = f"program:{shlex.join([sys.executable, str(path)])}"
    results = play(spec, "random", games=1)
    reasons = {"ends first": {"ended with exit code 3"}, "forks": {"", "ended with exit code 0"}}.get(way, {""})
    assert {result.reason for result in results} <= reasons
    pids = [int(pid) for pid in log.read_text().split()]
    assert len(pids) >= {"has a child": 2, "has a deaf child": 2, "ends first": 4, "is deaf": 1, "forks": 1}[way]
    assert gone(pids)


def test_a_flood_of_complaints_neither_blocks_nor_is_kept(tmp_path: Path) -> None:
    """It writes 20 MB to standard error before each move; the last line is reported when the program ends."""
    loud = program(
        tmp_path / "bot.py",
        "[sys.stderr.write('noise ' * 1000 + '\\n') for _ in range(3333)]; sys.stderr.flush();"
        " print(content['legal'][0], flush=True)",
    )
    agent = make_agent(loud, GAME, CONFIG)
    assert isinstance(agent, ProgramAgent)
    seating = seatings(2, 2, 1, seed=0)
    results = play_batch(GAME, CONFIG, [agent, make_agent("random", GAME, CONFIG)], seating)
    assert [result.reason for result in results] == ["", ""]
    assert agent._program is not None and len(agent._program._errors) <= 10_000
    agent.close()
    broken = program(
        tmp_path / "other.py", "sys.stderr.write('noise\\n' * 10**6); sys.stderr.write('out of luck\\n'); os._exit(2)"
    )
    assert {result.reason for result in play(broken, "random", games=1)} == {"ended with exit code 2: out of luck"}


def test_a_flood_of_answers_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("input()\nprint('hello 1', flush=True)\nwhile True: print('draw')\n")
    began = time.monotonic()
    for result in play(f"program:{shlex.join([sys.executable, str(path)])}", "random", games=1):
        assert result.forfeit is not None and ("'draw' unasked" in result.reason or "not legal" in result.reason)
    assert time.monotonic() - began < 20


@needs_groups
def test_a_program_that_does_not_read_loses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its input fills up, but it does not block the tournament."""
    path = tmp_path / "bot.py"
    path.write_text("import time\ntime.sleep(600)\n")
    agent = ProgramAgent(GAME, CONFIG, shlex.join([sys.executable, str(path)]), seconds=600)
    running = program_agent._Program(agent._command)
    with pytest.raises(AgentFault, match="does not read its input"):
        running.tell("position", "x" * 10**6, 0.2)
    running.end()
    assert gone([running._process.pid])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may refuse such limits")
def test_the_memory_of_a_program_can_be_limited(tmp_path: Path) -> None:
    code = "kept = globals().get('kept') or bytearray(400_000_000); print(content['legal'][0], flush=True)"
    spec = program(tmp_path / "bot.py", code)
    assert [result.reason for result in play(spec, "random", games=1)] == ["", ""]
    command = spec.removeprefix("program:")
    results = play(f"program:memory=200 {command}", "random", games=1)
    assert {result.reason for result in results} == {"ended with exit code 1: MemoryError"}
    assert [result.reason for result in play(f"program:memory=900 {command}", "random", games=1)] == ["", ""]


@pytest.mark.parametrize("limit", ["", "0", "-1", "lots", "1.5", "9" * 5000])
def test_a_memory_limit_that_is_none_is_refused(limit: str) -> None:
    with pytest.raises(UnknownAgent, match="must be a number of MB, 1 to") as refused:
        make_agent(f"program:memory={limit} {shlex.quote(sys.executable)}", GAME, CONFIG)
    assert len(str(refused.value)) < 200
    with pytest.raises(UnknownAgent, match="needs a command"):
        make_agent("program:memory=100", GAME, CONFIG)


@needs_groups
@pytest.mark.parametrize("ending", ["sys.exit(0)", "raise RuntimeError", "raise KeyboardInterrupt"])
def test_programs_end_with_the_process_that_started_them(ending: str) -> None:
    """However it ends, except by being killed: then only their input ends."""
    deaf = [sys.executable, "-c", "import time; print('deaf', flush=True); time.sleep(600)"]
    code = (
        "import sys\nfrom bdgame_env.agents.program_agent import _Program\n"
        f"program = _Program({deaf!r})\nassert program.answer(60) == 'deaf'\n"
        f"print(program._process.pid, flush=True)\n{ending}\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert gone([int(done.stdout)])
