"""What `bdgame play` refuses: options that do not go together, and those that are wrong."""

from __future__ import annotations

import socket

import pytest

from tests.experiments.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--links", "GAME is missing"),
        ("--saves here", "GAME is missing"),
        ("--clock 5+5", "GAME is missing"),
        ("toy-v1 --seats human,random --ladder here", "--ladder is for the lobby, which has no GAME"),
        ("toy-v1 --seats human,random --games here", "--games is for the lobby, which has no GAME"),
        ("toy-v1 --seats human,random --text --links", "--links needs the page"),
        ("toy-v1 --seats human,random --json --links", "--links needs the page"),
        ("toy-v1 --seats human,random --json --hint mcts", "--hint needs the page or --text"),
        ("toy-v1 --seats human,random --text --clock 5+5", "--clock needs the page"),
        ("toy-v1 --seats human,random --clock 5", "--clock '5', must be minutes for the game + seconds"),
        ("toy-v1 --seats human,random --saves here", "--saves needs --text"),
        ("toy-v1 --seats human,random --text --json", "--text and --json: one or the other"),
        ("toy-v1 --seats human,random --text --changes", "--changes needs --json"),
        ("bdgame-v3 --text --seats human", "option players=1 is not allowed; allowed: 2 to 4"),
        ("bdgame-v3 --text", "--seats is missing: who plays, e.g. --seats human,mcts"),
        ("bdgame-v3 --text --seats human,chessmaster", "unknown agent 'chessmaster'; known: "),
        ("bdgame-v3 --text --seats human,random --option speed=3", "unknown option 'speed'"),
        (f"bdgame-v3 --text --seats human,random --record {__file__}", f"--record {__file__}: the file exists"),
        (f"bdgame-v3 --text --seats human,random --resume {__file__}", f"{__file__}: line 1: "),
        (
            f"bdgame-v3 --text --seats human,random --resume {__file__} --seed 1",
            "--resume cannot be combined with --seed, --option or --record",
        ),
        ("bdgame-v3 --text --seats human,random --hint nobody", "unknown agent 'nobody'"),
        ("bdgame-v3 --seats human,random --hint nobody", "unknown agent 'nobody'"),
        ("bdgame-v3 --seats human,random --port 70000", "Invalid value for '--port'"),
        ("bdgame-v3 --seats human,random --host no.such.host.invalid", "cannot serve at no.such.host.invalid"),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments: str, line: str, run: Run) -> None:
    code, out, err = run("play", *arguments.split())
    assert code == 2 and out == "" and err.startswith("error: ") and line in err and err.count("\n") == 1


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = run("play", "bdgame-v3", "--seats", "human,random", "--no-open", "--port", port)
    assert code == 2 and f"cannot serve at 127.0.0.1, port {port}: " in err
