"""Sampling the hidden cards, consistently with what a seat knows (G17.9)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.rng import below, shuffle
from .cards import CARDS_OF_A_LEVEL
from .knowledge import first_of, remember
from .knowledge_updates import hidden_in_hand
from .market import sort_cards
from .stacks import LOWEST, is_known_to, put_by
from .state import FROM_HAND, MAX_SEATS, NONE, REMOVED, Config, Known, State


@kernel
def resample(s: State, config: Config, seat: int) -> None:
    """G17.3-G17.9: sample everything that a seat neither sees nor knows.

    That is the order of the decks, which cards of level 3 left the game, the cards that another researcher looks at,
    and what the other seats know about them. Everything consistent with the seat's knowledge is equally likely. Hidden
    cards are sorted first, so that the result depends on nothing that the seat does not know.
    """
    for level in range(1, 4):
        _resample_level(s, level, seat)
    for viewer in range(MAX_SEATS):
        if viewer != seat:
            _recall(s, config, viewer)


@kernel
def _resample_level(s: State, level: int, seat: int) -> None:
    """Resample one level: its deck, its hidden hand and the cards that left the game are dealt as one row."""
    row, known = s.decks[level - 1], s.known[seat]
    first, size = first_of(level), int(s.deck_sizes[level - 1])
    in_hand = hidden_in_hand(s) if s.hand_level == level and s.seat != seat else 0
    removed = REMOVED if level == 3 else 0
    total = size + in_hand + removed
    hidden = 0
    for place in range(size):
        hidden |= _bit(row[place], first)
    if in_hand > 0:
        hidden |= _hand_bits(s, first)
    for place in range(removed):
        hidden |= _bit(s.removed[place], first)
    last = size + (hidden_in_hand(s) if s.hand_level == level else 0) - 1
    _lay_in_order(row, known, level, hidden, last, size + in_hand, total)
    _shuffle_row(s, row, known, level, last, size + in_hand, total)
    if in_hand > 0:
        _fill_hand(s, row, size)
    for place in range(removed):
        s.removed[place] = row[size + in_hand + place]
    if removed > 0:
        sort_cards(s.removed, removed)
    for place in range(size, total):
        row[place] = NONE


@kernel
def _bit(card: int, first: int) -> int:
    """A card as a bit, numbered within its level."""
    return 1 << (int(card) - first)


@kernel
def _shown_place(s: State) -> int:
    """The place in the hand of the card being paid for, or NONE."""
    return int(s.payment.place) if s.payment.card != NONE and s.payment.source == FROM_HAND else NONE


@kernel
def _hand_bits(s: State, first: int) -> int:
    """The hidden researched cards as bits, including those named to go under their deck."""
    hidden, shown = 0, _shown_place(s)
    for place in range(s.hand_size):
        if place != shown:
            hidden |= _bit(s.hand[place], first)
    for place in range(s.under_size):
        hidden |= _bit(s.under[place], first)
    return hidden


@kernel
def _mark(marks: Ints, last: int, places: int, at: int) -> int:
    """The mark of an index of the row, which goes up from the place `last`; 0 for cards that left the game."""
    return int(marks[last - at]) if at < places else 0


@kernel
def _lay_in_order(row: Ints, known: Known, level: int, hidden: int, last: int, places: int, total: int) -> None:
    """Give every index the lowest remaining card of its batch, or of the cards that the seat does not know."""
    first, labels, batches = first_of(level), known.labels[level - 1], known.batches[level - 1]
    left = hidden
    unknown = 0  # all lower ones are gone
    for place in range(total):
        label = _mark(labels, last, places, place)
        k = unknown if label == 0 else label - first
        while k < CARDS_OF_A_LEVEL - 1 and (not left >> k & 1 or batches[k] != label):
            k += 1
        left &= ~(1 << k)
        row[place] = first + k
        if label == 0:
            unknown = k + 1


@kernel
def _shuffle_row(s: State, row: Ints, known: Known, level: int, last: int, places: int, total: int) -> None:
    """Shuffle each batch among its places, then each part: every consistent row is equally likely."""
    if known.cards[level - 1] == 0:
        shuffle(s, row, total)
        return
    first, labels, batches = first_of(level), known.labels[level - 1], known.batches[level - 1]
    _shuffle_marked(s, row, labels, last, places, total, 0)
    for at in range(CARDS_OF_A_LEVEL):
        if batches[at] == first + at:
            _shuffle_marked(s, row, labels, last, places, total, first + at)
    for part in range(1, known.mixed[level - 1] + 1):
        _shuffle_marked(s, row, known.parts[level - 1], last, places, total, part)


@kernel
def _shuffle_marked(s: State, row: Ints, marks: Ints, last: int, places: int, total: int, mark: int) -> None:
    """Shuffle the cards in the places with this mark among themselves."""
    count = 0
    for at in range(total):
        if _mark(marks, last, places, at) == mark:
            count += 1
    for at in range(total - 1, -1, -1):
        if _mark(marks, last, places, at) == mark:
            chosen = below(s, count)
            count -= 1
            other = _nth_marked(marks, last, places, mark, chosen)
            card = int(row[at])
            row[at] = row[other]
            row[other] = card


@kernel
def _nth_marked(marks: Ints, last: int, places: int, mark: int, number: int) -> int:
    """The index with this mark that has `number` such indices before it."""
    at, before = 0, number
    while at < CARDS_OF_A_LEVEL - 1 and (_mark(marks, last, places, at) != mark or before > 0):
        if _mark(marks, last, places, at) == mark:
            before -= 1
        at += 1
    return at


@kernel
def _fill_hand(s: State, row: Ints, size: int) -> None:
    """Move the cards above the deck into the hidden hand, in order of number, and into the cards named to go under."""
    shown = _shown_place(s)
    taken = size
    for place in range(s.hand_size):
        if place != shown:
            s.hand[place] = row[taken]
            taken += 1
    for place in range(s.under_size):
        s.under[place] = row[taken]
        taken += 1
    sort_cards(s.hand, int(s.hand_size))
    if shown != NONE:
        place = 0
        while place < s.hand_size - 1 and s.hand[place] != s.payment.card:
            place += 1
        s.payment.place = place


@kernel
def _recall(s: State, config: Config, viewer: int) -> None:
    """G17.9: give another seat the knowledge it can be seen to have: the cards now in its stacks."""
    known = s.known[viewer]
    known.cards[:] = 0
    known.mixed[:] = 0
    known.labels[:] = 0
    known.parts[:] = 0
    known.batches[:] = 0
    for level in range(1, 4):
        places = int(s.deck_sizes[level - 1]) + (hidden_in_hand(s) if s.hand_level == level else 0)
        number = 0
        for place in range(places):
            stack = int(s.stacks[level - 1, place])
            number = number + 1 if stack != 0 else 0
            if stack & LOWEST != 0:
                if is_known_to(stack, viewer):
                    in_order = config.quick == 0 and put_by(stack) == viewer
                    remember(known, level, places - 1 - place, number, s.decks[level - 1], places, in_order)
                number = 0
    if s.hand_level > 0 and viewer != s.seat:
        _recall_hand(s, known, viewer)


@kernel
def _recall_hand(s: State, known: Known, viewer: int) -> None:
    """The viewer may be known to know all cards that another seat looks at: it once put them under the deck."""
    level = int(s.hand_level)
    number = hidden_in_hand(s)
    if number == 0 or not is_known_to(s.hand_known_to, viewer):
        return
    hidden = _hand_bits(s, first_of(level))
    first, name = first_of(level), 0
    for k in range(CARDS_OF_A_LEVEL):
        if hidden >> k & 1:
            if name == 0:
                name = first + k
            known.batches[level - 1, k] = name
    known.cards[level - 1] += number
    for place in range(number):
        known.labels[level - 1, place] = name
