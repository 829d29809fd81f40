"""Moving cards: display and decks (G3), File (G6), the archive, built cards (G8.1, G13).

Nothing else moves cards: the display is never cleared and no deck is reshuffled (G3.4).
"""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from ...engine.memory import move
from .cards import (
    ADDS,
    ARCHIVE_LIMIT,
    BANNED,
    CONVERTER,
    DISCOUNTS,
    FILE_BAN,
    LEVEL,
    POINTS,
    RESEARCH_LIMIT,
    RING_LIMIT,
    SCORES,
)
from .knowledge_updates import all_see
from .marbles import mover, reckon
from .payment import one_of_type
from .state import (
    DISPLAY,
    DISPLAY_LEVEL,
    LAST_ROUND_CARDS,
    LAST_ROUND_LEVEL_3,
    LEVEL_1_PLACES,
    NONE,
    Seat,
    State,
)


@kernel
def draw_top(s: State, level: int) -> int:
    """Take the top card off a deck; NONE if it is empty."""
    left = int(s.deck_sizes[level - 1]) - 1
    if left < 0:
        return NONE
    card = int(s.decks[level - 1, left])
    s.decks[level - 1, left] = NONE
    s.deck_sizes[level - 1] = left
    return card


@kernel
def put_under_deck(s: State, level: int, cards: Ints, number: int) -> None:
    """G9.4: put cards under a deck; the first of them will be drawn first."""
    deck = s.decks[level - 1]
    move(deck, number, 0, int(s.deck_sizes[level - 1]))
    for place in range(number):
        deck[place] = cards[number - 1 - place]
    s.deck_sizes[level - 1] += number


@kernel
def take_from_display(s: State, place: int) -> int:
    """G3.1, G3.2: take a card; the top card of its deck, if there is one, takes its place."""
    card, level = int(s.display[place]), int(DISPLAY_LEVEL[place])
    s.display[place] = draw_top(s, level)
    if s.display[place] != NONE:
        all_see(s, level, int(s.display[place]))
    return card


@kernel
def take_from_archive(seat: Seat, place: int) -> int:
    """G6.3: take a card out of the archive, which closes up (D2)."""
    card = int(seat.archive[place])
    for behind in range(place, seat.archived - 1):
        seat.archive[behind] = seat.archive[behind + 1]
    seat.archived -= 1
    seat.archive[seat.archived] = NONE
    return card


@kernel
def may_file(seat: Seat) -> bool:
    """G6.2, G13.4: whether there is room in the archive and no ban."""
    return seat.archived < seat.archive_limit and seat.bans[FILE_BAN] == 0


@kernel
def can_file_display(s: State) -> bool:
    """G6.1, G6.2: whether a File of a display card is possible."""
    if may_file(mover(s)):
        for place in range(DISPLAY):
            if s.display[place] != NONE:
                return True
    return False


@kernel
def put_into_archive(seat: Seat, card: int) -> None:
    """G6.1, D2.4: add a card to the archive, which is kept in order of number."""
    insert_card(seat.archive, int(seat.archived), card)
    seat.archived += 1


@kernel
def insert_card(cards: Ints, number: int, card: int) -> int:
    """Insert a card into the first `number` cards, which are in ascending order; returns its place."""
    place = number
    while place > 0 and cards[place - 1] > card:
        cards[place] = cards[place - 1]
        place -= 1
    cards[place] = card
    return place


@kernel
def sort_cards(cards: Ints, number: int) -> None:
    """Sort the first `number` cards in ascending order."""
    for place in range(1, number):
        insert_card(cards, place, int(cards[place]))


@kernel
def can_build_free(s: State) -> bool:
    """G12.5: whether there is a card of level 1 in the display or in the mover's archive."""
    for place in range(LEVEL_1_PLACES):
        if s.display[place] != NONE:
            return True
    me = mover(s)
    for place in range(me.archived):
        if LEVEL[me.archive[place]] == 1:
            return True
    return False


@kernel
def put_into_play(s: State, card: int) -> None:
    """G8.1, G8.7, G13, G14.1: build a card; its upgrade takes effect at once."""
    me = mover(s)
    place = add_built(me, card)
    reckon(s, s.seat)
    below = (1 << place) - 1
    s.spent = (int(s.spent) & below) | (int(s.spent) & ~below) << 1  # the marks move with the cards behind it
    if me.cards >= LAST_ROUND_CARDS or me.level_3 >= LAST_ROUND_LEVEL_3:
        s.last_round = 1


@kernel
def add_built(seat: Seat, card: int) -> int:
    """G13.1: add a built card, its printed points and its upgrade to a seat; returns its place."""
    place = insert_card(seat.built, int(seat.cards), card)
    seat.cards += 1
    seat.printed += POINTS[card]
    if LEVEL[card] == 3:
        seat.level_3 += 1
    if CONVERTER[card] >= 0:
        seat.converters += one_of_type(int(CONVERTER[card]))
    seat.ring_limit += ADDS[card, RING_LIMIT]
    seat.archive_limit += ADDS[card, ARCHIVE_LIMIT]
    seat.research += ADDS[card, RESEARCH_LIMIT]
    for scope in range(DISCOUNTS.shape[1]):
        seat.discounts[scope] += DISCOUNTS[card, scope]
    for action in range(BANNED.shape[1]):
        seat.bans[action] |= BANNED[card, action]
    for scorer in range(SCORES.shape[1]):
        seat.scorers[scorer] += SCORES[card, scorer]
    return place
