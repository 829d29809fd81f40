"""What the seats know, read from an omniscient snapshot and checked against the cards (G17.5-G17.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...engine.game import GameConfig
from ...records.snapshot_reader import Entry
from .cards import CARDS_OF_A_LEVEL, NUM_CARDS, NUM_STARTING
from .knowledge import first_of, tidy
from .knowledge_updates import hidden_in_hand
from .snapshot import places_of
from .stacks import BY, LOWEST, is_known_to, put_by, top_of_stack
from .state import FROM_HAND, KNOWN, MAX_SEATS, NONE


def read_stacks(snap: Entry, config: GameConfig, s: Any) -> None:
    """Write `stacks` and who knows the hand; the record has its decks, hand and payment already."""
    for deck, entry in enumerate(snap["stacks"].entries(exactly=3)):
        place = 0
        for stack in reversed(entry.entries(most=CARDS_OF_A_LEVEL)):
            number = stack["cards"].whole(1, int(s.deck_sizes[deck]) - place)
            byte = _seats(stack["known_to"], config)
            if byte == 0:
                raise stack["known_to"].refusal("a list of at least one seat")
            if not config.record[0].quick:
                byte |= stack["order_known_to"].whole(0, config.players - 1) << BY
            s.stacks[deck, place : place + number] = byte
            s.stacks[deck, place] |= LOWEST
            place += number
    if s.hand_level:
        size = int(s.deck_sizes[s.hand_level - 1])
        s.stacks[s.hand_level - 1, size : size + hidden_in_hand(s)] = _seats(snap["hand"]["known_to"], config)


def _seats(entry: Entry, config: GameConfig) -> int:
    seats = 0
    for seat in entry.entries(most=MAX_SEATS):
        seats |= 1 << seat.whole(0, config.players - 1)
    return seats


def read_known(snap: Entry, config: GameConfig, s: Any) -> None:
    """Write `known`; the record has its decks, hand and payment already."""
    for viewer, seat in enumerate(snap["known"].entries(exactly=config.players)):
        for level, entry in enumerate(seat.entries(exactly=3), 1):
            if not entry.is_null:
                _read_level(entry, s.known[viewer], level, places_of(s, viewer, level))


def _read_level(entry: Entry, known: Any, level: int, places: int) -> None:
    first = int(first_of(level))
    cards = range(first + NUM_STARTING, first + NUM_STARTING + CARDS_OF_A_LEVEL)
    for batch in entry["batches"].entries(most=CARDS_OF_A_LEVEL):
        found = [card.whole(cards[0], cards[-1]) for card in batch.entries(most=CARDS_OF_A_LEVEL)]
        for card in found:
            known.batches[card - NUM_STARTING] = min(found)
    labels = [label.whole(0, NUM_CARDS - 1) for label in entry["labels"].entries(exactly=places)]
    parts = [part.whole(0, CARDS_OF_A_LEVEL) for part in entry["parts"].entries(exactly=places)]
    known.labels[first : first + places] = labels[::-1]
    known.parts[first : first + places] = parts[::-1]


def check_known(s: Any, config: GameConfig) -> Iterator[str]:
    """G17.5-G17.7: what each seat knows is true, and in the canonical form of `knowledge.py`."""
    for viewer in range(config.players):
        for level in (1, 2, 3):
            yield from _check_level(s, viewer, level)


def _check_level(s: Any, viewer: int, level: int) -> Iterator[str]:
    known, first = s.known[viewer], int(first_of(level))
    where = f"known[{viewer}][{level - 1}]"
    size, places = int(s.deck_sizes[level - 1]), places_of(s, viewer, level)
    labels = [int(label) for label in known.labels[first : first + places]]
    parts = [int(part) for part in known.parts[first : first + places]]
    batches = Counter(int(batch) for batch in known.batches[first : first + CARDS_OF_A_LEVEL] if batch)
    if batches != Counter(label for label in labels if label):
        yield f"{where} has not one place for each card of each batch"
        return
    cards = [int(card) for card in s.decks[level - 1][:size]]
    wanted = Counter(_by_place(labels[:size], parts[:size]))
    found = Counter(_by_place([_batch(known, card) for card in cards], parts[:size]))
    if places > size:  # a hand has no order: its places have one label, or belong to one part
        shown = int(s.payment.place) if s.payment.card != NONE and s.payment.source == FROM_HAND else NONE
        hand = [int(card) for place, card in enumerate(s.hand[: s.hand_size]) if place != shown]
        hand += [int(card) for card in s.under[: s.under_size]]
        if len(set(parts[size:])) > 1 or (parts[size] == 0 and len(set(labels[size:])) > 1):
            yield f"{where} tells the cards of a hand apart"
            return
        part = parts[size] or -1
        wanted += Counter((part, label) for label in labels[size:])
        found += Counter((part, _batch(known, card)) for card in hand)
    if wanted != found:
        yield f"{where} is not true of the hidden cards (G17.5)"
        return
    if _tidied(known, first) != known.tobytes():
        yield f"{where} is not in the form that play leaves it in"


def _by_place(labels: list[int], parts: list[int]) -> list[tuple[int, int]]:
    """A pair for each place, equal where labels may be exchanged; places outside parts differ by number."""
    return [
        (part, label) if part else (-2 - place, label)
        for place, (label, part) in enumerate(zip(labels, parts, strict=True))
    ]


def _batch(known: Any, card: int) -> int:
    return int(known.batches[card - NUM_STARTING])


def _tidied(known: Any, first: int) -> bytes:
    copy = np.frombuffer(bytearray(known.tobytes()), KNOWN)
    tidy(copy[0], first)
    return copy.tobytes()


def check_stacks(s: Any, config: GameConfig) -> Iterator[str]:
    """G17.8: a seat listed as knowing a stack or a hand knows all its cards, and their order if listed for that."""
    for level in (1, 2, 3):
        row, size = s.stacks[level - 1], int(s.deck_sizes[level - 1])
        for place in range(size):
            stack = int(row[place])
            if stack & LOWEST:
                top = int(top_of_stack(row, size, place))
                yield from _check_stack(s, config, level, stack, place, top)
        if s.hand_level == level and hidden_in_hand(s):
            if is_known_to(int(row[size]), int(s.seat)):
                yield "hand.known_to is of the seats besides the researcher (G17.8)"
            yield from _check_stack(s, config, level, int(row[size]), size, size + int(hidden_in_hand(s)))


def _check_stack(s: Any, config: GameConfig, level: int, stack: int, bottom: int, top: int) -> Iterator[str]:
    first = int(first_of(level))
    for seat in range(config.players):
        if not is_known_to(stack, seat):
            continue
        known = s.known[seat]
        labels = [int(label) for label in known.labels[first + bottom : first + top]]
        counts = Counter(int(batch) for batch in known.batches[first : first + CARDS_OF_A_LEVEL])
        whole = all(label and counts[label] == labels.count(label) for label in labels)
        if not whole or any(known.parts[first + bottom : first + top]):
            yield f"known[{seat}][{level - 1}] lacks a stack that the seat knows (G17.8)"
        in_order = not config.record[0].quick and bottom < s.deck_sizes[level - 1] and put_by(stack) == seat
        if in_order and len(set(labels)) < len(labels):
            yield f"known[{seat}][{level - 1}] lacks the order of a stack that the seat knows (G17.8)"
    in_deck = bottom < s.deck_sizes[level - 1]
    if not config.record[0].quick and in_deck and not is_known_to(stack, int(put_by(stack))):
        yield "order_known_to is a seat that the stack is not known to (G17.8)"
