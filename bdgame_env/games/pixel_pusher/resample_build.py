"""Build: sample which cards others drafted and still have to play, given what a seat knows about the draft (P66).

The observer knows the sets of cards that others took from a stack after it saw it (`known`), who owns which ability
card (P22), and what each seat has played (P61). The sample is a whole draft: the card at every place of every stack
(see knowledge.py), and which of a seat's cards it has played. All drafts that agree with what the observer knows are
equally likely, counting physical cards as distinct and every order of play once.

They are counted in cases. A case fixes the order in which the seen cards of each stack were taken (at most 6 orders of
the observer's own stack times 2 of the one before it), the unseen places of the unseen ability cards (at most 6 ways),
and which of the seen cards have been played. Within a case, all other cards played come from unseen places, and the
remaining unseen places are filled from the unseen cards; `_weight` is the number of such drafts, up to a factor. A case
is drawn by its weight, then one of its drafts. A seat that is asked about its last card can install it (P55).
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import kernel
from ...engine.rng import below, draw
from .building import can_install
from .cards import FIRST_ABILITY, NUM_ABILITIES
from .hands import draw_machine, insert, put_on_deck, remove, sort
from .knowledge import cards_of_round, first_sight, remember
from .resample_decks import shuffle_unseen
from .state import BUILDING, MOST_HAND, NONE, Config, Seat, State

_FREE = -1  # an unseen place that has not been filled
_PLAYED = -10  # minus the number of a card that has been played
_UNIT = 2.0**-53
# By length 0 to 3 and number: the orders in which that many cards can have been taken.
_ORDERS = np.zeros((4, 6, 3), np.int8)
_ORDERS[2, :2] = [[0, 1, 0], [1, 0, 0]]
_ORDERS[3] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
_ORDERS.setflags(write=False)
_NUMBER_OF_ORDERS = np.array([1, 1, 2, 6], np.int8)
_NUMBER_OF_ORDERS.setflags(write=False)


@kernel
def resample_build(s: State, config: Config, seat: int) -> None:
    """P65-P67: replace the draft of this round by one that the observer cannot distinguish from it."""
    players, count = int(config.players), cards_of_round(s)
    _take_back_unseen(s, players, count, seat)
    sort(s.machine_deck, int(s.deck_size))
    total = _walk(s, players, count, seat, -1.0)
    _walk(s, players, count, seat, total * (int(draw(s) >> np.uint64(11)) * _UNIT))
    _deal_played(s, players, count)
    shuffle_unseen(s, s.machine_deck, int(s.deck_size))
    _deal_rest(s, players, count, seat)
    s.room.dealt[:] = 0
    s.room.left[:] = 0
    remember(s, config)


@kernel
def _take_back_unseen(s: State, players: int, count: int, seat: int) -> None:
    """Put the machine cards at places that the observer has not seen onto the deck, including those played."""
    for stack in range(players):
        for place in range(min(first_sight(players, stack, seat), count)):
            card = int(s.seats[(stack + place) % players].laid[place])
            if card < FIRST_ABILITY:
                put_on_deck(s, card)


@kernel
def _walk(s: State, players: int, count: int, seat: int, wanted: float) -> float:
    """Go through all cases, summing their weights; stop where the sum exceeds `wanted`, unless that is negative.

    Returns the sum. `room.dealt` then holds the case, by stack and place: the card, _PLAYED minus its number if it was
    played, _FREE for an unseen machine card, 0 for an unseen ability card. `room.left` holds, by seat, the cards played
    that come from unseen places.
    """
    sum_of_weights = 0.0
    own, before = seat, (seat - 1) % players
    own_run, before_run = _run(players, count, 0), _run(players, count, 1)
    for one in range(_NUMBER_OF_ORDERS[own_run]):
        for two in range(_NUMBER_OF_ORDERS[before_run]):
            _lay_out_seen(s, players, count, seat)
            _put_in_order(s, own, 1, own_run, one)
            _put_in_order(s, before, 2, before_run, two)
            hidden, ways = _hidden_abilities(s, players, count, seat)
            for way in range(ways):
                _hide_abilities(s, players, count, seat, hidden, way)
                orders = _orders_of_abilities(s, players, count, seat)
                if orders == 0:
                    continue
                could = _could_be_played(s, players, count, seat)
                subset = could
                while True:
                    weight = orders * _weight(s, players, count, seat, subset)
                    sum_of_weights += weight
                    if weight > 0.0 and wanted >= 0.0 and sum_of_weights > wanted:
                        _settle(s, players, count, seat, subset)
                        return sum_of_weights
                    if subset == 0:
                        break
                    subset = (subset - 1) & could
    return sum_of_weights


@kernel
def _run(players: int, count: int, first: int) -> int:
    """How many cards others took, in unknown order, from a stack that the observer first saw at pick 0 or 1."""
    return max(0, min(first + players, count) - first - 1)


@kernel
def _lay_out_seen(s: State, players: int, count: int, seat: int) -> None:
    """Write what is known about each place: the observer's own cards, seen cards in ascending order, else _FREE."""
    for stack in range(players):
        first = first_sight(players, stack, seat)
        for place in range(count):
            if (stack + place) % players == seat:
                s.room.dealt[stack, place] = s.seats[seat].laid[place]
            elif place < first:
                s.room.dealt[stack, place] = _FREE
            else:
                s.room.dealt[stack, place] = s.known[seat, stack, place]


