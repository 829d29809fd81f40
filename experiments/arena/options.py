"""Options that the commands of tournaments share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..inputs import own_seed
from .schedule import FORMATS, GAUNTLET, SWISS

GameId = Annotated[str, typer.Argument(metavar="GAME", help="e.g. bdgame-v3; the command `games` lists all")]
Players = Annotated[int | None, typer.Option("--players", help="number of seats; default: the game's fewest")]
Seed = Annotated[int, typer.Option("--seed", min=0, callback=own_seed, help="the same seed gives the same deals")]
Out = Annotated[
    Path | None,
    typer.Option("--out", help="folder for results.sqlite, result.json, games.csv, standings.csv, report.html, plots"),
]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="option of the game; repeatable")
]
Batch = Annotated[
    int | None,
    typer.Option("--batch", min=1, help="games played side by side; fewer save slow agents' games sooner"),
]
Time = Annotated[
    list[str] | None,
    typer.Option(
        "--time",
        "--time-limit",
        metavar="[AGENT=]SECONDS",
        help="seconds per decision, for all agents or one; an agent that takes longer loses the game; repeatable",
    ),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="maximum processes; default: the usable cores; 1: play in this process"),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="ray",
        help="play on a Ray cluster: ray for this machine's cores or the cluster at RAY_ADDRESS, ray://HOST:PORT",
    ),
]
Memory = Annotated[
    int | None,
    typer.Option("--memory", metavar="MB", min=500, help="memory per process; an agent that takes more loses the game"),
]
Format = Annotated[
    str,
    typer.Option("--format", help=f"{', '.join(FORMATS)} ({GAUNTLET}: the first agent against all others)"),
]
Rounds = Annotated[
    int | None, typer.Option("--rounds", min=1, help=f"number of rounds of {SWISS}; default: enough to find a winner")
]
UntilSettled = Annotated[
    bool, typer.Option("--until-settled", "--sprt", help="stop once it is clear who is better; --games is the maximum")
]
Delta = Annotated[
    float, typer.Option("--delta", help="with --until-settled: the smallest difference from 0.5 that matters")
]
HalfWidth = Annotated[
    float | None,
    typer.Option(
        "--half-width",
        help="then play only neighbors by rating, until the share in which one ranks above the other is known to plus"
        " or minus this, e.g. 0.03; --games is the maximum",
    ),
]
Minutes = Annotated[
    float | None,
    typer.Option(
        "--minutes", min=0.01, help="with --half-width: total thinking time of the agents after the first deals"
    ),
]
Deals = Annotated[int, typer.Option("--games", min=1, help="deals per line-up, each played in every seat order")]
