"""What seats learn and forget as cards leave a deck or go under it (G17.5-G17.8)."""

from __future__ import annotations

from ...engine.jit import kernel
from .knowledge import card_leaves, drop_top, put_under, put_under_by_another, taken_by_another
from .stacks import put_back, take
from .state import FROM_HAND, MAX_SEATS, NONE, Config, State


@kernel
def hidden_in_hand(s: State) -> int:
    """G17.4: the number of researched cards that only the researcher sees; a card being paid for is public."""
    shown = 1 if s.payment.card != NONE and s.payment.source == FROM_HAND else 0
    return int(s.hand_size) + int(s.under_size) - shown


@kernel
def all_see(s: State, level: int, card: int) -> None:
    """G17.6: the top card has just left a deck face up."""
    drop_top(s.stacks[level - 1])
    for viewer in range(MAX_SEATS):
        if s.known[viewer].cards[level - 1] > 0:
            card_leaves(s.known[viewer], level, 0, card)
            drop_top(s.known[viewer].labels[level - 1])
            if s.known[viewer].mixed[level - 1] > 0:
                drop_top(s.known[viewer].parts[level - 1])


@kernel
def look_at_top(s: State, config: Config, level: int, number: int) -> None:
    """G17.4, G17.7: the seat on turn is about to take this many cards from the top of a deck into its hand."""
    top = int(s.deck_sizes[level - 1])
    s.hand_known_to = take(s.stacks[level - 1], config, int(s.seat), number)
    for viewer in range(MAX_SEATS):
        if viewer != s.seat and s.known[viewer].cards[level - 1] > 0:
            taken_by_another(s.known[viewer], level, number)
    for place in range(number):
        card_leaves(s.known[s.seat], level, place, int(s.decks[level - 1, top - 1 - place]))


@kernel
def show_from_hand(s: State, card: int, hidden: int) -> None:
    """G17.4: one of `hidden` cards in the hand becomes public: it was filed, or chosen to be built."""
    level = int(s.hand_level)
    if hidden == 1:
        s.hand_known_to = 0
    drop_top(s.stacks[level - 1])
    for viewer in range(MAX_SEATS):
        if s.known[viewer].cards[level - 1] > 0:
            if viewer != s.seat:
                card_leaves(s.known[viewer], level, 0, card)
            drop_top(s.known[viewer].labels[level - 1])
            if s.known[viewer].mixed[level - 1] > 0:
                drop_top(s.known[viewer].parts[level - 1])


@kernel
def remember_put_under(s: State, config: Config, number: int) -> None:
    """G17.5, G17.7: the seat on turn has put this many researched cards under their deck."""
    level = int(s.hand_level)
    size = int(s.deck_sizes[level - 1]) - number
    put_back(s.stacks[level - 1], config, int(s.seat), size, number, int(s.hand_known_to))
    s.hand_known_to = 0
    for viewer in range(MAX_SEATS):
        if viewer == s.seat:
            put_under(s.known[viewer], level, number, s.decks[level - 1], size + number, config.quick == 0)
        elif s.known[viewer].cards[level - 1] > 0:
            put_under_by_another(s.known[viewer], level, size, number)
