"""The command `balance`: what the parts of a game are worth to the agents that use them."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import HEURISTIC
from bdgame_env.engine.game import Game, GameConfig

from ..arena import options
from ..arena.settings import Settings
from ..arena.tournament import Place, run_with_progress
from ..errors import BadInput
from ..inputs import open_game, read_time_limits, split_specs
from .analysis import analyze
from .text_summary import print_balance

_USUAL = (HEURISTIC, "ppo")

AgentsOption = Annotated[
    str | None,
    typer.Option(metavar="SPEC,SPEC,...", help=f"who plays, e.g. ppo,mcts:sims=50,greedy; default: {','.join(_USUAL)}"),
]


def balance(
    game: options.GameId,
    agents: AgentsOption = None,
    players: options.Players = None,
    games: options.Deals = 100,
    seed: options.Seed = 0,
    out: options.Out = None,
    option: options.Options = None,
    batch: options.Batch = None,
    time_limit: options.Time = None,
    workers: options.Workers = None,
    on: options.On = None,
    memory: options.Memory = None,
) -> None:
    """Play a tournament, and report how often each card and action is taken and how often players who take it win.

    With --out, balance.csv and balance.html are added to the files of the tournament; a stopped one resumes.
    """
    declared, config = open_game(game, option or (), players)
    specs = split_specs(agents) if agents is not None else _usual(declared, config)
    if not all(specs):
        raise BadInput("--agents: an agent is empty; must be e.g. ppo,greedy")
    if len(specs) < 2:
        raise BadInput(f"--agents {specs[0]}: must be two or more; {specs[0]},{specs[0]} plays against itself")
    limits = read_time_limits(time_limit or (), specs)
    settings = Settings(game, dict(config.options), specs, games, seed, batch or 0, limits)
    started = time.monotonic()
    outcome, played = run_with_progress(settings, declared, config, out, Place(workers, on, memory))
    analyzed = analyze(outcome, declared, config)
    seconds = time.monotonic() - started
    if out is not None:
        from .balance_files import write_files  # imports matplotlib

        write_files(analyzed, out)
    print_balance(analyzed)
    print(f"{played} games played in {seconds:.1f} s")
    if out is not None:
        print(f"written: {out}")


def _usual(game: Game, config: GameConfig) -> list[str]:
    """The game's rule-based player and its network.

    Raises:
        BadInput: the game lacks one of them.
    """
    for spec in _USUAL:
        try:
            make_agent(spec, game, config).close()
        except UnknownAgent as error:
            raise BadInput(f"--agents is needed: {error}") from None
    return list(_USUAL)
