"""What was asked for: the game, the deck to begin with, the space and the aims. Knows no game."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bdgame_env import get_game, list_games
from bdgame_env.engine.designing import Deck, Design, design_of
from bdgame_env.engine.game import Game
from bdgame_env.engine.quoting import listed, shown
from bdgame_env.engine.user_files import NotRead, read_text
from bdgame_env.registry import UnknownGame

from ..balance.tally import meanings
from ..errors import BadInput
from ..inputs import read_options
from .aims import Aim, check_figures, parse_aim, read_aims
from .deck_data import text_of
from .space import Space

_MOST_BYTES = 100_000


@dataclass(frozen=True)
class Plan:
    """What was asked for.

    Attributes:
        game: the game.
        design: how its decks may change.
        options: of the game, besides players and deck.
        deck: the deck to begin with, and its name.
        space: which decks there are.
        aims: what they are to be like.
    """

    game: Game
    design: Design
    options: dict[str, Any]
    deck: tuple[Deck, str]
    space: Space
    aims: list[Aim]

    @property
    def settings(self) -> dict[str, Any]:
        """What a search depends on, as JSON data."""
        return {
            "game": self.game.id,
            "deck": text_of(self.deck[0]),
            "options": self.options,
            "space": dict(self.space.ranges),
            "aims": [f"{aim.figure} {aim.words}, scale {aim.scale:g}, players {aim.players}" for aim in self.aims],
        }


def read_plan(what: str, deck: str | None, options: Sequence[str], file: Path | None, aims: Sequence[str]) -> Plan:
    """Check what was asked for.

    Args:
        what: the id of a game, or the path of a deck.
        deck: the deck to begin with, as the game's option takes it; None for the game's own.
        options: of the game, each "KEY=VALUE".
        file: with the tables [space] and [aims]; None for the game's own.
        aims: each "FIGURE<=NUMBER" or "FIGURE>=NUMBER"; they replace those of the same figure.

    Raises:
        BadInput, UnknownGame, BadOption: in one line, what is wrong.
    """
    game = _game_of(what)
    if Path(what).is_file():
        deck = what
    design = design_of(game)
    if not design.option or design.read is None:
        raise BadInput(f"{game.id} takes no other cards: its Game names no design that reads decks")
    chosen = read_options(game, options)
    if design.option in chosen:
        raise BadInput(f"the deck is set by --deck, not by --option {design.option}=...")
    try:
        decks = design.read(game.config(**chosen, **({} if deck is None else {design.option: deck})))
    except ValueError as error:
        raise BadInput(str(error)) from error
    if len(decks) != 1:
        raise BadInput(f"--deck {deck} stands for {len(decks)} decks, must be one")
    tables, where = (read_tables(file), str(file)) if file else ({}, game.id)
    space = Space(tables.get("space", design.space), design.alternatives)
    space.check(decks[0], where)
    bounds = {**tables.get("aims", design.aims)}
    for text in aims:
        name, entry = parse_aim(text, {**design.aims, **bounds})
        kept = bounds.get(name, {}) if name in (parse_aim(other, {})[0] for other in aims[: aims.index(text)]) else {}
        bounds[name] = {**kept, **entry}
    if not bounds:
        raise BadInput(f"{where}: there are no aims; give some with --aim or in the table [aims]")
    read = read_aims(bounds, where)
    check_figures(read, meanings(design.statistics), where)
    return Plan(game, design, chosen, (decks[0], deck or "standard"), space, read)


def read_tables(file: Path) -> dict[str, Any]:
    """The tables of a file with a space and aims.

    Raises:
        BadInput: it cannot be read, or has other tables.
    """
    try:
        data = tomllib.loads(read_text(file, _MOST_BYTES))
    except (NotRead, ValueError) as error:
        raise BadInput(f"{file}: {error}") from None
    for name, table in data.items():
        if name not in ("space", "aims") or not isinstance(table, dict):
            raise BadInput(f"{file}: unknown entry {shown(name)}; known: the tables [space] and [aims]")
    return data


def _game_of(what: str) -> Game:
    """The game of an id, or the one that can play a deck."""
    if not Path(what).is_file():
        try:
            return get_game(what)
        except UnknownGame:
            if Path(what).suffix == ".toml":
                raise BadInput(f"{what} does not exist: a game's id or a card file is wanted") from None
            raise
    reasons = []
    for name in list_games():
        game = get_game(name)
        design = design_of(game)
        if design.option and design.read is not None:
            try:
                game.config(**{design.option: what})
            except ValueError as error:
                reasons.append(str(error))
            else:
                return game
    raise BadInput(reasons[0]) if len(reasons) == 1 else UnknownGame(f"{what} is a deck of no game: {listed(reasons)}")
