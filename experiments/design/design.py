"""The command `design`: finds a better deck of cards."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from bdgame_env.engine.designing import Deck

from ..arena import options
from ..courtesy import courtesy
from ..errors import BadInput
from ..files import provenance, write_json, write_text
from ..inputs import read_numbers
from .deck_data import entries, text_of
from .judge import Judge
from .plan import Plan, read_plan
from .search import Candidate, Search
from .wording import figures_table
from .worth import worths

Say = Callable[[str], None]

_SETTINGS = "settings.json"
_WIDTH = 150


def design(
    what: Annotated[str, typer.Argument(metavar="GAME|DECK", help="a game such as bdgame-v3, or a card file")],
    deck: Annotated[str | None, typer.Option(help="deck to begin with; default: the game's own")] = None,
    space: Annotated[Path | None, typer.Option(help="TOML file with the tables `space` and `aims`")] = None,
    aim: Annotated[
        list[str] | None, typer.Option(metavar="FIGURE<=NUMBER", help="an aim, also FIGURE>=NUMBER; repeatable")
    ] = None,
    players: Annotated[str | None, typer.Option(help="numbers of players, e.g. 2,3,4; default: all")] = None,
    player: Annotated[str | None, typer.Option(metavar="SPEC", help="agent that plays in the search")] = None,
    judge: Annotated[
        list[str] | None, typer.Option(metavar="SPEC", help="also measure the finalists with this agent; repeatable")
    ] = None,
    generations: Annotated[
        int, typer.Option(min=0, help="generations after the first; a larger number continues a search")
    ] = 10,
    children: Annotated[int, typer.Option(min=1, help="decks tried in each generation")] = 18,
    fresh: Annotated[
        int, typer.Option(min=0, help="other generated decks to begin with, if the game generates any")
    ] = 36,
    games: Annotated[int, typer.Option(min=1, help="games of each finalist, for each number of players")] = 600,
    finalists: Annotated[int, typer.Option(min=1, help="number of finalists")] = 3,
    explore: Annotated[int, typer.Option(min=0, help="games from exploring starts, for the worth of cards")] = 800,
    seed: options.Seed = 0,
    option: options.Options = None,
    out: Annotated[Path | None, typer.Option(help="folder for the decks, report.html and what was played")] = None,
) -> None:
    """Search a space of decks for one that meets the aims, by games of a fast agent on the same deals.

    With --out, a stopped search goes on when the command is repeated, and best.toml is the deck.
    """
    started = time.monotonic()
    plan = read_plan(what, deck, option or (), space, aim or ())
    least, most = plan.game.seats
    numbers = list(range(least, most + 1)) if players is None else read_numbers("--players", players)
    if not numbers or any(not least <= number <= most for number in numbers) or len(set(numbers)) < len(numbers):
        raise BadInput(f"--players {players}: must be different numbers, {least} to {most}")
    with _folder(out) as folder:
        searching = Judge(plan.game, plan.options, player or plan.design.judge, seed, folder)
        others = [Judge(plan.game, plan.options, spec, seed, folder) for spec in judge or ()]
        if out is not None:
            _check_settings(out, plan.settings | {"seed": seed, "player": searching.spec})
        before = Candidate(plan.deck[0], plan.deck[1])
        with _progress() as say:
            search = Search(searching, plan.space, plan.aims, numbers, seed, say)
            say("the deck to begin with")
            search.play(before, numbers, games)
            for step in search.run(_starts(plan, fresh), generations, children):
                line = f"{step.tried} decks, best {step.best.loss:.2f} faults ({step.best.origin})"
                print(f"generation {step.generation}: {line}", flush=True)
                _keep_best(plan, step.best, out)
            best = _finals(search, numbers, games, finalists, say)
            say("the worth of cards")
            found = worths(searching, best.deck, numbers[0], explore) if explore else []
        measured = _measured(others, best, numbers, games)
        for number in numbers:
            columns = [("before", before), ("best", best), *measured]
            figures_table(columns, number, plan.aims, plan.design.statistics).print(_WIDTH)
        faults = f"faults: {before.loss:.2f} before, {best.loss:.2f} now"
        seconds = time.monotonic() - started
        print(f"{faults}; {len(search.tried)} decks, {searching.played} games in {seconds:.0f} s")
        _keep_best(plan, best, out)
        if out is None:
            print(text_of(best.deck, _title(plan, best)))
            return
        with courtesy("no report.html"):
            from .design_page import design_page  # imports matplotlib

            columns = [("before", before), *measured, ("best", best)]
            changes, tried = _changes(before, best), list(search.tried.values())
            page = design_page(searching, plan.aims, columns, tried, found, changes, provenance())
            write_text(out / "report.html", page)
        print(f"written: {out}/best.toml, {out}/report.html")


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="bdgame_design_") as folder:
        yield Path(folder)


def _check_settings(out: Path, settings: dict[str, object]) -> None:
    """Keep the settings of a search, or see that the folder has one with the same.

    Raises:
        BadInput: the folder has another search.
    """
    path = out / _SETTINGS
    kept = json.loads(json.dumps(settings))
    if not path.exists():
        write_json(path, kept)
        return
    before = json.loads(path.read_text(encoding="utf-8"))
    for name, value in kept.items():
        if before.get(name) != value:
            raise BadInput(f"{out} has a search with another {name}; use another folder, or the same command")


def _starts(plan: Plan, fresh: int) -> list[tuple[Deck, str]]:
    made = plan.design.fresh
    others = [] if made is None else [(made(number), f"fresh {number}") for number in range(fresh)]
    return [plan.deck, *others]


def _finals(search: Search, numbers: Sequence[int], games: int, finalists: int, say: Say) -> Candidate:
    """Play the games of the best decks; returns the best of them."""
    chosen = search.elite[:finalists]
    for place, candidate in enumerate(chosen):
        for number in numbers:
            say(f"finalist {place + 1} of {len(chosen)}, {number} players, {games} games")
            search.play_all(candidate, number, games)
    return min(chosen, key=lambda candidate: candidate.loss)


def _measured(
    others: Sequence[Judge], best: Candidate, numbers: Sequence[int], games: int
) -> list[tuple[str, Candidate]]:
    """The best deck as other agents play it."""
    found = []
    for other in others:
        candidate = Candidate(best.deck, best.origin)
        for number in numbers:
            candidate.tallies[number] = other.tally(best.deck, number, games)
        found.append((f"best, {other.spec}", candidate))
    return found


def _changes(before: Candidate, best: Candidate) -> list[tuple[str, str, str]]:
    """Entries that differ: path, before, after."""
    one, two = (
        {path: str(value) for path, value in entries(candidate.deck) if not isinstance(value, (dict, list))}
        for candidate in (before, best)
    )
    pairs = [(path, one.get(path, "-"), two.get(path, "-")) for path in {**one, **two}]
    return [(path, was, now) for path, was, now in pairs if was != now]


def _keep_best(plan: Plan, candidate: Candidate, out: Path | None) -> None:
    if out is not None:
        write_text(out / "best.toml", text_of(candidate.deck, _title(plan, candidate)))


def _title(plan: Plan, candidate: Candidate) -> str:
    games = ", ".join(f"{tally.games} of {number}" for number, tally in sorted(candidate.tallies.items()))
    return f"A deck of {plan.game.id}, found by `bdgame design`: {candidate.loss:.2f} faults in games: {games} players."


@contextmanager
def _progress() -> Iterator[Say]:
    """A line on stderr that changes, if that is a terminal."""
    shows = sys.stderr.isatty()

    def say(text: str) -> None:
        if shows:
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield say
    finally:
        if shows:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
