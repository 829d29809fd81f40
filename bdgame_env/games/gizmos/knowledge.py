"""What each seat remembers about hidden cards (G17.5-G17.8), as stored in `Known` in state.py.

The cards that a seat put under a deck are one *batch*: it knows which places they are in, but not which card is in
which place. Each place has the label of its batch, 0 if nothing is known. Where another seat's Research has mixed
cards with different labels, their places form a *part*: the seat knows which labels the part has, but not where.

A batch is named after its lowest card. All functions leave the canonical form that `tidy` describes, so that equal
knowledge is equal byte for byte.
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.memory import move
from .cards import CARDS_OF_A_LEVEL, NUM_STARTING
from .state import Known

_NEW = 100  # a part that has no number yet


@kernel
def first_of(level: int) -> int:
    """The lowest card of a level."""
    return NUM_STARTING + CARDS_OF_A_LEVEL * (level - 1)


@kernel
def card_leaves(known: Known, level: int, place: int, card: int) -> None:
    """G17.6: the seat sees which card leaves a place."""
    labels, parts, batches = known.labels[level - 1], known.parts[level - 1], known.batches[level - 1]
    label, part = int(labels[place]), int(parts[place])
    if label == 0 and part == 0:
        return
    batch = int(batches[card - first_of(level)])
    labels[place] = 0
    parts[place] = 0
    if batch != label:  # any place of the part may have held the card
        labels[_place_of(labels, parts, part, batch)] = label
    if batch != 0:
        batches[card - first_of(level)] = 0
        known.cards[level - 1] -= 1
        _rename(labels, batches, batch, _lowest(batches, first_of(level), batch))
    tidy(known, level)


@kernel
def _place_of(labels: Ints, parts: Ints, part: int, label: int) -> int:
    """A place with this label in a part."""
    for place in range(CARDS_OF_A_LEVEL):
        if parts[place] == part and labels[place] == label:
            return place
    return 0


@kernel
def _lowest(batches: Ints, first: int, batch: int) -> int:
    """The lowest card of a batch, 0 if it has none."""
    for at in range(CARDS_OF_A_LEVEL):
        if batches[at] == batch:
            return first + at
    return 0


@kernel
def _rename(labels: Ints, batches: Ints, old: int, new: int) -> None:
    """Rename a batch to the batch that it joins."""
    if old != new:
        _renumber(labels, old, new)
        _renumber(batches, old, new)


@kernel
def _renumber(row: Ints, old: int, new: int) -> None:
    """Replace a number wherever it is."""
    for at in range(CARDS_OF_A_LEVEL):
        row[at] = new if row[at] == old else row[at]


@kernel
def taken_by_another(known: Known, level: int, number: int) -> None:
    """G17.7: this many cards from the top go into another seat's hand, where they mix.

    If they all had one label, the rest of that batch is unaffected. A part that loses some of its cards stays one part,
    which includes those in the hand.
    """
    labels, parts = known.labels[level - 1], known.parts[level - 1]
    label, plain = labels[0], True
    for place in range(number):
        if parts[place] != 0 or labels[place] != label:
            plain = False
    if plain:
        return
    for place in range(number):
        part = int(parts[place])
        if part != 0:
            _renumber(parts, part, _NEW)
        parts[place] = _NEW
    known.mixed[level - 1] += 1
    tidy(known, level)


@kernel
def drop_top(row: Ints) -> None:
    """The top place is gone: what is noted of the others moves up."""
    for place in range(CARDS_OF_A_LEVEL - 1):
        row[place] = row[place + 1]
    row[CARDS_OF_A_LEVEL - 1] = 0


@kernel
def drop(row: Ints, number: int) -> None:
    """The same for this number of places."""
    move(row, 0, number, CARDS_OF_A_LEVEL - number)
    row[CARDS_OF_A_LEVEL - number :] = 0


@kernel
def put_under_by_another(known: Known, level: int, size: int, number: int) -> None:
    """G17.7: another seat's hand of this many cards goes under a deck of this size. (`tidy` puts them in order.)"""
    labels, parts = known.labels[level - 1], known.parts[level - 1]
    for _ in range(number):
        label, part = labels[0], parts[0]
        drop_top(labels)
        drop_top(parts)
        labels[size + number - 1] = label
        parts[size + number - 1] = part
    tidy(known, level)


