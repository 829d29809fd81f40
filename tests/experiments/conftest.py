"""What tests of commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from bdgame_env.experiments.cli import main
from bdgame_env.registry import GAMES, register_game

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command; returns exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["experiments", *map(str, arguments)])
        code = main()
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run


@pytest.fixture
def small_games() -> Iterator[None]:
    """The games of tests can be named in commands and settings."""
    names = {f"{name}-v1": f"tests.support.{name}_game:GAME" for name in ("toy", "nim", "bid")}
    for name, place in names.items():
        register_game(name, place)
    yield
    for name in names:
        del GAMES[name]
