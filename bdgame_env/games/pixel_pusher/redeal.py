"""Dealing anew what a seat cannot see (P60, P65-P67), consistent with what it knows.

Always: the order of both decks, which machine cards were removed and set aside. In Draft: hands and drafted cards of
others as far as the seat has not seen them (P66), which ability cards are left out; locked choices of others become
other choices. In Build: the others' cards still to be played. In Convert and Store: who is done has converted
otherwise, by random legal choices; what the seat that decides has done so far is undone, and it is asked again. What
a player remembers from Draft lies on no table once Build begins, and is dealt anew too.

What is unseen is sorted before it is shuffled: positions that look alike to a seat are dealt alike from the same luck,
so nothing of what others have chosen is left in a deal.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import rule
from ...core.rng import below, shuffle
from .building import can_install
from .cards import COLLECT, FIRST_ABILITY, NUM_ABILITIES, NUM_COLORS, NUM_RECIPES
from .converting import activate, is_asked, must_give, usable_recipes
from .ending import in_secret
from .hands import draw_machine, insert, put_on_deck, sort
from .pixels import give
from .rounds import turn_of
from .state import BUILDING, CONVERTING, DRAFTING, NONE, REMOVED, STORING

_TRIES = 64
_FINISH = 1 << NUM_RECIPES  # beside the recipes, as a bit


@rule
def redeal(s: Any, box: Any, seat: Any) -> None:
    """P67: deal anew what `seat` cannot see; what it observes, and what it may do, stays the same."""
    _shuffle_unseen(s, s.image_deck, int(s.image_deck_size))
    if s.phase == DRAFTING:
        _redeal_draft(s, box, seat)
        return
    _redeal_machines(s, box, seat)
    if in_secret(s):
        _redeal_conversions(s, box, seat)


@rule
def _shuffle_unseen(s: Any, row: Any, count: Any) -> None:
    """Shuffle cards whose order before leaves no trace."""
    sort(row, count)
    shuffle(s, row, count)


# Machine cards


@rule
def _take_back(s: Any, box: Any) -> None:
    """Cards that nobody has seen go onto the deck: those removed (P12) and set aside (P19.1)."""
    for k in range(REMOVED[box.players]):
        put_on_deck(s, s.removed[k])
        s.removed[k] = 0
    for k in range(s.set_aside_size):
        put_on_deck(s, s.set_aside[k])
        s.set_aside[k] = 0


@rule
def _leave_out(s: Any, box: Any) -> None:
    """The reverse of `_take_back`, after a shuffle and once players have their cards."""
    for k in range(REMOVED[box.players]):
        insert(s.removed, k, draw_machine(s))
    for k in range(s.set_aside_size):
        insert(s.set_aside, k, draw_machine(s))


@rule
def _redeal_machines(s: Any, box: Any, seat: Any) -> None:
    """P65, P67: the others' cards still to be played, the deck, cards removed and set aside."""
    _take_back(s, box)
    for other in range(box.players):
        if other != seat:
            for place in range(s.seats[other].drafted_size):
                put_on_deck(s, s.seats[other].drafted[place])
                s.seats[other].drafted[place] = 0
    _shuffle_unseen(s, s.machine_deck, int(s.deck_size))
    if s.phase == BUILDING and s.seat != seat and s.seats[s.seat].drafted_size == 1:
        _bring_up_a_choice(s, s.seats[s.seat])
    for turn in range(box.players):
        other = (int(s.seat) + turn) % int(box.players)
        if other != seat:
            for place in range(s.seats[other].drafted_size):
                insert(s.seats[other].drafted, place, draw_machine(s))
    _leave_out(s, box)


@rule
def _bring_up_a_choice(s: Any, me: Any) -> None:
    """P55: who is asked about a last card can install it. The first such card of the deck comes to its top."""
    top = int(s.deck_size) - 1
    place = top
    while place > 0 and not can_install(me, int(s.machine_deck[place])):
        place -= 1
    card = s.machine_deck[place]
    s.machine_deck[place] = s.machine_deck[top]
    s.machine_deck[top] = card


