"""Compiling ahead: everything that is compiled is kept, and the command says what it did."""

from __future__ import annotations

import importlib
import pkgutil
import time
from multiprocessing import get_context
from typing import Any

import pytest

import bdgame_env
from bdgame_env.engine.jit import JIT_DISABLED
from bdgame_env.experiments import warmup
from bdgame_env.experiments.compile_ahead import PARTS
from bdgame_env.experiments.errors import BadInput
from tests.support.tiny_training import command

ROOMS = ("engine", "games", "agents", "experiments.training")
NOT_KEPT = {
    "bdgame_env.agents.search.tree_nodes",  # becomes a part of the loops made from templates, which are kept
    "bdgame_env.experiments.training.maskable_ppo",  # needs torch
    "bdgame_env.experiments.training.cluster_rollouts",  # needs Ray; compiles nothing
}


def own_functions() -> list[tuple[str, Any]]:
    """Every compiled function of these packages, by its name; of templates the copies for the games count instead."""
    found = []
    for room in ROOMS:
        package = importlib.import_module(f"bdgame_env.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name in NOT_KEPT or module.name.endswith("_loops"):
                continue
            for name, value in vars(importlib.import_module(module.name)).items():
                if getattr(value, "is_ours", False) and value.__module__ == module.name:
                    found.append((f"{module.name}.{name}", value))
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="about compiled code")
def test_all_machine_code_is_kept() -> None:
    """Otherwise every process compiles it again, however often it was compiled ahead."""
    functions = own_functions()
    assert len(functions) > 500
    assert [name for name, function in functions if function.stats.cache_path is None] == []


def test_parts_are_those_that_can_be_compiled() -> None:
    assert tuple(PARTS) == warmup.PARTS
    assert warmup.read_parts(None) == ["play", "search", "train"]
    assert warmup.read_parts("train,play") == ["play", "train"]
    with pytest.raises(BadInput, match="--only 'play,dance': 'dance' is not one of play, search, train"):
        warmup.read_parts("play,dance")


def test_the_command_compiles_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[Any] = []

    def compile_games(games: list[str], parts: list[str], jobs: int) -> int:
        asked.append((games, parts, jobs))
        return len(games) - 1

    monkeypatch.setattr(warmup, "compile_games", compile_games)
    monkeypatch.setattr(warmup, "JIT_DISABLED", False)
    assert command("warmup", "gizmos-v3", "--only", "play", "--jobs", "1") == 0
    assert "gizmos-v3: nothing to compile, play are ready (0 s)" in capsys.readouterr().out
    assert command("warmup", "--jobs", "3") == 0
    assert "3 functions compiled, play, search, train are ready" in capsys.readouterr().out
    assert asked == [(["gizmos-v3"], ["play"], 1), (bdgame_env.list_games(), ["play", "search", "train"], 3)]
    assert command("warmup", "chess-v1") == 2
    monkeypatch.setattr(warmup, "JIT_DISABLED", True)
    assert command("warmup") == 2
    assert "NUMBA_DISABLE_JIT is set" in capsys.readouterr().err


def test_processes_report_what_they_compile() -> None:
    """Without a part there is nothing to compile, and so nothing to count."""
    assert warmup.compile_games(["nicodemus-v2"], [], 1) == 0


def test_an_interrupt_ends_the_processes() -> None:
    """Ctrl-C does not wait until all that was asked for is compiled."""
    process = get_context("spawn").Process(target=time.sleep, args=(300,))

    def interrupted() -> None:
        with warmup._ended_if_interrupted():
            process.start()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    process.join(30)
    assert process.exitcode not in (None, 0)
