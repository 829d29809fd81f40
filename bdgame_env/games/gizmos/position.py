"""How positions of Gizmos are written and read (the section on snapshots), and what holds in each of them.

The checks count the pieces and see to what the rules rely on. They do not prove that a game can reach the position.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from ...engine.struct import NONE
from ...records.snapshot_reader import Entry
from ...records.snapshots import Position
from . import state as st
from .building import least_price, possible_amounts, possible_types, several
from .cards import (
    AMOUNT,
    COLORS,
    CONVERTER,
    CONVERTER_CARD,
    COST,
    CREDIT,
    CREDITS,
    FREE_BUILD,
    KIND,
    LEVEL,
    NUM_CARDS,
    NUM_COLORS,
    NUM_STARTING,
    POINTS_CREDIT,
    RESEARCH,
)
from .knowledge_forms import KNOWLEDGE, check_known, numbers
from .knowledge_updates import hidden_in_hand
from .marbles import count, reckon, unused_converters
from .market import add_built
from .options import OPTIONS
from .payment import number_of, one_of_type
from .setup import begin_seat

_MORE_BUILDS = (FREE_BUILD, RESEARCH)  # effects that can build a card


def _read_paid(entry: Entry, s: st.State, config: GameConfig, seat: int | None) -> None:
    s.payment.decided = entry.fill(s.payment.paid, lambda amount: amount.whole(0, st.MOST_COST))


def _marked(s: st.State, converters: bool) -> list[int]:
    """The built cards of the seat on turn that are spent, or its converters that are used."""
    built = s.seats[s.seat].built.tolist()
    marked = [card for place, card in enumerate(built) if s.spent >> place & 1]
    return [card for card in marked if (KIND[card] == CONVERTER_CARD) == converters]


def _read_marked(entry: Entry, s: st.State, config: GameConfig, seat: int | None) -> None:
    built = numbers(s.seats[s.seat].built)
    for each in entry.entries(most=len(built)):
        if each.value not in built:
            raise each.refusal("a built card of the seat on turn")
        s.spent |= 1 << built.index(each.value)


def _derive(s: st.State, config: GameConfig) -> None:
    s.over = s.phase == st.OVER
    for seat in s.seats[: config.players]:
        begin_seat(seat)
        cards = sorted(set(numbers(seat.built)))
        seat.cards = 0
        for card in cards:
            add_built(seat, card)
    s.used = sum(one_of_type(int(CONVERTER[card])) for card in _marked(s, converters=True))
    for place in range(config.players):
        reckon(s, place)


def _check_cards(s: st.State, config: GameConfig) -> Iterator[str]:
    """G1.1, G2.2, G2.3: every card is in one place, and those of decks and hands are of their level."""
    found = tally([s.display, s.decks, s.removed, s.hand, s.under, s.seats["archive"], s.seats["built"]], NUM_CARDS)
    there = np.ones(NUM_CARDS, int)
    there[config.players : NUM_STARTING] = 0
    yield from miscounts("cards of number", range(NUM_CARDS), found, there, "G1.1")
    for place in range(config.players):
        if s.seats[place].built[0] != place:
            yield f"seats[{place}] must have one starting card, the one of its number (G2.2)"
    for level in (1, 2, 3):
        ours = [*s.decks[level - 1], *np.where(level == st.DISPLAY_LEVEL, s.display, NONE)]
        ours += [*s.removed] if level == 3 else []
        ours += [*s.hand, *s.under] if level == s.hand_level else []
        if any(card != NONE and LEVEL[card] != level for card in ours):
            yield f"a card of another level is among those of level {level}"
    if NONE in s.removed:
        yield f"removed must be {st.REMOVED} cards (G2.3)"


def _check_marbles(s: st.State, config: GameConfig) -> Iterator[str]:
    """G1.2, G4.4, G4.6: no marble is lost or created; the row is full; no ring is above its limit."""
    found = s.row + s.dispenser + s.seats["ring"].sum(0)
    yield from miscounts("marbles of color", COLORS, found, st.MARBLES_OF_A_COLOR, "G1.2")
    if count(s.row) != st.ROW:
        yield f"{count(s.row)} marbles in the row, must be {st.ROW} (G4.1, G4.4)"
    for place, seat in enumerate(s.seats[: config.players]):
        if count(seat.ring) > seat.ring_limit:
            yield f"seats[{place}] has {count(seat.ring)} marbles in the ring, at most {seat.ring_limit} (G13.2)"


def _check_seats(s: st.State, config: GameConfig) -> Iterator[str]:
    """G14: `last_round` agrees with the built cards, and nobody can come to more cards or points than there is room."""
    seats = s.seats[: config.players]
    if not s.last_round and any(
        seat.cards >= st.LAST_ROUND_CARDS or seat.level_3 >= st.LAST_ROUND_LEVEL_3 for seat in seats
    ):
        yield "last_round is false, which the built cards contradict (G14.1)"
    for place, seat in enumerate(seats):
        acts = 2 * int(seat.cards) + int(seat.archived)  # there were fewer Builds and Files that could give points
        points = int(seat.tokens)
        if place == s.seat:
            acts -= int(s.kept != st.KEPT_NOTHING)  # what it triggers is still to come
            points += int(s.credits[POINTS_CREDIT])
        if points > acts * st.MOST_POINTS_A_TURN:
            yield f"seats[{place}] has {points} points in tokens, more than its cards can have given (G11.5)"
        if not s.over and place >= s.seat + (s.phase != st.MAIN) and seat.cards >= st.LAST_ROUND_CARDS:
            yield f"seats[{place}] has yet to play, with {seat.cards} built cards (G14.1)"
    me, spent = s.seats[s.seat], _marked(s, converters=False)
    more = sum(int(s.credits[credit]) for credit in _MORE_BUILDS)
    more += s.phase in (st.MAIN, st.HAND, st.PAY, st.CONVERT)
    more += sum(CREDIT[card] in _MORE_BUILDS and card not in spent for card in range(NUM_CARDS))
    if not s.over and me.cards + more > st.MOST_BUILT:
        yield f"{me.cards} built cards of the seat on turn are too many at this point (G14.3)"
    for credit, name in enumerate(CREDITS):
        most = sum(int(AMOUNT[card]) for card in spent if CREDIT[card] == credit)
        if s.credits[credit] > most:
            yield f"credits.{name} is {s.credits[credit]}, but {most} can be there (D3.1)"


def _check_turn(s: st.State, config: GameConfig) -> Iterator[str]:
    """Fields that belong to a phase are set in it, and only there."""
    phase, payment = st.PHASES[s.phase], s.payment
    from_hand = payment.card != NONE and payment.source == st.FROM_HAND
    if (payment.card != NONE) != (s.phase in (st.PAY, st.CONVERT)):
        yield f"phase {phase!r} does not go with payment"
    if (s.hand_size > 0) != (s.phase in (st.HAND, st.UNDER) or from_hand) or (s.hand_level > 0) != (s.hand_size > 0):
        yield f"phase {phase!r} does not go with hand"
    if s.hand_known_to and not hidden_in_hand(s):
        yield "hand.known_to is of no hidden card (G17.8)"
    if s.phase == st.UNDER and (config.record[0].quick or s.hand_size < 2):
        yield "phase 'under' with nothing to put in order (D3.6)"
    if s.phase != st.UNDER and (s.under_size or s.kept):
        yield f"phase {phase!r} does not go with under or kept"
    if s.hand_size + s.under_size > st.MOST_RESEARCHED:
        yield f"{s.hand_size + s.under_size} researched cards, at most {st.MOST_RESEARCHED} (G13.2)"
    me = s.seats[s.seat]
    if s.kept and s.kept_card not in numbers(me.archive if s.kept == st.KEPT_FILED else me.built):
        yield "kept is no card there (G9.3)"
    if (s.passes == config.players) > s.over:
        yield "everybody has passed, but the game is not over (G5.4)"
    if s.truncated and (not s.over or s.last_round):
        yield "truncated, but not by the round limit (D6.1)"


def _check_payment(s: st.State, config: GameConfig) -> Iterator[str]:
    """D4: the payment follows from the position, and asks for something."""
    payment, me = s.payment, s.seats[s.seat]
    card, source, place = int(payment.card), int(payment.source), int(payment.place)
    if card == NONE:
        return
    where = {st.FROM_DISPLAY: s.display, st.FROM_ARCHIVE: me.archive, st.FROM_HAND: s.hand}[source]
    if place >= len(where) or where[place] != card:
        yield f"card {card} of payment is not at place {place} of {st.SOURCES[source]}"
    least, most = least_price(me, card, source), int(COST[card])
    if (payment.least, payment.most) != (least, most):
        yield f"payment is from {payment.least} to {payment.most}, must be {least} to {most}"
    if (payment.decided == NUM_COLORS) != (s.phase == st.CONVERT):
        yield f"{payment.decided} amounts are paid in phase {st.PHASES[s.phase]!r}"
    if s.phase == st.PAY and payment.names:
        yield "converters are named before all amounts are paid (D4.6)"
    if (payment.paid > me.ring).any():
        yield "more marbles are paid than there are in the ring"
    named, types = numbers(payment.named), unused_converters(s, s.seat)
    if any(named.count(kind) > number_of(types, kind) for kind in named):
        yield "more converters are named than there are (G10.2)"
    payment.choices = possible_amounts(s) if s.phase == st.PAY else possible_types(s)
    if not several(payment.choices):
        yield f"payment has nothing to ask in phase {st.PHASES[s.phase]!r} (D4.7)"


POSITION = Position(
    "gizmos",
    st.State,
    options=OPTIONS,
    derive=_derive,
    checks=(_check_cards, _check_marbles, _check_seats, _check_turn, _check_payment, check_known),
    custom=KNOWLEDGE
    | {
        "paid": (lambda s, config, seat: s.payment.paid[: s.payment.decided].tolist(), _read_paid),
        "spent": (lambda s, config, seat: _marked(s, converters=False), _read_marked),
        "used": (lambda s, config, seat: _marked(s, converters=True), _read_marked),
    },
)
