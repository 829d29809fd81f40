"""Which decks there are (B6): files, and decks without end that are made from their numbers."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from ...engine.game import is_word
from .cards import BASIC, NUM_SPECIAL, BadDeck, Deck, read_deck, standard_deck
from .random_decks import make_decks
from .state import MOST_DECKS

CLASSIC = "classic"
CLASSIC_DECK = Path(__file__).with_name("classic.toml")
TRAIN_DECKS = range(1024)  # the decks to learn with, which "random" stands for
TEST_DECKS = range(10_000, 11_024)  # those to measure with: training refuses them
LAST_DECK = 999_999

ANY_KINDS = (*BASIC, *(f"special_{number}" for number in range(1, NUM_SPECIAL + 1)))  # of any deck
_NUMBERS = re.compile(r"random:(\d{1,9})(?:-(\d{1,9}))?", re.ASCII)
_WORDS = f"'{CLASSIC}', 'random', 'random:N' and 'random:N-M'"
_ALLOWED = f"{_WORDS} with numbers 0 to {LAST_DECK}"


def deck_word(text: str) -> str | None:
    """The form in which a word for decks is kept; None for a path.

    Raises:
        ValueError: numbers out of range, or no numbers.
    """
    if text == CLASSIC:
        return text
    if text == "random":
        return _word(TRAIN_DECKS)
    return _word(_numbers(text)) if text.startswith("random:") else None


def word_of(number: int) -> str:
    """The word for one deck."""
    return f"random:{number}"


def held_out(first: int, count: int) -> bool:
    """Whether one of these random decks is for measuring."""
    return first < TEST_DECKS.stop and first + count > TEST_DECKS.start


def _word(numbers: range) -> str:
    return word_of(numbers[0]) + (f"-{numbers[-1]}" if len(numbers) > 1 else "")


def _numbers(text: str) -> range:
    found = _NUMBERS.fullmatch(text)
    if found is None:
        raise ValueError(f"there are {_ALLOWED}")
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise ValueError(f"the range ends before it begins; there are {_ALLOWED}")
    if last > LAST_DECK:
        raise ValueError(f"there is no deck {last}; there are {_ALLOWED}")
    if last - first >= MOST_DECKS:
        raise ValueError(f"these are {last - first + 1} decks, at most {MOST_DECKS} can be played at a time")
    return range(first, last + 1)


def decks_of(deck: Any) -> tuple[int, tuple[Deck, ...]]:
    """The number of the first deck (0 if they have none) and the decks that an option stands for.

    Args:
        deck: None for the standard deck, a word as `deck_word` gives it, or a card file.

    Raises:
        BadDeck: the file cannot be read or breaks a count or a rule; in one line.
    """
    if deck is None:
        return 0, (standard_deck(),)
    if deck == CLASSIC and is_word(deck):
        return 0, (_classic_deck(),)
    if is_word(deck) and _NUMBERS.fullmatch(deck):
        numbers = _numbers(deck)
        return numbers[0], make_decks(numbers)
    try:
        return 0, (read_deck(deck),)
    except BadDeck as error:
        if is_word(deck):  # there is no such file
            raise BadDeck(f"{error}; besides files there are {_WORDS}") from None
        raise


@cache
def _classic_deck() -> Deck:
    return read_deck(CLASSIC_DECK)
