"""What a command says may get lost: it ends no work, and every console takes it."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bdgame_env.experiments.cli import COMMANDS, main
from bdgame_env.experiments.streams import LastingStream

COMMAND = f"{shlex.quote(sys.executable)} -m experiments"
SHORT = "tournament bdgame-v3 random random --games 1 --option max_rounds=1 --workers 1"
PLAY = "play bdgame-v3 --option max_rounds=1 --hint random"
WAYS = {"--text": f"{PLAY} --text", "--json": "play bdgame-v3 --option max_rounds=1 --json"}


def shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a shell of bash does with a line, in which BDGAME stands for the command."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", **variables}
    line = f"set -o pipefail; {line.replace('BDGAME', COMMAND)}"
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=environment, errors="replace")


OUTPUTS = {
    "a reader that leaves": ("2>&1 | true", 1),
    "a full disk": (">/dev/full 2>/dev/full", 1),
    "a full disk for what it says besides": ("2>/dev/full", 0),
    "nothing at all": ("<&- >&- 2>&-", 0),
}
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@FULL
@pytest.mark.slow
@pytest.mark.parametrize(("redirected", "code"), OUTPUTS.values(), ids=list(OUTPUTS))
def test_the_work_is_done_wherever_the_output_goes(redirected: str, code: int, tmp_path: Path) -> None:
    done = shell(f"BDGAME {SHORT} --out {tmp_path} {redirected}")
    assert done.returncode == code and "Traceback" not in done.stderr and "Exception" not in done.stderr
    assert (tmp_path / "report.html").is_file()


@FULL
def test_output_that_did_not_arrive_is_told_in_one_line() -> None:
    done = shell("BDGAME games > /dev/full")
    assert (done.returncode, done.stderr) == (1, "error: the output cannot be written: No space left on device\n")
    done = shell("BDGAME games | true")
    assert (done.returncode, done.stderr) == (1, "")


def test_a_terminal_may_have_no_width() -> None:
    done = shell(f"BDGAME {SHORT}", COLUMNS="0", TERM="dumb")
    assert done.returncode == 0 and "2 games on 1 deals" in done.stdout


@pytest.mark.parametrize(("way", "encoding"), [("--text", "cp1252"), ("--json", "cp1252"), ("--json", "utf-8")])
def test_a_dialog_is_led_in_any_encoding(way: str, encoding: str) -> None:
    line = f"printf '\\377 \\302\\200\\n1\\n' | BDGAME {WAYS[way]} --seats human:Zoë,random"
    done = shell(line, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    if way == "--json":
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert told[0]["seats"] == ["Zoë", "random"] and [one["type"] for one in told][-1] == "error"
    else:
        assert "error: " in done.stdout and " to move; " in done.stdout


@pytest.mark.parametrize("command", ["games", "describe gizmos-v3"])
def test_every_console_takes_what_a_command_prints(command: str) -> None:
    done = shell(f"BDGAME {command}", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0 and done.stdout.isascii() and "Traceback" not in done.stderr


@pytest.mark.parametrize("way", list(WAYS))
def test_a_dialog_ends_when_nobody_listens(way: str, tmp_path: Path) -> None:
    """The player does not close its own end, so that a command that went on would wait for good."""
    record = tmp_path / "game.txt"
    command = [sys.executable, "-m", "experiments", *WAYS[way].split(), "--seats", "human,random"]
    pipe = subprocess.PIPE
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(
        [*command, "--record", str(record)], stdin=pipe, stdout=pipe, stderr=pipe, env=environment
    ) as process:
        assert process.stdout is not None and process.stdin is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        for _ in range(2):
            process.stdin.write(b"help\n")
        process.stdin.flush()
        assert process.wait(60) == 1
        assert b"Traceback" not in process.stderr.read()
    assert record.exists()


STRANGE = {"half a character": "\udcff", "NUL and escapes": "\x07\x1b[2J", "turned": "\u202e\u200f", "lines": "a\nb\rc"}
ASKED = {name: [name, "GAME"] for name in COMMANDS if name not in ("demo", "games", "warmup", "ladders")}
ASKED["play"] += ["--seats", "human,random", "--text"]


@pytest.mark.parametrize("command", list(ASKED))
def test_a_mistake_in_any_letters_is_one_line(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in (*STRANGE.values(), "x" * 1_000_000):
        monkeypatch.setattr(
            sys, "argv", ["experiments", *(text if word == "GAME" else word for word in ASKED[command])]
        )
        assert main() == 2
        line = capsys.readouterr().err
        assert line.startswith("error: ") and line.count("\n") == 1 and line.rstrip("\n").isprintable()
        assert len(line) < 1000


class Fails(io.StringIO):
    """A stream that fails from some call on."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def write(self, text: str) -> int:
        raise self._error

    def flush(self) -> None:
        raise self._error

    def isatty(self) -> bool:
        raise self._error


@pytest.mark.parametrize("error", [OSError(28, "full"), BrokenPipeError(32, "gone"), ValueError("closed")], ids=repr)
def test_a_lasting_stream_is_silent_after_its_first_failure(error: Exception) -> None:
    stream: Any = LastingStream(Fails(error))
    assert not stream.isatty()
    print("one", "two", file=stream, flush=True)
    stream.writelines(["three"])
    assert stream.failed is error


def test_a_lasting_stream_writes_and_is_its_inner_one_besides() -> None:
    inner = io.StringIO()
    stream: Any = LastingStream(inner)
    assert stream.write("one") == 3
    stream.writelines([" two", " three"])
    stream.flush()
    assert stream.getvalue() == "one two three" and stream.failed is None and not stream.isatty()
