"""The command `levels`: chooses the levels of a game by play, and measures them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env.agents.levels import levels_file
from bdgame_env.engine.game import Game
from bdgame_env.engine.quoting import shown

from ..arena import options
from ..arena.tournament_progress import Live
from ..command_name import this_command
from ..contents import contents_by_name
from ..errors import BadInput
from ..files import provenance, write_json, write_text
from ..inputs import open_game, read_numbers
from .calibration import TARGET, Chosen, calibrate
from .duels import Duels, Score
from .family import Noise, family, searches
from .levels_page import levels_page, levels_table, shipped_results

LEVELS = 10
_SEATS = 3  # deals are fewer by this factor with three and four players, where each has six games


def levels(
    game: options.GameId,
    top: Annotated[int, typer.Option(min=4, max=4096, help="simulations of the highest level")] = 64,
    count: Annotated[int, typer.Option("--levels", min=2, max=LEVELS, help="how many levels")] = LEVELS,
    noise: Annotated[
        Noise, typer.Option(help="what makes the lower levels weaker: sampled actions, or random ones")
    ] = Noise.temperature,
    games: Annotated[
        int, typer.Option("--games", min=2, help="maximum deals for two agents, each in every seat order")
    ] = 1000,
    search_games: Annotated[int, typer.Option(min=2, help="maximum deals if one of the two searches")] = 300,
    players: Annotated[
        str | None, typer.Option(help="measure only with these numbers of players, e.g. 2; default: all")
    ] = None,
    seed: options.Seed = 0,
    out: Annotated[Path, typer.Option(help="folder of the games and of the result")] = Path("runs/levels"),
    ship: Annotated[bool, typer.Option("--ship", help="also write the levels that come with the package")] = False,
    page: Annotated[
        Path | None, typer.Option(help="write the levels that come with the package as a page: docs/levels.md")
    ] = None,
) -> None:
    """Choose the levels of a game so that each beats the one below in 64 % of their games; measure them.

    Levels are chosen with two players, then measured on other deals with every number of players. To resume, repeat the
    command with the same --out.
    """
    declared, config = open_game(game)
    low, high = declared.seats
    numbers = [*range(low, high + 1)] if players is None else read_numbers("--players", players)
    if not set(numbers) <= {*range(low, high + 1)} or low not in numbers:
        raise BadInput(f"--players {shown(players)}: must be {low}, and others up to {high}")
    command = this_command()

    def most(one: str, other: str) -> int:
        return min(games, search_games) if searches(one) or searches(other) else games

    duels = Duels(declared, config, out / declared.id / "chosen", seed)

    def duel(one: str, other: str, enough: Any) -> Score:
        with Live(f"{one} against {other}") as live:
            return duels.play(one, other, most(one, other), enough=enough, on_progress=live.update)

    chosen = calibrate(family(top, noise), count, duel, on_probe=_print_probe)
    if len(chosen) < count:
        print(f"only {len(chosen)} levels: the family ends there")
    measured: dict[int, list[Score]] = {}
    for number in sorted(numbers):
        where = Duels(declared, declared.config(players=number), out / declared.id / f"{number}p", seed + 1)
        for below, above in pairwise(chosen):
            deals = most(above.agent, below.agent) // (1 if number == low else _SEATS)
            with Live(f"level {above.level} against {below.level}, {number} players") as live:
                score = where.play(above.agent, below.agent, max(2, deals), on_progress=live.update)
            measured.setdefault(number, []).append(score)
            _print_probe(f"{number} players: level {above.level}", str(below.level), score)
    result = result_of(declared, chosen, measured, seed, command)
    write_json(out / f"{declared.id}.json", result)
    levels_table(result).print(100)
    print(f"written: {out / f'{declared.id}.json'}")
    if ship:
        if len(chosen) < LEVELS:
            raise BadInput(f"--ship: {len(chosen)} levels, must be {LEVELS}")
        write_json(levels_file(declared.id), result)
        print(f"written: {levels_file(declared.id)}")
    if page is not None:
        write_text(page, levels_page(shipped_results()))
        print(f"written: {page}")


def _print_probe(one: str, other: str, score: Score) -> None:
    low, high = score.interval
    ends = f"{100 * low:.1f}-{100 * high:.1f}"
    print(f"{one} against {other}: {100 * score.share:.1f} % ({ends}), {score.games} games", flush=True)


def result_of(
    game: Game, chosen: list[Chosen], measured: dict[int, list[Score]], seed: int, command: str
) -> dict[str, Any]:
    """The levels of a game as plain JSON data, from the lowest up."""
    rows = []
    for place, one in enumerate(chosen):
        above = {str(players): _facts(scores[place - 1]) for players, scores in measured.items()} if place else {}
        fewest = measured[min(measured)]
        spent = fewest[place - 1].seconds_per_decision[0] if place else fewest[0].seconds_per_decision[1]
        rows.append(
            {
                "level": one.level,
                "agent": one.agent,
                "above": above,
                "seconds_per_decision": float(f"{spent:.3g}"),
            }
        )
    config = game.config()
    return {
        "game": game.id,
        "target": TARGET,
        "seed": seed,
        "contents": contents_by_name([one.agent for one in chosen], game, config),
        "command": command,
        "run": provenance(),
        "levels": rows,
    }


def _facts(score: Score) -> dict[str, Any]:
    return {
        "share": round(score.share, 4),
        "interval": [round(end, 4) for end in score.interval],
        "games": score.games,
        "deals": score.deals,
    }
