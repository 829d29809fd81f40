"""What a seat sees and knows (D7, G17.1, G17.2, G17.5), as one int8 vector with a schema. It contains no more than
that (D7.7), and all of it: equal observations mean equal snapshots of the seat (D7.9).

Seats are numbered from the observer: 0 is the observer, 1 the next in turn order. Seats that are not in play are zero.
The same memory can be read as a flat vector, by named fields, or as records of the dtype OBS.
"""

from __future__ import annotations

from typing import Any

from ...engine.game import GameConfig, Seats
from ...engine.jit import kernel
from ...engine.observing import mark, observation
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
from .payment import MOST_ENERGY
from .prospects import look_at_display, look_at_own_cards, look_at_picks
from .stacks import KNOWS, LOWEST, ORDER_OF, ORDERS
from .state import (
    DISPLAY,
    KEPT_NOTHING,
    MARBLES_OF_A_COLOR,
    MAX_SEATS,
    MOST_ARCHIVED,
    MOST_BUILT,
    MOST_COST,
    MOST_MARBLES,
    MOST_RESEARCHED,
    NONE,
    PAY,
    PHASES,
    ROW,
    SOURCES,
    Config,
    Seat,
    State,
)

_S, _C = Seats(MAX_SEATS), NUM_COLORS
_MOST = 127
_BASE = _MOST + 1
_CARD = "a row for each place: " + ", ".join(FEATURES)