@kernel
def _put_in_order(s: State, seat_of_stack: int, first_place: int, length: int, order: int) -> None:
    """Lay seen cards of a stack in one of their orders."""
    row = s.room.dealt[seat_of_stack]
    a, b, c = 0, 0, 0
    if length > 1:
        a, b = int(row[first_place]), int(row[first_place + 1])
        c = int(row[first_place + 2]) if length > 2 else 0
        for k in range(length):
            which = _ORDERS[length, order, k]
            row[first_place + k] = a if which == 0 else (b if which == 1 else c)


@kernel
def _hidden_abilities(s: State, players: int, count: int, seat: int) -> tuple[int, int]:
    """P18: bits for the stacks whose ability card the observer has not seen, and the number of ways to place these."""
    hidden, ways = 0, 1
    for stack in range(players):
        seen = False
        for place in range(count):
            seen = seen or s.room.dealt[stack, place] >= FIRST_ABILITY
        if not seen:
            hidden |= 1 << stack
            ways *= min(first_sight(players, stack, seat), count)
    return hidden, ways


@kernel
def _hide_abilities(s: State, players: int, count: int, seat: int, hidden: int, way: int) -> None:
    """Mark the places of unseen ability cards with 0, in the given way, and all other unseen places with _FREE."""
    for stack in range(players):
        places = min(first_sight(players, stack, seat), count)
        for place in range(places):
            s.room.dealt[stack, place] = _FREE
        if hidden >> stack & 1:
            s.room.dealt[stack, way % places] = 0
            way //= places


@kernel
def _hidden_with(s: State, players: int, count: int, other: int) -> int:
    """How many unseen ability cards a seat took in this layout; NONE if it took a seen one that it does not own."""
    marked = 0
    for place in range(count):
        card = int(s.room.dealt[(other - place) % players, place])
        if card == 0:
            marked += 1
        elif card >= FIRST_ABILITY and s.seats[other].abilities[card - FIRST_ABILITY] == 0:
            return NONE
    return marked


@kernel
def _orders_of_abilities(s: State, players: int, count: int, seat: int) -> int:
    """P22: the number of ways to assign each seat's unseen ability cards to its places; 0 if that is impossible."""
    orders = 1
    for other in range(players):
        marked = _hidden_with(s, players, count, other)
        owned = 0
        for ability in range(NUM_ABILITIES):
            owned += int(s.seats[other].abilities[ability])
        for place in range(count):
            owned -= s.room.dealt[(other - place) % players, place] >= FIRST_ABILITY
        if marked != owned:
            return 0
        for k in range(2, marked + 1):
            orders *= k
    return orders


@kernel
def _is_seen_machine(s: State, players: int, stack: int, place: int, seat: int) -> bool:
    """Whether the place holds a machine card that another seat took and the observer has seen."""
    return (stack + place) % players != seat and 0 < s.room.dealt[stack, place] < FIRST_ABILITY


@kernel
def _could_be_played(s: State, players: int, count: int, seat: int) -> int:
    """Bits 4 * stack + place: the seen machine cards whose kind the seat that took them has played."""
    bits = 0
    for stack in range(players):
        for place in range(count):
            if _is_seen_machine(s, players, stack, place, seat):
                played = s.seats[(stack + place) % players].played
                for k in range(MOST_HAND):
                    if played[k] == s.room.dealt[stack, place]:
                        bits |= 1 << (MOST_HAND * stack + place)
    return bits


@kernel
def _weight(s: State, players: int, count: int, seat: int, subset: int) -> float:
    """The number of drafts, up to a common factor, in which exactly this subset of the seen cards was played.

    A seat has a <= MOST_HAND unseen places and played m other cards. They can be at these places in
    a! / (a - m)! / (product of the factorials of equal kinds) ways. Taking them from c unseen copies of a kind has
    c (c - 1) ... ways, and filling all other places and decks from N unseen cards has (N - sum of m)! ways.
    """
    weight, unseen, taken = 1.0, float(s.deck_size), 0.0
    for other in range(players):
        s.room.left[other, :] = 0
    for other in range(players):
        if other == seat:
            continue
        row, free, size = s.room.left[other], 0, 0
        for k in range(MOST_HAND):
            row[k] = s.seats[other].played[k]
            size += row[k] != 0
        for place in range(count):
            stack = (other - place) % players
            card = int(s.room.dealt[stack, place])
            free += card == _FREE
            if subset >> (MOST_HAND * stack + place) & 1:
                if not remove(row, size, card):
                    return 0.0
                size -= 1
        if size > free:
            return 0.0
        equal = 0
        for k in range(size):
            equal = equal + 1 if k > 0 and row[k] == row[k - 1] else 1
            there = _copies_unseen(s, int(row[k])) - _taken_before(s, players, other, k)
            if there <= 0:
                return 0.0
            weight *= float(free - k) / float(equal) * float(there) / (unseen - taken)
            taken += 1.0
    return weight * _chance_to_be_asked(s, players, count, seat, subset)


