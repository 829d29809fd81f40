"""The commands `ladder` and `ladders`: the baselines of games play each other, and other agents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env import get_game, list_games
from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.heuristics.compiled_players import compiled_names, compiled_players
from bdgame_env.agents.ladder import ladder_file
from bdgame_env.engine.game import Game, GameConfig
from bdgame_env.engine.user_files import read_text

from ..command_name import command_name
from ..errors import BadInput
from ..files import write_json, write_text
from ..inputs import open_game, read_numbers, read_time_limits
from ..tables import Table, interval, percent
from . import options
from .meta_game_text import cycles_line, meta_game_table
from .outcome import Outcome
from .schedule import ROUND_ROBIN, SWISS
from .settings import Settings
from .standings import Standings
from .tournament import Place, check_format, check_race, play_and_report

# From the weakest up, above random play and the game's compiled players; those that a game lacks are left out.
STRONGER = ("mcts", "planner", "strong-planner", "ppo", "az", "network-planner")
_BREAK, _VAGUE = "\n## ", 0.3  # an interval from which on a share is in parentheses
_HEAD = """# The ladder

The agents that come with each game, rated in tournaments on deals that neither training nor tuning saw. Ratings are
on the Elo scale around 1500 ([tournaments.md](tournaments.md#ratings)) and comparable only within one table; intervals
are 95 %, over deals. A shared win counts in part. With `--half-width` nearly all games are between neighbors, so every
agent wins about half of its games: compare ratings, not wins. Agents do not get equal thinking time. Thinking times are
by the clock, on shared machines: those below 0.2 ms may be several times too long."""


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
    half_width: options.HalfWidth = None,
    minutes: options.Minutes = None,
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
    check_race(format, False, half_width, minutes)
    limits = read_time_limits(time_limit or (), specs)
    settings = Settings(
        game,
        dict(config.options),
        specs,
        games,
        seed,
        batch or 0,
        limits,
        format,
        half_width=half_width,
        seconds=None if minutes is None else 60 * minutes,
    )
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


def ladders(
    page: Annotated[Path, typer.Argument(metavar="PAGE", help="the Markdown file to write, e.g. docs/ladder.md")],
    out: Annotated[Path, typer.Option(help="folder that gets a folder for each tournament")] = Path("runs/ladders"),
    game: Annotated[
        list[str] | None, typer.Option("--game", metavar="GAME", help="only this game; repeatable; default: all")
    ] = None,
    players: Annotated[str | None, typer.Option(help="only these numbers of players, e.g. 2,3")] = None,
    games: options.Deals = 20,
    seed: options.Seed = 100,
    half_width: options.HalfWidth = None,
    minutes: options.Minutes = None,
    workers: options.Workers = None,
    on: options.On = None,
    memory: options.Memory = None,
    ship: Annotated[bool, typer.Option("--ship", help="also write the ratings that come with the package")] = False,
) -> None:
    """Play the baselines of every game against each other, for every number of players; write one page.

    Two players meet in a round robin, more in a Swiss tournament; with --half-width all are races between neighbors.
    The page is written again after each tournament; what it says of other games and numbers of players stays.
    To resume a run that was stopped, repeat the command with the same --out.
    """
    wanted = [] if players is None else read_numbers("--players", players)
    how = [f"--games {games}", f"--seed {seed}"]
    how += [] if half_width is None else [f"--half-width {half_width:g}"]
    how += [] if minutes is None else [f"--minutes {minutes:g}"]
    how += ["--ship"] if ship else []
    check_race(ROUND_ROBIN, False, half_width, minutes)
    chosen = [get_game(name) for name in game or list_games()]
    place = Place(workers, on, memory)
    text, tables = read_text(page) if page.exists() else "", 0
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
            format = ROUND_ROBIN if count == 2 or half_width is not None else SWISS
            seconds = None if minutes is None else 60 * minutes
            settings = Settings(
                declared.id,
                dict(config.options),
                agents,
                games,
                seed,
                0,
                format=format,
                half_width=half_width,
                seconds=seconds,
            )
            outcome = play_and_report(settings, declared, config, out / f"{declared.id}-{count}p", place)
            command = [command_name(), "ladders", str(page), f"--game {declared.id}", f"--players {count}", *how]
            text, tables = ladder_page(text, outcome, " ".join(command)), tables + 1
            write_text(page, text)
            if ship:
                write_json(ladder_file(declared.id, count), shipped(outcome))
    if not tables:
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


def ladder_page(before: str, outcome: Outcome, command: str) -> str:
    """The page with a section for a ladder, in place of an older one, in the order of games and numbers of players."""
    _, *old = before.split(_BREAK)
    sections = {text.partition("\n")[0]: text.strip() for text in old}
    title = _title(get_game(outcome.settings.game), outcome.settings.options["players"])
    sections[title] = "\n".join([title, "", *_section(outcome, command)])
    games = [get_game(name) for name in list_games()]
    order = [_title(game, count) for game in games for count in range(game.seats[0], game.seats[1] + 1)]
    known = [sections.pop(name) for name in order if name in sections]
    return ("\n" + _BREAK).join([_HEAD, *known, *sections.values()]) + "\n"


def _title(game: Game, players: int) -> str:
    return f"{game.title}, {players} players"


def _who_beats_whom(standings: Standings) -> Iterable[str]:
    """The matrix of wins and what follows from it, where all of three or more agents have met."""
    if beyond := meta_game_table(standings):
        names = [one.agent for one in standings.agents]
        cells = zip(standings.win_matrix, standings.win_matrix_intervals, strict=True)
        shares = [list(map(_cell, row, ends)) for row, ends in cells]
        yield (
            "\nHow often, in percent, the row's agent ranked above the column's"
            " (ties count half; in parentheses: few games):\n"
        )
        yield Table("", ("", *names), [(name, *row) for name, row in zip(names, shares, strict=True)]).markdown()
        yield f"\n{beyond.markdown()}\n\n{cycles_line(standings)}"


def _cell(share: float | None, ends: tuple[float, float] | None) -> str:
    if share is None:
        return ""
    return f"{100 * share:.0f}" if ends is not None and ends[1] - ends[0] < _VAGUE else f"({100 * share:.0f})"


def _milliseconds(outcome: Outcome) -> dict[str, float]:
    """How long each agent thought for a decision, on the machines that played."""
    names, seconds, decided = outcome.settings.names, defaultdict[int, float](float), defaultdict[int, int](int)
    for result in outcome.results:
        for agent, spent, count in zip(result.agents, result.seconds, result.decided, strict=False):  # none before 0.3
            seconds[agent] += spent
            decided[agent] += count
    return {name: 1000 * seconds[agent] / max(1, decided[agent]) for agent, name in enumerate(names)}


def _section(outcome: Outcome, command: str) -> Iterable[str]:
    standings, thought = outcome.standings, _milliseconds(outcome)
    by_seat = zip(standings.wins_by_seat, standings.wins_by_seat_intervals, strict=True)
    rows = [
        (
            one.agent,
            f"{one.rating:.0f}{interval(one.rating_interval, 0)}",
            percent(one.win_rate, one.win_rate_interval, digits=0),
            f"{one.mean_rank:.2f}",
            percent(one.truncated),
            ", ".join("-" if share is None else f"{100 * share:.0f} %" for share in one.wins_by_seat),
            f"{thought[one.agent]:.0f}" if thought[one.agent] >= 10 else f"{thought[one.agent]:.2g}",
        )
        for one in standings.agents
    ]
    yield (
        f"{standings.games:,} games on {standings.deals:,} deals, {standings.mean_decisions:.0f} decisions each,"
        f" {percent(standings.truncated)} truncated."
        f" Wins by seat: {', '.join(percent(share, ends) for share, ends in by_seat)}.\n"
    )
    yield f"```sh\n{command}\n```\n"
    titles = ("", "rating", "wins", "mean rank", "truncated", "wins by seat", "ms a decision")
    yield Table("", titles, rows).markdown()
    if outcome.verdict_lines:
        yield "\n" + "\n".join(f"- {line}" for line in outcome.verdict_lines)
    yield from _who_beats_whom(standings)
    if outcome.forfeits:
        lost = "; ".join(f"{agent} {count} ({reason})" for agent, reason, count in outcome.forfeits)
        yield f"\nForfeits: {lost}."
