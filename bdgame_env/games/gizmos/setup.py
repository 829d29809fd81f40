"""Setting up a game (G2), and dealing anew what is hidden (G17)."""

from __future__ import annotations

from typing import Any

from ...core.jit import rule
from ...core.rng import shuffle
from .building import clear_payment
from .cards import CARDS_OF_A_LEVEL, NUM_COLORS, NUM_STARTING
from .marbles import fill_row
from .market import add_built, draw_top
from .state import (
    DISPLAY,
    DISPLAY_LEVEL,
    FIRST_ARCHIVE,
    FIRST_RESEARCH,
    FIRST_RING,
    FROM_HAND,
    MAIN,
    MARBLES_OF_A_COLOR,
    MAX_SEATS,
    NONE,
    REMOVED,
)


@rule
def set_up(s: Any, box: Any) -> None:
    """G2: shuffle and deal (D7.8); seat 0 begins round 1 (G2.1). Everything in `s` but its luck is zero before.

    Each seat has one starting card (G2.2); nothing else depends on the number of players (G2.6).
    """
    empty_table(s)
    for deck in range(3):
        for place in range(CARDS_OF_A_LEVEL):
            s.decks[deck, place] = NUM_STARTING + CARDS_OF_A_LEVEL * deck + place
        s.deck_sizes[deck] = CARDS_OF_A_LEVEL
        shuffle(s, s.decks[deck], CARDS_OF_A_LEVEL)
    _remove(s)
    for place in range(DISPLAY):
        s.display[place] = draw_top(s, int(DISPLAY_LEVEL[place]))
    for color in range(NUM_COLORS):
        s.dispenser[color] = MARBLES_OF_A_COLOR
    fill_row(s)
    for seat in range(box.players):
        begin_seat(s.seats[seat])
        add_built(s.seats[seat], seat)
    s.round_number = 1
    s.phase = MAIN


@rule
def empty_table(s: Any) -> None:
    """NONE wherever a card or a choice could be; the numbers stay 0."""
    s.display[:] = NONE
    s.decks[:] = NONE
    s.removed[:] = NONE
    s.hand[:] = NONE
    s.under[:] = NONE
    clear_payment(s.payment)
    for seat in range(MAX_SEATS):
        s.seats[seat].archive[:] = NONE
        s.seats[seat].built[:] = NONE


@rule
def begin_seat(seat: Any) -> None:
    """G2.7: the limits of a seat without built cards."""
    seat.ring_limit = FIRST_RING
    seat.archive_limit = FIRST_ARCHIVE
    seat.research = FIRST_RESEARCH


@rule
def _remove(s: Any) -> None:
    """G2.3: the 20 topmost cards of the shuffled level-3 deck leave the game. They are kept in order of number."""
    for taken in range(REMOVED):
        card = draw_top(s, 3)
        place = taken
        while place > 0 and s.removed[place - 1] > card:
            s.removed[place] = s.removed[place - 1]
            place -= 1
        s.removed[place] = card


@rule
def redeal(s: Any, box: Any, seat: Any) -> None:
    """G17.3, G17.4: deal anew what a seat cannot see, and only that.

    The order of the decks; which level-3 cards left the game; and, unless it is the seat's own, which cards a
    researcher looks at or has put under the deck. A researched card that is being paid for is open.
    """
    level = int(s.hand_level)
    if level > 0 and s.seat != seat:
        _exchange_hand(s, level)
    for deck in range(2):
        shuffle(s, s.decks[deck], int(s.deck_sizes[deck]))
    for place in range(REMOVED):
        _put_on_top(s, 3, s.removed[place])
    shuffle(s, s.decks[2], int(s.deck_sizes[2]))
    _remove(s)


@rule
def _put_on_top(s: Any, level: Any, card: Any) -> None:
    """The reverse of `draw_top`."""
    s.decks[level - 1, s.deck_sizes[level - 1]] = card
    s.deck_sizes[level - 1] += 1


@rule
def _exchange_hand(s: Any, level: Any) -> None:
    """G17.4: researched cards, and those put under so far, against unseen cards of the level."""
    shown = s.payment.place if s.payment.card != NONE and s.payment.source == FROM_HAND else NONE
    for place in range(s.hand_size):
        if place != shown:
            _put_on_top(s, level, s.hand[place])
    for place in range(s.under_size):
        _put_on_top(s, level, s.under[place])
    removed = REMOVED if level == 3 else 0
    for place in range(removed):
        _put_on_top(s, level, s.removed[place])
    shuffle(s, s.decks[level - 1], int(s.deck_sizes[level - 1]))
    for place in range(s.hand_size):
        if place != shown:
            s.hand[place] = draw_top(s, level)
    for place in range(s.under_size):
        s.under[place] = draw_top(s, level)
    if removed:
        _remove(s)
