"""The command `train`: from a game to a trained policy."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game

from ..errors import BadInput
from ..inputs import read_numbers
from .config import TrainConfig, checked, read_config
from .progress import showing

SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="any other setting, see docs/training.md")
]


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="a game's id, or a settings file (.toml) that names one")],
    out: Annotated[
        Path | None, typer.Option(help="folder of the run, runs/GAME unless said; repeat the command to resume a run")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="how long to train; compiling comes before")] = None,
    decisions: Annotated[
        int | None, typer.Option(min=1, help="decisions to learn from instead: can be repeated bit for bit")
    ] = None,
    players: Annotated[str | None, typer.Option(help="numbers of players, e.g. 2,3,4; one network for all")] = None,
    from_scratch: Annotated[bool, typer.Option("--from-scratch", help="without a teacher")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="seed of the run")] = None,
    start: Annotated[Path | None, typer.Option(help="policy file to start from, instead of a fresh network")] = None,
    setting: SetOption = None,
) -> None:
    """Train a network by imitation and self-play; write policy.npz and its learning curve."""
    data: dict[str, Any] = read_config(game) if game.endswith(".toml") else {"game": game}
    given = {
        "minutes": None if minutes is None else float(minutes),
        "decisions": decisions,
        "seed": seed,
        "start": None if start is None else str(start),
        "players": None if players is None else read_numbers("--players", players),
        "teacher": "" if from_scratch else None,
    }
    data |= {name: value for name, value in given.items() if value is not None}
    config = checked(data | settings_of(setting or ()), game)
    out = out or Path("runs") / config.game
    policy = run(config, out)
    print(f"written: {policy}, {out / 'learning_curve.png'}")


def run(config: TrainConfig, out: Path) -> Path:
    """Train to the end, from the folder's last checkpoint if there is one; returns the path of the policy.

    Raises:
        BadInput: the folder holds another run or a damaged one, or the settings do not fit the game; one line.
    """
    from .training_run import TrainingRun, check_folder

    get_game(config.game)
    check_folder(config, out)
    with showing() as show:
        return TrainingRun(config, out, show).train()


def settings_of(texts: Sequence[str]) -> dict[str, Any]:
    """Settings given as NAME=VALUE, not yet checked.

    Raises:
        BadInput: one is not of this form.
    """
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--set {text!r} is not NAME=VALUE")
        found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    """A value as in a settings file; a bare word is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
