"""Build (G8): choosing a card, paying for it step by step (D4.1), and putting it into play.

A payment begins only if it can be completed, and each step keeps it that way (D5.2).
"""

from __future__ import annotations

from ...engine.jit import kernel
from . import cards
from . import state as st
from .knowledge_updates import hidden_in_hand, show_from_hand
from .marbles import mover, pay_marbles, unused_converters
from .market import insert_card, put_into_play, take_from_archive, take_from_display
from .payment import amounts, one_of_type, packed, types_to_name
from .research import after_hand, take_from_hand
from .state import Config, Payment, Seat, State
from .triggers import built


@kernel
def least_price(seat: Seat, card: int, source: int) -> int:
    """G8.3, G13.3: the cost less all discounts that apply, at least 0."""
    return _less_discounts(seat, int(cards.PRICES[card]), source)


@kernel
def _less_discounts(seat: Seat, price: int, source: int) -> int:
    """`least_price` of a card, from its PRICES."""
    least = price & 15
    if price & cards.OF_LEVEL_2 != 0:
        least -= int(seat.discounts[cards.LEVEL_2_SCOPE])
    if source == st.FROM_ARCHIVE:
        least -= int(seat.discounts[cards.ARCHIVE_SCOPE])
    elif source == st.FROM_HAND:
        least -= int(seat.discounts[cards.RESEARCH_SCOPE])
    return max(0, least)


@kernel
def missing_energy(seat: Seat, energies: int, card: int, source: int) -> int:
    """D4.2: how much energy is missing to pay for a card, of `payment.energies_of` so much."""
    price = int(cards.PRICES[card])
    return max(0, _less_discounts(seat, price, source) - (energies >> (price >> cards.TO_ENERGY) & 15))


@kernel
def payable(seat: Seat, energies: int, card: int, source: int) -> bool:
    """D4.2: whether a card can be paid for."""
    return missing_energy(seat, energies, card, source) == 0


@kernel
def begin_build(s: State, config: Config, card: int, source: int, place: int) -> None:
    """D4.8: choose a card and begin its payment."""
    payment = s.payment
    if source == st.FROM_HAND:
        show_from_hand(s, card, hidden_in_hand(s))
    payment.card = card
    payment.source = source
    payment.place = place
    payment.least = least_price(mover(s), card, source)
    payment.most = cards.COST[card]
    ask(s, config)


@kernel
def ask(s: State, config: Config) -> None:
    """D4.7: continue the payment up to the next step with more than one answer; build once all is decided."""
    payment = s.payment
    while payment.decided < cards.NUM_COLORS:
        payment.choices = possible_amounts(s)
        if several(payment.choices):
            s.phase = st.PAY
            return
        _decide(payment, only(payment.choices))
    if used_up_matters(s):
        payment.choices = possible_types(s)
        while payment.choices != 0 and payment.names < payment.named.shape[0]:
            if several(payment.choices):
                s.phase = st.CONVERT
                return
            _name(payment, only(payment.choices))
            payment.choices = possible_types(s)
    _complete(s, config)


@kernel
def several(choices: int) -> bool:
    """Whether two bits or more are set."""
    bits = int(choices)
    return bits & (bits - 1) != 0


@kernel
def only(choices: int) -> int:
    """The lowest bit that is set, or 0."""
    bits, number = int(choices), 0
    while bits != 0 and not bits >> number & 1:
        number += 1
    return number


@kernel
def possible_amounts(s: State) -> int:
    """D4.3, as bits: how many marbles of the color asked for may be paid."""
    payment, types = s.payment, unused_converters(s, s.seat)
    ring, paid = packed(mover(s).ring), packed(payment.paid)
    least, most = int(payment.least), int(payment.most)
    return amounts(ring, paid, int(payment.decided), int(cards.COLOR[payment.card]), types, least, most)


@kernel
def possible_types(s: State) -> int:
    """D4.6, as bits: which types of converters may be named; 0 if those named suffice."""
    payment, named = s.payment, 0
    for place in range(payment.names):
        named += one_of_type(int(payment.named[place]))
    least, most, target = int(payment.least), int(payment.most), int(cards.COLOR[payment.card])
    return types_to_name(packed(payment.paid), target, unused_converters(s, s.seat), least, most, named)


@kernel
def used_up_matters(s: State) -> bool:
    """D4.5: whether a further payment can follow in this turn, which takes a Research as an effect."""
    me = mover(s)
    if me.bans[cards.RESEARCH_BAN] != 0:
        return False
    if s.credits[cards.RESEARCH] > 0 or cards.CREDIT[s.payment.card] == cards.RESEARCH:
        return True
    for place in range(me.cards):
        if cards.CREDIT[me.built[place]] == cards.RESEARCH and not int(s.spent) >> place & 1:
            return True
    return False


@kernel
def pay_amount(s: State, config: Config, amount: int) -> None:
    """D4.3: pay this many marbles of the color asked for."""
    _decide(s.payment, amount)
    ask(s, config)


@kernel
def _decide(payment: Payment, amount: int) -> None:
    """Record the amount of one color."""
    payment.paid[payment.decided] = amount
    payment.decided += 1


@kernel
def name_type(s: State, config: Config, kind: int) -> None:
    """D4.6: use a converter of this type."""
    _name(s.payment, kind)
    ask(s, config)


@kernel
def _name(payment: Payment, kind: int) -> None:
    """Name one more converter; types are named in ascending order."""
    insert_card(payment.named, int(payment.names), kind)
    payment.names += 1


@kernel
def _use_converters(s: State) -> None:
    """G10.2, G10.4, D4.5: mark the named converters as used in this turn, the lowest numbers of each type first."""
    me, payment = mover(s), s.payment
    for name in range(payment.names):
        kind = int(payment.named[name])
        place = 0
        while place < me.cards - 1 and (cards.CONVERTER[me.built[place]] != kind or int(s.spent) >> place & 1):
            place += 1
        s.spent |= 1 << place
        s.used += one_of_type(kind)


@kernel
def clear_payment(payment: Payment) -> None:
    """Clear a payment, so that none is open."""
    payment.choices = 0
    payment.card = st.NONE
    payment.source = 0
    payment.place = 0
    payment.least = 0
    payment.most = 0
    payment.decided = 0
    payment.paid[:] = 0
    payment.named[:] = st.NONE
    payment.names = 0


@kernel
def _complete(s: State, config: Config) -> None:
    """D4.8: return the marbles to the dispenser, refill the row, then build the card."""
    payment = s.payment
    card, source, place = int(payment.card), int(payment.source), int(payment.place)
    pay_marbles(s, payment.paid)
    _use_converters(s)
    clear_payment(payment)
    put_card_in_play(s, config, card, source, place)


@kernel
def put_card_in_play(s: State, config: Config, card: int, source: int, place: int) -> None:
    """D4.8, G3.1, G3.3: build the card; refill or close up its place, or return the hand; then trigger cards."""
    put_into_play(s, card)
    if source == st.FROM_HAND:
        take_from_hand(s, place)
        after_hand(s, config, st.KEPT_BUILT, card)
        return
    if source == st.FROM_DISPLAY:
        take_from_display(s, place)
    else:
        take_from_archive(mover(s), place)
    s.phase = st.CHAIN
    built(s, config, card, source)