@kernel
def _copies_unseen(s: State, kind: int) -> int:
    """How many cards of a kind the observer has not seen; all of these are on the deck now."""
    found = 0
    for k in range(s.deck_size):
        found += s.machine_deck[k] == kind
    return found


@kernel
def _taken_before(s: State, players: int, other: int, place: int) -> int:
    """How many cards from unseen places, before this one, are of the same kind."""
    kind, found = int(s.room.left[other, place]), 0
    for seat in range(other + 1):
        for k in range(place if seat == other else MOST_HAND):
            found += s.room.left[seat, k] == kind
    return found


@kernel
def _chance_to_be_asked(s: State, players: int, count: int, seat: int, subset: int) -> float:
    """P55: if another seat decides about its last card, the probability that it can be installed, as it must be."""
    me = s.seats[s.seat]
    if s.phase != BUILDING or s.seat == seat or me.drafted_size != 1:
        return 1.0
    for place in range(count):
        stack = (int(s.seat) - place) % players
        card = int(s.room.dealt[stack, place])
        if 0 < card < FIRST_ABILITY and not subset >> (MOST_HAND * stack + place) & 1:
            return 1.0 if can_install(me, card) else 0.0
    there, fitting = int(s.deck_size), 0
    for k in range(s.deck_size):
        fitting += can_install(me, int(s.machine_deck[k]))
    for other in range(players):
        for k in range(MOST_HAND):
            if s.room.left[other, k] != 0:
                there -= 1
                fitting -= can_install(me, int(s.room.left[other, k]))
    return float(fitting) / float(there)


@kernel
def _settle(s: State, players: int, count: int, seat: int, subset: int) -> None:
    """Keep the case: mark the seen cards that were played with their negative number."""
    for stack in range(players):
        for place in range(count):
            if subset >> (MOST_HAND * stack + place) & 1:
                s.room.dealt[stack, place] = _PLAYED - s.room.dealt[stack, place]


@kernel
def _deal_played(s: State, players: int, count: int) -> None:
    """Deal ability cards and cards played to random unseen places of their seats."""
    for other in range(players):
        for ability in range(NUM_ABILITIES):
            card = FIRST_ABILITY + ability
            if s.seats[other].abilities[ability] != 0 and not _lies_with(s, players, count, other, card):
                _lay_at_random(s, players, count, other, 0, card)
        for k in range(MOST_HAND):
            card = int(s.room.left[other, k])
            if card != 0:
                _lay_at_random(s, players, count, other, _FREE, _PLAYED - card)
                remove(s.machine_deck, int(s.deck_size), card)
                s.deck_size -= 1


@kernel
def _lies_with(s: State, players: int, count: int, other: int, card: int) -> bool:
    """Whether a seat has that card at one of its places."""
    for place in range(count):
        if s.room.dealt[(other - place) % players, place] == card:
            return True
    return False


@kernel
def _lay_at_random(s: State, players: int, count: int, other: int, mark: int, card: int) -> None:
    """Put a card at a random one of a seat's places with that mark."""
    marked = 0
    for place in range(count):
        marked += s.room.dealt[(other - place) % players, place] == mark
    if marked == 0:
        return
    chosen = below(s, marked)
    for place in range(count):
        stack = (other - place) % players
        if s.room.dealt[stack, place] == mark:
            if chosen == 0:
                s.room.dealt[stack, place] = card
            chosen -= 1


@kernel
def _deal_rest(s: State, players: int, count: int, seat: int) -> None:
    """Fill the remaining unseen places from the shuffled deck, beginning with the seat that decides."""
    for turn in range(players):
        other = (int(s.seat) + turn) % players
        if other == seat:
            continue
        me = s.seats[other]
        if turn == 0 and s.phase == BUILDING and me.drafted_size == 1:
            _bring_up_a_choice(s, me)
        left = 0
        for place in range(count):
            card = int(s.room.dealt[(other - place) % players, place])
            if card == _FREE:
                card = draw_machine(s)
            if 0 < card < FIRST_ABILITY:
                me.drafted[left] = 0
                insert(me.drafted, left, card)
                left += 1
            me.laid[place] = card if card > 0 else _PLAYED - card


@kernel
def _bring_up_a_choice(s: State, me: Seat) -> None:
    """P55: a seat asked about its last card can install it, so move the first such card of the deck to its top."""
    top = int(s.deck_size) - 1
    place = top
    while place > 0 and not can_install(me, int(s.machine_deck[place])):
        place -= 1
    card = s.machine_deck[place]
    s.machine_deck[place] = s.machine_deck[top]
    s.machine_deck[top] = card
