"""`python -m experiments train`: from a settings file to a trained policy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env import get_game, list_games

from ..errors import BadInput
from .config import TrainConfig, read_config
from .progress import showing

CONFIGS = Path(__file__).with_name("configs")


def train(
    config: Annotated[
        str,
        typer.Argument(metavar="CONFIG", help="settings file, the name of one in training/configs, or a game's id"),
    ],
    out: Annotated[Path, typer.Option(help="folder of the run; the same command goes on where it was stopped")],
    seed: Annotated[int | None, typer.Option(min=0, help="instead of the settings' own")] = None,
    start: Annotated[Path | None, typer.Option(help="policy file to begin with, instead of a fresh network")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="self-play steps instead of the settings' own")] = None,
) -> None:
    """Train a policy by imitation, self-play and expert iteration, with checkpoints; write policy.npz and curve."""
    settings = settings_for(config)
    if seed is not None:
        settings = replace(settings, seed=seed)
    if start is not None:
        settings = replace(settings, start=str(start))
    if steps is not None:
        settings = replace(settings, self_play=replace(settings.self_play, steps=steps))
    run(settings, out)
    print(f"written: {out / 'policy.npz'}, {out / 'learning_curve.png'}")


def settings_for(named: str) -> TrainConfig:
    """The settings that are meant: of a file, of a file in `CONFIGS`, or of a game, which may have a file there.

    Raises:
        BadInput: it is none of these, or the file has a mistake.
    """
    own = CONFIGS / f"{named}.toml"
    if Path(named).exists() or named.endswith(".toml"):
        return read_config(named)
    if own.exists():
        return read_config(own)
    if named not in list_games():
        files = sorted(path.stem for path in CONFIGS.glob("*.toml"))
        raise BadInput(f"no settings {named!r}: a .toml file, one of {', '.join([*files, *list_games()])}")
    own = CONFIGS / f"{get_game(named).name}.toml"
    return read_config(own) if own.exists() else TrainConfig(game=named)


def run(config: TrainConfig, out: Path) -> Path:
    """Train to the end, or go on from the folder's last checkpoint; returns the path of the policy.

    Raises:
        BadInput: the folder holds another run; one line.
        ModuleNotFoundError: the extra `train` is not installed.
    """
    from .run import TrainingRun, check_folder, claim_folder

    check_folder(config, out)
    with showing() as show:
        training = TrainingRun(config, out, show)  # first, so that a mistake in the settings leaves no folder behind
        claim_folder(config, out)
        return training.train()
