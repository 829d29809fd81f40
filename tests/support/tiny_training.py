"""Tiny training runs, over in about a second once they are compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bdgame_env.experiments.cli import main
from bdgame_env.experiments.training import rollouts, training_run
from bdgame_env.experiments.training.config import TrainConfig
from bdgame_env.registry import GAMES, register_game
from tests.support import nim_players

TOY, NIM = "toy-v1", "nim-v1"
SETTINGS: dict[str, Any] = {
    "options": {"max_rounds": 4},
    "threads": 1,
    "width": 8,
    "matches": 8,
    "steps": 6,
    "batch_size": 16,
    "snapshots": 2,
    "evaluations": 2,
    "evaluation_deals": 3,
    "planner_deals": 0,
}


def tiny(game: str = TOY, **changes: Any) -> TrainConfig:
    """The settings of a tiny run."""
    return TrainConfig(**{"game": game, "decisions": 600, **SETTINGS, **changes})


def as_toml(**changes: Any) -> str:
    """The same settings as a settings file."""
    return "".join(f"{name} = {_toml(value)}\n" for name, value in {"game": TOY, **SETTINGS, **changes}.items())


def as_arguments(**changes: Any) -> list[str]:
    """The same settings as arguments of the command line."""
    pairs = [("--set", f"{name}={_toml(value)}") for name, value in {**SETTINGS, **changes}.items()]
    return [part for pair in pairs for part in pair]


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {_toml(entry)}" for name, entry in value.items()) + "}"
    return repr(value).lower() if isinstance(value, bool) else repr(list(value) if isinstance(value, tuple) else value)


@contextmanager
def tiny_runs(*, torch: bool = False) -> Iterator[None]:
    """The toy game is registered, and nim with a perfect player; few final games, and TensorBoard only if wanted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training_run, "FINAL_DEALS", 5)
        # Loops of nim that were made before would be without its player, and these have it in other tests.
        patch.setattr(rollouts, "rollout_loops_of", cache(rollouts.rollout_loops_of.__wrapped__))
        patch.setitem(sys.modules, "bdgame_env.agents.heuristics.nim", nim_players)
        for game in (TOY, NIM):
            patch.setitem(GAMES, game, "")  # so that the patch removes it in the end
            register_game(game, f"tests.support.{game.partition('-')[0]}_game:GAME")
        if not torch:
            patch.setitem(sys.modules, "torch", None)  # it takes seconds to import
            patch.delitem(sys.modules, "torch.utils.tensorboard", raising=False)
        yield


def command(*arguments: object) -> int:
    """Run a command as from the command line; returns the exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["experiments", *map(str, arguments)])
        return main()


def files_of(folder: Path) -> dict[Path, bytes]:
    """The contents of all files below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def weights_of(path: Path) -> dict[str, Any]:
    """The arrays of a policy file."""
    with np.load(path) as file:
        return {name: file[name] for name in file.files if name != "meta"}
