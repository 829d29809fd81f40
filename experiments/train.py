"""`python -m experiments train`: from a settings file to a trained policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from .config import TrainConfig, read_config
from .progress import showing

CONFIGS = Path(__file__).with_name("configs")


def train(
    config: Annotated[
        Path,
        typer.Argument(metavar="CONFIG", help="settings file, e.g. experiments/configs/bdgame.toml; or a game's id"),
    ],
    out: Annotated[Path, typer.Option(help="folder of the run; the same command goes on where it was stopped")],
    seed: Annotated[int | None, typer.Option(min=0, help="instead of the settings' own")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="self-play steps instead of the settings' own")] = None,
) -> None:
    """Train a policy by imitation, self-play and expert iteration, with checkpoints; write policy.npz and curve."""
    settings = read_config(settings_file(config))
    if seed is not None:
        settings = replace(settings, seed=seed)
    if steps is not None:
        settings = replace(settings, self_play=replace(settings.self_play, steps=steps))
    run(settings, out)
    print(f"written: {out / 'policy.npz'}, {out / 'learning_curve.png'}")


def settings_file(named: Path) -> Path:
    """The settings file that is meant: a path, or that of a game by its id."""
    own = CONFIGS / f"{named}.toml"
    return own if not named.exists() and own.exists() else named


def run(config: TrainConfig, out: Path) -> Path:
    """Train to the end, or go on from the folder's last checkpoint; returns the path of the policy.

    Raises:
        BadInput: the folder holds another run; one line.
        ModuleNotFoundError: the extra `train` is not installed.
    """
    from .training_run import TrainingRun, check_folder

    check_folder(config, out)
    with showing() as show:
        return TrainingRun(config, out, show).train()
