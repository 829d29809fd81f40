"""The command `leaderboard`: checks a card, and adds it to a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import isclose
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from bdgame_env import get_game
from bdgame_env.agents import make_agent
from bdgame_env.engine.rng import game_seed
from bdgame_env.engine.user_files import NotRead, digest_of, read_text

from ..arena.matches import GameResult, Recording, play_batch
from ..arena.schedule import circle_orders
from ..arena.seating import Seating
from ..arena.settings import Settings
from ..arena.store import NAME, stored_tournament
from ..errors import BadInput
from ..files import write_text
from ..tables import interval
from .anchors import read_anchors
from .card import VERSION, Played, card_of, games_digest
from .suite import Cell, Suite, read_suite

_HEAD = """# Leaderboard

Cards that `bdgame leaderboard` has checked; [measuring_agents.md](measuring_agents.md) says what the figures mean.
Scores can be compared between rows of one suite and the same games.

| agent | suite | games | score (95 %) | games played | forfeits | s/decision | card | date |
|---|---|---|---|---|---|---|---|---|
"""


def leaderboard(
    card: Annotated[Path, typer.Argument(metavar="CARD", help="card.json, in the folder that `benchmark` wrote")],
    page: Annotated[Path | None, typer.Option(help="the page to add it to, e.g. docs/leaderboard.md")] = None,
    sample: Annotated[int, typer.Option(min=1, help="batches of games to play again for each game")] = 1,
) -> None:
    """Check a card against the games beside it, replaying some of them; add it to a page.

    Given the agent's moves, the opponents must make the same moves again, and the figures must follow from the games.
    """
    found, again = checked_card(card, sample)
    print(f"{card}: its figures are those of its {found['games']} games, of which {again} were played again")
    line = line_of(found, digest_of(card.read_bytes()))
    if page is None:
        print(line)
        return
    write_text(page, page_with(page, line))
    print(f"written: {page}")


def checked_card(path: Path, sample: int = 1) -> tuple[dict[str, Any], int]:
    """A card that is what it says, and how many games were played again for that.

    Args:
        path: of the card; the folders of its games are beside it.
        sample: how many batches of each cell to play again.

    Raises:
        BadInput: the card is not one, or does not fit to the suite or to its games; one line.
    """
    card = _read(path)
    suite = read_suite(str(card["suite"]))
    played, again = [], 0
    for figures in card["cells"]:
        game = get_game(str(figures.get("game")))
        if game.id not in suite.pools:
            raise BadInput(f"{path}: {suite.name} has no {game.id}")
        cell = suite.cell(game, figures.get("players"), str(figures.get("variant", "")))
        anchors = read_anchors(suite, cell)
        if anchors.digest != figures.get("pool"):
            raise BadInput(f"{path}: {cell}: measured against another pool than that of {suite.name} here")
        folder = path.parent / cell.file_name
        stored, batches = stored_tournament(folder / NAME)
        results = sorted((one for batch in batches for one in batch), key=lambda one: one.number)
        settings = _fitting(suite, cell, stored, results, folder)
        if games_digest(results) != figures.get("results"):
            raise BadInput(f"{path}: {cell}: the games in {folder} are not those of the card")
        again += _play_again(cell, settings, batches, bool(card.get("needs_states")), sample, folder)
        played.append(Played(cell, anchors, settings.names, results))
    wrong = _difference(json.loads(json.dumps(card_of(suite, played))), card)
    if wrong:
        raise BadInput(f"{path}: {wrong} does not follow from its games")
    return card, again


def _read(path: Path) -> dict[str, Any]:
    try:
        text = read_text(path)
    except NotRead as error:
        raise BadInput(f"{path}: {error}") from None
    with suppress(ValueError, RecursionError, TypeError, KeyError):
        card: dict[str, Any] = json.loads(text)
        seconds = [cell["seconds_per_decision"] for cell in card["cells"]]
        facts = (card["card"] == VERSION, seconds, isinstance(card["agent"], str), isinstance(card["run"], dict))
        if all(facts) and all(isinstance(value, float) for value in seconds):
            return card
    raise BadInput(f"{path}: not a card of version {VERSION}, which `bdgame benchmark` writes")


def _fitting(
    suite: Suite, cell: Cell, stored: Mapping[str, Any], results: Sequence[GameResult], folder: Path
) -> Settings:
    """The settings of the games, if these are those of the suite.

    Raises:
        BadInput: they are not.
    """
    agent = str((stored.get("agents") or ["?"])[0])
    settings = suite.settings(cell, agent)
    for name in ("game", "options", "agents", "seed", "format"):
        if stored.get(name) != json.loads(json.dumps(getattr(settings, name))):
            raise BadInput(f"{folder}: its games are not those of {suite.name}: {name} differs")
    deals = 1 + max((one.deal for one in results), default=-1)
    wanted = [(deal, order) for deal in range(deals) for order in circle_orders(settings.plan, deal)]
    there = [(one.deal, one.agents) for one in results]
    seeds = [game_seed(suite.seed, deal) for deal in range(min(deals, suite.deals))]
    if not deals or deals > suite.deals or there != wanted or any(one.game_seed != seeds[one.deal] for one in results):
        raise BadInput(f"{folder}: its games are not those of {suite.name}: other deals or seats")
    return settings


def _play_again(
    cell: Cell,
    settings: Settings,
    batches: Sequence[Sequence[GameResult]],
    needs_states: bool,
    sample: int,
    folder: Path,
) -> int:
    """Play some batches again, in which the agent does what it did; returns the number of games.

    Raises:
        BadInput: the games do not end as they did.
    """
    sound = [batch for batch in batches if all(one.forfeit is None for one in batch)]
    rng = np.random.default_rng()
    agents = [make_agent(spec, cell.game, cell.config) for spec in ("random", *settings.agents[1:])]
    count = 0
    try:
        for index in rng.permutation(len(sound))[:sample]:
            before = sound[int(index)]
            seatings = [Seating(one.number, one.deal, one.game_seed, one.agents) for one in before]
            recording = Recording(0, before, needs_states)
            after = play_batch(cell.game, cell.config, agents, seatings, seed=settings.seed, recording=recording)
            for one, other in zip(before, after, strict=True):
                if one != other:
                    raise BadInput(f"{folder}: game {one.number}, played again, goes otherwise than it is stored")
            count += len(before)
    finally:
        for agent in agents:
            agent.close()
    return count


def _difference(wanted: Any, found: Any, where: str = "card") -> str:
    """The first figure that differs; "" if none does. What is not wanted does not count."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return next(filter(None, (_difference(wanted[name], found.get(name), name) for name in wanted)), "")
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return next(filter(None, (_difference(*pair, where) for pair in zip(wanted, found, strict=True))), "")
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        return "" if isclose(wanted, found, rel_tol=1e-3, abs_tol=1e-3) else where
    return "" if wanted == found else where


