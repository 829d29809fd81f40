"""The command `benchmark`: an agent plays a suite and gets its card."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from bdgame_env.agents import UnknownAgent, make_agent
from bdgame_env.agents.identity import contents_of
from bdgame_env.agents.registry import keep_spec

from ..arena import options
from ..arena.tournament import Place, run_with_progress
from ..courtesy import courtesy
from ..errors import BadInput
from ..files import provenance, write_json
from ..inputs import LEAST_SECONDS, MOST_SECONDS
from .anchors import Anchors, anchors_file, read_anchors, write_anchors
from .card import Played, card_of, costs_of, gap_line, name_of, sample_of, table_of
from .suite import LATEST, Cell, Suite, read_suite

CARD = "card.json"
HERE = Place()
_WIDTH = 130


def benchmark(
    agent: Annotated[
        str | None, typer.Argument(metavar="AGENT", help="as in `tournament`: a name, file, module:Class, program:...")
    ] = None,
    games: Annotated[
        str, typer.Option(metavar="all|GAMES", help="ids of games, such as gizmos-v3,nicodemus-v2")
    ] = "all",
    players: Annotated[str | None, typer.Option(help="only these numbers of players, e.g. 2,3")] = None,
    out: Annotated[Path | None, typer.Option(help="folder for the card and the games; default: runs/benchmark")] = None,
    suite: Annotated[str, typer.Option(help="the suite to play")] = LATEST,
    deals: Annotated[int | None, typer.Option(min=2, help="maximum deals for each game; default: all")] = None,
    precision: Annotated[
        float | None, typer.Option(min=0.1, help="stop a game once its score is known to plus or minus this")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            min=LEAST_SECONDS, max=MOST_SECONDS, help="seconds per decision; an agent that takes longer loses the game"
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="what the card calls the agent; default: AGENT")] = None,
    workers: options.Workers = None,
    on: options.On = None,
    memory: options.Memory = None,
    pool: Annotated[
        bool, typer.Option("--pool", help="play the pool among itself and store the result in the package")
    ] = False,
) -> None:
    """Measure an agent on fixed deals against fixed opponents; write a card with its score and rating in each game.

    To resume a benchmark that was stopped, repeat the command with the same --out.
    """
    played = read_suite(suite)
    cells = played.cells(games, players)
    place = Place(workers, on, memory)
    if pool:
        if agent is not None:
            raise BadInput("--pool: the pool plays among itself, without AGENT")
        play_pool(played, cells, out or Path("runs") / f"{suite}-pool", place)
        return
    if agent is None:
        raise BadInput("name an AGENT to measure")
    out = out or Path("runs/benchmark")
    anchors = _playable(played, cells, agent, leave_out=games == "all")
    measure(played, anchors, agent, out, deals, precision, time, name, place)


def _playable(suite: Suite, cells: Sequence[Cell], agent: str, *, leave_out: bool) -> list[tuple[Cell, Anchors]]:
    """The cells that the agent can play, with their anchors; if some are left out, a line for each of these.

    Raises:
        BadInput, UnknownAgent: the agent can play no cell, or not all of those asked for, or the pool of one is not
            that of the suite.
    """
    found, left_out = [], list[tuple[Cell, ValueError]]()
    for cell in cells:
        try:
            make_agent(agent, cell.game, cell.config).close()
            found.append((cell, read_anchors(suite, cell)))
        except (BadInput, UnknownAgent) as error:
            left_out.append((cell, error))
    if left_out and not (leave_out and found):
        raise left_out[0][1]
    for cell, why in left_out:
        print(f"left out: {cell}: {why}", file=sys.stderr)
    return found


def measure(
    suite: Suite,
    anchors: Sequence[tuple[Cell, Anchors]],
    agent: str,
    out: Path,
    deals: int | None = None,
    precision: float | None = None,
    seconds: float | None = None,
    name: str | None = None,
    place: Place = HERE,
) -> dict[str, Any]:
    """Play an agent in some cells, print its figures, and write them. The card is returned.

    Args:
        suite: with these cells.
        anchors: the cells, with what their pools did.
        agent: its spec.
        out: folder of the card and of a folder for each cell.
        deals: at most so many in each cell; None for all of the suite.
        precision: points of the score to which it is to be known; None to play all deals.
        seconds: limit of a decision.
        name: what the card calls the agent.
        place: where to play.

    Raises:
        BadInput, UnknownAgent, OSError: one line that says what is wrong.
    """
    agent = keep_spec(agent)
    played, cells = [], []
    for cell, anchor in anchors:
        share = None if precision is None else precision / 100 * (anchor.highest - anchor.lowest)
        settings = suite.settings(cell, agent, deals, share, seconds)
        print(f"{cell}: {settings.games} deals at most", flush=True)
        outcome, _ = run_with_progress(settings, cell.game, cell.config, out / cell.file_name, place)
        played.append(Played(cell, anchor, outcome.settings.names, outcome.results))
        cells.append(costs_of(played[-1]))
    card = card_of(suite, played)
    for figures, costs in zip(card["cells"], cells, strict=True):
        figures |= costs
    first = anchors[0][0]
    made = make_agent(agent, first.game, first.config)
    card |= {
        "agent": name or str(agent),
        "spec": str(agent),
        "contents": {str(cell): contents_of(agent, cell.game, cell.config) for cell, _ in anchors},
        "needs_states": bool(made.needs_states),
        "suite_deals": suite.deals,
        "seconds_limit": seconds,
        "peak_memory_mb": None if place.on else peak_memory(),
        "run": provenance(),
    }
    made.close()
    write_json(out / CARD, card)
    report(card)
    with courtesy("no card.png"):
        from .card_plot import plot_card  # imports matplotlib

        plot_card(card, out / "card.png")
    print(f"written: {out / CARD}, {out / 'card.png'}")
    return card


def report(card: dict[str, Any]) -> None:
    """Print a card."""
    table = table_of(card)
    table.print(_WIDTH)
    print(table.note)
    if sample := sample_of(card):
        print(f"{sample}: the intervals say how much other deals could change these figures")
    for cell in card["cells"]:
        for row in cell["forfeits"]:
            print(f"lost by forfeit: {name_of(cell)}, {row['games']} games: {row['reason']}")
    for gap in card.get("gaps", ()):
        print(gap_line(gap))
    ends = card["score_interval"] or ("?", "?")
    text = " to ".join(f"{end:.1f}" if isinstance(end, float) else end for end in ends)
    print(f"{card['agent']}: {card['score']:.1f} (95 % {text}) in {card['suite']}, the interquartile mean of the above")


def play_pool(suite: Suite, cells: Sequence[Cell], out: Path, place: Place) -> None:
    """Play the pools of some cells among themselves, and write what agents are measured by."""
    for cell in cells:
        settings = suite.pool_settings(cell)
        outcome, played = run_with_progress(settings, cell.game, cell.config, out / cell.file_name, place)
        if outcome.forfeits:
            raise BadInput(f"{cell}: agents of the pool forfeited: {outcome.forfeits[0]}")
        write_anchors(suite, cell, outcome)
        widest = max(high - low for low, high in (row.rating_interval or (0, 0) for row in outcome.standings.agents))
        where = anchors_file(suite, cell)
        print(f"{cell}: {outcome.standings.games} games, {played} played now, ratings ± {widest / 2:.0f}: {where}")


def peak_memory() -> float | None:
    """The most memory that this process or one that it started has taken, in MB; None if the system does not tell."""
    try:
        import resource
    except ModuleNotFoundError:
        return None
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return round(most / (2**20 if sys.platform == "darwin" else 2**10), 1)
