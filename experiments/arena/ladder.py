"""The command `ladder`: the baselines of a game play each other, and other agents are measured against them."""

from __future__ import annotations

from typing import Annotated

import typer

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_names, compiled_players
from bdgame_env.engine.game import Game, GameConfig

from ..errors import BadInput
from ..inputs import open_game, read_time_limits
from . import options
from .schedule import ROUND_ROBIN
from .settings import Settings
from .tournament import Place, check_format, play_and_report

# From the weakest up, above random play and the game's compiled players; those that a game lacks are left out.
STRONGER = ("mcts", "planner", "strong-planner", "ppo", "az", "network-planner")


def ladder(
    game: options.GameId,
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="[AGENT...]", help="agents to measure against the baselines")
    ] = None,
    players: options.Players = None,
    games: options.Deals = 100,
    seed: options.Seed = 0,
    out: options.Out = None,
    option: options.Options = None,
    batch: options.Batch = None,
    time_limit: options.Time = None,
    workers: options.Workers = None,
    format: options.Format = ROUND_ROBIN,
    on: options.On = None,
    memory: options.Memory = None,
) -> None:
    """Play the baselines of a game, and any AGENTs given, against each other."""
    declared, config = open_game(game, option or (), players)
    rungs, left_out = rungs_of(declared, config)
    for line in left_out:
        print(f"left out: {line}")
    specs = [*(agents or ()), *rungs]
    if len(specs) < 2:
        raise BadInput(f"{declared.id} has only one baseline, {specs[0]}: name an agent to measure against it")
    check_format(format, len(specs), config.players)
    limits = read_time_limits(time_limit or (), specs)
    settings = Settings(game, dict(config.options), specs, games, seed, batch or 0, limits, format)
    play_and_report(settings, declared, config, out, Place(workers, on, memory))


def rungs_of(game: Game, config: GameConfig) -> tuple[list[str], list[str]]:
    """The baselines of a game from the weakest up, and a line for each that it lacks."""
    rungs, left_out = [], []
    for name in ("random", *reversed(compiled_names(compiled_players(game))[1:]), *STRONGER):
        try:
            make_agent(name, game, config).close()
        except UnknownAgent as error:
            left_out.append(str(error))
        else:
            rungs.append(name)
    return rungs, left_out
