"""A game from an omniscient snapshot: written, then checked by counting and by reading it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.game import BadSnapshot, Box
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
    NONE,
    OVER,
    PAY,
    PHASES,
    REMOVED,
    ROW,
    SOURCES,
    UNDER,
)

_MOST_TOKENS = 10_000
_MORE_BUILDS = (FREE_BUILD, RESEARCH)  # effects that can build a card


def box_of_snapshot(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options a snapshot was made with.

    Raises:
        BadSnapshot: they are not there.
    """
    if data.get("game") != "gizmos":
        raise BadSnapshot(f"snapshot: game is {data.get('game')!r}, must be 'gizmos'")
    options = data.get("options")
    if not isinstance(options, Mapping) or "players" not in data:
        raise BadSnapshot("snapshot: 'players' or 'options' is missing")
    return {"players": data["players"], **options}


def restore(data: Mapping[str, Any], box: Box, s: Any) -> None:
    """Write the position into `s`, a zeroed record.

    Raises:
        BadSnapshot: in one line, where and why the data is no position of the game.
    """
    if "luck" not in data or "removed" not in data:
        raise BadSnapshot("snapshot: the decks are hidden; only omniscient snapshots can be restored")
    try:
        _Writer(data, box, s).write()
        _check_cards(s, box)
        _check_marbles(s, box)
        _check_seats(s, box)
        _check_turn(s, box)
        _restore_choices(s)
    except BadSnapshot:
        raise
    except (KeyError, IndexError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BadSnapshot(f"snapshot: not of the documented form: {type(error).__name__}: {error}") from None
    difference = _first_difference("snapshot", dict(data), snapshot(s, box, True))
    if difference:
        raise BadSnapshot(difference)


class _Writer:
    """Writes one snapshot into one record."""

    def __init__(self, data: Mapping[str, Any], box: Box, s: Any) -> None:
        self.data, self.box, self.s = data, box, s

    def write(self) -> None:
        s, data = self.s, self.data
        empty_table(s)
        s.rng = np.uint64(int(data["luck"]))
        s.round_number = within("round", data["round"], 1, int(self.box.options["max_rounds"]))
        s.seat = within("seat", data["seat"], 0, self.box.players - 1)
        s.phase = number(PHASES, data["phase"], "phase")
        s.over = s.phase == OVER
        s.last_round, s.truncated = data["last_round"], data["truncated"]
        s.passes = within("passes", data["passes"], 0, self.box.players)
        self.marbles("row", data["row"], s.row)
        self.marbles("dispenser", data["dispenser"], s.dispenser)
        self.row("display", [NONE if card is None else card for card in data["display"]], s.display)
        for level, deck in enumerate(data["decks"]):
            s.deck_sizes[level] = self.row(f"decks[{level}]", deck[::-1], s.decks[level])
        self.row("removed", data["removed"], s.removed)
        for name, pending in data["credits"].items():
            s.credits[CREDITS.index(name)] = within(f"credits.{name}", pending, 0, 127)
        if data["hand"] is not None:
            s.hand_level = within("hand.level", data["hand"]["level"], 1, 3)
            s.hand_size = self.row("hand", data["hand"]["cards"], s.hand)
        s.under_size = self.row("under", data["under"], s.under)
        if data.get("kept") is not None:
            s.kept = number(KEPT, data["kept"], "kept")
        if data["payment"] is not None:
            self.payment(data["payment"])
        if len(data["seats"]) != self.box.players:
            raise BadSnapshot(f"snapshot: {len(data['seats'])} seats, but players is {self.box.players}")
        for place, seat in enumerate(data["seats"]):
            self.seat(place, seat)

    def marbles(self, where: str, counts: Mapping[str, int], into: Any) -> None:
        into[:] = [within(f"{where}.{color}", counts[color], 0, MARBLES_OF_A_COLOR) for color in COLORS]

    def row(self, where: str, cards: Sequence[int], into: Any) -> int:
        """Write cards into places that are NONE; their number."""
        if len(cards) > len(into):
            raise BadSnapshot(f"snapshot: {len(cards)} cards in {where}, at most {len(into)}")
        for place, card in enumerate(cards):
            into[place] = within(where, card, NONE if where == "display" else 0, NUM_CARDS - 1)
        return len(cards)

    def payment(self, data: Mapping[str, Any]) -> None:
        payment = self.s.payment
        payment.card = within("payment.card", data["card"], NUM_STARTING, NUM_CARDS - 1)
        payment.source = number(SOURCES, data["source"], "payment.source")
        payment.place = within("payment.place", data["place"], 0, MOST_RESEARCHED - 1)
        payment.least = within("payment.least", data["least"], 0, MOST_COST)
        payment.most = within("payment.most", data["most"], 0, MOST_COST)
        payment.decided, payment.names = len(data["paid"]), len(data["converters"])
        payment.paid[: payment.decided] = [within("payment.paid", amount, 0, MOST_COST) for amount in data["paid"]]
        payment.named[: payment.names] = [
            number(CONVERTER_TYPES, name, "payment.converters") for name in data["converters"]
        ]

    def seat(self, place: int, data: Mapping[str, Any]) -> None:
        seat, where = self.s.seats[place], f"seats[{place}]"
        begin_seat(seat)
        self.marbles(f"{where}.ring", data["ring"], seat.ring)
        seat.tokens = within(f"{where}.tokens", data["tokens"], 0, _MOST_TOKENS)
        for name, most, put in (("built", MOST_BUILT, add_built), ("archive", MOST_ARCHIVED, put_into_archive)):
            if len(data[name]) > most:
                raise BadSnapshot(f"snapshot: {where}.{name} has {len(data[name])} cards, at most {most}")
            for card in data[name]:
                put(seat, within(f"{where}.{name}", card, 0, NUM_CARDS - 1))
        for name in ("spent", "used"):
            for card in data[name]:
                if place != self.s.seat or card not in data["built"]:
                    raise BadSnapshot(f"snapshot: {where}.{name} has {card}, no built card of the seat on turn")
                self.s.spent |= 1 << data["built"].index(card)
                if (KIND[card] == CONVERTER_CARD) != (name == "used") or KIND[card] == UPGRADE_CARD:
                    raise BadSnapshot(f"snapshot: {where}.{name} has {card}, a card of another kind")
                if name == "used":
                    self.s.used += one_of_type(int(CONVERTER[card]))


def within(where: str, value: Any, least: int, most: int) -> int:
    """The value, if it is a whole number of the range.

    Raises:
        BadSnapshot: it is not.
    """
    if type(value) is not int or not least <= value <= most:
        raise BadSnapshot(f"snapshot: {where} is {value!r}, must be {least} to {most}")
    return value


def number(names: Sequence[str], name: Any, what: str) -> int:
    """The place of a name in a list.

    Raises:
        BadSnapshot: it is not there.
    """
    if name not in names:
        raise BadSnapshot(f"snapshot: {what} is {name!r}; known: {', '.join(names)}")
    return names.index(name)


def _check_cards(s: Any, box: Box) -> None:
    """G1.1, G2, G3: every card is in one place, of its level; an empty display place has no deck behind it."""
    seats = [s.seats[seat] for seat in range(box.players)]
    rows: list[Iterable[Any]] = [s.display, *s.decks, s.removed, s.hand, s.under]
    rows += [row for seat in seats for row in (seat.archive, seat.built)]
    found = Counter(int(card) for row in rows for card in row if card != NONE)
    for card in range(NUM_CARDS):
        if found[card] > 1 or (found[card] == 0 and card >= NUM_STARTING):
            raise BadSnapshot(f"snapshot: card {card} is there {found[card]} times, must be once (G1.1)")
    for place, seat in enumerate(seats):
        cards = [int(card) for card in (*seat.built, *seat.archive) if card != NONE]
        if not seat.cards or cards[0] >= NUM_STARTING or min(cards[1:], default=NUM_STARTING) < NUM_STARTING:
            raise BadSnapshot(f"snapshot: seat {place} must have one starting card, built first (G2.2)")
    for level in (1, 2, 3):
        behind = [*s.decks[level - 1]]
        behind += [*s.hand, *s.under] if s.hand_level == level else []
        ours = [*behind, *s.display[level == DISPLAY_LEVEL], *(s.removed if level == 3 else ())]
        if any(card != NONE and LEVEL[card] != level for card in ours):
            raise BadSnapshot(f"snapshot: a card of another level is among those of level {level}")
        if NONE in s.display[level == DISPLAY_LEVEL] and any(card != NONE for card in behind):
            raise BadSnapshot(f"snapshot: a display place of level {level} is empty, but the deck is not (G3.1)")
    if (s.hand_level == 0) and (s.hand_size or s.under_size):
        raise BadSnapshot("snapshot: cards are put under a deck, but hand is null")
    if NONE in s.removed or sorted(s.removed) != list(s.removed):
        raise BadSnapshot(f"snapshot: removed must be {REMOVED} cards in order of number (G2.3)")


def _check_marbles(s: Any, box: Box) -> None:
    """G1.2, G4.4, G4.6: no marble is lost or made; the row is full if it can be; no ring is above its limit."""
    for color, name in enumerate(COLORS):
        marbles = int(s.row[color]) + int(s.dispenser[color])
        marbles += sum(int(s.seats[seat].ring[color]) for seat in range(box.players))
        if marbles != MARBLES_OF_A_COLOR:
            raise BadSnapshot(f"snapshot: {marbles} {name} marbles, must be {MARBLES_OF_A_COLOR} (G1.2)")
    full = min(ROW, count(s.row) + count(s.dispenser))
    if count(s.row) != full:
        raise BadSnapshot(f"snapshot: {count(s.row)} marbles in the row, must be {full} (G4.1)")
    for place in range(box.players):
        seat = s.seats[place]
        for name, have, limit in (
            ("marbles in the ring", count(seat.ring), int(seat.ring_limit)),
            ("cards in the archive", int(seat.archived), int(seat.archive_limit)),
        ):
            if have > limit:
                raise BadSnapshot(f"snapshot: seat {place} has {have} {name}, at most {limit} (G13.2)")


def _check_seats(s: Any, box: Box) -> None:
    """G14: whether the last round has begun, and how many cards a seat can have built by now (G14.3)."""
    enough = [seat.cards >= LAST_ROUND_CARDS or seat.level_3 >= LAST_ROUND_LEVEL_3 for seat in s.seats[: box.players]]
    if bool(s.last_round) != any(enough):
        raise BadSnapshot(f"snapshot: last_round is {bool(s.last_round)}, which the built cards contradict (G14.1)")
    if s.over:
        return
    waiting = range(int(s.seat) + (s.phase != MAIN), box.players)
    if any(enough[place] for place in waiting):
        raise BadSnapshot("snapshot: a seat that has yet to play has cards enough for the end (G14.1)")
    more = sum(int(s.credits[credit]) for credit in _MORE_BUILDS) + (s.phase in (MAIN, HAND, PAY, CONVERT))
    me = s.seats[s.seat]
    spent = [int(card) for place, card in enumerate(me.built) if int(s.spent) >> place & 1]
    sources = [card for card in range(NUM_CARDS) if CREDIT[card] in _MORE_BUILDS]
    more += sum(card not in spent for card in sources)
    if int(me.cards) + more > MOST_BUILT:
        raise BadSnapshot(f"snapshot: {me.cards} built cards of the seat on turn are too many at this point (G14.3)")


def _check_turn(s: Any, box: Box) -> None:
    """Fields that must go together."""
    phase = PHASES[s.phase]
    me = s.seats[s.seat]
    spent = [int(card) for place, card in enumerate(me.built) if int(s.spent) >> place & 1]
    for credit, name in enumerate(CREDITS):
        most = sum(int(AMOUNT[card]) for card in spent if CREDIT[card] == credit)
        if credit == POINTS_CREDIT and box.options["auto_points"]:
            most = 0
        if s.credits[credit] > most:
            raise BadSnapshot(f"snapshot: credits.{name} is {s.credits[credit]}, but {most} can be there (D3.1)")
    if s.phase in (MAIN, OVER) and (s.spent or s.credits.any()):
        raise BadSnapshot(f"snapshot: cards are spent or credits left in phase {phase!r} (G5.5)")
    payment = s.payment
    from_hand = payment.card != NONE and payment.source == FROM_HAND
    if (payment.card != NONE) != (s.phase in (PAY, CONVERT)):
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with payment")
    if (s.hand_size > 0) != (s.phase in (HAND, UNDER) or from_hand) or (s.hand_level > 0) != (s.hand_size > 0):
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with hand")
    if s.phase == UNDER:
        _check_under(s, box, me)
    elif s.under_size or s.kept:
        raise BadSnapshot(f"snapshot: phase {phase!r} does not go with under or kept")
    if payment.card != NONE:
        _check_payment(s)
    if (s.passes == box.players) > s.over:
        raise BadSnapshot("snapshot: everybody has passed, but the game is not over (G5.4)")
    last = s.seat == box.players - 1 and (s.last_round or s.truncated)
    if s.over and not last and s.passes != box.players:
        raise BadSnapshot("snapshot: phase 'over', but nothing has ended the game (G14, D6.1)")
    at_limit = s.over and not s.last_round and s.round_number == box.options["max_rounds"]
    if s.truncated and not at_limit:
        raise BadSnapshot("snapshot: truncated, but not by the round limit (D6.1)")


def _check_under(s: Any, box: Box, me: Any) -> None:
    """D3.6: at least two cards wait, and what was kept is there."""
    if not box.record[0].order_under or s.hand_size < 2:
        raise BadSnapshot("snapshot: phase 'under' with nothing to put in order (D3.6)")
    kept = {KEPT_FILED: (me.archive, me.archived), KEPT_BUILT: (me.built, me.cards)}.get(int(s.kept))
    if kept is not None:
        cards, size = kept
        if size == 0 or LEVEL[cards[size - 1]] != s.hand_level:
            raise BadSnapshot("snapshot: kept, but the last card there is not of the level of the hand (G9.3)")


def _check_payment(s: Any) -> None:
    """D4.2: the card lies where it is said to lie, and the prices are as they follow."""
    payment = s.payment
    card, source, place = int(payment.card), int(payment.source), int(payment.place)
    where = {FROM_DISPLAY: s.display, FROM_ARCHIVE: s.seats[s.seat].archive, FROM_HAND: s.hand}[source]
    if place >= len(where) or where[place] != card:
        raise BadSnapshot(f"snapshot: card {card} of payment is not at place {place} of {SOURCES[source]}")
    least, most = least_price(s.seats[s.seat], card, source), int(COST[card])
    if (payment.least, payment.most) != (least, most):
        raise BadSnapshot(f"snapshot: payment is from {payment.least} to {payment.most}, must be {least} to {most}")
    wanted = NUM_COLORS if s.phase == CONVERT else NUM_COLORS - 1
    if payment.decided > wanted or (s.phase == CONVERT and payment.decided < wanted):
        raise BadSnapshot(f"snapshot: {payment.decided} amounts are paid in phase {PHASES[s.phase]!r}")
    if s.phase == PAY and payment.names:
        raise BadSnapshot("snapshot: converters are named before all amounts are paid (D4.6)")


def _restore_choices(s: Any) -> None:
    """D4.7: what a payment in progress asks for follows from the rest."""
    if s.phase not in (PAY, CONVERT):
        return
    payment, ring = s.payment, s.seats[s.seat].ring
    if any(int(payment.paid[color]) > int(ring[color]) for color in range(NUM_COLORS)):
        raise BadSnapshot("snapshot: more marbles are paid than there are in the ring")
    payment.choices = possible_amounts(s) if s.phase == PAY else possible_types(s)
    if not several(payment.choices):
        raise BadSnapshot(f"snapshot: payment has nothing to ask in phase {PHASES[s.phase]!r} (D4.7)")


def _first_difference(path: str, given: Any, read: Any) -> str:
    """Where the data given differs from the position it was read as; "" if nowhere."""
    if isinstance(read, dict) and isinstance(given, Mapping):
        for key in [*read, *(key for key in given if key not in read)]:
            if key not in given or key not in read:
                return f"{path}: the entry {key!r} is {'missing' if key not in given else 'unknown here'}"
            if found := _first_difference(f"{path}.{key}", given[key], read[key]):
                return found
        return ""
    if isinstance(read, list) and isinstance(given, Sequence) and not isinstance(given, str):
        if len(read) != len(given):
            return f"{path}: {len(given)} entries, of which {len(read)} can be read"
        for index, (one, other) in enumerate(zip(given, read, strict=True)):
            if found := _first_difference(f"{path}[{index}]", one, other):
                return found
        return ""
    return "" if given == read and type(given) is type(read) else f"{path} is {given!r}, but reads as {read!r}"
