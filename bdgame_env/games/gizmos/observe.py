"""What a seat sees and knows (D7, G17.1, G17.2, G17.5), as one int8 vector with a schema. It contains no more than
that (D7.7), and all of it: equal observations mean equal snapshots of the seat (D7.9).

Seats are numbered from the observer: 0 is the observer, 1 the next in turn order. Seats that are not in play are zero.
The same memory can be read as a flat vector, by named fields, or as records of the class Obs.
"""

from __future__ import annotations

from ...engine.arrays import Ints, Ints2, Ints3
from ...engine.game import GameConfig, Seats
from ...engine.jit import clear_record, copy_row, kernel
from ...engine.memory import blank_of, differ, put_word, renew, word_at
from ...engine.observing import CardsShown, Observation, field, mark, same
from . import state as st
from .cards import (
    CARDS,
    CARDS_OF_A_LEVEL,
    CONVERTER_TYPES,
    CREDITS,
    FACES,
    FEATURES,
    FILE_BAN,
    NUM_CARDS,
    NUM_COLORS,
    NUM_FEATURES,
    NUM_STARTING,
    NUM_TYPES,
    POINTS,
    RESEARCH_BAN,
    SCOPES,
)
from .ending import score
from .knowledge_updates import hidden_in_hand
from .payment import MOST_ENERGY, count_of
from .prospects import look_at_archive, look_at_display, look_at_hand, look_at_picks
from .seen import Seen
from .stacks import KNOWS, LOWEST_BIT, SHOWN
from .state import Config, Seat, State

_S, _C = Seats(st.MAX_SEATS), NUM_COLORS
_MOST = 127
_BASE = _MOST + 1
_CARD = "a row for each place: " + ", ".join(FEATURES)
_FACE: CardsShown = {"cards": "face", "features": FEATURES}