# Draft. Stack h was dealt to seat h and is held, at pick t = 0, 1, ..., by seat h + t (P21). Its cards have places:
# t < pick is the card laid down from it at pick t, pick + k is the k-th card of the hand that it is now.


@rule
def _card_of_stack(s: Any, players: Any, pick: Any, stack: Any, place: Any) -> Any:
    """The card at a place of a stack."""
    if place < pick:
        return int(s.seats[(stack + place) % players].drafted[place])
    return int(s.seats[(stack + pick) % players].hand[place - pick])


@rule
def _set_card_of_stack(s: Any, players: Any, pick: Any, stack: Any, place: Any, card: Any) -> None:
    """Put another card at a place of a stack."""
    if place < pick:
        s.seats[(stack + place) % players].drafted[place] = card
    else:
        s.seats[(stack + pick) % players].hand[place - pick] = card


@rule
def _places_not_seen(players: Any, pick: Any, stack: Any, seat: Any, places: Any) -> Any:
    """P66: how many places of a stack, from the first, the seat has not seen: those taken before it held it, or all."""
    first = (seat - stack) % players
    return first if first <= pick else places


@rule
def _redeal_draft(s: Any, box: Any, seat: Any) -> None:
    """P65-P67: cards not seen are exchanged for unseen ones; those seen in a hand may be with whoever held it since."""
    players = int(box.players)
    pick = int(s.seats[seat].drafted_size)
    places = pick + int(s.seats[seat].hand_size)
    _take_back(s, box)
    abilities, with_ability = (1 << NUM_ABILITIES) - 1, 0  # bits: abilities not seen; stacks that hide theirs
    for stack in range(players):
        unseen = _places_not_seen(players, pick, stack, seat, places)
        for place in range(places):
            card = _card_of_stack(s, players, pick, stack, place)
            if place < unseen:
                if card >= FIRST_ABILITY:
                    with_ability |= 1 << stack
                else:
                    put_on_deck(s, card)
            elif card >= FIRST_ABILITY:
                abilities &= ~(1 << (card - FIRST_ABILITY))
    _shuffle_unseen(s, s.machine_deck, int(s.deck_size))
    for stack in range(players):
        unseen = _places_not_seen(players, pick, stack, seat, places)
        hides = with_ability >> stack & 1
        ability_place = below(s, unseen) if hides else NONE
        for place in range(unseen):
            if place == ability_place:
                ability = _any_bit(s, abilities)
                abilities &= ~(1 << ability)
                card = FIRST_ABILITY + ability
            else:
                card = draw_machine(s)
            _set_card_of_stack(s, players, pick, stack, place, card)
        if unseen < places:
            _mix_since_passed(s, players, pick, stack, seat, places)
        sort(s.seats[(stack + pick) % players].hand, int(s.seats[(stack + pick) % players].hand_size))
    _leave_out(s, box)
    for other in range(players):
        if other != seat and s.seats[other].choice != NONE:
            s.seats[other].choice = below(s, int(s.seats[other].hand_size))


@rule
def _mix_since_passed(s: Any, players: Any, pick: Any, stack: Any, seat: Any, places: Any) -> None:
    """P66: the cards that the seat last saw in a stack are in the hand or with those who held it since.

    With two players a stack comes back; who took what before that is known then. With more it comes back for the last
    card at the earliest, of which there is no choice.
    """
    since = (pick + stack - seat) % players  # picks since the seat held it
    if since == 0:
        return
    begin = pick - since + 1
    for last in range(places - 1, begin, -1):
        for place in range(begin, last):
            if _card_of_stack(s, players, pick, stack, place) > _card_of_stack(s, players, pick, stack, place + 1):
                _exchange_cards(s, players, pick, stack, place, place + 1)
    for last in range(places - 1, begin, -1):
        _exchange_cards(s, players, pick, stack, last, begin + below(s, last - begin + 1))


@rule
def _exchange_cards(s: Any, players: Any, pick: Any, stack: Any, one: Any, other: Any) -> None:
    """Exchange the cards at two places of a stack."""
    card = _card_of_stack(s, players, pick, stack, one)
    _set_card_of_stack(s, players, pick, stack, one, _card_of_stack(s, players, pick, stack, other))
    _set_card_of_stack(s, players, pick, stack, other, card)


