"""Gizmos, what cards and marbles are worth to a seat: in points, by the turns that are left.

A built card is worth its points and what it gains in the turns to come: whatever triggers it happens so often a turn,
and each credit is worth so much. A card that can be built later counts by how near it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bdgame_env.engine.jit import kernel
from bdgame_env.engine.layout import record
from bdgame_env.games.gizmos.building import least_price
from bdgame_env.games.gizmos.cards import (
    ADDS,
    AMOUNT,
    ANY,
    ANY_TO_ANY,
    ARCHIVE_SCOPE,
    BANNED,
    COLOR,
    CONVERTER,
    CONVERTER_CARD,
    CREDIT,
    CREDITS,
    DISCOUNTS,
    DOUBLER,
    DRAW,
    FILE,
    FREE_BUILD,
    KIND,
    LEVEL,
    LEVEL_2_SCOPE,
    NUM_CARDS,
    NUM_COLORS,
    NUM_EVENTS,
    PICK,
    POINTS,
    POINTS_CREDIT,
    RESEARCH,
    RESEARCH_SCOPE,
    SCORES,
    TWICE_TO_ANY,
    UPGRADE_CARD,
    WHEN,
)
from bdgame_env.games.gizmos.marbles import count
from bdgame_env.games.gizmos.payment import count_of, doublers_of, reach, total_of
from bdgame_env.games.gizmos.state import (
    DISPLAY,
    FROM_ARCHIVE,
    FROM_DISPLAY,
    LAST_ROUND_CARDS,
    LAST_ROUND_LEVEL_3,
    MOST_ARCHIVED,
    NONE,
)

# The weights by number.
# Turns that are left, for each card that is missing to the end, and for each of level 3
W_TURNS_A_CARD, W_TURNS_A_LEVEL_3 = 0, 1
# How often a turn a File happens, a Pick of one color (and more for each card that lets pick), a Build of one color
# (and more for each card), a Build from the archive (and more for each further place there), one of level 2
W_FILES, W_PICKS, W_PICKS_MORE, W_BUILDS, W_BUILDS_MORE = range(2, 7)
W_ARCHIVE_BUILDS, W_ARCHIVE_BUILDS_MORE, W_BUILDS_OF_2 = range(7, 10)
# What a credit is worth
W_DRAW, W_PICK, W_FILE, W_FREE_BUILD, W_RESEARCH = range(10, 15)
# What converters and upgrades are worth in each turn
W_TO_ANY, W_TWICE_TO_ANY, W_DOUBLER, W_ANY_TO_ANY, W_TWO_DOUBLERS, W_RING, W_ARCHIVE, W_LOOK = range(15, 23)
W_DISCOUNT_LEVEL_2, W_DISCOUNT_ARCHIVE, W_DISCOUNT_RESEARCH, W_NO_FILE, W_NO_RESEARCH = range(23, 28)
# The part of the ring that is full in the end; a marble, with how many turns it is worth half; a full ring
W_FULL_AT_END, W_MARBLE, W_FEW_TURNS, W_FULL = range(28, 32)
# The part of their worth that the best card to build later, the second and the others count; for each missing energy;
# in the display, where others may take it
W_BEST, W_SECOND, W_OTHERS, W_NEAR, W_IN_DISPLAY = range(32, 37)
# To look at cards: a marble spent, and the looking; a place in the archive
W_SPENT, W_LOOKING, W_PLACE = range(37, 40)
# Points that others make in the last turn; what it is worth to end the game ahead; each point behind
W_LAST_TURN, W_WIN, W_LOSS = range(40, 43)
NUM_WEIGHTS = 43
# In that order; found in games of the player with itself.
WEIGHTS = np.array(
    [
        *(0.436, 4.94),
        *(-0.277, 0.319, 0.0162, 0.23, 0.0239),
        *(0.151, 0.0411, 0.25),
        *(0.647, 1.47, 0.943, 2.37, 2.92),
        *(0.145, 0.293, 0.282, 0.313, 0.503, 0.0141, 0.0553, 0.0476),
        *(0.278, 0.507, 0.14, -0.354, -0.19),
        *(0.872, 1.0, 0.803, 0.579),
        *(0.325, 0.149, 0.0455, 0.643, 0.425),
        *(1.28, 0.0313, 0.0699),
        *(3.61, 15.3, 3.87),
    ]
)
assert len(WEIGHTS) == NUM_WEIGHTS

ALL_COLORS = NUM_EVENTS  # the Build of a generic card, beside the events of the rules
FIRST_BUILD, FROM_ARCHIVE_EVENT, LEVEL_2_EVENT = 5, 9, 10
LONGEST = 16

VIEW = record(
    [
        ("weights", np.float64, NUM_WEIGHTS),
        ("turns", np.float64),  # of the seat that are left after this one
        ("marble", np.float64),  # worth of one
        ("rates", np.float64, NUM_EVENTS),  # how often a turn each event will happen
        ("credits", np.float64, len(CREDITS)),  # worth of each
        ("gains", np.float64, NUM_EVENTS + 1),  # what each event grants now by built cards, but for marbles,
        ("marbles", np.float64, NUM_EVENTS + 1),  # and marbles
        ("points_a_turn", np.float64),  # in tokens, expected
        ("near", np.float64, LONGEST),  # by missing energy
        ("shown", np.float64, DISPLAY),  # worth of the display's cards,
        ("kept", np.float64, MOST_ARCHIVED),  # of the archive's
        ("looked", np.float64, NUM_CARDS),  # for the worth of a Research
    ]
)


@kernel
def look_at(view: Any, s: Any, config: Any, seat: Any) -> None:
    """Write all but the weights, which are filled in if the work space is fresh."""
    w = view.weights
    if w[W_MARBLE] == 0.0:
        w[:] = WEIGHTS
    me = s.seats[seat]
    view.turns = turns_left(w, s, config, seat)
    view.marble = w[W_MARBLE] * view.turns / (view.turns + w[W_FEW_TURNS])
    view.credits[DRAW] = w[W_DRAW]
    view.credits[PICK] = w[W_PICK]
    view.credits[FILE] = w[W_FILE]
    view.credits[FREE_BUILD] = w[W_FREE_BUILD]
    view.credits[RESEARCH] = w[W_RESEARCH]
    view.credits[POINTS_CREDIT] = 1.0
    _expect_events(view, me)
    _grants_now(view, s, me, seat == s.seat)
    near = 1.0
    for missing in range(LONGEST):
        view.near[missing] = near * min(1.0, max(0.0, view.turns - missing))
        near *= w[W_NEAR]
    for place in range(DISPLAY):
        if s.display[place] != NONE:
            view.shown[place] = worth(view, me, int(s.display[place]))
    for place in range(me.archived):
        view.kept[place] = worth(view, me, int(me.archive[place]))


@kernel
def turns_left(w: Any, s: Any, config: Any, seat: Any) -> Any:
    """Turns of a seat after this one, as far as can be told."""
    if s.last_round:
        return 1.0 if seat > s.seat else 0.0
    turns = 100.0
    for other in range(config.players):
        one = s.seats[other]
        turns = min(turns, w[W_TURNS_A_CARD] * (LAST_ROUND_CARDS - one.cards))
        turns = min(turns, w[W_TURNS_A_LEVEL_3] * (LAST_ROUND_LEVEL_3 - one.level_3))
    return min(float(config.max_rounds - s.round_number), turns)


@kernel
def _expect_events(view: Any, me: Any) -> None:
    """How often a turn each event happens, by what is built."""
    w, rates = view.weights, view.rates
    pickers = 0
    view.points_a_turn = 0.0
    for place in range(me.cards):
        if CREDIT[me.built[place]] == PICK:
            pickers += 1
    rates[0] = 0.0 if me.bans[0] else w[W_FILES]
    for color in range(NUM_COLORS):
        rates[1 + color] = w[W_PICKS] + w[W_PICKS_MORE] * pickers
        rates[FIRST_BUILD + color] = w[W_BUILDS] + w[W_BUILDS_MORE] * me.cards
    rates[FROM_ARCHIVE_EVENT] = w[W_ARCHIVE_BUILDS] + w[W_ARCHIVE_BUILDS_MORE] * (me.archive_limit - 1)
    rates[LEVEL_2_EVENT] = w[W_BUILDS_OF_2]
    for place in range(me.cards):
        card = me.built[place]
        if CREDIT[card] == POINTS_CREDIT:
            view.points_a_turn += AMOUNT[card] * _times(view, card)


@kernel
def _times(view: Any, card: Any) -> Any:
    """How often a turn a card will be triggered."""
    times = 0.0
    for event in range(NUM_EVENTS):
        if int(WHEN[card]) >> event & 1:
            times += view.rates[event]
    return min(1.0, times)


@kernel
def _grants_now(view: Any, s: Any, me: Any, on_turn: Any) -> None:
    """What each event brings now, by the cards not yet spent in this turn."""
    view.gains[:] = 0.0
    view.marbles[:] = 0.0
    for place in range(me.cards):
        card = me.built[place]
        when, credit = int(WHEN[card]), int(CREDIT[card])
        if when == 0 or (on_turn and int(s.spent) >> place & 1):
            continue
        gain = marbles = 0.0
        if credit in (DRAW, PICK):
            marbles = float(AMOUNT[card])
            if credit == PICK:
                gain = marbles * max(0.0, view.credits[PICK] - view.credits[DRAW])
        elif credit == POINTS_CREDIT:
            gain = float(AMOUNT[card])
        else:
            gain = view.credits[credit] * AMOUNT[card]
        for event in range(NUM_EVENTS):
            if when >> event & 1:
                view.gains[event] += gain
                view.marbles[event] += marbles
        if when >> FIRST_BUILD & 15:
            view.gains[ALL_COLORS] += gain
            view.marbles[ALL_COLORS] += marbles


@kernel
def worth(view: Any, me: Any, card: Any) -> Any:
    """Points of a card and what it will gain in the turns after this one, if it is built."""
    return POINTS[card] + view.turns * gain_a_turn(view, me, card) + scored(view, me, card)


@kernel
def gain_a_turn(view: Any, me: Any, card: Any) -> Any:
    """What a built card gains in each turn."""
    w = view.weights
    if WHEN[card] != 0:
        return _times(view, card) * AMOUNT[card] * view.credits[CREDIT[card]]
    if KIND[card] == CONVERTER_CARD:
        kind = int(CONVERTER[card])
        if kind < TWICE_TO_ANY:
            return w[W_TO_ANY]
        if kind < DOUBLER:
            return w[W_TWICE_TO_ANY]
        if kind < ANY_TO_ANY:
            return w[W_DOUBLER]
        return w[W_ANY_TO_ANY] if kind == ANY_TO_ANY else w[W_TWO_DOUBLERS]
    gain = 0.0
    if KIND[card] == UPGRADE_CARD:
        gain += w[W_RING] * ADDS[card, 0] * 5.0 / me.ring_limit
        gain += w[W_ARCHIVE] * ADDS[card, 1] / me.archive_limit
        gain += w[W_LOOK] * ADDS[card, 2] * 3.0 / me.research
        gain += w[W_DISCOUNT_LEVEL_2] * DISCOUNTS[card, LEVEL_2_SCOPE]
        gain += w[W_DISCOUNT_ARCHIVE] * DISCOUNTS[card, ARCHIVE_SCOPE]
        gain += w[W_DISCOUNT_RESEARCH] * DISCOUNTS[card, RESEARCH_SCOPE]
        gain += w[W_NO_FILE] * BANNED[card, 0] + w[W_NO_RESEARCH] * BANNED[card, 1]
    return gain


@kernel
def scored(view: Any, me: Any, card: Any) -> Any:
    """What a scorer will count in the end."""
    total = 0.0
    if SCORES[card, 0]:
        there = float(max(0, count(me.ring) - 7))
        total += max(there, view.weights[W_FULL_AT_END] * me.ring_limit * min(1.0, view.turns / 3.0))
    if SCORES[card, 1]:
        total += me.tokens + view.turns * view.points_a_turn
    return total


@kernel
def energies_of(ring: Any, types: Any) -> Any:
    """Four bits for each color, then for ANY: the most energy of it that marbles make (`ring` as in payment.py)."""
    energies = 0
    for target in range(NUM_COLORS + 1):
        energies |= min(15, reach(ring, target, types)) << 4 * target
    return energies


@kernel
def missing_energy(me: Any, energies: Any, card: Any, source: Any) -> Any:
    """How much energy is missing to build a card."""
    return max(0, least_price(me, card, source) - (energies >> 4 * int(COLOR[card]) & 15))


@kernel
def later(view: Any, s: Any, me: Any, energies: Any, without: Any, filed: Any) -> Any:
    """What the cards in display and archive promise, but for one card; `filed` is taken to be in the archive.

    Both may be NONE.
    """
    w = view.weights
    best = second = rest = 0.0
    for place in range(DISPLAY + MOST_ARCHIVED + 1):
        if place < DISPLAY:
            card, part, source = int(s.display[place]), w[W_IN_DISPLAY], FROM_DISPLAY
            value = view.shown[place]
        elif place < DISPLAY + me.archived:
            card, part, source = int(me.archive[place - DISPLAY]), 1.0, FROM_ARCHIVE
            value = view.kept[place - DISPLAY]
        elif place == DISPLAY + MOST_ARCHIVED and filed != NONE:
            card, part, source = filed, 1.0, FROM_ARCHIVE
            value = worth(view, me, card)
        else:
            continue
        if card == NONE or (card == without and place < DISPLAY + MOST_ARCHIVED):
            continue
        value += built_gain(view, me, card, source) + built_marbles(view, me, card, source) * view.marble
        value *= part * view.near[missing_energy(me, energies, card, source)]
        if value > best:
            rest += second
            second = best
            best = value
        elif value > second:
            rest += second
            second = value
        elif value > 0.0:
            rest += value
    return w[W_BEST] * best + w[W_SECOND] * second + w[W_OTHERS] * rest


@kernel
def ring_worth(view: Any, me: Any, marbles: Any) -> Any:
    """What a number of marbles is worth, whatever their colors."""
    held = min(marbles, float(me.ring_limit))
    total = view.marble * held + me.scorers[0] * held
    if held >= me.ring_limit:
        total -= view.weights[W_FULL] * min(1.0, view.turns)
    return total


@kernel
def outlook(view: Any, s: Any, me: Any, ring: Any, more: Any, without: Any, filed: Any) -> Any:
    """What a ring, `more` marbles of unknown color, display and archive promise for the turns to come."""
    total = ring_worth(view, me, total_of(ring) + more)
    if view.turns > 0.0:
        total += later(view, s, me, energies_of(ring, int(me.converters)), without, filed)
    return total


@kernel
def marbles_for(ring: Any, card: Any, price: Any, types: Any) -> Any:
    """About how many marbles a card will take, doublers being used."""
    doublers = 0
    if COLOR[card] == ANY:
        for color in range(NUM_COLORS):
            if count_of(ring, color) > 0:
                doublers += doublers_of(types, color)
    else:
        doublers = doublers_of(types, int(COLOR[card]))
    return max(price - doublers, (price + 1) // 2)


@kernel
def ring_after(ring: Any, card: Any, spent: Any) -> Any:
    """About what is left in the ring: those of the card's color go first, then those of which there are most."""
    left = int(spent)
    if COLOR[card] != ANY:
        own = min(left, count_of(ring, int(COLOR[card])))
        ring -= own << 4 * int(COLOR[card])
        left -= own
    for _ in range(left):
        most = 0
        for color in range(1, NUM_COLORS):
            if count_of(ring, color) > count_of(ring, most):
                most = color
        if count_of(ring, most) > 0:
            ring -= 1 << 4 * most
    return ring


@kernel
def built_gain(view: Any, me: Any, card: Any, source: Any) -> Any:
    """What building a card triggers now, but for marbles."""
    gain = view.gains[ALL_COLORS] if COLOR[card] == ANY else view.gains[FIRST_BUILD + COLOR[card]]
    if LEVEL[card] == 2:
        gain += view.gains[LEVEL_2_EVENT]
    if source == FROM_ARCHIVE:
        gain += view.gains[FROM_ARCHIVE_EVENT]
    return gain


@kernel
def built_marbles(view: Any, me: Any, card: Any, source: Any) -> Any:
    """The marbles that building a card triggers now."""
    marbles = view.marbles[ALL_COLORS] if COLOR[card] == ANY else view.marbles[FIRST_BUILD + COLOR[card]]
    if LEVEL[card] == 2:
        marbles += view.marbles[LEVEL_2_EVENT]
    if source == FROM_ARCHIVE:
        marbles += view.marbles[FROM_ARCHIVE_EVENT]
    return marbles
