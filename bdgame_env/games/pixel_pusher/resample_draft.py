"""Draft: sample the hands, cards laid down and locked choices of others that a seat has not seen (P65-P67).

Stacks and places are those of knowledge.py. The observer has not seen the places before its first sight of a stack,
nor any place of a stack it never held. Each stack has one ability card (P18), so the observer knows for every stack
whether its ability card is at one of the unseen places; all of these are equally likely.
"""

from __future__ import annotations

from ...engine.jit import kernel
from ...engine.rng import below
from .cards import FIRST_ABILITY, NUM_ABILITIES
from .hands import draw_machine, put_on_deck, sort
from .knowledge import card_of_stack, cards_of_round, first_sight, remember
from .resample_bits import any_bit
from .resample_decks import shuffle_unseen
from .state import NONE, Config, State


@kernel
def resample_draft(s: State, config: Config, seat: int) -> None:
    """P65-P67: deal unseen cards to unseen places; seen cards are with seats that held the stack since, or in it."""
    players, count, pick = int(config.players), cards_of_round(s), int(s.seats[seat].drafted_size)
    abilities, hiding = (1 << NUM_ABILITIES) - 1, 0  # bits: abilities not seen; stacks that hide their ability
    for stack in range(players):
        unseen = _unseen_places(players, pick, count, stack, seat)
        for place in range(count):
            card = card_of_stack(s, players, stack, place)
            if place >= unseen:
                if card >= FIRST_ABILITY:
                    abilities &= ~(1 << (card - FIRST_ABILITY))
            elif card >= FIRST_ABILITY:
                hiding |= 1 << stack
            else:
                put_on_deck(s, card)
    shuffle_unseen(s, s.machine_deck, int(s.deck_size))
    for stack in range(players):
        unseen = _unseen_places(players, pick, count, stack, seat)
        ability_place = below(s, unseen) if hiding >> stack & 1 else NONE
        for place in range(unseen):
            if place == ability_place:
                ability = any_bit(s, abilities)
                abilities &= ~(1 << ability)
                _set_card_of_stack(s, players, pick, stack, place, FIRST_ABILITY + ability)
            else:
                _set_card_of_stack(s, players, pick, stack, place, draw_machine(s))
        if unseen < count:
            _mix_since_passed(s, players, pick, stack, seat, count)
        holder = s.seats[(stack + pick) % players]
        sort(holder.hand, int(holder.hand_size))
    _lock_others(s, players, seat)
    remember(s, config)


@kernel
def _lock_others(s: State, players: int, seat: int) -> None:
    """P59: sample the choices of others. The observer knows only of itself whether it has chosen.

    If the observer is asked, the seats before it have chosen. If it has chosen, the next seat decides; if it has not
    been asked yet, the first seat does.
    """
    chosen = s.seats[seat].choice != NONE
    if s.seat != seat:
        s.seat = seat + 1 if chosen else 0
    for other in range(players):
        me = s.seats[other]
        if other != seat:
            me.choice = below(s, int(me.hand_size)) if other < s.seat else NONE


@kernel
def _unseen_places(players: int, pick: int, count: int, stack: int, seat: int) -> int:
    """P66: how many places of a stack, counted from the first, a seat has not seen."""
    first = first_sight(players, stack, seat)
    return first if first <= pick else count


@kernel
def _set_card_of_stack(s: State, players: int, pick: int, stack: int, place: int, card: int) -> None:
    """Replace the card at a place of a stack."""
    if place < pick:
        s.seats[(stack + place) % players].drafted[place] = card
    else:
        s.seats[(stack + pick) % players].hand[place - pick] = card


@kernel
def _mix_since_passed(s: State, players: int, pick: int, stack: int, seat: int, count: int) -> None:
    """P66: reorder at random the cards taken between two sights of a stack, or since the last one.

    They are sorted, then shuffled (Fisher and Yates).
    """
    sight = first_sight(players, stack, seat)
    while sight < pick:
        end = min(sight + players, count) if sight + players <= pick else count
        for last in range(end - 1, sight + 1, -1):
            for place in range(sight + 1, last):
                if card_of_stack(s, players, stack, place) > card_of_stack(s, players, stack, place + 1):
                    _exchange_cards(s, players, pick, stack, place, place + 1)
        for last in range(end - 1, sight + 1, -1):
            _exchange_cards(s, players, pick, stack, last, sight + 1 + below(s, last - sight))
        sight += players


@kernel
def _exchange_cards(s: State, players: int, pick: int, stack: int, one: int, other: int) -> None:
    """Exchange the cards at two places of a stack."""
    card = card_of_stack(s, players, stack, one)
    _set_card_of_stack(s, players, pick, stack, one, card_of_stack(s, players, stack, other))
    _set_card_of_stack(s, players, pick, stack, other, card)