class Obs(Observation):
    """What a seat sees."""

    players: int = field(2, 4, "number of seats in play")
    to_move: Ints = field(0, 1, "whose turn it is", _S)
    turn: Ints = field(0, 1, "whose turn it is or, when the game is over, was last", _S)
    turn_order: Ints = field(0, 4, "place in turn order, from 1 (it breaks ties, G16.1)", _S)
    round_number: int = field(0, 127, "round, from 1; 127 stands for more")
    round_digits: Ints = field(0, _MOST, "the round in base 128: ones, then 128s", 2)
    rounds_left: int = field(0, 127, "rounds until truncation (D6.1); 127 stands for more")
    last_round: int = same(State.last_round, "the last round has begun (G14.1)")
    over: int = field(0, 1, "the game is over")
    truncated: int = same(State.truncated, "by the round limit (D6.1)")
    passes: int = field(0, 4, "consecutive turns that were passes (G5.4)")
    phase: Ints = field(0, 1, "one of " + ", ".join(st.PHASES), len(st.PHASES))
    credits: Ints = same(State.credits, "waiting effects (D3.1): " + ", ".join(CREDITS))
    row: Ints = same(State.row, "marbles in the row by color")
    dispenser: Ints = same(State.dispenser, "marbles in the dispenser by color (G17.2)")
    deck_sizes: Ints = field(0, 36, "cards in the decks", 3)
    display: Ints2 = field(0, NUM_CARDS, "face-up cards; " + _CARD, (st.DISPLAY, NUM_FEATURES), **_FACE)
    own_archive: Ints2 = field(
        0, NUM_CARDS, "cards in the observer's archive; " + _CARD, (st.MOST_ARCHIVED, NUM_FEATURES), **_FACE
    )
    hand_level: Ints = field(0, 1, "level of the researched cards, during a Research", 3)
    hand_size: int = field(0, st.MOST_RESEARCHED, "their number")
    hand: Ints2 = field(
        0, NUM_CARDS, "to the researcher only: these cards; " + _CARD, (st.MOST_RESEARCHED, NUM_FEATURES), **_FACE
    )
    under_size: int = field(0, st.MOST_RESEARCHED, "researched cards that have been named to go under the deck")
    under: Ints = field(
        0, NUM_CARDS, "to the researcher only: their numbers + 1, first named first", st.MOST_RESEARCHED
    )
    kept: Ints = field(0, 1, "while cards are named to go under the deck: one was filed, one was built", 2)
    kept_card: Ints = field(0, NUM_CARDS, "that card: " + ", ".join(FEATURES), NUM_FEATURES, **_FACE)
    known: Ints = field(
        0, 1, "by card: known to lie in its deck or in another's hand (G17.5)", NUM_CARDS, cards="count"
    )
    known_batches: Ints = field(
        0, NUM_CARDS, "by card: its batch, by the number of the lowest card in it, or 0", NUM_CARDS
    )
    known_labels: Ints2 = field(
        0,
        NUM_CARDS,
        "by level, hidden cards in another's hand, then the deck from the top: the batch that the card is of, or 0",
        (3, CARDS_OF_A_LEVEL),
    )
    known_parts: Ints2 = field(
        0, CARDS_OF_A_LEVEL, "likewise: the part where labels may be exchanged", (3, CARDS_OF_A_LEVEL)
    )
    known_to: Ints3 = field(
        0,
        1,
        "likewise: the seats that can be seen to know this stack, of a hand those besides the researcher (G17.8)",
        (3, CARDS_OF_A_LEVEL, _S),
    )
    stack_ends: Ints2 = field(0, 1, "likewise: the last card of its stack", (3, CARDS_OF_A_LEVEL))
    order_known_to: Ints3 = field(
        0, 1, "likewise: the seat that knows the order of the stack", (3, CARDS_OF_A_LEVEL, _S)
    )
    paying_for: Ints = field(
        0, NUM_CARDS, "the card being built, while it is being paid: " + ", ".join(FEATURES), NUM_FEATURES, **_FACE
    )
    source: Ints = field(0, 1, "where it is from: " + ", ".join(st.SOURCES), len(st.SOURCES))
    least: int = field(0, st.MOST_COST, "least energy to pay (G8.3)")
    most: int = field(0, st.MOST_COST, "most energy to pay (G8.4)")
    asked_color: Ints = field(0, 1, "the color whose amount is asked for (D4.3)", _C)
    paid: Ints = field(0, st.MOST_COST, "the amounts decided", _C)
    named: Ints = field(0, 2, "converters named for this payment (D4.6): " + ", ".join(CONVERTER_TYPES), NUM_TYPES)
    spent: Ints = field(
        0, 1, "by card: spent or used in this turn by the seat on turn (G11.5, G10.2)", NUM_CARDS, cards="count"
    )
    score: Ints = field(0, 127, "score as if the game ended now (G15.1); 127 stands for more", _S)
    tokens: Ints = field(0, 127, "points in tokens; 127 stands for more", _S)
    token_digits: Ints2 = field(0, _MOST, "points in tokens in base 128: ones, then 128s", (_S, 2))
    ring: Ints2 = field(0, st.MARBLES_OF_A_COLOR, "marbles in the ring by color", (_S, _C))
    marbles: Ints = field(0, st.MOST_MARBLES, "marbles in the ring", _S)
    ring_limit: Ints = field(0, st.MOST_MARBLES, "limit of the ring", _S)
    archive_size: Ints = field(0, st.MOST_ARCHIVED, "cards in the archive", _S)
    archive_limit: Ints = field(0, st.MOST_ARCHIVED, "limit of the archive", _S)
    research: Ints = field(0, st.MOST_RESEARCHED, "cards looked at in a Research", _S)
    no_file: Ints = field(0, 1, "may no longer file (G13.4)", _S)
    no_research: Ints = field(0, 1, "may no longer research (G13.4)", _S)
    discounts: Ints2 = field(0, 2, "discounts (G13.3) for " + ", ".join(SCOPES), (_S, len(SCOPES)))
    built_cards: Ints = field(0, st.MOST_BUILT, "number of built cards, the starting card included (G14.1)", _S)
    built_level_3: Ints = field(0, st.MOST_BUILT, "those of level 3", _S)
    built: Ints2 = field(0, 1, "by card: built by this seat", (_S, NUM_CARDS), cards="count")
    archived: Ints2 = field(0, 1, "by card: in the archive of this seat", (_S, NUM_CARDS), cards="count")
    energy: Ints2 = field(
        0,
        MOST_ENERGY,
        "the most energy of each color, then of any mix, that it can pay (D7.10); 15 stands for more",
        (_S, _C + 1),
    )
    display_lacks: Ints2 = field(
        0, 1 + st.MOST_COST, "for each card of the display 1 + the energy that it lacks (0: no card)", (_S, st.DISPLAY)
    )
    archive_lacks: Ints = field(0, 1 + st.MOST_COST, "the same for the observer's archive", st.MOST_ARCHIVED)
    hand_lacks: Ints = field(0, 1 + st.MOST_COST, "to the researcher only: the same for its hand", st.MOST_RESEARCHED)
    pick_pays: Ints = field(
        0,
        st.DISPLAY + st.MOST_ARCHIVED,
        "cards of the display and the own archive that cannot be paid for now, but with one more marble of a color",
        _C,
    )
    pick_best: Ints = field(0, int(POINTS.max()), "the most points of such a card", _C)


