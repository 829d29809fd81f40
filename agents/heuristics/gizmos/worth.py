"""Gizmos: the value of cards and marbles to a seat, in points, given the turns left.

A built card is worth its points and its gains in the turns to come: the expected number of its triggers a turn, times
the value of its credits. A card that can be built later counts by how near it is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bdgame_env.engine.arrays import Floats
from bdgame_env.engine.jit import kernel
from bdgame_env.engine.struct import Struct, unsaved
from bdgame_env.games.gizmos import cards
from bdgame_env.games.gizmos import state as st
from bdgame_env.games.gizmos.building import missing_energy
from bdgame_env.games.gizmos.marbles import count
from bdgame_env.games.gizmos.payment import count_of, doublers_of, energies_of, total_of
from bdgame_env.games.gizmos.state import Config, Seat, State


class Weights(NamedTuple):
    """The player's parameters, in points unless a comment says otherwise; tuned by self-play."""

    turns_a_card: float = 0.436  # turns left, for each card missing to trigger the end
    turns_a_level_3: float = 4.94  # likewise, for each missing card of level 3
    files: float = -0.277  # Files a turn
    picks: float = 0.319  # Picks of one color a turn
    picks_more: float = 0.0162  # more of them, for each built card that grants picks
    builds: float = 0.23  # Builds of one color a turn
    builds_more: float = 0.0239  # more of them, for each built card
    archive_builds: float = 0.151  # Builds from the archive a turn
    archive_builds_more: float = 0.0411  # more of them, for each place of the archive after the first
    builds_of_2: float = 0.25  # Builds of level 2 a turn
    draw: float = 0.647  # points that a credit brings
    pick: float = 1.47
    file: float = 0.943
    free_build: float = 2.37
    research: float = 2.92
    to_any: float = 0.145  # points a turn that a converter brings, by type
    twice_to_any: float = 0.293
    doubler: float = 0.282
    any_to_any: float = 0.313
    two_doublers: float = 0.503
    ring: float = 0.0141  # points a turn that an upgrade brings: one more place in the ring
    archive: float = 0.0553  # one more in the archive
    look: float = 0.0476  # one more card to look at
    discount_level_2: float = 0.278  # a discount
    discount_archive: float = 0.507
    discount_research: float = 0.14
    no_file: float = -0.354  # a ban
    no_research: float = -0.19
    full_at_end: float = 0.872  # fraction of the ring that is full at the end
    marble: float = 1.0  # points that a marble brings
    few_turns: float = 0.803  # with this many turns left it brings half of that
    full: float = 0.579  # points that a full ring loses
    best: float = 0.325  # fraction of its worth that counts for the best card to build later
    second: float = 0.149  # for the second best
    others: float = 0.0455  # for each other
    near: float = 0.643  # factor for each missing energy
    in_display: float = 0.425  # factor in the display, where others may take the card
    spent: float = 1.28  # points lost by a marble spent on a researched card
    looking: float = 0.0313  # points that looking brings, apart from the cards
    place: float = 0.0699  # points that a place in the archive is worth
    last_turn: float = 3.61  # points that others score in the last turn
    win: float = 15.3  # points for ending the game ahead
    loss: float = 3.87  # points for each point behind at the end


WEIGHTS = Weights()

ALL_COLORS = cards.NUM_EVENTS  # the Build of a generic card, in addition to the events of the rules
FILE_EVENT, FIRST_PICK, FIRST_BUILD, FROM_ARCHIVE_EVENT, LEVEL_2_EVENT = 0, 1, 5, 9, 10  # the first of each color
LONGEST = 16