# name, shape, least, most, meaning
FIELDS: tuple[tuple[str, tuple[int, ...], int, int, str], ...] = (
    ("players", (), 2, 4, "number of seats in play"),
    ("to_move", (_S,), 0, 1, "whose turn it is"),
    ("turn", (_S,), 0, 1, "whose turn it is or, when the game is over, was last"),
    ("turn_order", (_S,), 0, 4, "place in turn order, from 1 (it breaks ties, G16.1)"),
    ("round_number", (), 0, 127, "round, from 1; 127 stands for more"),
    ("round_digits", (2,), 0, _MOST, "the round in base 128: ones, then 128s"),
    ("rounds_left", (), 0, 127, "rounds until truncation (D6.1); 127 stands for more"),
    ("last_round", (), 0, 1, "the last round has begun (G14.1)"),
    ("over", (), 0, 1, "the game is over"),
    ("truncated", (), 0, 1, "by the round limit (D6.1)"),
    ("passes", (), 0, 4, "consecutive turns that were passes (G5.4)"),
    ("phase", (len(PHASES),), 0, 1, "one of " + ", ".join(PHASES)),
    ("credits", (len(CREDITS),), 0, 127, "waiting effects (D3.1): " + ", ".join(CREDITS)),
    ("row", (_C,), 0, ROW, "marbles in the row by color"),
    ("dispenser", (_C,), 0, MARBLES_OF_A_COLOR, "marbles in the dispenser by color (G17.2)"),
    ("deck_sizes", (3,), 0, 36, "cards in the decks"),
    ("display", (DISPLAY, NUM_FEATURES), 0, NUM_CARDS, "face-up cards; " + _CARD),
    ("own_archive", (MOST_ARCHIVED, NUM_FEATURES), 0, NUM_CARDS, "cards in the observer's archive; " + _CARD),
    ("hand_level", (3,), 0, 1, "level of the researched cards, during a Research"),
    ("hand_size", (), 0, MOST_RESEARCHED, "their number"),
    ("hand", (MOST_RESEARCHED, NUM_FEATURES), 0, NUM_CARDS, "to the researcher only: these cards; " + _CARD),
    ("under_size", (), 0, MOST_RESEARCHED, "researched cards that have been named to go under the deck"),
    ("under", (MOST_RESEARCHED,), 0, NUM_CARDS, "to the researcher only: their numbers + 1, first named first"),
    ("kept", (2,), 0, 1, "while cards are named to go under the deck: one was filed, one was built"),
    ("kept_card", (NUM_FEATURES,), 0, NUM_CARDS, "that card: " + ", ".join(FEATURES)),
    ("known", (NUM_CARDS,), 0, 1, "by card: known to lie in its deck or in another's hand (G17.5)"),
    ("known_batches", (NUM_CARDS,), 0, NUM_CARDS, "by card: its batch, by the number of the lowest card in it, or 0"),
    (
        "known_labels",
        (3, CARDS_OF_A_LEVEL),
        0,
        NUM_CARDS,
        "by level, hidden cards in another's hand, then the deck from the top: the batch that the card is of, or 0",
    ),
    ("known_parts", (3, CARDS_OF_A_LEVEL), 0, CARDS_OF_A_LEVEL, "likewise: the part where labels may be exchanged"),
    (
        "known_to",
        (3, CARDS_OF_A_LEVEL, _S),
        0,
        1,
        "likewise: the seats that can be seen to know this stack, of a hand those besides the researcher (G17.8)",
    ),
    ("stack_ends", (3, CARDS_OF_A_LEVEL), 0, 1, "likewise: the last card of its stack"),
    ("order_known_to", (3, CARDS_OF_A_LEVEL, _S), 0, 1, "likewise: the seat that knows the order of the stack"),
    (
        "paying_for",
        (NUM_FEATURES,),
        0,
        NUM_CARDS,
        "the card being built, while it is being paid: " + ", ".join(FEATURES),
    ),
    ("source", (len(SOURCES),), 0, 1, "where it is from: " + ", ".join(SOURCES)),
    ("least", (), 0, MOST_COST, "least energy to pay (G8.3)"),
    ("most", (), 0, MOST_COST, "most energy to pay (G8.4)"),
    ("asked_color", (_C,), 0, 1, "the color whose amount is asked for (D4.3)"),
    ("paid", (_C,), 0, MOST_COST, "the amounts decided"),
    ("named", (NUM_TYPES,), 0, 2, "converters named for this payment (D4.6): " + ", ".join(CONVERTER_TYPES)),
    ("spent", (NUM_CARDS,), 0, 1, "by card: spent or used in this turn by the seat on turn (G11.5, G10.2)"),
    ("score", (_S,), 0, 127, "score as if the game ended now (G15.1); 127 stands for more"),
    ("tokens", (_S,), 0, 127, "points in tokens; 127 stands for more"),
    ("token_digits", (_S, 2), 0, _MOST, "points in tokens in base 128: ones, then 128s"),
    ("ring", (_S, _C), 0, MARBLES_OF_A_COLOR, "marbles in the ring by color"),
    ("marbles", (_S,), 0, MOST_MARBLES, "marbles in the ring"),
    ("ring_limit", (_S,), 0, MOST_MARBLES, "limit of the ring"),
    ("archive_size", (_S,), 0, MOST_ARCHIVED, "cards in the archive"),
    ("archive_limit", (_S,), 0, MOST_ARCHIVED, "limit of the archive"),
    ("research", (_S,), 0, MOST_RESEARCHED, "cards looked at in a Research"),
    ("no_file", (_S,), 0, 1, "may no longer file (G13.4)"),
    ("no_research", (_S,), 0, 1, "may no longer research (G13.4)"),
    ("discounts", (_S, len(SCOPES)), 0, 2, "discounts (G13.3) for " + ", ".join(SCOPES)),
    ("built_cards", (_S,), 0, MOST_BUILT, "number of built cards, the starting card included (G14.1)"),
    ("built_level_3", (_S,), 0, MOST_BUILT, "those of level 3"),
    ("built", (_S, NUM_CARDS), 0, 1, "by card: built by this seat"),
    ("archived", (_S, NUM_CARDS), 0, 1, "by card: in the archive of this seat"),
    (
        "energy",
        (_S, _C + 1),
        0,
        MOST_ENERGY,
        "the most energy of each color, then of any mix, that it can pay (D7.10); 15 stands for more",
    ),
    (
        "display_lacks",
        (_S, DISPLAY),
        0,
        1 + MOST_COST,
        "for each card of the display 1 + the energy that it lacks (0: no card)",
    ),
    ("archive_lacks", (MOST_ARCHIVED,), 0, 1 + MOST_COST, "the same for the observer's archive"),
    ("hand_lacks", (MOST_RESEARCHED,), 0, 1 + MOST_COST, "to the researcher only: the same for its hand"),
    (
        "pick_pays",
        (_C,),
        0,
        DISPLAY + MOST_ARCHIVED,
        "cards of the display and the own archive that cannot be paid for now, but with one more marble of a color",
    ),
    ("pick_best", (_C,), 0, int(POINTS.max()), "the most points of such a card"),
)