def card_names(config: GameConfig) -> dict[str, list[str]]:
    """By field, what the cards it shows are called: their numbers and what they do."""
    return dict.fromkeys(("display", "own_archive", "hand", "paying_for"), CARDS.names)


SEEN = Seen.dtype
_NEVER = -2  # neither a card nor NONE
_PLACES = 3 * CARDS_OF_A_LEVEL
_FIRST_HALF = (1 << 32) - 1  # of a word
_ENDS = sum(1 << 8 * at for at in range(8))


@kernel
def observe(s: State, config: Config, seat: int, out: Obs) -> None:
    """D7: write every field of `out` as `seat` sees the game."""
    refresh(s, config, seat, out, blank_of(SEEN))


@kernel
def refresh(s: State, config: Config, seat: int, out: Obs, seen: Seen) -> None:
    """D7: the same where `out` shows what `seen` tells: write what differs, and note it."""
    if seen.shown == 0:
        _clear(out, seen)
    turned = seen.seat != seat
    seen.shown = 1
    seen.seat = seat
    _show_turn(s, config, seat, out, seen)
    _show_known(s, config, seat, turned, out, seen)
    _show_payment(s, out, seen)
    dealt = renew(seen.display, s.display)
    if dealt:
        _show_faces(s.display, st.DISPLAY, st.DISPLAY, out.display)
    mine = turned
    for relative in range(config.players):
        absolute = int(seat) + relative
        if absolute >= config.players:
            absolute -= int(config.players)
        changed = renew(seen.seats[absolute], s.seats[absolute])
        if changed or turned:
            _show_seat(s.seats[absolute], absolute, relative, out)
        if seen.bare != 0:
            mine |= changed and relative == 0
            continue
        if changed or dealt:
            look_at_display(s.display, s.seats[absolute], seen.lacks[absolute])
            seen.picked[absolute] = 0
        if changed or dealt or turned:
            copy_row(out.display_lacks[relative], seen.lacks[absolute])
        mine |= changed and relative == 0
    me = s.seats[seat]
    if mine:
        _show_faces(me.archive, int(me.archived), int(seen.archived), out.own_archive)
        seen.archived = me.archived
        if seen.bare == 0:
            look_at_archive(me, out.archive_lacks)
    _show_hand(s, seat, out, seen)
    if seen.bare == 0:
        _show_picks(s, seat, turned, out, seen)


