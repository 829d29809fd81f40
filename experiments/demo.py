"""The command `demo`: a network learns from random weights, plays the baselines, and gets a small card."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path
from typing import Annotated

import typer

from .arena.tournament import tournament
from .courtesy import courtesy
from .files import write_bytes
from .suites.anchors import read_anchors
from .suites.benchmark import measure
from .suites.suite import LATEST, read_suite
from .training import train
from .training.config import TrainConfig

GAME = "gizmos-v3"
SUITE, DEALS = LATEST, 6  # of the card: a quarter of the deals, about 20 seconds
_PICTURES = ("tournament/ratings.png", "tournament/matrix.png", "training/learning_curve.png", "benchmark/card.png")


def demo(
    out: Annotated[Path, typer.Option(help="folder of the demo; an earlier demo there is removed")] = Path("runs/demo"),
    minutes: Annotated[float, typer.Option(min=0, help="minutes of training")] = 2.5,
    games: Annotated[int, typer.Option(min=1, help="deals in the tournament, each played in both seat orders")] = 250,
) -> None:
    """Train a network on Gizmos from random weights, play it against random and heuristic, and give it a small card.

    Results and plots are written.
    """
    started = time.monotonic()
    _empty(out)
    print(
        f"1. Training on {GAME}, {minutes:g} minutes: imitation of the heuristic, then self-play. Folder: {out}",
        flush=True,
    )
    policy = train.run(TrainConfig(game=GAME, minutes=minutes), out / "training")
    print("2. Tournament of the network alone, without search, against the baselines", flush=True)
    tournament(GAME, [str(policy), "heuristic", "random"], games=games, out=out / "tournament")
    _print_meetings(out / "tournament" / "result.json")
    print(f"3. A small card of the network in the benchmark {SUITE}", flush=True)
    suite = read_suite(SUITE)
    cell = suite.cells(GAME, "2")[0]
    anchors = [(cell, read_anchors(suite, cell))]
    measure(suite, anchors, str(policy), out / "benchmark", DEALS, name="the demo's network")
    for name in _PICTURES:
        with courtesy(f"no {Path(name).name}"):
            write_bytes(out / Path(name).name, (out / name).read_bytes())
    took, seconds = divmod(round(time.monotonic() - started), 60)
    print(f"done in {took} min {seconds} s: {out}/ratings.png, {out}/learning_curve.png, {out}/card.png")


def _print_meetings(result: Path) -> None:
    """Print who beat whom, pair by pair."""
    standings = json.loads(result.read_text(encoding="utf-8"))["standings"]
    names = [Path(row["agent"]).name for row in standings["agents"]]
    for one, row in enumerate(standings["win_matrix"]):
        for other in range(one + 1, len(names)):
            print(f"{names[one]} beat {names[other]} in {100 * row[other]:.1f} % of their games (ties half)")


def _empty(out: Path) -> None:
    """Remove what an earlier demo wrote, and nothing else."""
    for name in ("training", "tournament", "benchmark"):
        shutil.rmtree(out / name, ignore_errors=True)
    for name in _PICTURES:
        (out / Path(name).name).unlink(missing_ok=True)