# How fields show cards, for networks.
CARDS_IN = {
    **dict.fromkeys(("display", "own_archive", "hand", "kept_card", "paying_for"), "face"),
    **dict.fromkeys(("known", "spent", "built", "archived"), "count"),
}

OBS, SCHEMA = observation(
    FIELDS, CARDS_IN, features={name: FEATURES for name, how in CARDS_IN.items() if how == "face"}
)


def card_names(config: GameConfig) -> dict[str, list[str]]:
    """By field, what the cards it shows are called: their numbers and what they do."""
    return dict.fromkeys(("display", "own_archive", "hand", "paying_for"), CARDS.names)


@kernel
def observe(s: State, config: Config, seat: int, out: Any) -> None:
    """D7: write every field of `out` as `seat` sees the game."""
    _observe_turn(s, config, seat, out)
    _observe_cards(s, seat, out)
    _observe_hand(s, seat, out)
    _observe_known(s, config, seat, out)
    _observe_payment(s, out)
    _clear_seats(out)
    for relative in range(config.players):
        absolute = (seat + relative) % config.players
        _observe_seat(s.seats[absolute], absolute, relative, out)
    look_at_display(s, config, seat, out)
    look_at_own_cards(s, seat, out)
    look_at_picks(s, seat, out)


@kernel
def _observe_turn(s: State, config: Config, seat: int, out: Any) -> None:
    """D7.3, D7.4: round, phase, credits, marbles."""
    out.players = config.players
    out.to_move[:] = 0
    mark(out.turn, (s.seat - seat) % config.players)
    if not s.over:
        out.to_move[(s.seat - seat) % config.players] = 1
    out.round_number = min(_MOST, int(s.round_number))
    out.round_digits[0] = int(s.round_number) % _BASE
    out.round_digits[1] = int(s.round_number) // _BASE
    out.rounds_left = min(_MOST, int(config.max_rounds) - int(s.round_number))
    out.last_round = s.last_round
    out.over = s.over
    out.truncated = s.truncated
    out.passes = s.passes
    mark(out.phase, s.phase)
    out.credits[:] = s.credits
    out.row[:] = s.row
    out.dispenser[:] = s.dispenser
    out.deck_sizes[:] = s.deck_sizes
    out.spent[:] = 0
    if s.spent != 0:
        me = s.seats[s.seat]
        for place in range(me.cards):
            out.spent[me.built[place]] = int(s.spent) >> place & 1


@kernel
def _observe_cards(s: State, seat: int, out: Any) -> None:
    """D7.1: the features of the cards that can be chosen, by place. (Loops are faster here than copying rows.)"""
    for place in range(DISPLAY):
        card = s.display[place] + 1
        for feature in range(NUM_FEATURES):
            out.display[place, feature] = FACES[card, feature]
    me = s.seats[seat]
    out.own_archive[:] = 0
    for place in range(me.archived):
        card = me.archive[place] + 1
        for feature in range(NUM_FEATURES):
            out.own_archive[place, feature] = FACES[card, feature]