@kernel
def _show_picks(s: State, seat: int, turned: bool, out: Obs, seen: Seen) -> None:
    """D7.10: what one more marble is good for."""
    used, shows = int(s.used) if s.seat == seat else 0, turned
    if seen.picked[seat] == 0 or seen.used[seat] != used:
        seen.picked[seat] = 1
        seen.used[seat] = used
        look_at_picks(s, seat, seen.lacks[seat], out.archive_lacks, seen.pick_pays[seat], seen.pick_best[seat])
        shows = True
    if shows:
        copy_row(out.pick_pays, seen.pick_pays[seat])
        copy_row(out.pick_best, seen.pick_best[seat])


@kernel
def _clear(out: Obs, seen: Seen) -> None:
    """Clear what is otherwise written only while it is there; all else of `seen` then differs from everything."""
    clear_record(out)
    out.display[:] = _NEVER
    out.known_batches[NUM_STARTING:] = _NEVER
    seen.seat = st.NONE
    seen.display[:] = _NEVER
    seen.archived = 0
    seen.hand = 0
    seen.under = 1
    seen.kept = _NEVER
    seen.stacks[:] = st.NONE
    seen.paying = 1
    seen.spent = 1
    for seat in range(st.MAX_SEATS):
        seen.seats[seat].cards = _NEVER


@kernel
def _show_turn(s: State, config: Config, seat: int, out: Obs, seen: Seen) -> None:
    """D7.3, D7.4: round, phase, credits, marbles."""
    turn = 0 if s.seat == seat else (int(s.seat) - int(seat)) % int(config.players)
    out.players = config.players
    mark(out.turn, turn)
    mark(out.to_move, st.NONE if s.over else turn)
    out.round_number = min(_MOST, int(s.round_number))
    out.round_digits[0] = int(s.round_number) % _BASE
    out.round_digits[1] = int(s.round_number) // _BASE
    out.rounds_left = min(_MOST, int(config.max_rounds) - int(s.round_number))
    out.last_round = s.last_round
    out.over = s.over
    out.truncated = s.truncated
    out.passes = s.passes
    mark(out.phase, s.phase)
    copy_row(out.credits, s.credits)
    copy_row(out.row, s.row)
    copy_row(out.dispenser, s.dispenser)
    copy_row(out.deck_sizes, s.deck_sizes)
    if s.spent != 0 or seen.spent != 0:
        seen.spent = s.spent != 0
        out.spent[:] = 0
        me = s.seats[s.seat]
        for place in range(me.cards):
            out.spent[me.built[place]] = int(s.spent) >> place & 1


@kernel
def _show_faces(cards: Ints, number: int, before: int, faces: Ints2) -> None:
    """D7.1: show the features of this number of cards, by place, where so many were shown before."""
    for place in range(max(number, before)):
        card = int(cards[place]) + 1 if place < number else 0
        if faces[place, 0] != card:
            copy_row(faces[place], FACES[card])


@kernel
def _show_hand(s: State, seat: int, out: Obs, seen: Seen) -> None:
    """D7.6, G17.4: researched cards: level and number for everyone, the cards for the researcher; what was kept."""
    if seen.kept != s.kept or seen.kept_card != s.kept_card:
        seen.kept = s.kept
        seen.kept_card = s.kept_card
        mark(out.kept, s.kept - 1)
        copy_row(out.kept_card, FACES[s.kept_card + 1])
    mark(out.hand_level, s.hand_level - 1)
    out.hand_size = s.hand_size
    out.under_size = s.under_size
    shows = s.hand_level > 0 and s.seat == seat
    if s.under_size > 0 or seen.under != 0:
        seen.under = s.under_size > 0
        out.under[:] = 0
        if shows:
            for place in range(s.under_size):
                out.under[place] = s.under[place] + 1
    number = int(s.hand_size) if shows else 0
    _show_faces(s.hand, number, int(seen.hand), out.hand)
    if seen.bare == 0:
        look_at_hand(s.seats[seat], s.hand, number, int(seen.hand), out.hand_lacks)
    seen.hand = number


