"""The command `train`: from a game to a trained policy."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game
from bdgame_env.engine.quoting import shown

from ..errors import BadInput
from ..inputs import read_numbers
from .config import TrainConfig, checked, read_config
from .show import showing

SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="any other setting, see docs/training.md")
]
OnOption = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray",
        help="play on a Ray cluster: ray for this machine's cores or the cluster at RAY_ADDRESS, ray://HOST:PORT",
    ),
]
ActorsOption = Annotated[
    int | None, typer.Option("--actors", min=1, help="with --on: the most workers that play; default: all cores")
]


def train(
    game: Annotated[str, typer.Argument(metavar="GAME", help="a game's id, or a settings file (.toml) that names one")],
    out: Annotated[
        Path | None, typer.Option(help="folder of the run; default: runs/GAME; repeat the command to resume a run")
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="how long to train, not counting compilation")] = None,
    decisions: Annotated[
        int | None, typer.Option(min=1, help="train for this many decisions instead; bit-reproducible")
    ] = None,
    players: Annotated[str | None, typer.Option(help="numbers of players, e.g. 2,3,4; one network for all")] = None,
    from_scratch: Annotated[bool, typer.Option("--from-scratch", help="train without a teacher")] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="seed of the run")] = None,
    start: Annotated[Path | None, typer.Option(help="policy file to start from, instead of a fresh network")] = None,
    setting: SetOption = None,
    on: OnOption = None,
    actors: ActorsOption = None,
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
    policy = run(config, out, on, actors)
    print(f"written: {policy}, {out / 'learning_curve.png'}")


def run(config: TrainConfig, out: str | PathLike[str], on: str | None = None, actors: int | None = None) -> Path:
    """Train to the end, from the folder's last checkpoint if there is one; returns the path of the policy.

    Args:
        config: the settings.
        out: the folder of the run.
        on: a Ray cluster whose workers play, see `cluster.connection.connect`; None to play in this process.
        actors: the most workers; None for all cores of the cluster.

    Raises:
        BadInput: the folder holds another run or a damaged one, the settings do not fit the game, or there is no such
            cluster; one line.
    """
    from .training_run import TrainingRun, check_folder

    out = Path(out)
    if on is None and actors is not None:
        raise BadInput("--actors needs --on ray: workers of a cluster")
    declared, players = get_game(config.game), config.players[0]
    opened = declared.config(players=players, **config.options).options
    options = {name: opened[name] for name in config.options}  # from here on, files may change
    sets = [declared.config(players=players, **{**config.options, **variant}).options for variant in config.variants]
    variants = [{name: made[name] for name in variant} for made, variant in zip(sets, config.variants, strict=True)]
    config = replace(config, options=options, variants=tuple(variants))
    check_folder(config, out)
    with ExitStack() as stack:
        show = stack.enter_context(showing())
        rollouts = None
        if on is not None:
            from .cluster_rollouts import ClusterRollouts  # imports Ray

            rollouts = stack.enter_context(closing(ClusterRollouts(config, on, actors, show.show_workers)))
        return TrainingRun(config, out, show, rollouts).train()


def settings_of(texts: Sequence[str]) -> dict[str, Any]:
    """Settings given as NAME=VALUE, not yet checked; of a name that is given twice, the last one counts.

    Raises:
        BadInput: one is not of this form.
    """
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--set {shown(text)} is not NAME=VALUE")
        settings[name] = _value(value)
    return settings


def _value(text: str) -> Any:
    """A value as in a settings file; a bare word is a text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
