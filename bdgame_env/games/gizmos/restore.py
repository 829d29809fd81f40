"""Restores a game from an omniscient snapshot, then checks it by counting and by reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from ...engine.conservation import miscounts, tally
from ...engine.game import GameConfig
from ...records.restoring import read_options, read_turn, restore_position
from ...records.snapshot_reader import Entry
from .building import least_price, possible_amounts, possible_types, several
from .cards import (
    AMOUNT,
    COLORS,
    CONVERTER,
    CONVERTER_CARD,
    CONVERTER_TYPES,
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
    UPGRADE_CARD,
)
from .marbles import count
from .market import add_built, put_into_archive
from .payment import one_of_type
from .restore_knowledge import check_known, check_stacks, read_known, read_stacks
from .setup import begin_seat, empty_table
from .snapshot import snapshot
from .state import (
    CONVERT,
    DISPLAY_LEVEL,
    FROM_ARCHIVE,
    FROM_DISPLAY,
    FROM_HAND,
    HAND,
    KEPT,
    KEPT_BUILT,
    KEPT_FILED,
    LAST_ROUND_CARDS,
    LAST_ROUND_LEVEL_3,
    MAIN,
    MARBLES_OF_A_COLOR,
    MOST_ARCHIVED,
    MOST_BUILT,
    MOST_COST,
    MOST_RESEARCHED,
    MOST_TOKENS,
    NONE,
    OVER,
    PAY,
    PHASES,
    REMOVED,
    ROW,
    SOURCES,
    UNDER,
)

_MOST_CREDITS = np.iinfo(np.int8).max
_MORE_BUILDS = (FREE_BUILD, RESEARCH)  # effects that can build a card


def _write(snap: Entry, config: GameConfig, s: Any) -> None:
    empty_table(s)
    read_turn(snap, config, s, PHASES, config.options["max_rounds"])
    s.last_round, s.truncated = snap["last_round"].flag(), snap["truncated"].flag()
    s.passes = snap["passes"].whole(0, config.players)
    s.row[:] = snap["row"].counts(COLORS, MARBLES_OF_A_COLOR)
    s.dispenser[:] = snap["dispenser"].counts(COLORS, MARBLES_OF_A_COLOR)

    display = snap["display"].entries(exactly=len(s.display))
    s.display[:] = [card.whole(0, NUM_CARDS - 1, null=NONE) for card in display]
    for level, deck in enumerate(snap["decks"].entries(exactly=len(s.decks))):
        s.deck_sizes[level] = deck.fill(s.decks[level], _card, backwards=True)
    s.rng = snap["rng"].rng()
    snap["removed"].fill(s.removed, _card)

    s.credits[:] = snap["credits"].counts(CREDITS, _MOST_CREDITS)
    if not snap["hand"].is_null:
        s.hand_level = snap["hand"]["level"].whole(1, 3)
        s.hand_size = snap["hand"]["cards"].fill(s.hand, _card)
    s.under_size = snap["under"].fill(s.under, _card)
    if "kept" in snap and not snap["kept"].is_null:
        s.kept = 1 + snap["kept"]["as"].place_in(KEPT[1:])
        s.kept_card = _card(snap["kept"]["card"])
    if not snap["payment"].is_null:
        _write_payment(snap["payment"], s.payment)
    read_stacks(snap, config, s)
    read_known(snap, config, s)
    for place, seat in enumerate(snap["seats"].entries(exactly=config.players)):
        _write_seat(seat, s, place)


def _card(entry: Entry) -> int:
    return entry.whole(0, NUM_CARDS - 1)


def _write_payment(data: Entry, payment: Any) -> None:
    payment.card = data["card"].whole(NUM_STARTING, NUM_CARDS - 1)
    payment.source = data["source"].place_in(SOURCES)
    payment.place = data["place"].whole(0, MOST_RESEARCHED - 1)
    payment.least = data["least"].whole(0, MOST_COST)
    payment.most = data["most"].whole(0, MOST_COST)
    payment.decided = data["paid"].fill(payment.paid, lambda amount: amount.whole(0, MOST_COST))
    payment.names = data["converters"].fill(payment.named, lambda name: name.place_in(CONVERTER_TYPES))


def _write_seat(data: Entry, s: Any, place: int) -> None:
    seat = s.seats[place]
    begin_seat(seat)
    seat.ring[:] = data["ring"].counts(COLORS, MARBLES_OF_A_COLOR)
    seat.tokens = data["tokens"].whole(0, MOST_TOKENS)
    built = [_card(card) for card in data["built"].entries(most=MOST_BUILT)]
    for card in built:
        add_built(seat, card)
    for filed in data["archive"].entries(most=MOST_ARCHIVED):
        put_into_archive(seat, _card(filed))
    for name in ("spent", "used"):
        for entry in data[name].entries(most=len(built)):
            card = _card(entry)
            if place != s.seat or card not in built:
                raise entry.refusal("a built card of the seat on turn")
            s.spent |= 1 << built.index(card)
            if (KIND[card] == CONVERTER_CARD) != (name == "used") or KIND[card] == UPGRADE_CARD:
                raise entry.refusal(f"a card of a kind that can be {name}")
            if name == "used":
                s.used += one_of_type(int(CONVERTER[card]))


def _check_cards(s: Any, config: GameConfig) -> Iterator[str]:
    """G1.1, G2, G3: every card is in one place of its level; a display place is empty only if the deck is."""
    seats = s.seats[: config.players]
    found = tally([s.display, s.decks, s.removed, s.hand, s.under, seats["archive"], seats["built"]], NUM_CARDS)
    # the starting cards of unused seats are nowhere
    wanted = np.where(np.arange(NUM_CARDS) < NUM_STARTING, np.minimum(found, 1), 1)
    yield from miscounts("cards of number", range(NUM_CARDS), found, wanted, "G1.1")
    for place, seat in enumerate(seats):
        cards = [int(card) for card in (*seat.built, *seat.archive) if card != NONE]
        if not seat.cards or cards[0] != place or min(cards[1:], default=NUM_STARTING) < NUM_STARTING:
            yield f"seats[{place}] must have one starting card, the one of its number (G2.2)"
    for level in (1, 2, 3):
        behind = [*s.decks[level - 1]]
        behind += [*s.hand, *s.under] if s.hand_level == level else []
        ours = [*behind, *s.display[level == DISPLAY_LEVEL], *(s.removed if level == 3 else ())]
        if any(card != NONE and LEVEL[card] != level for card in ours):
            yield f"a card of another level is among those of level {level}"
        if NONE in s.display[level == DISPLAY_LEVEL] and any(card != NONE for card in behind):
            yield f"a display place of level {level} is empty, but the deck is not (G3.1)"
    if s.hand_level == 0 and (s.hand_size or s.under_size):
        yield "cards are put under a deck, but hand is null"
    for name, row in (
        ("hand", s.hand),
        *((f"seats[{place}].archive", seat.archive) for place, seat in enumerate(seats)),
    ):
        cards = [int(card) for card in row if card != NONE]
        if cards != sorted(cards):
            yield f"{name} must be in order of number (D2.4)"
    if NONE in s.removed or sorted(s.removed) != list(s.removed):
        yield f"removed must be {REMOVED} cards in order of number (G2.3)"


def _check_marbles(s: Any, config: GameConfig) -> Iterator[str]:
    """G1.2, G4.4, G4.6: no marble is lost or created; the row is full if it can be; no ring is above its limit."""
    found = s.row + s.dispenser + s.seats["ring"].sum(0)
    yield from miscounts("marbles of color", COLORS, found, MARBLES_OF_A_COLOR, "G1.2")
    if count(s.row) != ROW:
        yield f"{count(s.row)} marbles in the row, must be {ROW} (G4.1, G4.4)"
    for place, seat in enumerate(s.seats[: config.players]):
        for name, have, limit in (
            ("marbles in the ring", count(seat.ring), int(seat.ring_limit)),
            ("cards in the archive", int(seat.archived), int(seat.archive_limit)),
        ):
            if have > limit:
                yield f"seats[{place}] has {have} {name}, at most {limit} (G13.2)"


def _check_seats(s: Any, config: GameConfig) -> Iterator[str]:
    """G14: `last_round` agrees with the built cards, and nobody has built too many by now (G14.3)."""
    enough = [
        seat.cards >= LAST_ROUND_CARDS or seat.level_3 >= LAST_ROUND_LEVEL_3 for seat in s.seats[: config.players]
    ]
    if bool(s.last_round) != any(enough):
        yield f"last_round is {bool(s.last_round)}, which the built cards contradict (G14.1)"
    if s.over:
        return
    waiting = range(int(s.seat) + (s.phase != MAIN), config.players)
    if any(enough[place] for place in waiting):
        yield "a seat that has yet to play has cards enough for the end (G14.1)"
    more = sum(int(s.credits[credit]) for credit in _MORE_BUILDS) + (s.phase in (MAIN, HAND, PAY, CONVERT))
    me = s.seats[s.seat]
    spent = [int(card) for place, card in enumerate(me.built) if int(s.spent) >> place & 1]
    sources = [card for card in range(NUM_CARDS) if CREDIT[card] in _MORE_BUILDS]
    more += sum(card not in spent for card in sources)
    if int(me.cards) + more > MOST_BUILT:
        yield f"{me.cards} built cards of the seat on turn are too many at this point (G14.3)"


def _check_turn(s: Any, config: GameConfig) -> Iterator[str]:
    """Fields of the turn that must agree."""
    phase = PHASES[s.phase]
    me = s.seats[s.seat]
    spent = [int(card) for place, card in enumerate(me.built) if int(s.spent) >> place & 1]
    for credit, name in enumerate(CREDITS):
        most = sum(int(AMOUNT[card]) for card in spent if CREDIT[card] == credit)
        if credit == POINTS_CREDIT and config.record[0].quick:
            most = 0
        if s.credits[credit] > most:
            yield f"credits.{name} is {s.credits[credit]}, but {most} can be there (D3.1)"
    if s.phase in (MAIN, OVER) and (s.spent or s.credits.any()):
        yield f"cards are spent or credits left in phase {phase!r} (G5.5)"
    payment = s.payment
    from_hand = payment.card != NONE and payment.source == FROM_HAND
    if (payment.card != NONE) != (s.phase in (PAY, CONVERT)):
        yield f"phase {phase!r} does not go with payment"
    if (s.hand_size > 0) != (s.phase in (HAND, UNDER) or from_hand) or (s.hand_level > 0) != (s.hand_size > 0):
        yield f"phase {phase!r} does not go with hand"
    if s.phase == UNDER:
        yield from _check_under(s, config, me)
    elif s.under_size or s.kept:
        yield f"phase {phase!r} does not go with under or kept"
    if payment.card != NONE:
        yield from _check_payment(s)
    if (s.passes == config.players) > s.over:
        yield "everybody has passed, but the game is not over (G5.4)"
    last = s.seat == config.players - 1 and (s.last_round or s.truncated)
    if s.over and not last and s.passes != config.players:
        yield "phase 'over', but nothing has ended the game (G14, D6.1)"
    at_limit = s.over and not s.last_round and s.round_number == config.options["max_rounds"]
    if s.truncated and not at_limit:
        yield "truncated, but not by the round limit (D6.1)"


def _check_under(s: Any, config: GameConfig, me: Any) -> Iterator[str]:
    """D3.6: at least two cards are waiting, and the card kept is where it should be."""
    if config.record[0].quick or s.hand_size < 2:
        yield "phase 'under' with nothing to put in order (D3.6)"
    kept = {KEPT_FILED: me.archive, KEPT_BUILT: me.built}.get(int(s.kept))
    if kept is not None and (s.kept_card not in kept or LEVEL[s.kept_card] != s.hand_level):
        yield "kept is no card there of the level of the hand (G9.3)"


def _check_payment(s: Any) -> Iterator[str]:
    """D4.2: the card is where the payment says, and the prices follow from the position."""
    payment = s.payment
    card, source, place = int(payment.card), int(payment.source), int(payment.place)
    where = {FROM_DISPLAY: s.display, FROM_ARCHIVE: s.seats[s.seat].archive, FROM_HAND: s.hand}[source]
    if place >= len(where) or where[place] != card:
        yield f"card {card} of payment is not at place {place} of {SOURCES[source]}"
    least, most = least_price(s.seats[s.seat], card, source), int(COST[card])
    if (payment.least, payment.most) != (least, most):
        yield f"payment is from {payment.least} to {payment.most}, must be {least} to {most}"
    wanted = NUM_COLORS if s.phase == CONVERT else NUM_COLORS - 1
    if payment.decided > wanted or (s.phase == CONVERT and payment.decided < wanted):
        yield f"{payment.decided} amounts are paid in phase {PHASES[s.phase]!r}"
    if s.phase == PAY and payment.names:
        yield "converters are named before all amounts are paid (D4.6)"


def _restore_choices(s: Any, config: GameConfig) -> Iterator[str]:
    """D4.7: derive what a payment in progress asks for."""
    if s.phase not in (PAY, CONVERT):
        return
    payment, ring = s.payment, s.seats[s.seat].ring
    if any(int(payment.paid[color]) > int(ring[color]) for color in range(NUM_COLORS)):
        yield "more marbles are paid than there are in the ring"
    payment.choices = possible_amounts(s) if s.phase == PAY else possible_types(s)
    if not several(payment.choices):
        yield f"payment has nothing to ask in phase {PHASES[s.phase]!r} (D4.7)"


_CHECKS = (_check_cards, _check_marbles, _check_seats, _check_turn, _restore_choices, check_known, check_stacks)
options_of_snapshot = partial(read_options, game="gizmos")
restore = partial(restore_position, write=_write, checks=_CHECKS, snapshot=snapshot)
