"""Trading one card for one card with an opponent, an optional rule (B50, B50a)."""

from __future__ import annotations

from ...engine.arrays import Ints
from ...engine.jit import kernel
from .actions import AGREE, OFFER_CARD, OFFER_SEAT, OFFER_WANT, REFUSE
from .cards import NUM_KINDS
from .market import mover
from .state import ACT, MAX_OFFERS, NONE, OFFER, RESPOND, Config, State


@kernel
def trade_id(config: Config, action: int) -> int:
    """A trade action's id in this config, from its id in the complete table: `sell` actions may be left out."""
    return action - OFFER_CARD + int(config.trade_at)


@kernel
def has_another_kind(hand: Ints, kind: int) -> bool:
    """Whether a hand holds a card of another kind."""
    for other in range(NUM_KINDS):
        if other != kind and hand[other] > 0:
            return True
    return False


@kernel
def legal_offers(s: State, config: Config, mask: Ints) -> None:
    """B50a: `offer` any card from hand if some opponent holds another kind; at most 3 offers a turn."""
    if s.offers >= MAX_OFFERS:
        return
    for kind in range(NUM_KINDS):
        if mover(s).hand[kind] > 0:
            for seat in range(config.players):
                if seat != s.seat and has_another_kind(s.seats[seat].hand, kind):
                    mask[trade_id(config, OFFER_CARD + kind)] = 1


@kernel
def legal_in_offer(s: State, config: Config, mask: Ints) -> None:
    """B50a: first `seat`, then `want`."""
    if s.offer_to == NONE:
        for seat in range(config.players):
            if seat != s.seat and has_another_kind(s.seats[seat].hand, int(s.offer_card)):
                mask[trade_id(config, OFFER_SEAT + seat)] = 1
        return
    for kind in range(NUM_KINDS):
        if kind != s.offer_card and s.seats[s.offer_to].hand[kind] > 0:
            mask[trade_id(config, OFFER_WANT + kind)] = 1


@kernel
def legal_in_respond(config: Config, mask: Ints) -> None:
    """B50a: the other seat agrees or refuses."""
    mask[trade_id(config, AGREE)] = 1
    mask[trade_id(config, REFUSE)] = 1


@kernel
def offer(s: State, kind: int) -> None:
    """B50a: begin to offer a card."""
    s.offers += 1
    s.offer_from = s.seat
    s.offer_card = kind
    s.phase = OFFER


@kernel
def want(s: State, kind: int) -> None:
    """B50a: name the card wanted; the seat that holds it decides next."""
    s.offer_want = kind
    s.seat = s.offer_to
    s.phase = RESPOND


@kernel
def respond(s: State, agreed: bool) -> None:
    """B50a: end the offer, with an exchange if it was accepted, and continue the turn."""
    if agreed:
        exchange(s)
    s.seat = s.offer_from
    s.offer_from = NONE
    s.offer_card = NONE
    s.offer_to = NONE
    s.offer_want = NONE
    s.phase = ACT


@kernel
def exchange(s: State) -> None:
    """B50: the two cards change hands."""
    giver = s.seats[s.offer_from]
    taker = s.seats[s.offer_to]
    giver.hand[s.offer_card] -= 1
    taker.hand[s.offer_card] += 1
    taker.hand[s.offer_want] -= 1
    giver.hand[s.offer_want] += 1