@kernel
def _observe_hand(s: State, seat: int, out: Any) -> None:
    """D7.6, G17.4: researched cards: level and number for everyone, the cards for the researcher; what was kept."""
    shown = 0
    out.kept[:] = 0
    if s.kept != KEPT_NOTHING:
        out.kept[s.kept - 1] = 1
    out.kept_card[:] = FACES[s.kept_card + 1]
    out.hand_level[:] = 0
    out.hand_size = s.hand_size
    out.under_size = s.under_size
    out.under[:] = 0
    out.hand[:] = 0
    if s.hand_level > 0:
        out.hand_level[s.hand_level - 1] = 1
        if s.seat == seat:
            shown = int(s.hand_size)
            for place in range(s.under_size):
                out.under[place] = s.under[place] + 1
    for place in range(shown):
        card = s.hand[place] + 1
        for feature in range(NUM_FEATURES):
            out.hand[place, feature] = FACES[card, feature]


@kernel
def _observe_known(s: State, config: Config, seat: int, out: Any) -> None:
    """D7.7, G17.5, G17.8: what the observer knows about hidden cards, and what it can tell that others know."""
    known = s.known[seat]
    out.known[:NUM_STARTING] = 0
    out.known_batches[:NUM_STARTING] = 0
    for deck in range(3):
        first = NUM_STARTING + CARDS_OF_A_LEVEL * deck
        for at in range(CARDS_OF_A_LEVEL):
            out.known[first + at] = known.batches[deck, at] != 0
            out.known_batches[first + at] = known.batches[deck, at]
            out.known_labels[deck, at] = known.labels[deck, at]
            out.known_parts[deck, at] = known.parts[deck, at]
            out.stack_ends[deck, at] = s.stacks[deck, at] & LOWEST != 0
    variant, quick = config.players - 2, config.quick
    for deck in range(3):
        for place in range(CARDS_OF_A_LEVEL):
            stack = s.stacks[deck, place]
            for relative in range(MAX_SEATS):
                out.known_to[deck, place, relative] = stack & KNOWS[variant, seat, relative] != 0
                by = stack & ORDERS == ORDER_OF[quick, variant, seat, relative]
                out.order_known_to[deck, place, relative] = by & (stack != 0)
    if s.hand_level > 0:
        for place in range(hidden_in_hand(s)):
            for relative in range(MAX_SEATS):
                knows = s.hand_known_to & KNOWS[variant, seat, relative] != 0
                out.known_to[s.hand_level - 1, place, relative] = knows


@kernel
def _observe_payment(s: State, out: Any) -> None:
    """D7.5: the card being paid for, and the progress of the payment."""
    payment = s.payment
    out.paying_for[:] = FACES[payment.card + 1]
    out.source[:] = 0
    out.asked_color[:] = 0
    out.named[:] = 0
    out.least = payment.least
    out.most = payment.most
    out.paid[:] = payment.paid
    if payment.card != NONE:
        out.source[payment.source] = 1
        if s.phase == PAY:
            out.asked_color[payment.decided] = 1
        for name in range(payment.names):
            out.named[payment.named[name]] += 1


@kernel
def _clear_seats(out: Any) -> None:
    """What is there for each seat, of seats that are not in play."""
    out.turn_order[:] = 0
    out.score[:] = 0
    out.tokens[:] = 0
    out.token_digits[:] = 0
    out.ring[:] = 0
    out.marbles[:] = 0
    out.ring_limit[:] = 0
    out.archive_size[:] = 0
    out.archive_limit[:] = 0
    out.research[:] = 0
    out.no_file[:] = 0
    out.no_research[:] = 0
    out.discounts[:] = 0
    out.built_cards[:] = 0
    out.built_level_3[:] = 0
    out.built[:] = 0
    out.archived[:] = 0


@kernel
def _observe_seat(seat: Seat, absolute: int, to: int, out: Any) -> None:
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
    for place in range(seat.cards):
        out.built[to, seat.built[place]] = 1
    for place in range(seat.archived):
        out.archived[to, seat.archive[place]] = 1
