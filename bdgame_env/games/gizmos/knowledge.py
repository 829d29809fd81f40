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
from .cards import CARDS_OF_A_LEVEL, NUM_STARTING
from .state import Known

_NEW = 100  # a part that has no number yet


@kernel
def first_of(level: int) -> int:
    """The index at which a level begins in the arrays of `Known`."""
    return CARDS_OF_A_LEVEL * (level - 1)


@kernel
def card_leaves(known: Known, level: int, place: int, card: int) -> None:
    """G17.6: the seat sees which card leaves a place."""
    first = first_of(level)
    at = first + place
    label, part = int(known.labels[at]), int(known.parts[at])
    if label == 0 and part == 0:
        return
    batch = int(known.batches[card - NUM_STARTING])
    known.labels[at] = 0
    known.parts[at] = 0
    if batch != label:  # any place of the part may have held the card
        known.labels[_place_of(known, first, part, batch)] = label
    if batch != 0:
        known.batches[card - NUM_STARTING] = 0
        _rename(known, first, batch, _lowest(known, first, batch))
    tidy(known, first)


@kernel
def _place_of(known: Known, first: int, part: int, label: int) -> int:
    """A place with this label in a part."""
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.parts[at] == part and known.labels[at] == label:
            return at
    return first


@kernel
def _lowest(known: Known, first: int, batch: int) -> int:
    """The lowest card of a batch, 0 if it has none."""
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.batches[at] == batch:
            return at + NUM_STARTING
    return 0


@kernel
def _rename(known: Known, first: int, old: int, new: int) -> None:
    """Rename a batch to the batch that it joins."""
    if old == new:
        return
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.batches[at] == old:
            known.batches[at] = new
        if known.labels[at] == old:
            known.labels[at] = new


@kernel
def taken_by_another(known: Known, level: int, number: int) -> None:
    """G17.7: this many cards from the top go into another seat's hand, where they mix.

    If they all had one label, the rest of that batch is unaffected. A part that loses some of its cards stays one part,
    which includes those in the hand.
    """
    first = first_of(level)
    label, plain = int(known.labels[first]), True
    for at in range(first, first + number):
        if known.parts[at] != 0 or known.labels[at] != label:
            plain = False
    if plain:
        return
    for at in range(first, first + number):
        part = int(known.parts[at])
        if part != 0:
            _renumber(known, first, part, _NEW)
        known.parts[at] = _NEW
    tidy(known, first)


@kernel
def _renumber(known: Known, first: int, old: int, new: int) -> None:
    """Renumber a part."""
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.parts[at] == old:
            known.parts[at] = new


@kernel
def drop_top(known: Known, level: int) -> None:
    """The top place is gone: the others move up."""
    first = first_of(level)
    for at in range(first, first + CARDS_OF_A_LEVEL - 1):
        known.labels[at] = known.labels[at + 1]
        known.parts[at] = known.parts[at + 1]
    known.labels[first + CARDS_OF_A_LEVEL - 1] = 0
    known.parts[first + CARDS_OF_A_LEVEL - 1] = 0


@kernel
def knows_nothing(known: Known, level: int) -> bool:
    """Whether a seat knows nothing of a level."""
    found = 0
    for at in range(first_of(level), first_of(level) + CARDS_OF_A_LEVEL):
        found |= int(known.labels[at])
    return found == 0


@kernel
def put_under_by_another(known: Known, level: int, size: int, number: int) -> None:
    """G17.7: another seat's hand of this many cards goes under a deck of this size. (`tidy` puts them in order.)"""
    first = first_of(level)
    for _ in range(number):
        label, part = known.labels[first], known.parts[first]
        drop_top(known, level)
        known.labels[first + size + number - 1] = label
        known.parts[first + size + number - 1] = part
    tidy(known, first)


@kernel
def put_under(known: Known, level: int, number: int, deck: Ints, size: int, in_order: bool) -> None:
    """G17.5: the seat has put cards from its hand under a deck, which now has this size."""
    for _ in range(number):
        drop_top(known, level)
    remember(known, level, 0, number, deck, size, in_order)
    tidy(known, first_of(level))


@kernel
def remember(known: Known, level: int, bottom: int, number: int, deck: Ints, places: int, in_order: bool) -> None:
    """Make `number` cards of a deck, from index `bottom` up, one batch, or a batch each if their order is known.

    There are so many `places`, hidden cards in the hand included.
    """
    last, name = first_of(level) + places - 1, 0
    for index in range(bottom, bottom + number):
        if name == 0 or deck[index] < name:
            name = int(deck[index])
    for index in range(bottom, bottom + number):
        card = int(deck[index])
        batch = card if in_order else name
        known.labels[last - index] = batch
        known.batches[card - NUM_STARTING] = batch


@kernel
def tidy(known: Known, first: int) -> None:
    """Restore the canonical form: batches that lie entirely in one part are merged; a part with a single label is none.

    Parts are numbered from 1 in the order of their lowest places, and the labels within a part ascend from its lowest.
    """
    number = 0
    for begin in range(first + CARDS_OF_A_LEVEL - 1, first - 1, -1):
        part = int(known.parts[begin])
        if part > 0:
            _join(known, first, part)
            if _has_one_label(known, first, begin):
                _renumber(known, first, part, 0)
            else:
                number += 1
                _sort(known, first, part)
                _renumber(known, first, part, -number)
    if number > 0:
        for at in range(first, first + CARDS_OF_A_LEVEL):
            known.parts[at] = abs(int(known.parts[at]))


@kernel
def _join(known: Known, first: int, part: int) -> None:
    """Merge the batches that lie entirely in a part."""
    name = 0
    for at in range(first, first + CARDS_OF_A_LEVEL):
        batch = at + NUM_STARTING
        if known.batches[at] == batch and _is_within(known, first, part, batch):
            if name == 0:
                name = batch
            _rename(known, first, batch, name)


@kernel
def _is_within(known: Known, first: int, part: int, label: int) -> bool:
    """Whether every place with this label belongs to the part."""
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.labels[at] == label and known.parts[at] != part:
            return False
    return True


@kernel
def _has_one_label(known: Known, first: int, begin: int) -> bool:
    """Whether all places of the part of place `begin` have the same label."""
    for at in range(first, first + CARDS_OF_A_LEVEL):
        if known.parts[at] == known.parts[begin] and known.labels[at] != known.labels[begin]:
            return False
    return True


@kernel
def _sort(known: Known, first: int, part: int) -> None:
    """Sort the labels of a part, ascending from its lowest place."""
    for one in range(first + CARDS_OF_A_LEVEL - 1, first - 1, -1):
        if known.parts[one] == part:
            for other in range(one - 1, first - 1, -1):
                if known.parts[other] == part and known.labels[other] < known.labels[one]:
                    label = int(known.labels[one])
                    known.labels[one] = known.labels[other]
                    known.labels[other] = label
