"""Rows of cards: hands, drafted cards, decks (P56, P12, P10). A row has its cards first, then zeros."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .state import State


@kernel
def insert(row: Ints, count: int, card: int) -> None:
    """Put a card into an ascending row of `count` cards."""
    place = int(count)
    while place > 0 and row[place - 1] > card:
        row[place] = row[place - 1]
        place -= 1
    row[place] = card


@kernel
def sort(row: Ints, count: int) -> None:
    """Put the first `count` cards of a row in ascending order."""
    for sorted_already in range(count):
        insert(row, sorted_already, row[sorted_already])


@kernel
def remove(row: Ints, count: int, card: int) -> bool:
    """Take one copy of a card out of a row of `count` cards, if it is there; returns whether it was."""
    for place in range(count):
        if row[place] == card:
            take_out(row, count, place)
            return True
    return False


@kernel
def take_out(row: Ints, count: int, place: int) -> int:
    """P56: take the card at a place out of a row of `count` cards, which closes up."""
    card = int(row[place])
    for k in range(place, count - 1):
        row[k] = row[k + 1]
    row[count - 1] = 0
    return card


@kernel
def draw_machine(s: State) -> int:
    """Take the top machine card off the deck."""
    s.deck_size -= 1
    card = int(s.machine_deck[s.deck_size])
    s.machine_deck[s.deck_size] = 0
    return card


@kernel
def put_on_deck(s: State, card: int) -> None:
    """The reverse of `draw_machine`."""
    s.machine_deck[s.deck_size] = card
    s.deck_size += 1


@kernel
def draw_image(s: State) -> int:
    """P47: take the top image off the deck; 0 if there is none."""
    if s.image_deck_size == 0:
        return 0
    s.image_deck_size -= 1
    image = int(s.image_deck[s.image_deck_size])
    s.image_deck[s.image_deck_size] = 0
    return image


@kernel
def reverse(row: Ints, count: int) -> None:
    """Reverse a row of `count` cards: shuffled rows have the top card first, decks have it last."""
    for k in range(count // 2):
        kept = row[k]
        row[k] = row[count - 1 - k]
        row[count - 1 - k] = kept