class View(Struct):
    """What a seat expects."""

    turns: float = unsaved(np.float64)  # the seat's turns left after this one
    marble: float = unsaved(np.float64)  # worth of one
    rates: Floats = unsaved(np.float64, cards.NUM_EVENTS)  # expected number of each event a turn
    credits: Floats = unsaved(np.float64, len(cards.CREDITS))  # worth of each
    # what each event grants now by built cards, except marbles
    gains: Floats = unsaved(np.float64, cards.NUM_EVENTS + 1)
    marbles: Floats = unsaved(np.float64, cards.NUM_EVENTS + 1)  # and the marbles it grants
    points_a_turn: float = unsaved(np.float64)  # in tokens, expected
    near: Floats = unsaved(np.float64, LONGEST)  # by missing energy
    shown: Floats = unsaved(np.float64, st.DISPLAY)  # worth of the display's cards
    kept: Floats = unsaved(np.float64, st.MOST_ARCHIVED)  # of the archive's
    looked: Floats = unsaved(np.float64, cards.NUM_CARDS)  # for the worth of a Research


@kernel
def look_at(view: View, s: State, config: Config, seat: int) -> None:
    """Write all of the view except `looked`."""
    me = s.seats[seat]
    view.turns = turns_left(s, config, seat)
    view.marble = WEIGHTS.marble * view.turns / (view.turns + WEIGHTS.few_turns)
    view.credits[cards.DRAW] = WEIGHTS.draw
    view.credits[cards.PICK] = WEIGHTS.pick
    view.credits[cards.FILE] = WEIGHTS.file
    view.credits[cards.FREE_BUILD] = WEIGHTS.free_build
    view.credits[cards.RESEARCH] = WEIGHTS.research
    view.credits[cards.POINTS_CREDIT] = 1.0
    _expect_events(view, me)
    _grants_now(view, s, me, seat == s.seat)
    near = 1.0
    for missing in range(LONGEST):
        view.near[missing] = near * min(1.0, max(0.0, view.turns - missing))
        near *= WEIGHTS.near
    for place in range(st.DISPLAY):
        if s.display[place] != st.NONE:
            view.shown[place] = worth(view, me, int(s.display[place]))
    for place in range(me.archived):
        view.kept[place] = worth(view, me, int(me.archive[place]))


@kernel
def turns_left(s: State, config: Config, seat: int) -> float:
    """The expected number of turns of a seat after this one."""
    if s.last_round:
        return 1.0 if seat > s.seat else 0.0
    turns = 100.0
    for other in range(config.players):
        one = s.seats[other]
        turns = min(turns, WEIGHTS.turns_a_card * (st.LAST_ROUND_CARDS - one.cards))
        turns = min(turns, WEIGHTS.turns_a_level_3 * (st.LAST_ROUND_LEVEL_3 - one.level_3))
    return min(float(config.max_rounds - s.round_number), turns)


@kernel
def _expect_events(view: View, me: Seat) -> None:
    """Write the expected number of each event a turn, given the built cards."""
    rates = view.rates
    pickers = 0
    view.points_a_turn = 0.0
    for place in range(me.cards):
        if cards.CREDIT[me.built[place]] == cards.PICK:
            pickers += 1
    rates[FILE_EVENT] = 0.0 if me.bans[cards.FILE_BAN] else WEIGHTS.files
    for color in range(cards.NUM_COLORS):
        rates[FIRST_PICK + color] = WEIGHTS.picks + WEIGHTS.picks_more * pickers
        rates[FIRST_BUILD + color] = WEIGHTS.builds + WEIGHTS.builds_more * me.cards
    rates[FROM_ARCHIVE_EVENT] = WEIGHTS.archive_builds + WEIGHTS.archive_builds_more * (me.archive_limit - 1)
    rates[LEVEL_2_EVENT] = WEIGHTS.builds_of_2
    for place in range(me.cards):
        card = me.built[place]
        if cards.CREDIT[card] == cards.POINTS_CREDIT:
            view.points_a_turn += cards.AMOUNT[card] * _times(view, card)


@kernel
def _times(view: View, card: int) -> float:
    """The expected number of times a turn that a card is triggered."""
    times = 0.0
    for event in range(cards.NUM_EVENTS):
        if int(cards.WHEN[card]) >> event & 1:
            times += view.rates[event]
    return min(1.0, times)


