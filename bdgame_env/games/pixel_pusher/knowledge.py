"""What players remember about hands that they have passed on (P66).

Stack h was dealt to seat h, and is the hand of seat h + t at pick t = 0, 1, ... (P21). Each of its cards has a place:
place t for the card taken at pick t; the cards still in the hand have the places after these, in order.
"""

from __future__ import annotations

from ...engine.jit import kernel
from .hands import insert
from .state import DRAFTING, MAX_SEATS, MOST_HAND, Config, State


@kernel
def cards_of_round(s: State) -> int:
    """P19: the size of each stack of this round when dealt, ability card included; valid in Draft and Build."""
    me = s.seats[0]
    if s.phase == DRAFTING:
        return int(me.hand_size) + int(me.drafted_size)
    count = 0
    for pick in range(MOST_HAND):
        count += me.laid[pick] != 0
    return count


@kernel
def picks_made(s: State) -> int:
    """P21: how many cards each seat has laid down in this round; all of them once Build has begun."""
    if s.phase == DRAFTING:
        return int(s.seats[0].drafted_size)
    return MOST_HAND


@kernel
def first_sight(players: int, stack: int, seat: int) -> int:
    """The pick at which a seat first holds a stack; it has not seen the cards taken before."""
    return (int(seat) - int(stack)) % int(players)


@kernel
def card_of_stack(s: State, players: int, stack: int, place: int) -> int:
    """The card at a place of a stack."""
    taker = s.seats[(stack + place) % players]
    if s.phase != DRAFTING:
        return int(taker.laid[place])
    pick = int(s.seats[0].drafted_size)
    if place < pick:
        return int(taker.drafted[place])
    return int(s.seats[(stack + pick) % players].hand[place - pick])


@kernel
def remember(s: State, config: Config) -> None:
    """P66: write `known`, after a pick or after determinizing in Draft or Build."""
    players, count, pick = int(config.players), cards_of_round(s), picks_made(s)
    for observer in range(MAX_SEATS):
        for stack in range(MAX_SEATS):
            s.known[observer, stack, :] = 0
            if observer < players and stack < players:
                _remember_stack(s, players, count, pick, observer, stack)


@kernel
def _remember_stack(s: State, players: int, count: int, pick: int, observer: int, stack: int) -> None:
    """P66: the cards gone between two sights of a stack, and the cards in it at the last sight.

    The order in which cards were taken in between is unknown, so they are written in ascending order.
    """
    row = s.known[observer, stack]
    sight = first_sight(players, stack, observer)
    while sight < pick and sight < count:
        end = min(sight + players, count) if sight + players <= pick else count
        for place in range(sight + 1, end):
            insert(row[sight + 1 :], place - sight - 1, card_of_stack(s, players, stack, place))
        sight += players


@kernel
def forget(s: State) -> None:
    """P66: clear what is kept of a round's cards once all of them are played."""
    s.known[:] = 0
    for seat in range(MAX_SEATS):
        s.seats[seat].laid[:] = 0
        s.seats[seat].played[:] = 0
