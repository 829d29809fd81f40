"""Options of `bdgame play` that do not go together are refused, not ignored."""

from __future__ import annotations

import sys

import pytest

from bdgame_env.experiments.cli import main


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
    ],
)
def test_options_that_do_not_go_together(
    arguments: str, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["experiments", "play", *arguments.split()])
    assert main() == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith(f"error: {line}") and told.err.count("\n") == 1