@kernel
def _grants_now(view: View, s: State, me: Seat, on_turn: bool) -> None:
    """Write what each event brings now, through cards not yet spent in this turn."""
    view.gains[:] = 0.0
    view.marbles[:] = 0.0
    for place in range(me.cards):
        card = me.built[place]
        when, credit = int(cards.WHEN[card]), int(cards.CREDIT[card])
        if when == 0 or (on_turn and int(s.spent) >> place & 1):
            continue
        gain = marbles = 0.0
        if credit in (cards.DRAW, cards.PICK):
            marbles = float(cards.AMOUNT[card])
            if credit == cards.PICK:
                gain = marbles * max(0.0, view.credits[cards.PICK] - view.credits[cards.DRAW])
        elif credit == cards.POINTS_CREDIT:
            gain = float(cards.AMOUNT[card])
        else:
            gain = view.credits[credit] * cards.AMOUNT[card]
        for event in range(cards.NUM_EVENTS):
            if when >> event & 1:
                view.gains[event] += gain
                view.marbles[event] += marbles
        if when >> FIRST_BUILD & 15:
            view.gains[ALL_COLORS] += gain
            view.marbles[ALL_COLORS] += marbles


@kernel
def worth(view: View, me: Seat, card: int) -> float:
    """The points of a card and its expected gain in the turns after this one, if it is built."""
    return int(cards.POINTS[card]) + view.turns * gain_a_turn(view, me, card) + scored(view, me, card)


@kernel
def gain_a_turn(view: View, me: Seat, card: int) -> float:
    """What a built card gains in each turn."""
    if cards.WHEN[card] != 0:
        return _times(view, card) * int(cards.AMOUNT[card]) * view.credits[int(cards.CREDIT[card])]
    if cards.KIND[card] == cards.CONVERTER_CARD:
        kind = int(cards.CONVERTER[card])
        if kind < cards.TWICE_TO_ANY:
            return WEIGHTS.to_any
        if kind < cards.DOUBLER:
            return WEIGHTS.twice_to_any
        if kind < cards.ANY_TO_ANY:
            return WEIGHTS.doubler
        return WEIGHTS.any_to_any if kind == cards.ANY_TO_ANY else WEIGHTS.two_doublers
    gain = 0.0
    if cards.KIND[card] == cards.UPGRADE_CARD:
        gain += WEIGHTS.ring * cards.ADDS[card, cards.RING_LIMIT] * 5.0 / me.ring_limit
        gain += WEIGHTS.archive * cards.ADDS[card, cards.ARCHIVE_LIMIT] / me.archive_limit
        gain += WEIGHTS.look * cards.ADDS[card, cards.RESEARCH_LIMIT] * 3.0 / me.research
        gain += WEIGHTS.discount_level_2 * cards.DISCOUNTS[card, cards.LEVEL_2_SCOPE]
        gain += WEIGHTS.discount_archive * cards.DISCOUNTS[card, cards.ARCHIVE_SCOPE]
        gain += WEIGHTS.discount_research * cards.DISCOUNTS[card, cards.RESEARCH_SCOPE]
        gain += (
            WEIGHTS.no_file * cards.BANNED[card, cards.FILE_BAN]
            + WEIGHTS.no_research * cards.BANNED[card, cards.RESEARCH_BAN]
        )
    return gain


@kernel
def scored(view: View, me: Seat, card: int) -> float:
    """What a scorer is expected to count at the end."""
    total = 0.0
    if cards.SCORES[card, cards.RING_SCORER]:
        there = float(max(0, count(me.ring) - 7))
        total += max(there, WEIGHTS.full_at_end * me.ring_limit * min(1.0, view.turns / 3.0))
    if cards.SCORES[card, cards.TOKENS_SCORER]:
        total += me.tokens + view.turns * view.points_a_turn
    return total