@rule
def _any_bit(s: Any, bits: Any) -> Any:
    """The number of a random bit that is set."""
    count = 0
    for k in range(NUM_RECIPES + 1):
        count += bits >> k & 1
    left = below(s, count)
    for k in range(NUM_RECIPES + 1):
        if bits >> k & 1:
            if left == 0:
                return k
            left -= 1
    return 0


# Convert and Store


@rule
def _redeal_conversions(s: Any, box: Any, seat: Any) -> None:
    """P60: what others have done in this phase is not known; but it left the seat the choice that it has now (P42).

    If no other conversions are found that do, they stay as they are.
    """
    players = int(box.players)
    if s.seat == seat and turn_of(s, box, s.leaders[COLLECT]) == 0:
        return
    phase = s.phase
    choice = usable_recipes(s, s.seats[seat])
    for other in range(players):
        _keep(s.kept[other], s.seats[other])
    for number in range(_TRIES):
        if _convert_otherwise(s, box, seat, number % 2):
            if s.seat != seat or phase == STORING or usable_recipes(s, s.seats[seat]) == choice:
                break
    else:
        s.phase = phase
        for other in range(players):
            _put_back(s.kept[other], s.seats[other])
        _settle_supply(s, players)
    for other in range(players):
        kept = s.kept[other]
        kept.points = 0
        kept.pixels[:] = 0
        kept.used[:] = 0
        kept.used_abilities[:] = 0


@rule
def _keep(kept: Any, me: Any) -> None:
    kept.points = me.points
    kept.pixels[:] = me.pixels
    kept.used[:] = me.used
    kept.used_abilities[:] = me.used_abilities


@rule
def _put_back(kept: Any, me: Any) -> None:
    me.points = kept.points
    me.pixels[:] = kept.pixels
    me.used[:] = kept.used
    me.used_abilities[:] = kept.used_abilities


@rule
def _begin_again(me: Any) -> None:
    """P60: a player as the phase began."""
    me.points = me.shown_points
    me.pixels[:] = me.shown_pixels
    me.used[:] = 0
    me.used_abilities[:] = 0


@rule
def _settle_supply(s: Any, players: Any) -> Any:
    """P51: in this phase pixels move between boards and supply only. Returns whether there are enough of each color."""
    enough = True
    for color in range(NUM_COLORS):
        left = int(s.shown_supply[color])
        for other in range(players):
            left += int(s.seats[other].shown_pixels[color]) - int(s.seats[other].pixels[color])
        s.supply[color] = left
        enough = enough and left >= 0
    return enough


@rule
def _convert_otherwise(s: Any, box: Any, seat: Any, busy: Any) -> Any:
    """P44, P60: all others begin again, and those before the one that decides convert at random, in Collect order.

    Returns whether that can be: enough pixels for what the seat itself has done, and a choice for the one that decides.
    """
    players = int(box.players)
    for other in range(players):
        if other != seat:
            _begin_again(s.seats[other])
    before = turn_of(s, box, s.leaders[COLLECT])
    if not _settle_supply(s, players):
        return False
    for turn in range(before):
        other = (int(s.leaders[COLLECT]) + turn) % players
        if other != seat:
            _convert_at_random(s, s.seats[other], busy)
    if s.seat == seat:
        return True
    me = s.seats[s.seat]
    s.phase = CONVERTING if usable_recipes(s, me) != 0 else STORING
    return is_asked(s, me)


@rule
def _convert_at_random(s: Any, me: Any, busy: Any) -> None:
    """P39-P43: recipes until chance says to finish, or if `busy` until none is left, then pixels back to five."""
    recipes = usable_recipes(s, me)
    while recipes != 0:
        chosen = _any_bit(s, recipes if busy else recipes | _FINISH)
        if chosen == NUM_RECIPES:
            break
        activate(s, me, chosen)
        recipes = usable_recipes(s, me)
    while must_give(me):
        colors = 0
        for color in range(NUM_COLORS):
            colors |= int(me.pixels[color] > 0) << color
        give(s, me, _any_bit(s, colors))
