"""What the seats know of hidden cards (G17.5-G17.8), as snapshots have it, and that it is true."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.arrays import Ints
from ...engine.game import GameConfig
from ...records.snapshot_reader import Entry
from ...records.snapshots import Custom
from .cards import CARDS_OF_A_LEVEL, NUM_CARDS
from .knowledge import first_of, tidy
from .knowledge_updates import hidden_in_hand
from .stacks import BY, LOWEST, is_known_to, put_by
from .state import FROM_HAND, NONE, State


def numbers(row: Ints) -> list[int]:
    """The entries of a row, without empty places."""
    return [entry for entry in row.tolist() if entry != NONE]


def _stacks(s: State, config: GameConfig, seat: int | None) -> list[list[dict[str, Any]]]:
    """By level, the stacks from the top of the deck down, without cards that nobody is known to know."""
    return [_stacks_of(s.stacks[deck], config) for deck in range(3)]


def _stacks_of(row: Ints, config: GameConfig) -> list[dict[str, Any]]:
    found, cards = [], 0
    for stack in row.tolist():
        cards += stack != 0
        if stack & LOWEST:
            known_to = [seat for seat in range(config.players) if is_known_to(stack, seat)]
            order = None if config.record[0].quick else int(put_by(stack))
            found.append({"cards": cards, "known_to": known_to, "order_known_to": order})
            cards = 0
    return found


def _read_stacks(entry: Entry, s: State, config: GameConfig, seat: int | None) -> None:
    for deck, stacks in enumerate(entry.entries(exactly=3)):
        size, hidden = int(s.deck_sizes[deck]), _hidden_of(s, deck + 1)
        below = hidden + size
        for stack in reversed(stacks.entries(most=CARDS_OF_A_LEVEL)):
            place = below - stack["cards"].whole(1, below - hidden)
            known_to = stack["known_to"].entries(most=config.players)
            byte = sum({1 << each.whole(0, config.players - 1) for each in known_to})
            if byte == 0:
                raise stack["known_to"].refusal("a list of at least one seat")
            if not config.record[0].quick:
                byte |= stack["order_known_to"].whole(0, config.players - 1) << BY
            s.stacks[deck, place:below] = byte
            s.stacks[deck, below - 1] |= LOWEST
            below = place


def _known(s: State, config: GameConfig, seat: int | None) -> list[dict[str, Any] | None]:
    """By level, what a seat knows; None for nothing."""
    assert seat is not None
    return [_known_of_level(s, seat, level) for level in (1, 2, 3)]


def _known_of_level(s: State, viewer: int, level: int) -> dict[str, Any] | None:
    known = s.known[viewer]
    batches: dict[int, list[int]] = {}
    for card, batch in enumerate(known.batches[level - 1].tolist(), first_of(level)):
        if batch:
            batches.setdefault(batch, []).append(card)
    if not batches:
        return None
    places = _places_of(s, viewer, level)
    return {
        "batches": list(batches.values()),
        "labels": known.labels[level - 1, places].tolist(),
        "parts": known.parts[level - 1, places].tolist(),
    }


def _hidden_of(s: State, level: int) -> int:
    """The number of cards of a level in the hand that only the researcher sees."""
    return int(hidden_in_hand(s)) if s.hand_level == level else 0


def _places_of(s: State, viewer: int, level: int) -> slice:
    """The places of a level that a seat may know about: another seat's hand taken from it, and its deck."""
    hidden = _hidden_of(s, level)
    return slice(hidden if s.seat == viewer else 0, hidden + int(s.deck_sizes[level - 1]))


def _read_known(entry: Entry, s: State, config: GameConfig, seat: int | None) -> None:
    assert seat is not None
    known = s.known[seat]
    for level, of_level in enumerate(entry.entries(exactly=3), 1):
        if of_level.is_null:
            continue
        first, places = first_of(level), _places_of(s, seat, level)
        number = places.stop - places.start
        for batch in of_level["batches"].entries(most=CARDS_OF_A_LEVEL):
            found = [card.whole(first, first + CARDS_OF_A_LEVEL - 1) for card in batch.entries(most=CARDS_OF_A_LEVEL)]
            for card in found:
                known.batches[level - 1, card - first] = min(found)
        known.cards[level - 1] = np.count_nonzero(known.batches[level - 1])
        labels = [label.whole(0, NUM_CARDS - 1) for label in of_level["labels"].entries(exactly=number)]
        parts = [part.whole(0, CARDS_OF_A_LEVEL) for part in of_level["parts"].entries(exactly=number)]
        known.labels[level - 1, places], known.parts[level - 1, places] = labels, parts
        known.mixed[level - 1] = max(parts, default=0)
        tidy(known, level)


def check_known(s: State, config: GameConfig) -> Iterator[str]:
    """G17.5-G17.7: what each seat knows is true."""
    for viewer in range(config.players):
        for level in (1, 2, 3):
            yield from _check_level(s, viewer, level)


def _check_level(s: State, viewer: int, level: int) -> Iterator[str]:
    known, first = s.known[viewer], first_of(level)
    where = f"known[{viewer}][{level - 1}]"
    size = int(s.deck_sizes[level - 1])
    seen = _places_of(s, viewer, level)
    labels, parts = (row[level - 1, seen].tolist()[::-1] for row in (known.labels, known.parts))
    places = len(labels)
    batches = known.batches[level - 1].tolist()
    if Counter(filter(None, batches)) != Counter(filter(None, labels)):
        yield f"{where} has not one place for each card of each batch"
        return
    cards = [*s.decks[level - 1][:size].tolist(), *(_hidden_hand(s) if places > size else [])]
    hand = size if places > size else places  # its places have one label, or belong to one part
    if len(set(parts[hand:])) > 1 or (not any(parts[hand:]) and len(set(labels[hand:])) > 1):
        yield f"{where} tells the cards of a hand apart"
    true = [batches[card - first] for card in cards]
    # Labels may be exchanged within a part, and within the hand.
    groups = [part or (-1 if place >= size else -2 - place) for place, part in enumerate(parts)]
    if Counter(zip(groups, labels, strict=True)) != Counter(zip(groups, true, strict=True)):
        yield f"{where} is not true of the hidden cards (G17.5)"


def _hidden_hand(s: State) -> list[int]:
    """The researched cards that only the researcher sees (G17.4)."""
    shown = s.payment.card if s.payment.source == FROM_HAND else NONE
    return [card for card in (*numbers(s.hand), *numbers(s.under)) if card != shown]


KNOWLEDGE: dict[str, Custom] = {"stacks": (_stacks, _read_stacks), "known": (_known, _read_known)}