@kernel
def put_under(known: Known, level: int, number: int, deck: Ints, size: int, in_order: bool) -> None:
    """G17.5: the seat has put cards from its hand under a deck, which now has this size."""
    drop(known.labels[level - 1], number)
    if known.mixed[level - 1] > 0:
        drop(known.parts[level - 1], number)
    remember(known, level, 0, number, deck, size, in_order)


@kernel
def remember(known: Known, level: int, bottom: int, number: int, deck: Ints, places: int, in_order: bool) -> None:
    """Make `number` cards of a deck, from index `bottom` up, one batch, or a batch each if their order is known.

    There are so many `places`, hidden cards in the hand included.
    """
    labels, batches, name = known.labels[level - 1], known.batches[level - 1], 0
    for index in range(bottom, bottom + number):
        if name == 0 or deck[index] < name:
            name = int(deck[index])
    for index in range(bottom, bottom + number):
        card = int(deck[index])
        batch = card if in_order else name
        labels[places - 1 - index] = batch
        batches[card - first_of(level)] = batch
    known.cards[level - 1] += number


@kernel
def tidy(known: Known, level: int) -> None:
    """Restore the canonical form: batches that lie entirely in one part are merged; a part with a single label is none.

    Parts are numbered from 1 in the order of their lowest places, and the labels within a part ascend from its lowest.
    """
    if known.mixed[level - 1] == 0:
        return
    labels, parts, batches = known.labels[level - 1], known.parts[level - 1], known.batches[level - 1]
    number = 0
    for begin in range(CARDS_OF_A_LEVEL - 1, -1, -1):
        part = int(parts[begin])
        if part > 0:
            _join(labels, parts, batches, first_of(level), part)
            if _has_one_label(labels, parts, begin):
                _renumber(parts, part, 0)
            else:
                number += 1
                _sort(labels, parts, part)
                _renumber(parts, part, -number)
    for place in range(CARDS_OF_A_LEVEL):
        parts[place] = abs(int(parts[place]))
    known.mixed[level - 1] = number


@kernel
def _join(labels: Ints, parts: Ints, batches: Ints, first: int, part: int) -> None:
    """Merge the batches that lie entirely in a part."""
    name = 0
    for at in range(CARDS_OF_A_LEVEL):
        batch = first + at
        if batches[at] == batch and _is_within(labels, parts, part, batch):
            if name == 0:
                name = batch
            _rename(labels, batches, batch, name)


@kernel
def _is_within(labels: Ints, parts: Ints, part: int, label: int) -> bool:
    """Whether every place with this label belongs to the part."""
    outside = False
    for place in range(CARDS_OF_A_LEVEL):
        outside |= (labels[place] == label) & (parts[place] != part)
    return not outside


@kernel
def _has_one_label(labels: Ints, parts: Ints, begin: int) -> bool:
    """Whether all places of the part of place `begin` have the same label."""
    part, label, others = parts[begin], labels[begin], False
    for place in range(CARDS_OF_A_LEVEL):
        others |= (parts[place] == part) & (labels[place] != label)
    return not others


@kernel
def _sort(labels: Ints, parts: Ints, part: int) -> None:
    """Sort the labels of a part, ascending from its lowest place."""
    for one in range(CARDS_OF_A_LEVEL - 1, -1, -1):
        if parts[one] == part:
            for other in range(one - 1, -1, -1):
                if parts[other] == part and labels[other] < labels[one]:
                    label = int(labels[one])
                    labels[one] = labels[other]
                    labels[other] = label
