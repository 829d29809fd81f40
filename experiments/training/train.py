"""The command `train`: from a settings file to a trained policy."""

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
    out: Annotated[Path, typer.Option(help="folder of the run; repeat the command to resume a run")],
    seed: Annotated[int | None, typer.Option(min=0, help="instead of the seed in the settings")] = None,
    start: Annotated[Path | None, typer.Option(help="policy file to start from, instead of a fresh network")] = None,
    steps: Annotated[int | None, typer.Option(min=0, help="self-play steps, instead of those in the settings")] = None,
) -> None:
    """Train a policy by imitation, self-play and expert iteration; write policy.npz and its learning curve."""
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
    """The settings of a file, of a file in `CONFIGS`, or of a game (its file in `CONFIGS`, else the defaults).

    Raises:
        BadInput: the name is none of these, or the file has a mistake.
    """
    own = CONFIGS / f"{named}.toml"
    if Path(named).exists() or named.endswith(".toml"):
        return read_config(named)
    if own.exists():
        return read_config(own)
    if named not in list_games():
        files = sorted(path.stem for path in CONFIGS.glob("*.toml"))
        raise BadInput(f"no settings {named!r}: must be a .toml file or one of {', '.join([*files, *list_games()])}")
    own = CONFIGS / f"{get_game(named).name}.toml"
    return read_config(own) if own.exists() else TrainConfig(game=named)


def run(config: TrainConfig, out: Path) -> Path:
    """Train to the end, from the folder's last checkpoint if there is one; returns the path of the policy.

    Raises:
        BadInput: the folder holds another run; one line.
        ModuleNotFoundError: the extra `train` is not installed.
    """
    from .pipeline import train_policy  # imports torch, which `--help` does not need

    with showing() as show:
        return train_policy(config, out, show)