@kernel
def later(view: View, s: State, me: Seat, energies: int, without: int, filed: int) -> float:
    """The value of the cards in display and archive, except `without`; `filed` counts as if it were in the archive.

    Both may be NONE.
    """
    best = second = rest = 0.0
    for place in range(st.DISPLAY + st.MOST_ARCHIVED + 1):
        if place < st.DISPLAY:
            card, part, source = int(s.display[place]), WEIGHTS.in_display, st.FROM_DISPLAY
            value = view.shown[place]
        elif place < st.DISPLAY + me.archived:
            card, part, source = int(me.archive[place - st.DISPLAY]), 1.0, st.FROM_ARCHIVE
            value = view.kept[place - st.DISPLAY]
        elif place == st.DISPLAY + st.MOST_ARCHIVED and filed != st.NONE:
            card, part, source = filed, 1.0, st.FROM_ARCHIVE
            value = worth(view, me, card)
        else:
            continue
        if card == st.NONE or (card == without and place < st.DISPLAY + st.MOST_ARCHIVED):
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
    return WEIGHTS.best * best + WEIGHTS.second * second + WEIGHTS.others * rest


@kernel
def ring_worth(view: View, me: Seat, marbles: float) -> float:
    """The value of a number of marbles, whatever their colors."""
    held = min(marbles, float(me.ring_limit))
    total = view.marble * held + me.scorers[cards.RING_SCORER] * held
    if held >= me.ring_limit:
        total -= WEIGHTS.full * min(1.0, view.turns)
    return total


@kernel
def outlook(view: View, s: State, me: Seat, ring: int, more: float, without: int, filed: int) -> float:
    """The value for later turns of a ring, `more` marbles of unknown color, display and archive."""
    total = ring_worth(view, me, total_of(ring) + more)
    if view.turns > 0.0:
        total += later(view, s, me, energies_of(ring, int(me.converters)), without, filed)
    return total


@kernel
def marbles_for(ring: int, card: int, price: int, types: int) -> int:
    """About how many marbles a card will cost, if doublers are used."""
    doublers = 0
    if cards.COLOR[card] == cards.ANY:
        for color in range(cards.NUM_COLORS):
            if count_of(ring, color) > 0:
                doublers += doublers_of(types, color)
    else:
        doublers = doublers_of(types, int(cards.COLOR[card]))
    return max(price - doublers, (price + 1) // 2)


@kernel
def ring_after(ring: int, card: int, spent: float) -> int:
    """About what is left in the ring: marbles of the card's color go first, then the most frequent ones."""
    left = int(spent)
    if cards.COLOR[card] != cards.ANY:
        own = min(left, count_of(ring, int(cards.COLOR[card])))
        ring -= own << 4 * int(cards.COLOR[card])
        left -= own
    for _ in range(left):
        most = 0
        for color in range(1, cards.NUM_COLORS):
            if count_of(ring, color) > count_of(ring, most):
                most = color
        if count_of(ring, most) > 0:
            ring -= 1 << 4 * most
    return ring


@kernel
def built_gain(view: View, me: Seat, card: int, source: int) -> float:
    """The value of what building a card triggers now, except marbles."""
    gain = view.gains[ALL_COLORS] if cards.COLOR[card] == cards.ANY else view.gains[FIRST_BUILD + cards.COLOR[card]]
    if cards.LEVEL[card] == 2:
        gain += view.gains[LEVEL_2_EVENT]
    if source == st.FROM_ARCHIVE:
        gain += view.gains[FROM_ARCHIVE_EVENT]
    return gain


@kernel
def built_marbles(view: View, me: Seat, card: int, source: int) -> float:
    """The number of marbles that building a card grants now."""
    marbles = (
        view.marbles[ALL_COLORS] if cards.COLOR[card] == cards.ANY else view.marbles[FIRST_BUILD + cards.COLOR[card]]
    )
    if cards.LEVEL[card] == 2:
        marbles += view.marbles[LEVEL_2_EVENT]
    if source == st.FROM_ARCHIVE:
        marbles += view.marbles[FROM_ARCHIVE_EVENT]
    return marbles
