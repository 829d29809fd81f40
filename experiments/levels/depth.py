"""The command `depth`: how much strength each doubling of the search budget gains in a game."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import log10
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.quoting import shown

from ..arena import options
from ..arena.tournament_progress import Live
from ..command_name import this_command
from ..courtesy import courtesy
from ..errors import BadInput
from ..files import provenance, write_json, write_text
from ..inputs import open_game, read_numbers
from .depth_page import depth_page, depth_table, draw_depth, line_of, results_in
from .duels import Duels, Score

SEARCHER = "az"
BUDGETS = "2,4,8,16,32,64,128"
_MOST_ELO = 800.0


@dataclass(frozen=True)
class Step:
    """A budget against the one before.

    Attributes:
        fewer, more: the budgets.
        score: of the agent with more.
    """

    fewer: int
    more: int
    score: Score


def depth(
    game: options.GameId,
    option: options.Options = None,
    budgets: Annotated[str, typer.Option(help="simulations, each step against the one before")] = BUDGETS,
    searcher: Annotated[
        str, typer.Option(metavar="AGENT", help="the searching agent: one with the setting `sims`, e.g. mcts")
    ] = SEARCHER,
    players: options.Players = None,
    games: Annotated[int, typer.Option("--games", min=2, help="deals per step, each in every seat order")] = 100,
    seed: options.Seed = 0,
    out: Annotated[Path, typer.Option(help="folder of the games and of the result")] = Path("runs/depth"),
    name: Annotated[str | None, typer.Option(help="what tables call the game; default: its title and options")] = None,
    page: Annotated[
        Path | None, typer.Option(help="write all results in the folder as a page with a picture: docs/depth.md")
    ] = None,
) -> None:
    """Measure the depth of a game: the strength that each doubling of the budget gains, in points of Elo.

    To resume, repeat the command with the same --out. The page shows what all results in the folder say.
    """
    declared, config = open_game(game, option or (), players)
    chosen = read_numbers("--budgets", budgets)
    if len(chosen) < 2 or any(fewer >= more for fewer, more in pairwise(chosen)):
        raise BadInput(f"--budgets {shown(budgets)}: must be two or more numbers that rise, such as {BUDGETS}")
    title = name or title_of(declared, config, option or [])
    where = out / file_name(title)
    duels = Duels(declared, config, where, seed)
    steps = []
    for fewer, more in pairwise(chosen):
        with Live(f"{title}: {more} against {fewer}") as live:
            one, other = (f"{searcher}:sims={budget}" for budget in (more, fewer))
            steps.append(Step(fewer, more, duels.play(one, other, games, on_progress=live.update)))
        print(line_of(facts_of(steps[-1])), flush=True)
    command = this_command()
    result = result_of(declared, config, title, searcher, seed, steps, command)
    write_json(out / f"{file_name(title)}.json", result)
    depth_table([result]).print(120)
    print(f"written: {out / f'{file_name(title)}.json'}")
    if page is not None:
        found = results_in(out)
        write_text(page, depth_page(found, picture_of(page)))
        with courtesy("no picture"):
            draw_depth(found, picture_of(page))
        print(f"written: {page}")


def title_of(game: Game, config: GameConfig, pairs: list[str]) -> str:
    """What tables call a game: its title, its number of players if there is a choice, and the options that were set."""
    several = game.seats[0] < game.seats[1] and config.players > game.seats[0]
    parts = [game.title, *([f"{config.players} players"] if several else []), *pairs]
    return ", ".join(parts)


def file_name(title: str) -> str:
    """Of a folder or a file, without an ending."""
    return "".join(c if c.isalnum() or c in "-." else "_" for c in title.lower())


def picture_of(page: Path) -> Path:
    """The picture beside a page."""
    return page.with_suffix(".png")


def elo_of(share: float) -> float:
    """The difference of ratings at which one ranks above the other so often, in points of Elo."""
    if share <= 0 or share >= 1:
        return _MOST_ELO if share >= 1 else -_MOST_ELO
    return max(-_MOST_ELO, min(_MOST_ELO, 400 * log10(share / (1 - share))))


def facts_of(step: Step) -> dict[str, Any]:
    """A step as plain JSON data."""
    score, ends = step.score, step.score.interval
    return {
        "fewer": step.fewer,
        "more": step.more,
        "deals": score.deals,
        "games": score.games,
        "share": round(score.share, 4),
        "interval": [round(end, 4) for end in ends],
        "elo": round(elo_of(score.share), 1),
        "elo_interval": [round(elo_of(end), 1) for end in ends],
        "seconds_per_decision": float(f"{score.seconds_per_decision[0]:.3g}"),
    }


def result_of(
    game: Game, config: GameConfig, title: str, searcher: str, seed: int, steps: list[Step], command: str
) -> dict[str, Any]:
    """The depth of a game as plain JSON data: its steps, and the sum of their gains."""
    found = [facts_of(step) for step in steps]
    spread = [(row["elo_interval"][1] - row["elo_interval"][0]) / 2 for row in found]
    total = sum(row["elo"] for row in found)
    half = sum(width**2 for width in spread) ** 0.5  # the steps are of different games
    return {
        "depth": 1,
        "title": title,
        "game": game.id,
        "options": {
            key: value if isinstance(value, (int, bool)) else str(value or "") for key, value in config.options.items()
        },
        "searcher": searcher,
        "seed": seed,
        "steps": found,
        "elo": round(total, 1),
        "elo_interval": [round(total - half, 1), round(total + half, 1)],
        "command": command,
        "run": provenance(),
    }
