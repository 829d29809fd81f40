"""Research (G9): looking at the top of a deck, keeping one card or none, the others under the deck (D3.6)."""

from __future__ import annotations

from typing import Any

from ...core.jit import rule
from ...core.rng import shuffle
from .marbles import mover
from .market import draw_top, put_into_archive, put_under_deck
from .state import (
    CHAIN,
    FROM_HAND,
    HAND,
    KEPT_BUILT,
    KEPT_FILED,
    KEPT_NOTHING,
    MOST_RESEARCHED,
    NONE,
    UNDER,
)
from .triggers import built, filed


@rule
def can_research(s: Any) -> Any:
    """G9.2, G13.4: a deck with a card, and no ban."""
    return mover(s).bans[1] == 0 and (s.deck_sizes[0] > 0 or s.deck_sizes[1] > 0 or s.deck_sizes[2] > 0)


@rule
def research(s: Any, level: Any) -> None:
    """G9.1, G12.6: as many top cards of one deck as the research amount, or all there are."""
    s.hand_level = level
    s.hand_size = min(int(mover(s).research), int(s.deck_sizes[level - 1]))
    for place in range(s.hand_size):
        s.hand[place] = draw_top(s, level)
    s.phase = HAND


@rule
def take_from_hand(s: Any, place: Any) -> Any:
    """One of the researched cards; the others close up."""
    card = int(s.hand[place])
    for behind in range(place, MOST_RESEARCHED - 1):
        s.hand[behind] = s.hand[behind + 1]
    s.hand[MOST_RESEARCHED - 1] = NONE
    s.hand_size -= 1
    return card


@rule
def file_from_hand(s: Any, box: Any, place: Any) -> None:
    """G9.3, G9.6: a File of a researched card."""
    put_into_archive(mover(s), take_from_hand(s, place))
    after_hand(s, box, KEPT_FILED)


@rule
def after_hand(s: Any, box: Any, kept: Any) -> None:
    """G9.4, G9.5, D3.6: the cards left go under their deck, in random order or in the player's."""
    if box.order_under and s.hand_size > 1:
        s.kept = kept
        s.phase = UNDER
        return
    shuffle(s, s.hand, int(s.hand_size))
    put_under_deck(s, int(s.hand_level), s.hand, int(s.hand_size))
    _finish(s, box, kept)


@rule
def put_under(s: Any, box: Any, place: Any) -> None:
    """D3.6: this card goes under the deck next; the last one goes by itself (D4.7)."""
    _name_next(s, place)
    if s.hand_size == 1:
        _name_next(s, 0)
        put_under_deck(s, int(s.hand_level), s.under, int(s.under_size))
        _finish(s, box, int(s.kept))


@rule
def _name_next(s: Any, place: Any) -> None:
    """One researched card more of those that go under the deck."""
    s.under[s.under_size] = take_from_hand(s, place)
    s.under_size += 1


@rule
def _finish(s: Any, box: Any, kept: Any) -> None:
    """G9.5-G9.7, G11.10: the Research is over; a File or Build done in it triggers cards, the Research itself none."""
    s.hand[:] = NONE
    s.hand_size = 0
    s.hand_level = 0
    s.under[:] = NONE
    s.under_size = 0
    s.kept = KEPT_NOTHING
    s.phase = CHAIN
    if kept == KEPT_FILED:
        filed(s, box)
    elif kept == KEPT_BUILT:
        built(s, box, FROM_HAND)