@kernel
def _show_known(s: State, config: Config, seat: int, turned: bool, out: Obs, seen: Seen) -> None:
    """D7.7, G17.5, G17.8: what the observer knows about hidden cards, and what it can tell that others know."""
    known = s.known[seat]
    if renew(out.known_batches[NUM_STARTING:], known.batches):
        for card in range(NUM_STARTING, NUM_CARDS):
            out.known[card] = out.known_batches[card] != 0
    renew(out.known_labels, known.labels)
    renew(out.known_parts, known.parts)
    variant = config.players - 2
    by_hand = s.hand_known_to != 0 or seen.hand_known_to != 0
    if turned or by_hand or differ(seen.stacks, s.stacks):
        shown = SHOWN[config.quick, variant, seat]
        for begin in range(0, _PLACES, 8):
            at = min(begin, _PLACES - 8)
            before, now = word_at(seen.stacks, at), word_at(s.stacks, at)
            if before != now or (turned and now != 0) or by_hand:
                put_word(out.stack_ends, at, now >> LOWEST_BIT & _ENDS)
                for place in range(4 * at, 4 * at + 32, 8):
                    one, other = shown[now & 255], shown[now >> 8 & 255]
                    put_word(out.known_to, place, one & _FIRST_HALF | (other & _FIRST_HALF) << 32)
                    put_word(out.order_known_to, place, one >> 32 | other >> 32 << 32)
                    now >>= 16
        copy_row(seen.stacks, s.stacks)
    if by_hand:
        seen.hand_known_to = s.hand_known_to
        if s.hand_level > 0:
            for place in range(hidden_in_hand(s)):
                for relative in range(st.MAX_SEATS):
                    knows = s.hand_known_to & KNOWS[variant, seat, relative] != 0
                    out.known_to[s.hand_level - 1, place, relative] = knows


@kernel
def _show_payment(s: State, out: Obs, seen: Seen) -> None:
    """D7.5: the card being paid for, and the progress of the payment."""
    payment = s.payment
    if payment.card == st.NONE and seen.paying == 0:
        return
    seen.paying = payment.card != st.NONE
    copy_row(out.paying_for, FACES[payment.card + 1])
    out.source[:] = 0
    out.asked_color[:] = 0
    out.named[:] = 0
    out.least = payment.least
    out.most = payment.most
    out.paid[:] = payment.paid
    if payment.card != st.NONE:
        out.source[payment.source] = 1
        if s.phase == st.PAY:
            out.asked_color[payment.decided] = 1
        for name in range(payment.names):
            out.named[payment.named[name]] += 1


@kernel
def _show_seat(seat: Seat, absolute: int, to: int, out: Obs) -> None:
    """D7.2, D7.1: one seat, its built cards and its archive."""
    out.turn_order[to] = absolute + 1
    out.score[to] = min(_MOST, score(seat))
    out.tokens[to] = min(_MOST, int(seat.tokens))
    out.token_digits[to, 0] = int(seat.tokens) % _BASE
    out.token_digits[to, 1] = int(seat.tokens) // _BASE
    marbles = 0
    for color in range(NUM_COLORS):
        out.ring[to, color] = seat.ring[color]
        marbles += int(seat.ring[color])
    out.marbles[to] = marbles
    out.ring_limit[to] = seat.ring_limit
    out.archive_size[to] = seat.archived
    out.archive_limit[to] = seat.archive_limit
    out.research[to] = seat.research
    out.no_file[to] = seat.bans[FILE_BAN]
    out.no_research[to] = seat.bans[RESEARCH_BAN]
    out.discounts[to] = seat.discounts
    out.built_cards[to] = seat.cards
    out.built_level_3[to] = seat.level_3
    out.built[to, :] = 0
    out.archived[to, :] = 0
    for place in range(seat.cards):
        out.built[to, seat.built[place]] = 1
    for place in range(seat.archived):
        out.archived[to, seat.archive[place]] = 1
    for target in range(NUM_COLORS + 1):
        out.energy[to, target] = count_of(int(seat.energies), target)
