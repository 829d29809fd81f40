"""What a game declares for those who design its cards: what to count in its games, and how its decks may change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from .game import Game, GameConfig

Deck = dict[str, Any]  # a card file as plain data: numbers, texts, lists and tables, as TOML has them

GAMES, GAME, SEAT, SHARE = "games", "game", "seat", "share"  # see `Figure`


@dataclass(frozen=True)
class Figure:
    """A figure about games, made of what was counted.

    Attributes:
        name: in one word, e.g. "splits".
        meaning: one line for tables.
        count: the name of a count.
        how: GAMES, the share of games in which the count of some seat is above 0; GAME, the mean of the sum over the
            seats; SEAT, the mean of a seat; or SHARE, the sum of all seats and games over that of another count.
        of: that count.
    """

    name: str
    meaning: str
    count: str
    how: str
    of: str = ""


@dataclass(frozen=True)
class Statistics:
    """What a game counts of itself while it is played.

    Attributes:
        counts: the names of what is counted for each seat.
        count: the kernel `(s, config, action, counts, room) -> None`, called before every action: add to `counts`,
            int32 (MAX_SEATS, len(counts)). `room`, state records of shape (1,), may be overwritten.
        finish: the kernel `(s, config, counts) -> None`, called when the game is over.
        figures: what is reported.
    """

    counts: tuple[str, ...]
    count: Callable[..., None]
    finish: Callable[..., None]
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Holdings:
    """What a seat begins with, in games that begin by `Game.explore`.

    Attributes:
        names: `(deck) -> names`, what is counted: the path of the entry that is its price, then perhaps a space and
            more words, e.g. "special.c_1Y_1R.cost ready".
        count: the kernel `(s, config, seat, out) -> None`: write how many of each the seat has, int32 (length,).
        length: how many names there are.
    """

    names: Callable[[Deck], Sequence[str]]
    count: Callable[..., None]
    length: int


def _no_faults(config: GameConfig) -> list[str]:
    """Every legal deck is worth playing."""
    return []


def _nothing_else(deck: Deck, path: str) -> Sequence[Any]:
    """No entry has alternatives."""
    return ()


@dataclass(frozen=True)
class Design:
    """How the decks of a game may change, and what they are for. A game's folder supplies it, see `Game.design`.

    The paths of entries join the keys of a deck by dots; of a list of tables the first text in each is its key.

    Attributes:
        statistics: what is counted in games, or None.
        option: the option of the game that takes the path of a card file; "" if it has none.
        read: `(config) -> decks`: the decks that a config was made of, as plain data.
        space: the entries that may change, by the pattern of their paths: a pair, the least and the greatest whole
            number; or "any", one of `alternatives`.
        aims: figures by name with bounds: {"most": 0.56}, {"least": 12, "most": 15}, or for some numbers of players
            {"most": 0.56, "players": [2]}; "scale" is the size of a fault.
        taken: the verb of the actions that take a card, for the cards that nobody wants; "" if there is none.
        judge: the agent that plays.
        faults: `(config) -> lines`: what is wrong with a legal deck, found without playing it.
        alternatives: `(deck, path) -> values`: what may stand there instead.
        fresh: `(number) -> deck`: decks to begin from besides the given one; None if there are none.
        holdings: what seats begin with in exploring games; None if it is not known.
    """

    statistics: Statistics | None = None
    option: str = ""
    read: Callable[[GameConfig], list[Deck]] | None = None
    space: Mapping[str, Any] = field(default_factory=dict)
    aims: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    taken: str = ""
    judge: str = "heuristic"
    faults: Callable[[GameConfig], list[str]] = _no_faults
    alternatives: Callable[[Deck, str], Sequence[Any]] = _nothing_else
    fresh: Callable[[int], Deck] | None = None
    holdings: Holdings | None = None


def design_of(game: Game) -> Design:
    """The design that a game names, or one without anything."""
    if not game.design:
        return Design()
    design: Design = import_module(game.design).DESIGN
    return design
