"""The command `ladders`: the ladder of every game and number of players, as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game, list_games
from bdgame_env.agents.ladder import ladder_file

from ..command_name import command_name
from ..errors import BadInput
from ..files import write_json, write_text
from ..inputs import read_numbers
from . import options
from .ladder import rungs_of
from .ladder_page import ladder_page
from .outcome import Outcome
from .schedule import ROUND_ROBIN, SWISS
from .settings import Settings
from .tournament import Place, play_and_report


def ladders(
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="the Markdown file to write, e.g. docs/ladder.md")],
    out: Annotated[Path, typer.Option(help="folder for a folder of each tournament")] = Path("runs/ladders"),
    game: Annotated[
        list[str] | None, typer.Option("--game", metavar="GAME", help="only this game; repeatable; default: all")
    ] = None,
    players: Annotated[str | None, typer.Option(help="only these numbers of players, e.g. 2,3")] = None,
    games: options.Deals = 20,
    seed: options.Seed = 100,
    workers: options.Workers = None,
    on: options.On = None,
    memory: options.Memory = None,
    ship: Annotated[bool, typer.Option("--ship", help="also write the ratings that come with the package")] = False,
) -> None:
    """Play the baselines of every game against each other, for every number of players; write one page.

    Two players meet in a round robin, more in a Swiss tournament. The page is written again after each tournament.
    To resume a run that was stopped, repeat the command with the same --out.
    """
    wanted = [] if players is None else read_numbers("--players", players)
    command = [command_name(), "ladders", str(page), *(f"--game {name}" for name in game or ())]
    command += [f"--players {players}"] if players else []
    command += [f"--games {games}", f"--seed {seed}", *(["--ship"] if ship else [])]
    chosen = [get_game(name) for name in game or list_games()]
    place = Place(workers, on, memory)
    outcomes: list[Outcome] = []
    for declared in chosen:
        low, high = declared.seats
        for count in range(low, high + 1):
            if wanted and count not in wanted:
                continue
            config = declared.config(players=count)
            agents, left_out = rungs_of(declared, config)
            print(f"\n{declared.title}, {count} players" + "".join(f"\nleft out: {line}" for line in left_out))
            if len(agents) < 2:
                continue
            format = ROUND_ROBIN if count == 2 else SWISS
            settings = Settings(declared.id, dict(config.options), agents, games, seed, 0, [], format)
            outcomes.append(play_and_report(settings, declared, config, out / f"{declared.id}-{count}p", place))
            write_text(page, ladder_page(outcomes, " ".join(command)))
            if ship:
                write_json(ladder_file(declared.id, count), shipped(outcomes[-1]))
    if not outcomes:
        raise BadInput(f"--players {players}: none of these games is for so many")
    print(f"written: {page}")


def shipped(outcome: Outcome) -> dict[str, Any]:
    """What the package keeps of a ladder; see `agents.ladder`."""
    standings = outcome.standings
    return {
        "options": outcome.settings.options,
        "commit": outcome.run.get("commit"),
        "games": standings.games,
        "deals": standings.deals,
        "agents": [
            {
                "agent": one.agent,
                "rating": round(one.rating, 2),
                "rating_interval": one.rating_interval and [round(end, 2) for end in one.rating_interval],
                "games": one.games,
                "win_rate": round(one.win_rate, 4),
                "truncated": round(one.truncated, 4),
            }
            for one in standings.agents
        ],
    }