def line_of(card: Mapping[str, Any], digest: str) -> str:
    """The row of a card in the table."""
    by_game: dict[str, list[str]] = {}
    for cell in card["cells"]:
        counts = by_game.setdefault(str(cell["game"]), [])
        counts += [] if str(cell["players"]) in counts else [str(cell["players"])]
    games = "; ".join(f"{game} {','.join(players)}" for game, players in by_game.items())
    forfeits = sum(row["games"] for cell in card["cells"] for row in cell["forfeits"])
    seconds = max(cell["seconds_per_decision"] for cell in card["cells"])
    cells = (
        " ".join(card["agent"].replace("|", "/").split()),
        card["suite"],
        games,
        f"{card['score']:.1f}{interval(card['score_interval'])}",
        card["games"],
        forfeits,
        f"{seconds:.2g}",
        digest[:12],
        str(card["run"].get("date"))[:10],
    )
    return f"| {' | '.join(map(str, cells))} |"


def page_with(page: Path, line: str) -> str:
    """The text of a page with one more row, or with a new row for the same agent, suite and games.

    Raises:
        BadInput: the page is not a leaderboard.
    """
    rows = []
    if page.exists():
        head, rule, table = read_text(page).rpartition(_HEAD.splitlines()[-1] + "\n")
        if not rule:
            raise BadInput(f"{page}: has no table of a leaderboard")
        rows = [
            row for row in table.splitlines() if row.startswith("| ") and row.split(" | ")[:3] != line.split(" | ")[:3]
        ]
    else:
        head, rule = _HEAD.removesuffix(_HEAD.splitlines()[-1] + "\n"), _HEAD.splitlines()[-1] + "\n"
    try:
        ordered = sorted([*rows, line], key=lambda row: (row.split(" | ")[1:3], -float(row.split(" | ")[3].split()[0])))
    except (IndexError, ValueError):
        raise BadInput(f"{page}: has a row that is not one of a leaderboard") from None
    return head + rule + "\n".join(ordered) + "\n"
